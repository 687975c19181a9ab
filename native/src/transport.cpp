#include "karat/transport.hpp"

#include <algorithm>
#include <limits>

namespace karat {
namespace {

/// Amounts and gains below this are rounding.
constexpr double negligible = 1e-12;
constexpr double unreached = -std::numeric_limits<double>::infinity();

}  // namespace

double Transport::best(std::span<const double> supplies, std::span<const double> demands,
                       std::span<const Route> routes) {
    supply_count_ = supplies.size();
    left_.assign(supplies.begin(), supplies.end());
    left_.insert(left_.end(), demands.begin(), demands.end());
    flows_.assign(routes.size(), 0.0);
    index(routes);
    double total = settle_lone_routes(routes);
    while (find_path(routes)) total += push_path(routes);
    return total;
}

void Transport::index(std::span<const Route> routes) {
    route_starts_.assign(left_.size() + 1, 0);
    const auto ends_of = [&](const Route& route) {
        return std::pair{std::size_t{route.supply}, supply_count_ + route.demand};
    };
    for (const Route& route : routes) {
        const auto [from, to] = ends_of(route);
        ++route_starts_[from + 1];
        ++route_starts_[to + 1];
    }
    for (std::size_t place = 1; place < route_starts_.size(); ++place) route_starts_[place] += route_starts_[place - 1];
    routes_at_.resize(2 * routes.size());
    queue_.assign(route_starts_.begin(), route_starts_.end());
    for (std::uint32_t r = 0; r < routes.size(); ++r) {
        const auto [from, to] = ends_of(routes[r]);
        routes_at_[queue_[from]++] = r;
        routes_at_[queue_[to]++] = r;
    }
}

/// A route that is the only one at both its ends takes what it can; that is most of them.
double Transport::settle_lone_routes(std::span<const Route> routes) {
    const auto degree = [&](std::size_t place) { return route_starts_[place + 1] - route_starts_[place]; };
    double total = 0;
    for (const Route& route : routes) {
        const std::size_t to = supply_count_ + route.demand;
        if (degree(route.supply) != 1 || degree(to) != 1) continue;
        total += route.worth * std::min(left_[route.supply], left_[to]);
        left_[route.supply] = left_[to] = 0;
    }
    return total;
}

void Transport::offer(std::uint32_t place, double value, std::uint32_t route) {
    if (value <= values_[place] + negligible) return;
    values_[place] = value;
    arrivals_[place] = route;
    if (!waiting_[place]) {
        waiting_[place] = 1;
        queue_.push_back(place);
    }
}

/// The path of the highest worth from a supply to a demand that both have something left; along routes, and back along
/// those that carry something already.
bool Transport::find_path(std::span<const Route> routes) {
    values_.assign(left_.size(), unreached);
    arrivals_.assign(left_.size(), none);
    waiting_.assign(left_.size(), 0);
    queue_.clear();
    for (std::uint32_t place = 0; place < supply_count_; ++place) {
        if (left_[place] > negligible) offer(place, 0.0, none);
    }
    for (std::size_t next = 0; next < queue_.size(); ++next) {
        const std::uint32_t place = queue_[next];
        waiting_[place] = 0;
        for (std::uint32_t at = route_starts_[place]; at < route_starts_[place + 1]; ++at) {
            const std::uint32_t r = routes_at_[at];
            if (place < supply_count_) {
                const auto to = static_cast<std::uint32_t>(supply_count_) + routes[r].demand;
                offer(to, values_[place] + routes[r].worth, r);
            } else if (flows_[r] > negligible) {
                offer(routes[r].supply, values_[place] - routes[r].worth, r);
            }
        }
    }
    goal_ = none;
    double highest = negligible;
    for (auto place = static_cast<std::uint32_t>(supply_count_); place < left_.size(); ++place) {
        if (left_[place] > negligible && values_[place] > highest) {
            highest = values_[place];
            goal_ = place;
        }
    }
    return goal_ != none;
}

double Transport::push_path(std::span<const Route> routes) {
    double amount = left_[goal_];
    std::uint32_t place = goal_;
    while (arrivals_[place] != none) {
        const Route& route = routes[arrivals_[place]];
        if (place < supply_count_) {
            amount = std::min(amount, flows_[arrivals_[place]]);
            place = static_cast<std::uint32_t>(supply_count_) + route.demand;
        } else {
            place = route.supply;
        }
    }
    amount = std::min(amount, left_[place]);
    left_[place] -= amount;
    left_[goal_] -= amount;
    for (place = goal_; arrivals_[place] != none;) {
        const std::uint32_t r = arrivals_[place];
        const bool forward = place >= supply_count_;
        flows_[r] += forward ? amount : -amount;
        place = forward ? routes[r].supply : static_cast<std::uint32_t>(supply_count_) + routes[r].demand;
    }
    return amount * values_[goal_];
}

}  // namespace karat
