// Sets of numbers as marks in 64 bits: where two marks have no bit in common, neither have the sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace karat {

/// The mark of each list of numbers: list i is numbers[starts[i]] to numbers[starts[i + 1]]. O(numbers).
inline std::vector<std::uint64_t> marks_of(std::span<const std::int64_t> starts,
                                           std::span<const std::int32_t> numbers) {
    std::vector<std::uint64_t> marks(starts.empty() ? 0 : starts.size() - 1, 0);
    for (std::size_t i = 0; i < marks.size(); ++i) {
        for (auto k = static_cast<std::size_t>(starts[i]); k < static_cast<std::size_t>(starts[i + 1]); ++k) {
            marks[i] |= 1ull << (static_cast<std::uint32_t>(numbers[k]) * 0x9E3779B1u >> 26);
        }
    }
    return marks;
}

}  // namespace karat
