// The best way to bring what there is on one side to what is wanted on the other, in any portions: a linear programme.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace karat {

/// A way from a place of supply to a place of demand, and what each unit brought along it is worth.
struct Route {
    std::uint32_t supply;
    std::uint32_t demand;
    double worth;
};

/// Maximises the sum of worth x amount over the routes, where no place sends more than its supply nor gets more than
/// its demand. By successive best paths: O(paths x routes x places) at worst, near to linear where routes are few.
/// Keeps its memory from one call to the next.
class Transport {
 public:
    /// Worths must be positive, amounts not negative.
    double best(std::span<const double> supplies, std::span<const double> demands, std::span<const Route> routes);

 private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    void index(std::span<const Route> routes);
    double settle_lone_routes(std::span<const Route> routes);
    bool find_path(std::span<const Route> routes);
    double push_path(std::span<const Route> routes);
    void offer(std::uint32_t place, double value, std::uint32_t route);

    // Places are numbered through: supplies first, then demands.
    std::size_t supply_count_ = 0;
    std::vector<double> left_;                 // what a place can still send or get
    std::vector<double> flows_;                // by route
    std::vector<std::uint32_t> route_starts_;  // by place, into routes_at_
    std::vector<std::uint32_t> routes_at_;
    std::vector<double> values_;           // of the best path to a place
    std::vector<std::uint32_t> arrivals_;  // the route by which it comes there
    std::vector<std::uint8_t> waiting_;
    std::vector<std::uint32_t> queue_;
    std::uint32_t goal_ = none;
};

}  // namespace karat
