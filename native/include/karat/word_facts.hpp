// What is known about words besides their letters, by the number of the word, and pairs of texts that are such numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/parallel.hpp"

namespace karat {

/// Facts about words, by number. Immutable.
class WordFacts {
 public:
    /// `lemmas` and `sounds` say which words are forms of one another or sound alike: those with the same number that
    /// is not negative. Word i is in the sets sets[set_starts[i]] to sets[set_starts[i + 1]], in ascending order, and
    /// has the weight weights[i]. Throws std::invalid_argument where these do not fit together.
    WordFacts(std::vector<std::int32_t> lemmas, std::vector<std::int32_t> sounds, std::vector<std::int64_t> set_starts,
              std::vector<std::int32_t> sets, std::vector<double> weights);

    std::size_t size() const noexcept { return lemmas_.size(); }

    double weight(std::int32_t word) const noexcept { return weights_[static_cast<std::size_t>(word)]; }

    bool same_lemma(std::int32_t a, std::int32_t b) const noexcept { return a == b || same(lemmas_, a, b); }

    bool same_sound(std::int32_t a, std::int32_t b) const noexcept { return a == b || same(sounds_, a, b); }

    /// Whether both words are in one set. O(sets of both words), and less for most pairs.
    bool share_set(std::int32_t a, std::int32_t b) const noexcept {
        return (set_marks_[static_cast<std::size_t>(a)] & set_marks_[static_cast<std::size_t>(b)]) != 0 &&
               find_common_set(a, b);
    }

 private:
    bool find_common_set(std::int32_t a, std::int32_t b) const noexcept;

    static bool same(const std::vector<std::int32_t>& numbers, std::int32_t a, std::int32_t b) noexcept {
        const std::int32_t number = numbers[static_cast<std::size_t>(a)];
        return number >= 0 && number == numbers[static_cast<std::size_t>(b)];
    }

    std::vector<std::int32_t> lemmas_, sounds_;
    std::vector<std::int64_t> set_starts_;
    std::vector<std::int32_t> sets_;
    std::vector<std::uint64_t> set_marks_;
    std::vector<double> weights_;
};

/// Segments of words by number: those of segment i stand at offsets[i] to offsets[i + 1].
struct NumberedWords {
    std::span<const std::int32_t> ids;
    std::span<const std::int64_t> offsets;

    std::size_t size() const noexcept { return offsets.size() - 1; }

    std::span<const std::int32_t> operator[](std::size_t segment) const noexcept {
        const auto begin = static_cast<std::size_t>(offsets[segment]);
        return ids.subspan(begin, static_cast<std::size_t>(offsets[segment + 1]) - begin);
    }

    /// Throws std::invalid_argument unless the offsets cut the ids into segments and all ids are below `count`.
    void check(std::size_t count) const;
};

/// Hypotheses, and the references of each: those of hypothesis i stand at starts[i] to starts[i + 1].
struct NumberedPairs {
    NumberedWords hypotheses;
    NumberedWords references;
    std::span<const std::int64_t> starts;
};

/// How many pairs of a word of the hypothesis and one of the reference two texts may have: some seconds, and 256 MiB.
inline constexpr std::uint64_t numbered_word_pairs = std::uint64_t{1} << 25;

/// Throws std::invalid_argument for a segment with more pairs of words than that.
void check_length(std::size_t hypothesis, std::size_t reference, std::size_t segment);

/// One row per reference, in their order: what `kernel(hypothesis, reference, row)` writes. Each chunk of segments
/// works with its own copy of the kernel; the rows are the same for every number of threads. Throws
/// std::invalid_argument for texts that are too long.
template <class Kernel>
std::vector<double> numbered_rows(const NumberedPairs& pairs, std::size_t columns, unsigned threads,
                                  const Interrupted& interrupted, const Kernel& kernel) {
    constexpr std::size_t segments_per_chunk = 16;
    std::vector<double> rows(pairs.references.size() * columns);
    parallel_for(
        pairs.hypotheses.size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
            Kernel own = kernel;
            for (std::size_t i = begin; i < end; ++i) {
                for (auto r = static_cast<std::size_t>(pairs.starts[i]);
                     r < static_cast<std::size_t>(pairs.starts[i + 1]); ++r) {
                    check_length(pairs.hypotheses[i].size(), pairs.references[r].size(), i);
                    own(pairs.hypotheses[i], pairs.references[r], std::span(rows).subspan(r * columns, columns));
                }
            }
        });
    return rows;
}

}  // namespace karat
