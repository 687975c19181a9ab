#include "karat/unicode.hpp"

#include <cstring>

namespace karat {
namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080ull;

bool is_ascii_word(const char* p) noexcept {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    return (word & high_bits) == 0;
}

/// Length of the valid sequence of two to four bytes at `p`, or 0.
std::size_t valid_sequence(const char* p, std::size_t available) noexcept {
    const auto byte = [p](std::size_t i) { return static_cast<unsigned char>(p[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0xC2 || lead > 0xF4) return 0;
    const std::size_t length = sequence_length(lead);
    if (available < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (starts_code_point(p[i])) return 0;
    }
    // The second byte tells overlong forms, surrogates and what lies beyond U+10FFFF.
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return length;
}

}  // namespace

std::size_t valid_utf8_prefix(std::string_view bytes) noexcept {
    const std::size_t size = bytes.size();
    std::size_t i = 0;
    while (i < size) {
        while (i + 8 <= size && is_ascii_word(bytes.data() + i)) i += 8;
        if (i == size) break;
        if (static_cast<unsigned char>(bytes[i]) < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = valid_sequence(bytes.data() + i, size - i);
        if (length == 0) break;
        i += length;
    }
    return i;
}

}  // namespace karat
