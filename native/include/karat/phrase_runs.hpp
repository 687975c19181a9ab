// Phrases that stand right behind themselves, over and over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// By segment, then by length, then by place: phrases of `lengths[i]` tokens from `starts[i]` on.
struct PhraseRuns {
    std::vector<std::int32_t> segments;
    std::vector<std::int32_t> starts;
    std::vector<std::int32_t> lengths;
};

/// Phrases of up to `longest` tokens that are said at least `times` times in a row, single tokens `times_alone` times.
/// Each run is told of once, where it begins. O(tokens * longest).
PhraseRuns phrase_runs(const Tokens& tokens, std::size_t longest, std::size_t times, std::size_t times_alone,
                       const Interrupted& interrupted);

}  // namespace karat
