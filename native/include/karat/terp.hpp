// TER-Plus: edits of different costs, among them stems, synonyms and paraphrases, and shifts of blocks that these
// match.
//
// Snover, Madnani, Dorr and Schwartz (2009), TER-Plus: Paraphrase, Semantic, and Alignment Enhancements to Translation
// Edit Rate. What the paper leaves open (order of candidates, ties, the beam) is as in the authors' program.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/meteor.hpp"
#include "karat/parallel.hpp"

namespace karat {

/// What each edit costs; a deletion is a reference word that the hypothesis lacks, an insertion one that it has alone.
struct TerpCosts {
    double match;
    double deletion;
    double insertion;
    double substitution;
    double stem;
    double synonym;
    double shift;
    /// Paraphrases of probability p between phrases that are e apart cost a + b e log10(p) + c e p + d e, at least 0.
    std::array<double, 4> phrase;
};

struct TerpOptions {
    TerpCosts costs;
    double beam;                   // cells that cost more than the best of the column before by this are left out
    std::uint32_t shift_size;      // the most words of a block
    std::uint32_t shift_distance;  // the most words that it may move
};

/// How many cells the search for shifts in a pair may take: some seconds.
inline constexpr std::uint64_t terp_cells = std::uint64_t{1} << 31;

/// How many pairs of words a pair may have: 200 MiB.
inline constexpr std::uint64_t terp_word_pairs = std::uint64_t{1} << 23;

/// One row per segment: (cost of the edits against the reference that needs least, mean length of its references). A
/// block may move where its words are equal, of one stem, synonyms or paraphrases, but not if all of them are function
/// words, in the hypothesis or in the reference. The references of segment i are offsets[i] to offsets[i + 1]. Each
/// candidate for a shift takes O(|h| |r|). Throws `EditTooMuchWork`. The same for every number of threads.
std::vector<double> terp_rows(const NumberedText& hypotheses, const NumberedText& references,
                              std::span<const std::int64_t> offsets, const WordKnowledge& knowledge,
                              const TerpOptions& options, unsigned threads, const Interrupted& interrupted);

}  // namespace karat
