// The greedy search for block shifts inside TER.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/segment_lexicon.hpp"
#include "karat/ter.hpp"
#include "karat/ter_distance.hpp"

namespace karat::ter {

/// Finds the edits of one pair after the other, and keeps its memory between them.
class Searcher {
 public:
    explicit Searcher(TerSearch search) : search_(search) {}

    /// The number of edits; `details`, if given, receives what they are.
    std::uint64_t edits(std::span<const Token> hypothesis, std::span<const Token> reference, TerAlignment* details);

 private:
    /// A shift as sacreBLEU names it: `length` words from `start`, put behind `target` words of the hypothesis.
    struct Candidate {
        std::uint32_t start;
        std::uint32_t length;
        std::uint32_t target;
    };

    template <class Distance>
    std::uint64_t greedy(Distance& distance, TerAlignment* details);
    template <class Distance>
    const Candidate* best_shift(Distance& distance, std::size_t most_gain);
    template <std::size_t Words>
    std::uint64_t with_bits(BitDistance<Words>& bits, TerAlignment* details);
    std::size_t fewest_possible();
    void number(std::span<const Token> hypothesis, std::span<const Token> reference);
    template <class Distance>
    void read_trace(const Distance& distance);
    void index_reference();
    bool collect();
    bool collect_from(std::uint32_t start, std::uint32_t reference_start);
    Rotation rotation(const Candidate& candidate) const noexcept;

    TerSearch search_;
    SegmentLexicon lexicon_;  // of the reference
    std::vector<Id> hypothesis_;
    std::vector<Id> reference_;
    std::vector<std::uint32_t> occurrences_;        // positions in the reference, by word
    std::vector<std::uint32_t> occurrence_starts_;  // where those of each word begin
    std::vector<std::uint32_t> aligned_;            // one past the hypothesis position each reference position maps to
    std::vector<std::uint8_t> hypothesis_error_;
    std::vector<std::uint8_t> reference_error_;
    std::vector<Candidate> candidates_;
    std::uint64_t looked_at_ = 0;
    Band band_;
    BitDistance<1> bits64_;
    BitDistance<2> bits128_;
    BandDistance banded_;
};

}  // namespace karat::ter
