// Distances between a hypothesis and its references: Levenshtein's with its operations, CDER's, and the bag of words.
//
// Levenshtein distances are computed 64 cells at a time: Myers (1999), A Fast Bit-Vector Algorithm for Approximate
// String Matching Based on Dynamic Programming, in the form and with the blocks of Hyyrö (2003), A Bit-Vector Algorithm
// for Computing Levenshtein and Damerau Edit Distances. CDER: Leusch, Ueffing and Ney (2006). The references of segment
// i stand at offsets[i] to offsets[i + 1], one at least; the row is that of one of them, by a `ReferenceChoice`.
// Results are the same for every number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/text_column.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// How many steps of 64 cells a pair may take, where only the distance is asked for: some seconds.
inline constexpr std::uint64_t edit_distance_steps = std::uint64_t{1} << 31;

/// How many steps a pair may take where the operations are asked for, which needs 16 bytes for each: 256 MiB.
inline constexpr std::uint64_t edit_alignment_steps = std::uint64_t{1} << 24;

/// A pair of segments that would take too long.
struct EditTooMuchWork : std::runtime_error {
    EditTooMuchWork(std::size_t hypothesis_size, std::size_t reference_size)
        : std::runtime_error("the segment is too long"),
          hypothesis_length(hypothesis_size),
          reference_length(reference_size) {}
    std::size_t hypothesis_length;
    std::size_t reference_length;
    std::size_t segment = 0;  // counted from 0; set by the functions below
};

enum class EditRow : std::uint8_t {
    /// (edits, reference length). Time O(|h| |r| / 64), memory O(|h| + |r|).
    levenshtein,
    /// (hits, substitutions, deletions, insertions, moves): deletions are words that only the reference has, insertions
    /// words that only the hypothesis has, and moves are pairs of a deletion and an insertion of the same word. Time
    /// O(|h| |r| / 64), memory O(|h| |r| / 32) bits. Of several alignments with as few edits, the one that drops common
    /// ends and then, from right to left, prefers a deletion, then an insertion where the distance to the reference
    /// without its last word is greater, then a hit or a substitution.
    operations,
    /// (edits, reference length), where any number of jumps to any place in the hypothesis cost one edit each, so that
    /// the reference is covered once and in order, and the hypothesis any number of times. Time O(|h| |r| / 64).
    cder,
    /// (errors, matching words in any order, hypothesis length, reference length), with errors = max(|h|, |r|) -
    /// matches.
    /// Time O(|h| + |r|).
    bag,
};

/// Which of several references counts. All but the first choice do not depend on the order of references: at the same
/// rate the longer one counts, and of equally long ones that whose row is greater, number by number. With nothing to
/// divide by, a rate is 1 if there are edits and 0 otherwise.
enum class ReferenceChoice : std::uint8_t {
    fewest_edits,           ///< the first of those with as few
    error_rate,             ///< edits (errors of a bag) per word of the reference
    match_error_rate,       ///< edits per place of the alignment; of `operations` alone, as those that follow
    information_lost,       ///< 1 - hits^2 / (words of the hypothesis * words of the reference)
    error_rate_with_moves,  ///< edits less moves, per word of the reference
};

/// How many numbers a row has.
constexpr std::size_t edit_row_width(EditRow row) noexcept {
    switch (row) {
        case EditRow::operations: return 5;
        case EditRow::bag: return 4;
        default: return 2;
    }
}

/// One row per segment over words. Throws `EditTooMuchWork`.
std::vector<std::int64_t> edit_rows(const Tokens& hypotheses, const Tokens& references,
                                    std::span<const std::int64_t> offsets, EditRow row, ReferenceChoice choice,
                                    unsigned threads, const Interrupted& interrupted);

/// One row per segment over code points; white space at both ends never counts, other white space only if `spaces`.
std::vector<std::int64_t> edit_rows(const TextColumn& hypotheses, const TextColumn& references,
                                    std::span<const std::int64_t> offsets, EditRow row, ReferenceChoice choice,
                                    bool spaces, unsigned threads, const Interrupted& interrupted);

/// Levenshtein's distance between two sequences of characters. Throws `EditTooMuchWork`.
std::int64_t edit_distance(std::span<const char32_t> hypothesis, std::span<const char32_t> reference);

}  // namespace karat
