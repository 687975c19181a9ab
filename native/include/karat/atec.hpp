// Words aligned by form, stem, sound and sense, and how far they stand from each other: ATEC.
//
// Wong and Kit (2009), ATEC: Automatic Evaluation of Machine Translation via Word Choice and Word Order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/word_facts.hpp"

namespace karat {

/// Writes the weight of aligned words in the hypothesis and in the reference, each times the worth of its stage; the
/// weights of all words of both; the number of aligned words; the sum of |i / hypothesis length - j / reference length|
/// over them; and the pairs of them in the same order on both sides. Stage by stage, words that are still free are
/// aligned from left to right, each to the nearest one (by |i - j|, of two the first) that is the same word, a form of
/// one lemma, sounds alike, or shares a set. A stage of worth 0 is left out. O(stages |h| |r| + n log n).
class AtecKernel {
 public:
    static constexpr std::size_t columns = 7;
    static constexpr std::size_t stages = 4;

    AtecKernel(const WordFacts& facts, const std::array<double, stages>& worths) : facts_(&facts), worths_(worths) {}

    void operator()(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                    std::span<double> row);

 private:
    using Words = std::span<const std::int32_t>;

    bool related(std::size_t stage, std::int32_t a, std::int32_t b) const noexcept;
    void align(std::size_t stage, Words hypothesis, Words reference);
    std::int64_t ordered_pairs(std::size_t reference_length);

    const WordFacts* facts_;
    std::array<double, stages> worths_;
    std::vector<std::uint32_t> partners_;  // by place in the hypothesis; the length of the reference if there is none
    std::vector<std::uint8_t> stage_of_;   // by place in the hypothesis
    std::vector<std::uint8_t> used_;       // by place in the reference
    std::vector<std::int64_t> tree_;       // of the Fenwick kind: how many places were seen
};

}  // namespace karat
