// Common n-grams of a hypothesis and one short reference, all places of the reference at once: for segments of usual
// length, where `NgramMatcher` is for all.
//
// A word is the set of its places in the reference, as bits. Where an n-gram of the hypothesis ends in the reference is
// where the one without its last word ends, one place further on, and the last word stands. Of these places it takes
// the first that nobody has taken. Equal n-grams see the same places, and different ones never share a place, so of
// each as many are taken as the rarer side has: min(count, count), as clipping wants. No step is a guess for the
// processor, as a walk through a table of n-grams would be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace karat {

/// Bit j is the word of the reference at place j.
using Places = std::uint64_t;

inline constexpr std::size_t most_places = 64;
inline constexpr std::size_t most_placed_orders = 6;

/// matches[n - 1], of `most_placed_orders` at most, for a hypothesis whose words have these places in the reference.
/// O(hypothesis x orders).
void match_places(std::span<const Places> hypothesis, std::span<std::int64_t> matches) noexcept;

}  // namespace karat
