// How often n-grams count for and against something: two columns of a table laid side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/ngram_table.hpp"

namespace karat {

/// A column of a table of n-grams, by n-gram and then by segment, as `ngram_table` gives it.
struct NgramColumn {
    std::span<const std::int32_t> ngrams;
    std::span<const std::int32_t> segments;
    std::span<const std::int32_t> counts;

    std::size_t size() const noexcept { return ngrams.size(); }
};

/// By n-gram and then by segment: how often an n-gram counts for something there, and against it.
struct NgramTally {
    std::vector<std::int32_t> ngrams;
    std::vector<std::int32_t> segments;
    std::vector<std::int32_t> more;
    std::vector<std::int32_t> less;
};

/// N-grams of a tally that count equally often in all: kind k has `counts[k]` of them, and the first ones, in order,
/// stand in `first` from starts[k] to starts[k + 1].
struct NgramKinds {
    std::vector<std::int64_t> more;
    std::vector<std::int64_t> less;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> first;
};

/// How often both columns have an n-gram in a segment; zeros are left out. O(a + b).
NgramOccurrences shared_ngrams(const NgramColumn& a, const NgramColumn& b);

/// How often each column has an n-gram in a segment, `a` as `more` and `b` as `less`; with `apart`, only by how much
/// one has it more often than the other, and equal ones are left out. O(a + b).
NgramTally ngram_tally(const NgramColumn& a, const NgramColumn& b, bool apart);

/// The kinds of n-grams of a tally, each with the first `kept` at most. O(tally), and O(kinds * kept) memory.
NgramKinds ngram_kinds(std::span<const std::int32_t> ngrams, std::span<const std::int32_t> more,
                       std::span<const std::int32_t> less, std::size_t kept);

}  // namespace karat
