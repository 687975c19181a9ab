// Where words may end among the next bytes of a text, as bits: eight bytes at a time by arithmetic that every processor
// has, or sixteen by that of x86-64. Both say the same, which a test compares for all pairs of bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "karat/token_bytes.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define KARAT_HAS_SSE2 1
#endif

namespace karat {

/// What is looked for besides blanks: `white_space`, all that may start other white space; `breaks`, these and ASCII
/// punctuation; `breaks_and_beyond`, ASCII punctuation and all that starts a code point beyond ASCII.
enum class Sought : std::uint8_t { white_space, breaks, breaks_and_beyond };

/// The first byte is the lowest bit. Blanks are among what is found.
struct ByteMarks {
    std::uint64_t found, blanks;

    friend bool operator==(const ByteMarks&, const ByteMarks&) = default;
};

namespace eight_at_once {

inline constexpr std::size_t width = 8;
inline constexpr std::uint64_t ones = 0x0101010101010101ull;
inline constexpr std::uint64_t high = 0x80 * ones;

/// Of eight bytes whose high bits say something, those bits, side by side.
constexpr std::uint64_t gathered(std::uint64_t bytes) noexcept {
    return ((bytes & high) >> 7) * 0x0102040810204080ull >> 56;
}

/// The high bit of each byte that is zero. The high bit of a byte is cleared before something is added to it, here and
/// below, so that sums never carry into the next one.
constexpr std::uint64_t zero_bytes(std::uint64_t bytes) noexcept { return ~(((bytes & ~high) + ~high) | bytes); }

/// The high bit of each byte that is 0xC2 or from 0xE0 to 0xE3: the first ones of white space beyond ASCII, and others.
constexpr std::uint64_t leads_of_spaces(std::uint64_t bytes) noexcept {
    return zero_bytes(bytes ^ 0xC2 * ones) | zero_bytes((bytes ^ 0xE0 * ones) & 0xFC * ones);
}

/// The high bit of each byte below 0x80 that is neither a letter nor a digit.
constexpr std::uint64_t punctuation(std::uint64_t bytes) noexcept {
    const std::uint64_t low = bytes & ~high;
    const std::uint64_t lower = low | 0x20 * ones;
    const std::uint64_t letters = (lower + (0x80 - 'a') * ones) & ~(lower + (0x7F - 'z') * ones);
    const std::uint64_t digits = (low + (0x80 - '0') * ones) & ~(low + (0x7F - '9') * ones);
    return ~(letters | digits | bytes);
}

template <Sought sought>
ByteMarks marks_at(const char* p) noexcept {
    const std::uint64_t bytes = eight_bytes(p);
    const std::uint64_t blanks = gathered(zero_bytes(bytes ^ ' ' * ones));
    if constexpr (sought == Sought::white_space) {
        const std::uint64_t above_blank = (bytes & ~high) + (0x7F - ' ') * ones;
        return {gathered(~(above_blank | bytes) | leads_of_spaces(bytes)), blanks};
    }
    const std::uint64_t beyond = sought == Sought::breaks ? leads_of_spaces(bytes) : bytes & bytes << 1;
    return {gathered(punctuation(bytes) | beyond), blanks};
}

}  // namespace eight_at_once

#ifdef KARAT_HAS_SSE2
namespace sixteen_at_once {

inline constexpr std::size_t width = 16;

inline __m128i all(int byte) noexcept { return _mm_set1_epi8(static_cast<char>(byte)); }

inline std::uint64_t gathered(__m128i bytes) noexcept { return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes)); }

/// Which bytes are `count` numbers from `first` on. Bytes are compared as signed, hence the shift by half their range.
inline __m128i in_range(__m128i bytes, int first, int count) noexcept {
    return _mm_cmplt_epi8(_mm_add_epi8(bytes, all(0x80 - first)), all(count - 0x80));
}

inline __m128i leads_of_spaces(__m128i bytes) noexcept {
    return _mm_or_si128(_mm_cmpeq_epi8(bytes, all(0xC2)), in_range(bytes, 0xE0, 4));
}

template <Sought sought>
ByteMarks marks_at(const char* p) noexcept {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const std::uint64_t blanks = gathered(_mm_cmpeq_epi8(bytes, all(' ')));
    if constexpr (sought == Sought::white_space)
        return {gathered(_mm_or_si128(in_range(bytes, 0, ' ' + 1), leads_of_spaces(bytes))), blanks};
    const __m128i letters = in_range(_mm_or_si128(bytes, all(0x20)), 'a', 26);
    const __m128i words = _mm_or_si128(_mm_or_si128(letters, in_range(bytes, '0', 10)), bytes);
    const __m128i beyond =
        sought == Sought::breaks ? leads_of_spaces(bytes) : _mm_and_si128(bytes, _mm_add_epi8(bytes, bytes));
    return {(gathered(words) ^ 0xFFFF) | gathered(beyond), blanks};
}

}  // namespace sixteen_at_once

namespace at_once = sixteen_at_once;
#else
namespace at_once = eight_at_once;
#endif

/// The marks of up to 64 bytes; up to `at_once::width - 1` more are read, and may be marked as well.
template <Sought sought>
ByteMarks marks_of(const char* begin, std::size_t size) noexcept {
    static_assert(at_once::width <= readable_bytes);
    ByteMarks marks{0, 0};
    for (std::size_t i = 0; i < size; i += at_once::width) {
        const ByteMarks some = at_once::marks_at<sought>(begin + i);
        marks.found |= some.found << i;
        marks.blanks |= some.blanks << i;
    }
    return marks;
}

}  // namespace karat
