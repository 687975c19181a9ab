// Plain substitution in a line of text, in bytes or in code points.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace karat {

/// Puts `to` for every `from` in `text`, left to right and never in its own output. `buffer` is overwritten: a caller
/// that keeps it saves an allocation for each line.
template <class Char>
void replace_all(std::basic_string<Char>& text, std::type_identity_t<std::basic_string_view<Char>> from,
                 std::type_identity_t<std::basic_string_view<Char>> to, std::basic_string<Char>& buffer) {
    std::size_t place = text.find(from);
    if (place == std::basic_string<Char>::npos) return;
    buffer.clear();
    std::size_t copied = 0;
    for (; place != std::basic_string<Char>::npos; place = text.find(from, copied)) {
        buffer.append(text, copied, place - copied).append(to);
        copied = place + from.size();
    }
    buffer.append(text, copied);
    text.swap(buffer);
}

}  // namespace karat
