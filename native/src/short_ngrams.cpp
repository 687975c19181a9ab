#include "karat/short_ngrams.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "karat/token_bytes.hpp"

namespace karat {
namespace {

constexpr std::size_t first = 3;  // the order by which positions are chained
constexpr std::size_t lanes = 6;
constexpr unsigned lane_bits = 10;

/// For each set of orders, a one in the lane of each.
constexpr std::array<std::uint64_t, 1 << lanes> lanes_of = [] {
    std::array<std::uint64_t, 1 << lanes> all{};
    for (std::size_t set = 0; set < all.size(); ++set) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
            all[set] |= std::uint64_t{set >> lane & 1} << (lane_bits * lane);
    }
    return all;
}();

std::size_t chain_of(std::uint64_t symbols) noexcept {
    return static_cast<std::uint32_t>(static_cast<std::uint32_t>(symbols << 8) * 0x9E3779B1u) >> 21;
}

const char* bytes_of(const ShortSymbol* symbols) noexcept { return reinterpret_cast<const char*>(symbols); }

/// How many of the hypothesis find one that is left in the reference.
std::int64_t match_single(std::span<const ShortSymbol> hypothesis, std::span<const ShortSymbol> reference) {
    std::array<std::uint16_t, 256> left{};
    for (const ShortSymbol symbol : reference) ++left[symbol];
    std::int64_t matched = 0;
    for (const ShortSymbol symbol : hypothesis) {
        const std::uint16_t found = left[symbol] != 0;
        left[symbol] = static_cast<std::uint16_t>(left[symbol] - found);
        matched += found;
    }
    return matched;
}

/// The same of pairs of neighbours; `left` has a cell for each pair and is all zero before and after.
std::int64_t match_pairs(std::span<const ShortSymbol> hypothesis, std::span<const ShortSymbol> reference,
                         std::size_t width, std::uint16_t* left) {
    const auto cell = [=](const ShortSymbol* at) -> std::uint16_t& { return left[at[0] * width + at[1]]; };
    for (std::size_t i = 1; i < reference.size(); ++i) ++cell(&reference[i - 1]);
    std::int64_t matched = 0;
    for (std::size_t i = 1; i < hypothesis.size(); ++i) {
        std::uint16_t& those = cell(&hypothesis[i - 1]);
        const std::uint16_t found = those != 0;
        those = static_cast<std::uint16_t>(those - found);
        matched += found;
    }
    for (std::size_t i = 1; i < reference.size(); ++i) cell(&reference[i - 1]) = 0;
    return matched;
}

}  // namespace

bool ShortMatcher::match_chained(std::span<const ShortSymbol> hypothesis, std::span<const ShortSymbol> reference,
                                 std::span<std::int64_t> matches) {
    const std::size_t orders = matches.size();
    if (hypothesis.size() < first || reference.size() < first) return true;
    const auto all = static_cast<std::uint8_t>((1u << (orders - first + 1)) - 1);
    std::array<std::uint8_t, 8> reached{};  // by length of the common prefix
    for (std::size_t n = first; n < reached.size(); ++n) {
        reached[n] = static_cast<std::uint8_t>((1u << (std::min(n, orders) - first + 1)) - 1);
    }
    const std::size_t last = reference.size() - first + 1;
    ShortSymbol* const symbols = symbols_.data();  // from 1 on; position 0 ends every chain and has nothing to give
    std::memcpy(symbols + 1, reference.data(), reference.size() + short_padding);
    for (std::size_t i = last; i > 0; --i) {
        std::uint16_t& head = heads_[chain_of(eight_bytes(bytes_of(symbols + i)))];
        next_[i] = head;
        available_[i] = all;
        head = static_cast<std::uint16_t>(i);
    }
    std::size_t steps = 16 * (hypothesis.size() + reference.size());
    std::uint64_t counts = 0;
    for (std::size_t i = 0; i + first <= hypothesis.size() && steps > 0; ++i) {
        const std::uint64_t own = eight_bytes(bytes_of(&hypothesis[i]));
        std::size_t at = heads_[chain_of(own)];
        const auto take = [&](std::uint8_t wanted) {
            const std::uint64_t different = (own ^ eight_bytes(bytes_of(symbols + at))) | std::uint64_t{1} << 63;
            const auto equal = static_cast<std::size_t>(std::countr_zero(different)) / 8;
            const auto taken = static_cast<std::uint8_t>(reached[equal] & available_[at] & wanted);
            available_[at] ^= taken;
            at = next_[at];
            return static_cast<std::uint8_t>(wanted ^ taken);
        };
        std::uint8_t wanted = take(all);  // even of position 0: whether there is a candidate is anyone's guess
        for (; (at != 0) & (wanted != 0) & (steps > 0); --steps) wanted = take(wanted);
        counts += lanes_of[all ^ wanted];
    }
    for (std::size_t i = 1; i <= last; ++i) heads_[chain_of(eight_bytes(bytes_of(symbols + i)))] = 0;
    if (steps == 0) return false;
    for (std::size_t n = first; n <= orders; ++n) {
        matches[n - 1] = static_cast<std::int64_t>(counts >> (lane_bits * (n - first)) & ((1u << lane_bits) - 1));
    }
    return true;
}

bool ShortMatcher::match_characters(std::span<const ShortSymbol> hypothesis, std::span<const ShortSymbol> reference,
                                    std::size_t alphabet, std::span<std::int64_t> matches) {
    std::fill(matches.begin(), matches.end(), 0);
    if (matches.size() > 2 && !match_chained(hypothesis, reference, matches)) return false;
    if (matches.size() > 0) matches[0] = match_single(hypothesis, reference);
    if (matches.size() < 2) return true;
    const std::size_t width = alphabet + 1;
    if (pairs_.size() < width * width) pairs_.resize(width * width);
    matches[1] = match_pairs(hypothesis, reference, width, pairs_.data());
    return true;
}

}  // namespace karat
