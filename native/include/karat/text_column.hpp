// A column of text: what every kernel reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "karat/kept_memory.hpp"

namespace karat {

/// The bytes of many strings, one after the other.
using Arena = std::basic_string<char, std::char_traits<char>, KeptAllocator<char>>;

/// How many bytes may be read from where any string or token starts, or ends, whatever they are: short ones are
/// compared and hashed without a look at their length.
inline constexpr std::size_t readable_bytes = 16;

/// An immutable column of valid UTF-8 strings: one arena and n + 1 offsets into it.
class TextColumn {
 public:
    TextColumn() : TextColumn(Arena(), {0}) {}

    /// `offsets` has one more entry than there are strings; the bytes must be valid UTF-8.
    TextColumn(Arena arena, std::vector<std::uint64_t> offsets)
        : arena_(std::move(arena)), offsets_(std::move(offsets)) {
        arena_.append(readable_bytes, '\0');
    }
    TextColumn(std::string_view arena, std::vector<std::uint64_t> offsets)
        : TextColumn(Arena(arena), std::move(offsets)) {}
    TextColumn(const char* arena, std::vector<std::uint64_t> offsets)
        : TextColumn(std::string_view(arena), std::move(offsets)) {}

    std::size_t size() const noexcept { return offsets_.size() - 1; }

    std::string_view operator[](std::size_t i) const noexcept {
        return {arena_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
    }

    std::string_view arena() const noexcept {
        return std::string_view(arena_).substr(0, arena_.size() - readable_bytes);
    }
    const std::vector<std::uint64_t>& offsets() const noexcept { return offsets_; }

 private:
    Arena arena_;  // and the bytes that may be read behind it
    std::vector<std::uint64_t> offsets_;
};

}  // namespace karat
