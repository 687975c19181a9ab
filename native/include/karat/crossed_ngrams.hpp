// n-grams that many strings share with many others, all with all.
//
// The n-grams of each string are numbered and counted once. References are then taken some at a time as the columns of
// a table of counts, one row for each n-gram that any of them has: a hypothesis adds up the smaller counts of whole
// rows at once. An n-gram is the pair (number of its first n - 1 symbols, its last symbol), so equality is exact at any
// order and nothing is ever decided by a hash value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "karat/ngram.hpp"
#include "karat/parallel.hpp"

namespace karat {

/// Hypotheses and references to be compared all with all: ranges of strings of one group.
struct Rectangle {
    std::size_t hypotheses_begin, hypotheses_end;
    std::size_t references_begin, references_end;

    std::size_t hypotheses() const noexcept { return hypotheses_end - hypotheses_begin; }
    std::size_t references() const noexcept { return references_end - references_begin; }
    std::size_t pairs() const noexcept { return hypotheses() * references(); }
};

/// The symbols of some strings, one string after the other, and where each of them ends.
struct SymbolStrings {
    std::vector<Symbol> symbols;
    std::vector<std::size_t> ends;
};

/// Appends the symbols of the strings from `begin` to `end`, which are one group: equal symbols have equal numbers.
using ReadGroup = std::function<void(std::size_t begin, std::size_t end, SymbolStrings& out)>;

/// The n-grams of all strings, numbered group by group. Immutable; any number of threads may compare.
class CrossedNgrams {
 public:
    /// Group g has the strings from groups[g] to groups[g + 1]. O(orders * symbols) expected time and memory.
    CrossedNgrams(std::vector<std::int64_t> groups, unsigned orders, const ReadGroup& read, unsigned threads,
                  const Interrupted& interrupted);

    unsigned orders() const noexcept { return orders_; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(groups_.back()); }

    /// How many n-grams of an order (from 1 on) a string has.
    std::size_t count(std::size_t string, unsigned order) const noexcept {
        return lengths_[string] >= order ? lengths_[string] - order + 1 : 0;
    }

    /// Writes to columns[n - 1], from `first` on, how many n-grams of order n each pair shares: the smaller of both
    /// counts, summed (Papineni et al. 2002). The pairs of a rectangle follow each other row by row, a row for each
    /// hypothesis. O(n-grams of a hypothesis * references) in steps of many references each.
    void match(std::span<const Rectangle> rectangles, std::span<double* const> columns, unsigned threads,
               const Interrupted& interrupted) const;

    /// Writes how many n-grams each hypothesis shares with the mean of its references, whose counts are weighted by
    /// `weights`, those of the references of all rectangles one after the other. O(n-grams) in all.
    /// (Vamvas and Sennrich 2024, linear-time minimum Bayes risk decoding with reference aggregation.)
    void match_mean(std::span<const Rectangle> rectangles, std::span<const double> weights,
                    std::span<double* const> columns, unsigned threads, const Interrupted& interrupted) const;

 private:
    struct Gram {
        std::uint32_t id;
        std::uint32_t count;
    };
    struct Group {
        std::vector<Gram> grams;          // of string after string, order after order
        std::vector<std::uint32_t> ends;  // in `grams`, by string and order
        std::uint32_t ids = 0;            // the greatest one
    };
    struct Numbering;
    struct Table;
    struct Tile;

    void number(std::size_t group, const ReadGroup& read, Numbering& numbering);
    std::size_t group_of(std::size_t string) const noexcept;
    std::span<const Gram> grams(const Group& group, std::size_t string, unsigned order) const noexcept;
    void match_tile(const Tile& tile, Table& table, std::span<double* const> columns) const;

    std::vector<std::int64_t> groups_;
    unsigned orders_;
    std::vector<std::size_t> lengths_;  // by string, in symbols
    std::vector<Group> grams_;
};

/// Throws std::invalid_argument unless each rectangle lies within one of the groups.
void check_rectangles(std::span<const Rectangle> rectangles, std::span<const std::int64_t> groups);

}  // namespace karat
