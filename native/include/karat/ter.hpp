// Translation edit rate: insertions, deletions, substitutions and block shifts, one edit each.
//
// Snover et al. (2006), A Study of Translation Edit Rate with Targeted Human Annotation; every choice the paper leaves
// open (order of candidates, ties, band, budget) is that of sacreBLEU 2.6, so that segments agree to the last edit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

enum class TerSearch : std::uint8_t {
    sacrebleu,  // give up on shifts once 1,000 candidates have been looked at, over all rounds
    full,       // look at every candidate; `TerTooMuchWork` beyond `ter_full_candidates`
};

/// How many candidates the full search looks at before it refuses a segment.
inline constexpr std::uint64_t ter_full_candidates = 2'000'000;

/// A pair of segments that the full search would take too long for.
struct TerTooMuchWork : std::runtime_error {
    TerTooMuchWork(std::size_t hypothesis_size, std::size_t reference_size)
        : std::runtime_error("too many candidates"),
          hypothesis_length(hypothesis_size),
          reference_length(reference_size) {}
    std::size_t hypothesis_length;
    std::size_t reference_length;
    std::size_t segment = 0;  // counted from 0; set by `ter_rows`
};

/// A block of the hypothesis that moves: `length` words from `start` on, of which the first stands at `target`
/// afterwards.
struct TerShift {
    std::uint32_t start;
    std::uint32_t length;
    std::uint32_t target;

    friend bool operator==(const TerShift&, const TerShift&) = default;
};

/// How a hypothesis becomes the reference: the shifts one after the other, then the operations from left to right:
/// '=' keep, 'S' substitute, 'D' drop a hypothesis word, 'I' insert a reference word.
struct TerAlignment {
    std::uint64_t edits = 0;
    std::vector<TerShift> shifts;
    std::string operations;
};

/// The edits that turn `hypothesis` into `reference`. Time O(candidates x window x band), memory O(length x band).
TerAlignment ter_align(std::span<const Token> hypothesis, std::span<const Token> reference, TerSearch search);

/// One row per segment: (edits against the reference that needs fewest, mean length of its references). The references
/// of segment i stand at offsets[i] to offsets[i + 1]; there is at least one. The same for every number of threads.
std::vector<double> ter_rows(const Tokens& hypotheses, const Tokens& references, std::span<const std::int64_t> offsets,
                             TerSearch search, unsigned threads, const Interrupted& interrupted);

}  // namespace karat
