// HyTER: the edit rate against the best of all strings of a reference network.
//
// Dreyer and Marcu (2012), HyTER: Meaning-Equivalent Semantics for Translation Evaluation. A network is written as
// steps: words, and groups of alternatives that may be nested. It has exponentially many strings, but the shortest path
// through hypothesis and network together is found in O(words of the network x states of the hypothesis). The string
// with the lowest rate is found by several such paths: Dinkelbach (1967), On Nonlinear Fractional Programming. Each
// path is the shortest where an edit costs the length, and a word gains the edits, of the best string known; the search
// ends when none is better, after two to four paths as a rule, and after one where no group leaves a choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/edit_distance.hpp"
#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// A step of a network: the words of one piece of text, by its number, or one of these.
enum NetworkStep : std::int32_t { open_group = -1, next_alternative = -2, close_group = -3 };

/// The networks of all references, one after the other.
struct Networks {
    std::span<const std::int32_t> steps;
    std::span<const std::int64_t> starts;  // of reference k: starts[k] to starts[k + 1]
};

/// How far the words of a hypothesis may move at most; the number of its states grows with 2 to this power.
inline constexpr unsigned widest_hyter_window = 8;

/// How many cells a pair may take: some seconds.
inline constexpr std::uint64_t hyter_cells = std::uint64_t{1} << 32;

/// How many words a hypothesis, and a network, may have at most, so that costs fit into 64 bits.
inline constexpr std::size_t longest_hyter_text = (std::size_t{1} << 20) - 1;

/// One row per segment: (edits to a string of its references, words of that string). It is the string with the lowest
/// rate of edits per word (`ReferenceChoice::error_rate`) or with the fewest edits; of equally good strings the
/// longest. With a `window` above 1 the hypothesis may stand in any order in which each word is one of the first
/// `window` that are left, counted from the first that is left. The references of segment i are offsets[i] to offsets[i
/// + 1]. The same for every number of threads. Throws `EditTooMuchWork`, and std::invalid_argument for other choices
/// and for steps that are no network.
std::vector<std::int64_t> hyter_rows(const Tokens& hypotheses, const Tokens& pieces, const Networks& networks,
                                     std::span<const std::int64_t> offsets, unsigned window, ReferenceChoice choice,
                                     unsigned threads, const Interrupted& interrupted);

}  // namespace karat
