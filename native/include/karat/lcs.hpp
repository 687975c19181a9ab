// Longest common subsequences, plain, weighted, and united over the sentences of a text: ROUGE-L, ROUGE-W, ROUGE-Lsum.
//
// Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries. Lengths are computed 64 cells at a time: Hyyrö
// (2004), Bit-Parallel LCS-length Computation Revisited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/word_pairs.hpp"

namespace karat {

/// Where each symbol of a sequence stands, as bits. Memory is linear in the length beyond a first few pages.
class PositionBits {
 public:
    void set(std::span<const Symbol> symbols, Symbol alphabet);

    std::size_t blocks() const noexcept { return blocks_; }

    /// The places of the symbol; valid until the next call.
    const std::uint64_t* of(Symbol symbol);

 private:
    Positions positions_;  // of long sequences
    std::size_t blocks_ = 0;
    bool all_ = true;   // whether `bits_` has those of every symbol, one after the other
    Symbol shown_ = 0;  // else: whose they are
    std::vector<std::uint64_t> bits_;
};

/// One line of the table of lengths of common subsequences: bit i is 0 if the length grows at place i.
class LcsLine {
 public:
    void start(std::size_t blocks) { bits_.assign(blocks, ~std::uint64_t{0}); }
    void advance(const std::uint64_t* matches) noexcept;
    std::span<const std::uint64_t> bits() const noexcept { return bits_; }

 private:
    std::vector<std::uint64_t> bits_;
};

/// Writes the length of the longest common subsequence. O(n m / 64) time, O(n + m) memory.
class LcsKernel {
 public:
    static constexpr std::size_t columns = 1;

    void operator()(const WordPair& pair, std::span<std::int64_t> row);

 private:
    PositionBits places_;
    LcsLine line_;
};

/// Writes the weight of the common subsequence that the paper's recurrence finds: a run of k consecutive matches counts
/// k to the power of `weight`. O(n m) time, O(n + m) memory.
class WeightedLcsKernel {
 public:
    static constexpr std::size_t columns = 1;

    explicit WeightedLcsKernel(double weight) : weight_(weight) {}

    void operator()(const WordPair& pair, std::span<double> row);

 private:
    /// A cell of the last line: the weight so far, and the length of the run of matches that ends here.
    struct Cell {
        double weight;
        std::uint32_t run;
    };

    double weight_;
    std::vector<double> powers_;  // of 0, 1, 2, ...
    std::vector<Cell> cells_;
};

/// How many blocks of 64 cells a pair of sentences may have, which are kept to follow a subsequence back: 128 MiB.
inline constexpr std::uint64_t summary_lcs_blocks = std::uint64_t{1} << 24;

/// Texts as sentences: those of text i stand at starts[i] to starts[i + 1].
using SentenceStarts = std::span<const std::int64_t>;

/// One row per reference, in their order: words of the hypothesis, words of the reference, united words, and hits. A
/// word of a sentence of the reference is united if it lies on the longest common subsequence with some sentence of the
/// hypothesis; hits are united words, each at most as often as the hypothesis has it. Of several subsequences as long,
/// read from right to left, the one counts that takes a word wherever it can, leaves out one of the hypothesis where
/// the length allows only that, and else one of the reference. `sentences` has those of all references of a segment;
/// `offsets` says which references a segment has, `references` which sentences a reference has, `hypotheses` which of
/// `words` a hypothesis has. O(n m / 64) time. Throws std::invalid_argument for sentences that are too long.
std::vector<std::int64_t> summary_lcs_rows(const WordReferences& sentences, std::span<const std::int64_t> offsets,
                                           SentenceStarts references, const Tokens& words, SentenceStarts hypotheses,
                                           unsigned threads, const Interrupted& interrupted);

}  // namespace karat
