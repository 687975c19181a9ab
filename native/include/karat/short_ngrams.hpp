// Common n-grams of the characters of two short sequences in one pass: for segments of usual length, where
// `NgramMatcher` is for all.
//
// A symbol is a byte here, so eight of them are compared at once. The positions of the reference are chained by the
// n-gram of the first order that is looked for; a hypothesis position walks the chain of its own one, and at each
// reference position takes those orders up to the length of the common prefix that nobody has taken there before it.
// Positions with the same n-gram see the same candidates, so of an n-gram as many are taken as the rarer side has:
// min(count, count), as clipping wants. Chains are by hash, but only compared symbols ever match.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace karat {

/// A symbol of a short segment: 1 to `most_short_symbols`; 0 is in no reference.
using ShortSymbol = std::uint8_t;

inline constexpr std::size_t most_short_symbols = 254;
inline constexpr ShortSymbol end_of_short_reference = 255;

/// How many symbols a sequence may have; counts of so many fit into ten bits.
inline constexpr std::size_t longest_short = 1000;

/// How many ends must follow the last symbol: 0 for the hypothesis, `end_of_short_reference` for the reference.
inline constexpr std::size_t short_padding = 8;

/// Counts common n-grams; holds scratch memory, so each thread has its own and keeps it from segment to segment.
class ShortMatcher {
 public:
    /// matches[n - 1], by tables for orders 1 and 2 and chains from order 3 on, so at most 7 orders. `alphabet` is the
    /// greatest symbol. False where the chains are too long for it to pay.
    bool match_characters(std::span<const ShortSymbol> hypothesis, std::span<const ShortSymbol> reference,
                          std::size_t alphabet, std::span<std::int64_t> matches);

    static constexpr std::size_t most_character_orders = 7;

 private:
    bool match_chained(std::span<const ShortSymbol> hypothesis, std::span<const ShortSymbol> reference,
                       std::span<std::int64_t> matches);

    std::array<std::uint16_t, 2048> heads_{};  // by hash, a position; zero between two calls
    std::array<ShortSymbol, 1 + longest_short + short_padding> symbols_{};  // of the reference, from 1 on
    std::array<std::uint16_t, 1 + longest_short> next_{};                   // by position, the next of its chain, or 0
    std::array<std::uint8_t, 1 + longest_short> available_{};  // by position: the orders not taken yet, as bits
    std::vector<std::uint16_t> pairs_;                         // by pair of symbols; all zero between two calls
};

}  // namespace karat
