#include "karat/pair_counts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace karat {
namespace {

constexpr std::size_t columns = 5;
constexpr std::size_t few = 48;  // up to so many units, looking at every pair is quicker than a tree

bool apart(double high, double low, double minimum) { return minimum > 0 ? high - low >= minimum : high > low; }

/// Counts what has been added, by position: a Fenwick tree.
class Tally {
 public:
    explicit Tally(std::size_t size) : tree_(size + 1, 0) {}

    void add(std::size_t position) {
        for (std::size_t node = position + 1; node < tree_.size(); node += node & (~node + 1)) ++tree_[node];
    }

    /// How many were added before the position.
    std::int64_t before(std::size_t position) const {
        std::int64_t sum = 0;
        for (std::size_t node = position; node > 0; node &= node - 1) sum += tree_[node];
        return sum;
    }

 private:
    std::vector<std::int64_t> tree_;
};

/// One group of units, its pairs counted into rows.
class Group {
 public:
    Group(const PairData& data, std::size_t begin, std::size_t end, double minimum, double epsilon)
        : gold_(data.gold.subspan(begin, end - begin)),
          scores_(data.scores.subspan(begin, end - begin)),
          others_(data.others.subspan(begin, end - begin)),
          minimum_(minimum),
          epsilon_(epsilon) {}

    void count(std::span<std::int64_t> rows) {
        if (gold_.size() <= few) {
            count_all_pairs(rows);
        } else {
            count_in_order(rows);
        }
    }

 private:
    void count_all_pairs(std::span<std::int64_t> rows) const {
        for (std::size_t i = 0; i < gold_.size(); ++i) {
            std::int64_t* row = rows.data() + i * columns;
            for (std::size_t j = 0; j < gold_.size(); ++j) {
                if (j == i) continue;
                const bool above = apart(gold_[i], gold_[j], minimum_), below = apart(gold_[j], gold_[i], minimum_);
                const bool tie = std::abs(scores_[i] - others_[j]) <= epsilon_;
                if (above || below) {
                    ++row[tie ? 2 : (scores_[i] > others_[j]) == above ? 0 : 1];
                } else {
                    ++row[tie ? 4 : 3];
                }
            }
        }
    }

    void count_in_order(std::span<std::int64_t> rows) {
        place();
        std::vector<std::size_t> order(gold_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return gold_[a] < gold_[b]; });
        sweep(order, rows, true);
        std::reverse(order.begin(), order.end());
        sweep(order, rows, false);
        for (std::size_t i = 0; i < gold_.size(); ++i) {
            std::int64_t* row = rows.data() + i * columns;
            const bool self = std::abs(scores_[i] - others_[i]) <= epsilon_;
            const std::int64_t ties = static_cast<std::int64_t>(above_[i] - below_[i]) - (self ? 1 : 0);
            row[4] = ties - row[2];
            row[3] = static_cast<std::int64_t>(gold_.size()) - 1 - row[0] - row[1] - row[2] - row[4];
        }
    }

    /// Where each of the others stands among them, and between which places the ties of each unit lie.
    void place() {
        const std::size_t n = gold_.size();
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return others_[a] < others_[b]; });
        places_.resize(n);
        std::vector<double> sorted(n);
        for (std::size_t k = 0; k < n; ++k) {
            places_[order[k]] = k;
            sorted[k] = others_[order[k]];
        }
        below_.resize(n);
        above_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double score = scores_[i];
            const auto first = std::partition_point(sorted.begin(), sorted.end(),
                                                    [&](double other) { return score - other > epsilon_; });
            const auto last =
                std::partition_point(first, sorted.end(), [&](double other) { return !(other - score > epsilon_); });
            below_[i] = static_cast<std::size_t>(first - sorted.begin());
            above_[i] = static_cast<std::size_t>(last - sorted.begin());
        }
    }

    /// Walks through the units in the order of people and compares each with those already passed that are apart.
    void sweep(const std::vector<std::size_t>& order, std::span<std::int64_t> rows, bool ascending) {
        Tally passed(gold_.size());
        std::size_t next = 0;
        for (const std::size_t i : order) {
            for (; next < order.size(); ++next) {
                const std::size_t j = order[next];
                if (!(ascending ? apart(gold_[i], gold_[j], minimum_) : apart(gold_[j], gold_[i], minimum_))) break;
                passed.add(places_[j]);
            }
            const std::int64_t lower = passed.before(below_[i]), not_higher = passed.before(above_[i]);
            const std::int64_t higher = static_cast<std::int64_t>(next) - not_higher;
            std::int64_t* row = rows.data() + i * columns;
            row[0] += ascending ? lower : higher;
            row[1] += ascending ? higher : lower;
            row[2] += not_higher - lower;
        }
    }

    std::span<const double> gold_, scores_, others_;
    double minimum_, epsilon_;
    std::vector<std::size_t> places_, below_, above_;
};

void check(std::span<const double> values, std::size_t size) {
    if (values.size() != size) throw std::invalid_argument("there must be as many scores as judgements");
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
        throw std::invalid_argument("scores and judgements must be finite numbers");
}

void check(std::span<const std::int64_t> offsets, std::size_t size) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(size) ||
        !std::is_sorted(offsets.begin(), offsets.end()))
        throw std::invalid_argument("the offsets must go from 0 to the number of units");
}

/// The units of all groups, each group in the order of its scores.
struct Sorted {
    std::vector<double> gold, scores;

    Sorted(std::span<const double> by_people, std::span<const double> by_metric,
           std::span<const std::int64_t> offsets) {
        std::vector<std::size_t> order(by_people.size());
        std::iota(order.begin(), order.end(), 0u);
        for (std::size_t g = 0; g + 1 < offsets.size(); ++g)
            std::sort(order.begin() + offsets[g], order.begin() + offsets[g + 1],
                      [&](std::size_t a, std::size_t b) { return by_metric[a] < by_metric[b]; });
        for (const std::size_t i : order) {
            gold.push_back(by_people[i]);
            scores.push_back(by_metric[i]);
        }
    }
};

/// Calls `visit(difference of scores, what a tie there adds to the number of right pairs, weight)` for every pair.
/// Differences grow from one pair to the next, which makes for few misses of the cache.
template <class Visit>
void visit_pairs(const Sorted& units, std::span<const std::int64_t> offsets, const std::vector<double>& weights,
                 const Interrupted& interrupted, const Visit& visit) {
    for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
        const auto begin = static_cast<std::size_t>(offsets[g]), end = static_cast<std::size_t>(offsets[g + 1]);
        for (std::size_t i = begin; i < end; ++i) {
            if (i % 1024 == 0 && interrupted && interrupted()) throw Cancelled();
            for (std::size_t j = i + 1; j < end; ++j) {
                const double by_metric = units.scores[j] - units.scores[i], by_people = units.gold[j] - units.gold[i];
                // Where people tie, a tie of the metric makes a pair right; where both agree, it makes it wrong.
                const int change = by_people == 0 ? 1 : (by_people > 0 && by_metric > 0) ? -1 : 0;
                visit(by_metric, change, weights[g]);
            }
        }
    }
}

/// Pairs sorted roughly by the difference of their scores: bin 0 has those without any.
class Bins {
 public:
    static constexpr std::size_t count = 1 << 14;

    explicit Bins(double largest) : scale_(static_cast<double>(count - 2) / largest), bins_(count) {}

    std::size_t of(double difference) const {
        return difference == 0 ? 0 : 1 + static_cast<std::size_t>(std::min(difference * scale_, double(count - 2)));
    }

    void add(double difference, double change) {
        Bin& bin = bins_[of(difference)];
        if (bin.most == 0 || difference < bin.least) bin.least = difference;
        bin.most = std::max(bin.most, difference);
        bin.net += change;
        bin.gain += std::max(change, 0.0);
    }

    double net(std::size_t bin) const { return bins_[bin].net; }
    double most(std::size_t bin) const { return bins_[bin].most; }
    bool uniform(std::size_t bin) const { return bins_[bin].least == bins_[bin].most; }

    /// Bins with several differences inside which the greatest value may lie: those that could reach what is reached at
    /// the end of some bin, if `right` pairs are right before anything is tied.
    std::vector<char> open(double right, double tolerance) const {
        double running = right, reached = 0;
        for (const Bin& bin : bins_) reached = std::max(reached, running += bin.net);
        running = right;
        std::vector<char> found(count);
        for (std::size_t bin = 0; bin < count; running += bins_[bin++].net)
            found[bin] = !uniform(bin) && running + bins_[bin].gain >= reached - tolerance;
        return found;
    }

 private:
    struct Bin {
        double net = 0, gain = 0, least = 0, most = 0;
    };

    double scale_;
    std::vector<Bin> bins_;
};

/// What becomes of the number of right pairs when all that differ by so much are tied.
struct Change {
    double difference, change;
};

/// The best value on the way from no tie to all ties, where `changes` has the pairs of the open bins in order.
TieCalibration best_tie(const Bins& bins, const std::vector<char>& open, const std::vector<Change>& changes,
                        double right, double tolerance) {
    TieCalibration best{0, right + bins.net(0)};
    double running = best.accuracy;
    const auto offer = [&](double epsilon) {
        if (running > best.accuracy + tolerance) best = {epsilon, running};
    };
    auto next = changes.begin();
    for (std::size_t bin = 1; bin < Bins::count; ++bin) {
        if (!open[bin]) {
            running += bins.net(bin);
            if (bins.uniform(bin)) offer(bins.most(bin));
            continue;
        }
        while (next != changes.end() && bins.of(next->difference) == bin) {
            const double difference = next->difference;
            for (; next != changes.end() && next->difference == difference; ++next) running += next->change;
            offer(difference);
        }
    }
    return best;
}

/// The weight of a pair by group. Where all groups are of one size, counts stay whole numbers and exact.
std::vector<double> pair_weights(std::span<const std::int64_t> offsets) {
    std::vector<double> weights(offsets.size() - 1, 0);
    double first = 0;
    bool alike = true;
    for (std::size_t g = 0; g < weights.size(); ++g) {
        const auto n = static_cast<double>(offsets[g + 1] - offsets[g]), pairs = n * (n - 1) / 2;
        if (pairs == 0) continue;
        weights[g] = 1 / pairs;
        alike = alike && (first == 0 || first == pairs);
        first = pairs;
    }
    if (alike)
        for (double& weight : weights) weight = weight > 0 ? 1 : 0;
    return weights;
}

}  // namespace

std::vector<std::int64_t> pair_counts(const PairData& data, double minimum, double epsilon, unsigned threads,
                                      const Interrupted& interrupted) {
    for (const auto values : {data.gold, data.scores, data.others}) check(values, data.gold.size());
    check(data.offsets, data.gold.size());
    if (!(minimum >= 0) || !(epsilon >= 0)) throw std::invalid_argument("minimum and epsilon must not be negative");
    std::vector<std::int64_t> rows(data.gold.size() * columns, 0);
    parallel_for(data.offsets.size() - 1, 16, threads, interrupted, [&](std::size_t first, std::size_t last) {
        for (std::size_t g = first; g < last; ++g) {
            const auto begin = static_cast<std::size_t>(data.offsets[g]),
                       end = static_cast<std::size_t>(data.offsets[g + 1]);
            Group(data, begin, end, minimum, epsilon)
                .count(std::span(rows).subspan(begin * columns, (end - begin) * columns));
        }
    });
    return rows;
}

TieCalibration calibrate_ties(std::span<const double> gold, std::span<const double> scores,
                              std::span<const std::int64_t> offsets, const Interrupted& interrupted) {
    check(gold, gold.size());
    check(scores, gold.size());
    check(offsets, gold.size());
    const std::vector<double> weights = pair_weights(offsets);
    const Sorted units(gold, scores, offsets);
    const auto each_pair = [&](const auto& visit) { visit_pairs(units, offsets, weights, interrupted, visit); };
    const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
    Bins bins(scores.empty() || *high == *low ? 1 : *high - *low);
    double total = 0, right = 0;
    each_pair([&](double difference, int change, double weight) {
        total += weight;
        if (change < 0) right += weight;
        bins.add(difference, change * weight);
    });
    if (total == 0) return {};
    const double tolerance = 1e-12 * total;
    const std::vector<char> open = bins.open(right, tolerance);
    std::vector<Change> changes;
    each_pair([&](double difference, int change, double weight) {
        if (open[bins.of(difference)]) changes.push_back({difference, change * weight});
    });
    std::sort(changes.begin(), changes.end(),
              [](const Change& a, const Change& b) { return a.difference < b.difference; });
    const TieCalibration best = best_tie(bins, open, changes, right, tolerance);
    return {best.epsilon, best.accuracy / total};
}

}  // namespace karat
