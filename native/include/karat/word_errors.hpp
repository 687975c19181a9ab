// Which words of a hypothesis and of its reference are errors, and of what kind.
//
// Popović (2011), Hjerson: An Open Source Tool for Automatic Error Classification of Machine Translation Output;
// Popović and Ney (2007), Word Error Rates: Decomposition over POS Classes and Applications for Error Analysis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/word_facts.hpp"

namespace karat {

enum class ErrorClass : std::uint8_t { right, inflection, order, missing, extra, lexical };

/// What Levenshtein's alignment makes of a word: `lone` is a word without a partner, so a deletion of the reference or
/// an insertion of the hypothesis.
enum class WordOperation : std::uint8_t { match, substitution, lone };

/// Whether a word is in the bag of words of the other side; `inflected` is one that is not, but whose base form is.
enum class BagError : std::uint8_t { none, error, inflected };

/// The three in one byte.
constexpr std::uint8_t word_mark(ErrorClass kind, WordOperation operation, BagError bag) noexcept {
    return static_cast<std::uint8_t>(static_cast<unsigned>(kind) | static_cast<unsigned>(operation) << 3 |
                                     static_cast<unsigned>(bag) << 5);
}

/// The mark of words of references that do not count.
inline constexpr std::uint8_t no_mark = 0xFF;

struct WordErrorMarks {
    std::vector<std::int64_t> chosen;      // by segment: which of all references counts
    std::vector<std::uint8_t> hypotheses;  // one mark for each word
    std::vector<std::uint8_t> references;  // the same, `no_mark` in references that do not count
};

/// Marks all words. `hypothesis_bases` and `reference_bases` are the numbers of base forms, one for each word. Of the
/// references of a segment the one with the lowest rate counts, edits by words, the first of equals. Results are the
/// same for every number of threads. O(|h| |r|) each. Throws std::invalid_argument for texts that are too long.
WordErrorMarks word_errors(const NumberedPairs& pairs, std::span<const std::int32_t> hypothesis_bases,
                           std::span<const std::int32_t> reference_bases, unsigned threads,
                           const Interrupted& interrupted);

}  // namespace karat
