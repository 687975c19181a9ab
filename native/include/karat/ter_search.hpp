// The greedy search for block shifts inside TER.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "karat/ter.hpp"
#include "karat/ter_distance.hpp"

namespace karat::ter {

/// Numbers the words of a reference, and gives hypothesis words the number of the reference word they equal.
class Vocabulary {
 public:
    void set(std::span<const Token> reference, std::vector<Id>& ids);
    void look_up(std::span<const Token> hypothesis, std::vector<Id>& ids) const;

    std::size_t size() const noexcept { return words_.size(); }

 private:
    std::uint32_t& slot(const Token& token) noexcept;

    std::vector<std::uint32_t> slots_;  // 1 + id, or 0 where free
    std::vector<Token> words_;
    std::size_t mask_ = 0;
};

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
    void read_trace();
    void index_reference();
    bool collect();
    bool collect_from(std::uint32_t start, std::uint32_t reference_start);
    Rotation rotation(const Candidate& candidate) const noexcept;

    TerSearch search_;
    Vocabulary vocabulary_;
    std::vector<Id> hypothesis_;
    std::vector<Id> reference_;
    std::vector<std::uint32_t> occurrences_;        // positions in the reference, by word
    std::vector<std::uint32_t> occurrence_starts_;  // where those of each word begin
    std::string trace_;                             // operations from the last to the first
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
