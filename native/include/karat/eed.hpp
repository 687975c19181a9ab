// Extended edit distance: characters edited, jumps between words, and characters covered too often or not at all.
//
// Stanchev, Wang and Ney (2019), EED: Extended Edit Distance Measure for Machine Translation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

struct EedOptions {
    double jump;  // alpha: cost of a jump to any other place of the hypothesis, taken after a blank of the reference
    double coverage;   // rho: cost of a character visited not at all, or of each visit after the first
    double deletion;   // cost of passing over a character of the hypothesis
    double insertion;  // cost of a character that only the reference has
    bool count_start;  // whether the place before the first character is one that has to be visited
};

/// How many cells a pair may have: some seconds.
inline constexpr std::uint64_t eed_cells = std::uint64_t{1} << 30;

/// The least score, from 0 to 1, of each segment over its references, which stand at offsets[i] to offsets[i + 1]. The
/// characters are those of the words with a blank before each and one at the end. Time O(|h| |r|) in characters, memory
/// O(|h| + |r|). Throws `EditTooMuchWork`. The same for every number of threads.
std::vector<double> eed_scores(const Tokens& hypotheses, const Tokens& references,
                               std::span<const std::int64_t> offsets, const EedOptions& options, unsigned threads,
                               const Interrupted& interrupted);

}  // namespace karat
