// The bytes of tokens. Most are short and of lengths that are hard to predict, so those of at most sixteen bytes are
// read whole, as two words, of which masks leave what belongs to the token.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "karat/text_column.hpp"

namespace karat {

struct TwoWords {
    std::uint64_t first, second;
};

/// Eight bytes, the first one lowest.
inline std::uint64_t eight_bytes(const char* p) noexcept {
    std::uint64_t word = 0;
    if (std::endian::native == std::endian::little) {
        std::memcpy(&word, p, 8);
    } else {
        for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
    }
    return word;
}

/// For each size the bits of two words that belong to so many bytes.
inline constexpr std::array<TwoWords, readable_bytes + 1> byte_masks = [] {
    const auto low = [](std::size_t size) {
        return size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1;
    };
    std::array<TwoWords, readable_bytes + 1> masks{};
    for (std::size_t size = 0; size <= readable_bytes; ++size) masks[size] = {low(size), size > 8 ? low(size - 8) : 0};
    return masks;
}();

/// The bytes of a short token.
inline TwoWords two_words(const char* p, std::size_t size) noexcept {
    return {eight_bytes(p) & byte_masks[size].first, eight_bytes(p + 8) & byte_masks[size].second};
}

/// Whether so many bytes are the same at both places, from where as many must be readable as a column promises.
inline bool same_bytes(const char* a, const char* b, std::size_t size) noexcept {
    if (size > readable_bytes) return std::memcmp(a, b, size) == 0;
    const TwoWords& mask = byte_masks[size];
    return (((eight_bytes(a) ^ eight_bytes(b)) & mask.first) |
            ((eight_bytes(a + 8) ^ eight_bytes(b + 8)) & mask.second)) == 0;
}

inline std::uint64_t mix(std::uint64_t state, std::uint64_t word) noexcept {
    state = (state ^ word) * 0xFF51AFD7ED558CCDull;
    return state ^ (state >> 32);
}

/// A 32-bit hash of bytes from where as many must be readable as a column promises; equal hashes are never taken for
/// equal tokens.
inline std::uint32_t hash_bytes(const char* p, std::size_t size) noexcept {
    std::uint64_t state = 0x9E3779B97F4A7C15ull ^ size;
    TwoWords words;
    if (size <= readable_bytes) [[likely]] {
        words = two_words(p, size);
    } else {
        for (std::size_t i = 0; i + readable_bytes < size; i += 8) state = mix(state, eight_bytes(p + i));
        words = {eight_bytes(p + size - 16), eight_bytes(p + size - 8)};
    }
    return static_cast<std::uint32_t>(mix(mix(state, words.first), words.second));
}

}  // namespace karat
