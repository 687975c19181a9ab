// How far the words that hypothesis and reference share stand in another order: what PORT and AMBER ask.
//
// Chen, Kuhn and Larkin (2012), PORT: a Precision-Order-Recall MT Evaluation Metric for Tuning; Chen and Kuhn (2011),
// AMBER: A Modified BLEU, Enhanced Ranking Metric.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/lepor.hpp"
#include "karat/word_pairs.hpp"

namespace karat {

/// Writes (aligned words, chunks, moves, jumps, squared moves, ascending pairs). The words are aligned as for LEPOR
/// with a window of two; the ranks are their places in the reference among those that are aligned, from 1, in the order
/// of the hypothesis. Chunks are runs of words that are neighbours on both sides; moves the sum of |rank - place|,
/// squared moves that of its squares; jumps the sum over places of |step of the rank - 1|, the first step being from 0;
/// ascending pairs are those whose ranks stand in order. O(alignment + n log n).
class WordOrderKernel {
 public:
    static constexpr std::size_t columns = 6;

    void operator()(const WordPair& pair, std::span<std::int64_t> row);

 private:
    void rank(std::span<const std::uint32_t> aligned, std::size_t reference_length);
    std::int64_t chunks(std::span<const std::uint32_t> aligned, std::size_t reference_length) const;
    std::int64_t ascending_pairs();

    LeporKernel aligner_{2, LeporAlignment::published};
    std::vector<std::int64_t> rank_at_;  // by place in the reference
    std::vector<std::int64_t> ranks_;    // in the order of the hypothesis
    std::vector<std::int64_t> tree_;     // of the Fenwick kind: how many ranks were seen
};

}  // namespace karat
