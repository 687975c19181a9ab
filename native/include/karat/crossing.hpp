// The rows of a metric for every pair of some strings: BLEU, chrF and TER, all with all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "karat/chrf.hpp"
#include "karat/crossed_ngrams.hpp"
#include "karat/ter.hpp"
#include "karat/text_column.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// Strings made ready to be compared with each other. Immutable; any number of threads may compare.
class Crossing {
 public:
    virtual ~Crossing() = default;

    /// Where the groups of strings begin and end: only strings of one group are compared.
    virtual std::span<const std::int64_t> groups() const noexcept = 0;
    virtual std::size_t columns() const noexcept = 0;

    /// The row of each pair, as the metric has it, column after column: in each column the pairs of one rectangle after
    /// the other, row by row, a row for each hypothesis. The same for every number of threads.
    virtual std::vector<double> rows(std::span<const Rectangle> rectangles, unsigned threads,
                                     const Interrupted& interrupted) const = 0;
};

/// A crossing whose references can be averaged: the row of a hypothesis against the mean of their counts.
class NgramCrossing : public Crossing {
 public:
    std::vector<double> rows(std::span<const Rectangle> rectangles, unsigned threads,
                             const Interrupted& interrupted) const final;

    /// The row of each hypothesis against the weighted mean of the references of its rectangle, column after column.
    /// `weights` has one for each reference of each rectangle. O(n-grams).
    std::vector<double> mean_rows(std::span<const Rectangle> rectangles, std::span<const double> weights,
                                  unsigned threads, const Interrupted& interrupted) const;

 protected:
    /// The n-grams of one kind, and which columns of a row have their matches, order by order.
    struct Part {
        CrossedNgrams ngrams;
        std::vector<std::size_t> match_columns;
    };

    /// How many n-grams the hypothesis has of each order and kind, and the reference, or the mean of all references.
    struct PairCounts {
        std::span<const double> hypothesis;
        std::span<const double> reference;
    };

    virtual std::span<const Part> parts() const noexcept = 0;

    /// Writes whatever is no match; column c of the row is out[c * stride].
    virtual void write_counts(const PairCounts& counts, double* out, std::size_t stride) const noexcept = 0;

 private:
    std::vector<double> counts_of(std::size_t string) const;
    std::vector<double> mean_counts(const Rectangle& rectangle, std::span<const double> weights) const;
    std::vector<double*> match_columns(const Part& part, std::vector<double>& values, std::size_t stride) const;
};

/// Rows as those of `BleuReferences` with one reference.
std::unique_ptr<const NgramCrossing> bleu_crossing(const Tokens& tokens, std::vector<std::int64_t> groups,
                                                   unsigned max_order, unsigned threads,
                                                   const Interrupted& interrupted);

/// Rows as those of `ChrfReferences` with one reference.
std::unique_ptr<const NgramCrossing> chrf_crossing(const TextColumn& text, std::vector<std::int64_t> groups,
                                                   const ChrfOptions& options, unsigned threads,
                                                   const Interrupted& interrupted);

/// Rows as those of `ter_rows` with one reference. Each string is there twice: as hypotheses are cut into words, and as
/// references are.
std::unique_ptr<const Crossing> ter_crossing(std::shared_ptr<const Tokens> hypotheses,
                                             std::shared_ptr<const Tokens> references, std::vector<std::int64_t> groups,
                                             TerSearch search);

}  // namespace karat
