// A column of text: what every kernel reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karat {

/// An immutable column of valid UTF-8 strings: one arena and n + 1 offsets into it.
class TextColumn {
 public:
    TextColumn() : offsets_{0} {}

    /// `offsets` has one more entry than there are strings; the bytes must be valid UTF-8.
    TextColumn(std::string arena, std::vector<std::uint64_t> offsets)
        : arena_(std::move(arena)), offsets_(std::move(offsets)) {}

    std::size_t size() const noexcept { return offsets_.size() - 1; }

    std::string_view operator[](std::size_t i) const noexcept {
        return {arena_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
    }

    const std::string& arena() const noexcept { return arena_; }
    const std::vector<std::uint64_t>& offsets() const noexcept { return offsets_; }

 private:
    std::string arena_;
    std::vector<std::uint64_t> offsets_;
};

}  // namespace karat
