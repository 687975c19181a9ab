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
    perl,       // as the authors' script: also see `operator()`, `neighbours_beyond_the_start` and `ScriptMatches`
};

/// How many words the authors' script takes for matched: each goes to the first equal word that is not yet taken, but a
/// position also counts as taken if the digits of a taken one begin with its own (1 if 12 is, counted from 1).
class ScriptMatches {
 public:
    std::size_t operator()(const WordPair& pair, const Positions& in_reference);

 private:
    void take(std::size_t position);

    std::vector<std::uint8_t> taken_;  // by position in the reference, from 1
};

/// Writes (aligned words, sum of |i / hypothesis length - j / reference length| over them, positions from 1 on). From
/// left to right a word goes to the nearest free equal word of the reference that shares a neighbour with it, at most
/// `window` words away on either side; without such a one, to the nearest free one; of two, to the first.
/// For the script a place never ceases to be free, and matched words are counted apart (`ScriptMatches`).
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
    Words neighbours_beyond_the_start(Words words, std::size_t place) const noexcept;
    Words neighbours_after(Words words, std::size_t place) const noexcept;
    bool shares_neighbour(const WordPair& pair, std::size_t i, std::size_t j) const noexcept;
    std::size_t choose(const WordPair& pair, std::size_t i);

    std::size_t window_;
    LeporAlignment alignment_;
    Positions in_hypothesis_, in_reference_;
    ScriptMatches script_matches_;
    std::vector<std::uint32_t> aligned_;    // what `align` found
    std::vector<std::uint8_t> used_;        // by position in the reference
    std::vector<std::uint32_t> free_;       // candidates for one word
    std::vector<std::uint32_t> preferred_;  // those of them that share a neighbour
};

}  // namespace karat
