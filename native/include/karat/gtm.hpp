// General text matcher: runs of words that hypothesis and reference share, the longest first.
//
// Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/word_pairs.hpp"

namespace karat {

/// Writes the size of the matching that is found by taking the longest run of free words again and again (of several
/// the first in the hypothesis, then in the reference): (sum of length^exponent)^(1 / exponent). With exponent 1 this
/// is the number of words in common. O(n m + runs log runs).
class GtmKernel {
 public:
    static constexpr std::size_t columns = 1;

    explicit GtmKernel(double exponent) : exponent_(exponent) {}

    void operator()(const WordPair& pair, std::span<double> row) { row[0] = size(pair.hypothesis, pair.reference); }

    /// The size of the matching. The end of a reference may stand within `reference`: no run goes across.
    double size(std::span<const Symbol> hypothesis, std::span<const Symbol> reference);

 private:
    struct Run {
        std::uint32_t length;
        std::uint32_t hypothesis;
        std::uint32_t reference;
    };

    static bool later(const Run& a, const Run& b) noexcept;
    void collect(std::span<const Symbol> hypothesis, std::span<const Symbol> reference);
    void add(const Run& run);
    bool is_free(const Run& run, std::uint32_t place) const noexcept;
    void take(const Run& run);
    void add_free_parts(const Run& run);

    double exponent_;
    std::vector<Run> heap_;  // the next one to take on top
    std::vector<std::uint32_t> lengths_[2];
    std::vector<std::uint8_t> used_hypothesis_, used_reference_;
};

/// One row per segment: length of the hypothesis, mean length of its references, size of the matching with all of them
/// put one behind the other. The same for every number of threads.
std::vector<double> gtm_rows(const WordReferences& references, const Tokens& hypotheses, double exponent,
                             unsigned threads, const Interrupted& interrupted);

}  // namespace karat
