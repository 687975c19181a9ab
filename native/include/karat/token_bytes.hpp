// The bytes of tokens: hashes and comparisons. Most tokens are short and of lengths that are hard to predict. Those of
// text columns, from where sixteen bytes are always readable, are read whole, as two words, of which masks leave what
// belongs to the token; `_readable` functions are for these alone.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

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

/// The bytes of a short token of a text column.
inline TwoWords words_readable(const char* p, std::size_t size) noexcept {
    return {eight_bytes(p) & byte_masks[size].first, eight_bytes(p + 8) & byte_masks[size].second};
}

/// Up to eight bytes, zeros above them.
inline std::uint64_t few_bytes(const char* p, std::size_t size) noexcept {
    if (size == 8) return eight_bytes(p);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i) word |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
    return word;
}

/// The same of a token that stands anywhere.
inline TwoWords words_anywhere(const char* p, std::size_t size) noexcept {
    if (size <= 8) return {few_bytes(p, size), 0};
    return {eight_bytes(p), size == 16 ? eight_bytes(p + 8) : eight_bytes(p + size - 8) >> (8 * (16 - size))};
}

inline std::uint64_t mix(std::uint64_t state, std::uint64_t word) noexcept {
    state = (state ^ word) * 0xFF51AFD7ED558CCDull;
    return state ^ (state >> 32);
}

/// `short_words` gives the two words of a short token.
template <TwoWords (*short_words)(const char*, std::size_t) noexcept>
std::uint32_t hash_by(const char* p, std::size_t size) noexcept {
    std::uint64_t state = 0x9E3779B97F4A7C15ull ^ size;
    TwoWords words;
    if (size <= readable_bytes) [[likely]] {
        words = short_words(p, size);
    } else {
        for (std::size_t i = 0; i + readable_bytes < size; i += 8) state = mix(state, eight_bytes(p + i));
        words = {eight_bytes(p + size - 16), eight_bytes(p + size - 8)};
    }
    return static_cast<std::uint32_t>(mix(mix(state, words.first), words.second));
}

/// A 32-bit hash of bytes that stand anywhere; equal hashes are never taken for equal tokens.
inline std::uint32_t hash_bytes(std::string_view bytes) noexcept {
    return hash_by<words_anywhere>(bytes.data(), bytes.size());
}

/// The same hash of a token of a text column.
inline std::uint32_t hash_readable(const char* p, std::size_t size) noexcept {
    return hash_by<words_readable>(p, size);
}

/// 0 if short tokens of text columns have the same bytes.
inline std::uint64_t short_difference(const char* a, const char* b, std::size_t size) noexcept {
    const TwoWords& mask = byte_masks[size];
    return ((eight_bytes(a) ^ eight_bytes(b)) & mask.first) | ((eight_bytes(a + 8) ^ eight_bytes(b + 8)) & mask.second);
}

/// Whether tokens of text columns have the same bytes.
inline bool same_readable(const char* a, const char* b, std::size_t size) noexcept {
    if (size > readable_bytes) return std::memcmp(a, b, size) == 0;
    return short_difference(a, b, size) == 0;
}

/// Whether bytes that stand anywhere are the same: where there are few, by loads that may overlap, because a call of
/// memcmp does not pay.
inline bool same_bytes(const char* a, const char* b, std::size_t size) noexcept {
    const auto differ = [=]<class Word>(Word left, std::size_t at) {
        Word right;
        std::memcpy(&left, a + at, sizeof left);
        std::memcpy(&right, b + at, sizeof right);
        return static_cast<std::uint64_t>(left ^ right);
    };
    if (size > 16) return std::memcmp(a, b, size) == 0;
    if (size >= 8) return (differ(std::uint64_t{}, 0) | differ(std::uint64_t{}, size - 8)) == 0;
    if (size >= 4) return (differ(std::uint32_t{}, 0) | differ(std::uint32_t{}, size - 4)) == 0;
    if (size == 0) return true;
    return a[0] == b[0] && a[size / 2] == b[size / 2] && a[size - 1] == b[size - 1];
}

}  // namespace karat
