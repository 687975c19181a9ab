// RIBES: words aligned one to one, and how many pairs of them stand in the order of the reference.
//
// Isozaki et al. (2010), Automatic Evaluation of Translation Quality for Distant Language Pairs. Of a context to the
// left and one to the right that are equally long, RIBES.py 1.03.1 tries the left one first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/word_pairs.hpp"

namespace karat {

/// Writes (aligned words, pairs of them in ascending order). A word that both sides have once is aligned; any other by
/// the shortest n-gram that ends or begins with it and that both sides have once. O(n log n) for words that are unique,
/// and in the worst case, where one word is all there is, O(n (n + m)); memory O(n + m).
class RibesKernel {
 public:
    static constexpr std::size_t columns = 2;

    explicit RibesKernel(bool right_first) : right_first_(right_first) {}

    void operator()(const WordPair& pair, std::span<std::int64_t> row);

 private:
    /// Where a word with its context so far still occurs, on both sides.
    struct Occurrences {
        std::vector<std::uint32_t> hypothesis;
        std::vector<std::uint32_t> reference;

        bool unique() const noexcept { return hypothesis.size() == 1 && reference.size() == 1; }
    };
    /// How many neighbours on one side it takes until a word is in one place only, and where that is in the reference.
    struct Context {
        std::uint32_t size;
        std::uint32_t place;
    };
    /// How long the n-grams are that a side shares, at each of its places, with those that end with the word read last.
    struct Lengths {
        std::vector<std::uint32_t> now, before;
    };
    enum class Side : bool { left, right };

    void align(const WordPair& pair);
    bool repeats_much(const WordPair& pair) const noexcept;
    void align_by_context(const WordPair& pair, std::uint32_t i);
    void align_by_lengths(const WordPair& pair);
    void find_contexts(const WordPair& pair, Side side, std::vector<Context>& contexts);
    std::int64_t ascending_pairs(std::size_t reference_length);

    bool right_first_;
    Positions in_hypothesis_, in_reference_;
    Occurrences left_, right_;
    Lengths hypothesis_lengths_, reference_lengths_;
    std::vector<Context> left_contexts_, right_contexts_;  // by word of the hypothesis
    std::vector<std::uint32_t> aligned_;                   // positions in the reference, in the order of the hypothesis
    std::vector<std::int64_t> tree_;                       // of the Fenwick kind: how many positions were seen
};

}  // namespace karat
