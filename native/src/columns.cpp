#include "karat/columns.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "karat/unicode.hpp"

namespace karat {
namespace {

/// Grows a column string by string.
class Builder {
 public:
    Builder(std::size_t bytes, std::size_t strings) {
        arena_.reserve(bytes);
        offsets_.reserve(strings + 1);
        offsets_.push_back(0);
    }

    void add(std::string_view string) {
        arena_.append(string);
        offsets_.push_back(arena_.size());
    }

    TextColumn build() && { return {std::move(arena_), std::move(offsets_)}; }

 private:
    Arena arena_;
    std::vector<std::uint64_t> offsets_;
};

Builder builder_for(std::span<const SharedColumn> columns) {
    std::size_t bytes = 0, strings = 0;
    for (const SharedColumn& column : columns) {
        bytes += column->arena().size();
        strings += column->size();
    }
    return {bytes, strings};
}

constexpr std::uint64_t high_bits = 0x8080808080808080ull;

/// Eight bytes with those of ASCII in lower case; the sums never carry out of a byte, for high bits are left out.
std::uint64_t lowered_ascii(std::uint64_t bytes) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101ull;
    const std::uint64_t low = bytes & ~high_bits;
    const std::uint64_t from_a = low + (0x80 - 'A') * ones;
    const std::uint64_t beyond_z = low + (0x7F - 'Z') * ones;
    return bytes | (from_a & ~beyond_z & ~bytes & high_bits) >> 2;
}

/// How many of eight bytes come before the first that is not ASCII.
std::size_t ascii_before(std::uint64_t bytes) noexcept {
    const bool little = std::endian::native == std::endian::little;
    const std::uint64_t beyond = bytes & high_bits;
    return static_cast<std::size_t>(little ? std::countr_zero(beyond) : std::countl_zero(beyond)) / 8;
}

/// Appends a string of a column in lower case; false, and nothing appended, if the table is not enough for that.
bool append_lowered(std::string_view line, std::span<const std::uint32_t> table, Arena& arena) {
    static_assert(readable_bytes >= 8);
    const std::size_t before = arena.size();
    // A code point beyond ASCII has two bytes at least and four at most; eight are written at once, whatever is left.
    arena.resize(before + 2 * line.size() + 8);
    char* out = arena.data() + before;
    const char* const end = line.data() + line.size();
    for (const char* p = line.data(); p < end;) {
        std::uint64_t eight;
        std::memcpy(&eight, p, 8);  // bytes behind the string are read, but none of them kept
        const std::size_t ascii = std::min(ascii_before(eight), static_cast<std::size_t>(end - p));
        eight = lowered_ascii(eight);
        std::memcpy(out, &eight, 8);
        out += ascii;
        p += ascii;
        if (ascii == 8 || p == end) continue;
        std::size_t length = 1;
        const char32_t c = decode(p, length);
        if (c >= table.size() || table[c] == no_lower_case) {
            arena.resize(before);
            return false;
        }
        out = write_utf8(table[c], out);
        p += length;
    }
    arena.resize(static_cast<std::size_t>(out - arena.data()));
    return true;
}

void require_equal_sizes(const TextColumn& a, const TextColumn& b) {
    if (a.size() == b.size()) return;
    throw std::invalid_argument("columns of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                                " strings");
}

}  // namespace

TextColumn split_lines(std::string_view bytes) {
    const auto count_newlines = [](std::string_view part) {
        return static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    };
    const std::size_t valid = valid_utf8_prefix(bytes);
    if (valid != bytes.size()) throw InvalidUtf8(valid, count_newlines(bytes.substr(0, valid)) + 1);
    Builder builder(bytes.size(), count_newlines(bytes) + 1);
    while (!bytes.empty()) {
        const auto* newline = static_cast<const char*>(std::memchr(bytes.data(), '\n', bytes.size()));
        std::string_view line = newline ? bytes.substr(0, static_cast<std::size_t>(newline - bytes.data())) : bytes;
        bytes.remove_prefix(line.size() + (newline ? 1 : 0));
        if (newline && line.ends_with('\r')) line.remove_suffix(1);
        builder.add(line);
    }
    return std::move(builder).build();
}

TextColumn lowered(const TextColumn& column, std::span<const std::uint32_t> table,
                   std::vector<std::int64_t>& left_out) {
    Arena arena;
    std::vector<std::uint64_t> offsets{0};
    arena.reserve(column.arena().size() + column.arena().size() / 64 + readable_bytes);
    offsets.reserve(column.size() + 1);
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (!append_lowered(column[i], table, arena)) {
            arena.append(column[i]);
            left_out.push_back(static_cast<std::int64_t>(i));
        }
        offsets.push_back(arena.size());
    }
    return {std::move(arena), std::move(offsets)};
}

TextColumn translate(const TextColumn& column, std::string_view table) {
    const auto beyond_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    if (table.size() != 256 || std::any_of(table.begin(), table.end(), beyond_ascii)) {
        throw std::invalid_argument("a table of 256 ASCII characters is wanted");
    }
    Arena arena;
    arena.reserve(column.arena().size() + readable_bytes);
    arena.resize(column.arena().size());
    std::transform(column.arena().begin(), column.arena().end(), arena.begin(),
                   [&](char byte) { return table[static_cast<unsigned char>(byte)]; });
    return {std::move(arena), column.offsets()};
}

TextColumn slice(const TextColumn& column, std::size_t begin, std::size_t end) {
    const std::vector<std::uint64_t>& all = column.offsets();
    const std::uint64_t first = all[begin];
    std::vector<std::uint64_t> offsets(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                       all.begin() + static_cast<std::ptrdiff_t>(end) + 1);
    for (std::uint64_t& offset : offsets) offset -= first;
    return {column.arena().substr(static_cast<std::size_t>(first), static_cast<std::size_t>(all[end] - first)),
            std::move(offsets)};
}

TextColumn concatenate(std::span<const SharedColumn> columns) {
    Builder builder = builder_for(columns);
    for (const SharedColumn& column : columns) {
        for (std::size_t i = 0; i < column->size(); ++i) builder.add((*column)[i]);
    }
    return std::move(builder).build();
}

TextColumn interleave(std::span<const SharedColumn> columns) {
    Builder builder = builder_for(columns);
    for (const SharedColumn& column : columns) require_equal_sizes(*columns.front(), *column);
    const std::size_t strings = columns.empty() ? 0 : columns.front()->size();
    for (std::size_t i = 0; i < strings; ++i) {
        for (const SharedColumn& column : columns) builder.add((*column)[i]);
    }
    return std::move(builder).build();
}

std::size_t equal_rows(const TextColumn& a, const TextColumn& b) {
    require_equal_sizes(a, b);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
    return equal;
}

std::size_t empty_count(const TextColumn& column) noexcept {
    std::size_t empty = 0;
    for (std::size_t i = 0; i < column.size(); ++i) empty += strip_left(column[i]).empty();
    return empty;
}

}  // namespace karat
