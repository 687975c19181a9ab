// The general categories that the intl tokenizer asks for, from committed tables of one Unicode version.
#pragma once

#include "karat/unicode_tables.hpp"

namespace karat {

enum class UnicodeClass : unsigned char { other, number, punctuation, symbol };

/// Whether a code point is of category N, P or S. O(1), two loads.
inline UnicodeClass unicode_class(char32_t c) noexcept {
    const unsigned block = tables::block_of[c >> 8];
    const unsigned four = tables::classes[block * 64 + (c >> 2 & 63)];
    return static_cast<UnicodeClass>(four >> (2 * (c & 3)) & 3);
}

}  // namespace karat
