// Columns made from bytes and from other columns, and what can be counted in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "karat/text_column.hpp"

namespace karat {

using SharedColumn = std::shared_ptr<const TextColumn>;

/// Bytes that are not UTF-8: where the first such sequence starts, and in which line (from 1).
struct InvalidUtf8 : std::runtime_error {
    InvalidUtf8(std::size_t at, std::size_t in_line)
        : std::runtime_error("invalid UTF-8 at byte " + std::to_string(at) + ", line " + std::to_string(in_line)),
          offset(at),
          line(in_line) {}

    std::size_t offset;
    std::size_t line;
};

/// The lines of a file: `\n` ends a line, a `\r` directly before it goes with it, and nothing else ends one. A last
/// line needs no `\n`; no bytes are no lines. O(bytes). Throws `InvalidUtf8`.
TextColumn split_lines(std::string_view bytes);

/// What `lowered` writes for a code point that depends on its neighbours or becomes several.
inline constexpr std::uint32_t no_lower_case = 0xFFFFFFFFu;

/// The same strings in lower case. `table` has the lower case of each code point below its size; strings with another
/// one, or one that has `no_lower_case`, stay as they are, and their numbers are added to `left_out`. O(bytes).
TextColumn lowered(const TextColumn& column, std::span<const std::uint32_t> table, std::vector<std::int64_t>& left_out);

/// The same strings with every byte replaced by the one that stands at its place in a table of 256, all of them ASCII.
/// O(bytes). Throws std::invalid_argument for any other table.
TextColumn translate(const TextColumn& column, std::string_view table);

/// Strings [begin, end) of a column. O(bytes of the slice).
TextColumn slice(const TextColumn& column, std::size_t begin, std::size_t end);

/// All strings of the first column, then all of the second, and so on. O(bytes).
TextColumn concatenate(std::span<const SharedColumn> columns);

/// The first strings of all columns, then the second ones, and so on. O(bytes). Throws std::invalid_argument unless all
/// columns are equally long.
TextColumn interleave(std::span<const SharedColumn> columns);

/// At how many positions both columns have the same string. Throws std::invalid_argument unless both are equally long.
std::size_t equal_rows(const TextColumn& a, const TextColumn& b);

/// How many strings hold nothing but white space.
std::size_t empty_count(const TextColumn& column) noexcept;

}  // namespace karat
