// How many bits of a word are set, by arithmetic: without a processor that counts them, `std::popcount` is a call.
#pragma once

#include <cstdint>

namespace karat {

constexpr unsigned bit_count(std::uint64_t bits) noexcept {
    constexpr std::uint64_t pairs = 0x5555555555555555ull, fours = 0x3333333333333333ull;
    constexpr std::uint64_t eights = 0x0F0F0F0F0F0F0F0Full, ones = 0x0101010101010101ull;
    bits -= bits >> 1 & pairs;
    bits = (bits & fours) + (bits >> 2 & fours);
    return static_cast<unsigned>(((bits + (bits >> 4)) & eights) * ones >> 56);
}

}  // namespace karat
