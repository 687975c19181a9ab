// chrF's numbers of each segment (Popović 2015, 2017).
//
// Row: (hypothesis, reference, match) for each character order 1 .. C, then for each word order 1 .. W. The hypothesis
// has 0 n-grams of an order that the reference does not have. Of several references the one with the highest F counts,
// the first of equals.
// O((C + W) * (hypothesis + references)) expected time for any orders and any script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "karat/ngram.hpp"
#include "karat/parallel.hpp"
#include "karat/short_ngrams.hpp"
#include "karat/text_column.hpp"
#include "karat/tokens.hpp"

namespace karat {

struct ChrfOptions {
    unsigned char_order = 6;
    unsigned word_order = 0;
    double beta = 2;
    bool whitespace = false;     // characters include white space
    bool eps_smoothing = false;  // F of every order, with a tiny value for what is missing, instead of F of the means
};

/// Appends the words that chrF++ sees in a line, whose end is readable (see `readable_bytes`): what white space
/// separates, with one ASCII punctuation mark cut off.
void add_chrf_words(std::string_view line, std::vector<Token>& words);

/// The F score of one row, between 0 and 1: what decides between several references.
double chrf_score(std::span<const std::int64_t> row, const ChrfOptions& options);

/// References made ready for chrF. Immutable; any number of threads may score against it.
class ChrfReferences {
 public:
    /// The references of segment i are those from offsets[i] to offsets[i + 1]; each segment has at least one.
    ChrfReferences(std::shared_ptr<const TextColumn> references, std::vector<std::int64_t> offsets,
                   const ChrfOptions& options, unsigned threads, const Interrupted& interrupted);

    std::size_t size() const noexcept { return offsets_.size() - 1; }
    std::size_t columns() const noexcept { return 3 * (std::size_t{options_.char_order} + options_.word_order); }

    /// The rows of one hypothesis per segment, row after row; the same for every number of threads.
    std::vector<std::int64_t> rows(const TextColumn& hypotheses, unsigned threads,
                                   const Interrupted& interrupted) const;

 private:
    struct Worker;

    std::vector<std::span<const Token>> split_words(unsigned threads, const Interrupted& interrupted);
    template <class Out>
    void decode_characters(std::size_t segment, std::string_view hypothesis, Worker& worker,
                           std::vector<Out>& hypothesis_out, std::vector<Out>& references_out) const;
    bool fits_short(std::size_t segment, std::string_view hypothesis) const noexcept;
    void decode(std::size_t segment, std::string_view hypothesis, Worker& worker) const;
    void match_characters(std::uint32_t begin, std::uint32_t end, Worker& worker,
                          std::span<std::int64_t> matches) const;
    void compare(std::size_t reference, Worker& worker, std::span<std::int64_t> out) const;
    void row(std::size_t segment, std::string_view hypothesis, Worker& worker, std::span<std::int64_t> out) const;

    std::shared_ptr<const TextColumn> references_;
    std::vector<std::int64_t> offsets_;
    ChrfOptions options_;
    std::vector<std::vector<Token>> words_;  // of the references, in chunks
    std::optional<Lexicon> lexicon_;         // of these words; absent when no word order is wanted
};

}  // namespace karat
