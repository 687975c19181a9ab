// CharacTER: shifts of blocks of words, then edits of characters.
//
// Wang, Peter, Rosendahl and Ney (2016), CharacTer: Translation Edit Rate on Character Level. What the paper leaves
// open (where a block goes, which of equally good shifts is taken, what a shift costs) is as in the authors' program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// How many steps of 64 cells the search for shifts may take in one pair: a second or so.
inline constexpr std::uint64_t character_shift_steps = std::uint64_t{1} << 28;

/// The most words that a reference may have.
inline constexpr std::size_t character_reference_words = 8192;

/// One score from 0 to 1 per segment, the least over its references, which stand at offsets[i] to offsets[i + 1]. Each
/// round tries all blocks that hypothesis and reference share at different places, O(candidates |h| |r| / 64), and
/// takes the one that lowers Levenshtein's distance over words most. Throws `EditTooMuchWork`. The same for every
/// number of threads.
std::vector<double> character_scores(const Tokens& hypotheses, const Tokens& references,
                                     std::span<const std::int64_t> offsets, unsigned threads,
                                     const Interrupted& interrupted);

}  // namespace karat
