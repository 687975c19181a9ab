// Longest common subsequences, plain and weighted: ROUGE-L and ROUGE-W.
//
// Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/word_pairs.hpp"

namespace karat {

/// Writes the length of the longest common subsequence. O(n m) time, O(m) memory.
class LcsKernel {
 public:
    static constexpr std::size_t columns = 1;

    void operator()(const WordPair& pair, std::span<std::int64_t> row);

 private:
    std::vector<std::uint32_t> lengths_;  // of the last line, by position in the reference
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

}  // namespace karat
