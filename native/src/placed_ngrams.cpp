#include "karat/placed_ngrams.hpp"

#include <algorithm>
#include <array>

#include "karat/bit_count.hpp"

namespace karat {
namespace {

/// Sets of places, one for each order.
template <std::size_t orders>
using ByOrder = std::array<Places, orders>;

template <std::size_t orders>
ByOrder<orders> taken_places(std::span<const Places> hypothesis) noexcept {
    ByOrder<orders> ends{};  // of the n-grams that end with the word at hand
    ByOrder<orders> taken{};
    for (const Places word : hypothesis) {
        for (std::size_t n = orders - 1; n > 0; --n) ends[n] = ends[n - 1] << 1 & word;
        ends[0] = word;
        for (std::size_t n = 0; n < orders; ++n) {
            const Places free = ends[n] & ~taken[n];
            taken[n] |= free & (0 - free);
        }
    }
    return taken;
}

/// One more order than is asked for costs less than a loop over a number of them that the compiler does not know.
template <std::size_t orders>
void match(std::span<const Places> hypothesis, std::span<std::int64_t> matches) noexcept {
    const ByOrder<orders> taken = taken_places<orders>(hypothesis);
    std::transform(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(matches.size()), matches.begin(),
                   [](Places places) { return bit_count(places); });
}

}  // namespace

void match_places(std::span<const Places> hypothesis, std::span<std::int64_t> matches) noexcept {
    if (matches.size() <= 2) return match<2>(hypothesis, matches);
    if (matches.size() <= 4) return match<4>(hypothesis, matches);
    match<most_placed_orders>(hypothesis, matches);
}

}  // namespace karat
