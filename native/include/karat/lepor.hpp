// LEPOR, hLEPOR, nLEPOR: words aligned with the help of their neighbours, and how far each has moved.
//
// Han, Wong and Chao (2012), LEPOR: A Robust Evaluation Metric for Machine Translation with Augmented Factors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/word_pairs.hpp"

namespace karat {

enum class LeporAlignment : std::uint8_t {
    published,  // neighbours are those that there are, and the nearest place with an equal neighbour is taken
    hlepor,     // as PyPI's hLepor 0.0.4: see `neighbours_before` and `choose`
};

/// Writes (aligned words, sum of |i / hypothesis length - j / reference length| over them, positions from 1 on). From
/// left to right a word goes to the nearest free equal word of the reference that shares a neighbour with it, at most
/// `window` words away on either side; without such a one, to the nearest free one; of two, to the first.
/// O(words x occurrences x window^2).
class LeporKernel {
 public:
    static constexpr std::size_t columns = 2;

    LeporKernel(std::size_t window, LeporAlignment alignment) : window_(window), alignment_(alignment) {}

    void operator()(const WordPair& pair, std::span<double> row);

    /// Where in the reference each word of the hypothesis goes; the length of the reference if nowhere.
    std::span<const std::uint32_t> align(const WordPair& pair);

 private:
    using Words = std::span<const Symbol>;

    Words neighbours_before(Words words, std::size_t place) const noexcept;
    Words neighbours_after(Words words, std::size_t place) const noexcept;
    bool shares_neighbour(const WordPair& pair, std::size_t i, std::size_t j) const noexcept;
    std::size_t choose(const WordPair& pair, std::size_t i);

    std::size_t window_;
    LeporAlignment alignment_;
    Positions in_hypothesis_, in_reference_;
    std::vector<std::uint32_t> aligned_;    // what `align` found
    std::vector<std::uint8_t> used_;        // by position in the reference
    std::vector<std::uint32_t> free_;       // candidates for one word
    std::vector<std::uint32_t> preferred_;  // those of them that share a neighbour
};

}  // namespace karat
