// Pairs of units in the order of people and in that of a metric: who agrees, who disagrees, who sees a tie.
//
// Kendall (1945), The treatment of ties in ranking problems; Deutsch et al. (2023), Ties Matter: Meta-Evaluating Modern
// Metrics with Pairwise Accuracy and Tie Calibration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/parallel.hpp"

namespace karat {

/// What is compared: unit i with its `gold` and its `scores` against every other unit j of its group with its gold and
/// its `others`. Group g holds the units from `offsets[g]` to `offsets[g + 1]`.
struct PairData {
    std::span<const double> gold;
    std::span<const double> scores;
    std::span<const double> others;
    std::span<const std::int64_t> offsets;
};

/// Writes for each unit (concordant, discordant, tied by the metric only, tied by people only, tied by both). People
/// tell two units apart that differ by `minimum` or more (by anything, if it is 0); the metric ties what differs by
/// `epsilon` or less. Where scores and others are the same, each pair is counted twice: once for either unit.
/// O(n log n) in the size of a group.
std::vector<std::int64_t> pair_counts(const PairData& data, double minimum, double epsilon, unsigned threads,
                                      const Interrupted& interrupted);

/// The epsilon, and the accuracy it gives.
struct TieCalibration {
    double epsilon = 0;
    double accuracy = 0;
};

/// The smallest epsilon for which the mean over groups of the share of pairs judged rightly (order or tie) is greatest.
/// Groups of less than two units do not count. Every pair is looked at twice; those that may decide are sorted.
TieCalibration calibrate_ties(std::span<const double> gold, std::span<const double> scores,
                              std::span<const std::int64_t> offsets, const Interrupted& interrupted);

}  // namespace karat
