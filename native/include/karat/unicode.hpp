// Code points in UTF-8 that is known to be valid, and the few classes of them that karat needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace karat {

/// Length in bytes of the code point that starts with `lead`.
inline std::size_t sequence_length(unsigned char lead) noexcept {
    if (lead < 0x80) return 1;
    if (lead < 0xE0) return 2;
    return lead < 0xF0 ? 3 : 4;
}

/// The code point at `p`, where a whole one starts; `length` is set to its length in bytes.
inline char32_t decode(const char* p, std::size_t& length) noexcept {
    const auto byte = [p](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(p[i])); };
    length = sequence_length(static_cast<unsigned char>(p[0]));
    switch (length) {
        case 1: return byte(0);
        case 2: return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
        case 3: return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
        default: return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    }
}

/// What Python's `str.split()` splits at.
constexpr bool is_space(char32_t c) noexcept {
    if (c <= 0x20) return c == 0x20 || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
    if (c < 0x1680) return c == 0x85 || c == 0xA0;
    return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
           c == 0x3000;
}

/// Whether code points start here: not at the second or a later byte of one.
inline bool starts_code_point(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

/// `line` without the white space at its end: Python's `str.rstrip()`.
inline std::string_view strip_right(std::string_view line) noexcept {
    while (!line.empty()) {
        std::size_t start = line.size() - 1;
        while (!starts_code_point(line[start])) --start;
        std::size_t length;
        if (!is_space(decode(line.data() + start, length))) break;
        line.remove_suffix(line.size() - start);
    }
    return line;
}

/// `line` without the white space at its start: Python's `str.lstrip()`.
inline std::string_view strip_left(std::string_view line) noexcept {
    std::size_t length;
    while (!line.empty() && is_space(decode(line.data(), length))) line.remove_prefix(length);
    return line;
}

/// Length in bytes of the longest start of `bytes` that is valid UTF-8: all of it, or up to the first byte of the first
/// sequence that is cut short, overlong, a surrogate or beyond U+10FFFF. O(bytes), eight ASCII bytes at a time.
std::size_t valid_utf8_prefix(std::string_view bytes) noexcept;

/// How many bytes `write_utf8` writes at most.
inline constexpr std::size_t longest_utf8 = 4;

/// Writes a code point; returns where the next one goes.
inline char* write_utf8(char32_t c, char* out) noexcept {
    const auto add = [&](char32_t byte) { *out++ = static_cast<char>(byte); };
    if (c < 0x80) {
        add(c);
        return out;
    }
    if (c < 0x800) {
        add(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) {
            add(0xE0 | c >> 12);
        } else {
            add(0xF0 | c >> 18);
            add(0x80 | (c >> 12 & 0x3F));
        }
        add(0x80 | (c >> 6 & 0x3F));
    }
    add(0x80 | (c & 0x3F));
    return out;
}

/// Appends a code point to a string of bytes.
inline void append_utf8(char32_t c, std::string& out) {
    char bytes[longest_utf8];
    out.append(bytes, write_utf8(c, bytes));
}

}  // namespace karat
