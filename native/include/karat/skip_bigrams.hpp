// Pairs of words in their order with words between them: ROUGE-S and ROUGE-SU.
//
// Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/word_pairs.hpp"

namespace karat {

/// Writes the clipped matches of pairs with at most `gap` words between them, of words, and of words when the last one
/// of both sides is left out. O(n gap log(n gap)).
class SkipBigramKernel {
 public:
    static constexpr std::size_t columns = 3;

    explicit SkipBigramKernel(std::size_t gap) : gap_(gap) {}

    void operator()(const WordPair& pair, std::span<std::int64_t> row);

 private:
    using Keys = std::vector<std::uint64_t>;

    void collect_pairs(std::span<const Symbol> words, Keys& keys) const;
    std::int64_t common();
    std::int64_t common_words(std::span<const Symbol> hypothesis, std::span<const Symbol> reference);

    std::size_t gap_;
    Keys hypothesis_, reference_;
};

}  // namespace karat
