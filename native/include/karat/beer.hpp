// What BEER looks at in words: n-grams with the ends of the sentence, and pairs of words with others between them.
//
// Stanojevic and Sima'an (2014, 2015), BEER: BEtter Evaluation as Ranking.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "karat/ngram.hpp"
#include "karat/word_pairs.hpp"

namespace karat {

/// How many pairs of words a segment may have: more would take gigabytes.
inline constexpr std::uint64_t beer_pairs = std::uint64_t{1} << 27;

/// Writes the clipped matches of n-grams of each order n from 1 to 4, with n - 1 marks before the first and after the
/// last word; then those of pairs of words in their order, with at most 1, 2, 3, 4 and any number of words between
/// them. O(n^2) for the last ones. Throws std::invalid_argument for segments of more than `beer_pairs` pairs.
class BeerKernel {
 public:
    static constexpr std::size_t orders = 4;
    static constexpr std::array<std::size_t, 5> gaps{1, 2, 3, 4, std::numeric_limits<std::size_t>::max()};
    static constexpr std::size_t columns = orders + gaps.size();

    void operator()(const WordPair& pair, std::span<std::int64_t> row);

 private:
    using Words = std::span<const Symbol>;

    void match_orders(const WordPair& pair, std::span<std::int64_t> matches);
    std::int64_t match_pairs(const WordPair& pair, std::size_t gap);
    std::int64_t match_in_table(const WordPair& pair, std::size_t gap);
    std::int64_t match_sorted(const WordPair& pair, std::size_t gap);

    NgramMatcher matcher_;
    std::vector<Symbol> hypothesis_, reference_;  // with marks
    std::vector<std::uint32_t> counts_;           // by pair of symbols; all zero between two calls
    std::vector<std::uint64_t> keys_[2];          // pairs of symbols, for alphabets too great for a table
};

}  // namespace karat
