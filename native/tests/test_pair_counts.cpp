#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "karat/pair_counts.hpp"

namespace {

using Counts = std::vector<std::int64_t>;

Counts totals(const std::vector<double>& gold, const std::vector<double>& scores, double minimum, double epsilon) {
    const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(gold.size())};
    const Counts rows = karat::pair_counts({gold, scores, scores, offsets}, minimum, epsilon, 1, {});
    Counts sums(5, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) sums[i % 5] += rows[i];
    for (auto& sum : sums) sum /= 2;
    return sums;
}

karat::TieCalibration calibrated(const std::vector<double>& gold, const std::vector<double>& scores) {
    const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(gold.size())};
    return karat::calibrate_ties(gold, scores, offsets, {});
}

}  // namespace

TEST(pairs_are_sorted_into_five_kinds) {
    CHECK(totals({1, 2, 2, 3, 4}, {2, 1, 1.5, 5, 3}, 0, 0) == (Counts{6, 3, 0, 1, 0}));
    CHECK(totals({1, 2, 2, 3, 4}, {2, 1, 1.5, 5, 3}, 0, 2) == (Counts{3, 0, 6, 0, 1}));
}

TEST(people_need_a_difference_of_the_minimum_or_more) {
    CHECK(totals({10, 11, 100, 150}, {2, 1, 4, 3}, 25, 0) == (Counts{4, 1, 0, 1, 0}));
    CHECK(totals({10, 35}, {1, 2}, 25, 0) == (Counts{1, 0, 0, 0, 0}));
}

TEST(many_units_are_counted_like_few) {
    std::vector<double> gold, scores;
    for (int i = 0; i < 200; ++i) {
        gold.push_back((i * 37) % 23);
        scores.push_back((i * 53) % 19);
    }
    Counts slow(5, 0);
    for (int i = 0; i < 200; ++i) {
        for (int j = 0; j < i; ++j) {
            const double g = gold[i] - gold[j], s = scores[i] - scores[j];
            const bool tie = std::abs(s) <= 1, far = std::abs(g) >= 2;
            ++slow[far ? (tie ? 2 : (g > 0) == (s > 0) ? 0 : 1) : (tie ? 4 : 3)];
        }
    }
    CHECK(totals(gold, scores, 2, 1) == slow);
}

TEST(ties_are_calibrated_to_the_smallest_best_epsilon) {
    const auto found = calibrated({1, 2, 2, 3, 4}, {2, 1, 1.5, 5, 3});
    CHECK(std::abs(found.accuracy - 0.7) < 1e-12);
    CHECK(found.epsilon == 0.5);
    CHECK(calibrated({1, 2}, {3, 3}).accuracy == 0);
    CHECK(calibrated({1}, {3}).accuracy == 0);
    CHECK(calibrated({}, {}).epsilon == 0);
}

TEST(what_is_no_number_is_refused) {
    bool refused = false;
    try {
        totals({1, std::numeric_limits<double>::quiet_NaN()}, {1, 2}, 0, 0);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}
