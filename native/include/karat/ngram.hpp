// n-grams that a hypothesis shares with its references: the ground of BLEU and chrF, for words and characters alike.
//
// Both sides are sequences of symbols, small numbers that are local to one segment. The n-grams of order n are numbered
// by refinement: an n-gram is the pair (number of its first n - 1 symbols, its last symbol), so equality is exact at
// any order and nothing is ever decided by a hash value. A position is followed only as long as it is worth it: not
// when the other side does not have its n-gram, for then no longer n-gram that starts there can match either; and not
// when the references have its n-gram only once, for then the symbols that follow are compared directly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// A word or a character of one segment: 1, 2, ... in the order in which the references use it; 0 is in no reference.
using Symbol = std::uint32_t;

/// What stands after the last symbol, so that two sequences never agree beyond their ends.
constexpr Symbol end_of_hypothesis = 0;
constexpr Symbol end_of_reference = 0xFFFFFFFFu;

/// How many symbols must be readable from the end on, the end itself included: they are compared four at a time.
constexpr std::size_t symbol_padding = 4;

/// The references of one segment, one after the other, each with its end; `ends[r]` is where that of reference r
/// stands.
struct SymbolReferences {
    const Symbol* symbols;
    std::span<const std::uint32_t> ends;
    Symbol alphabet;  // the greatest symbol
};

/// Counts common n-grams; holds scratch memory, so each thread has its own and keeps it from segment to segment.
class NgramMatcher {
 public:
    /// matches[n - 1] = sum over the n-grams g of min(count of g in the hypothesis, greatest count of g in one
    /// reference). O(orders * symbols) time, O(symbols) memory. (Papineni et al. 2002, modified n-gram precision.)
    /// `hypothesis` is followed by its end, which is not counted in its size.
    void match(std::span<const Symbol> hypothesis, const SymbolReferences& references, std::span<std::int64_t> matches);

 private:
    /// A place where an n-gram starts, and the number of the n-gram of the last order.
    struct Position {
        std::uint32_t start;
        std::uint32_t gram;
    };
    /// What is known of an n-gram of the last order.
    struct Gram {
        std::uint32_t references;  // how often the references have it, all together
        std::uint32_t hypothesis;  // how often the hypothesis has it
        std::uint32_t start;       // where the references have it, if they do so once
        std::uint32_t reach;       // the longest match from there so far
    };
    struct DirectTable;
    struct HashedTable;

    std::int64_t match_symbols(std::span<const Symbol> hypothesis, const SymbolReferences& references);
    template <class Table>
    std::int64_t match_order(Table table, const Symbol* hypothesis, const Symbol* references);
    std::int64_t limited_matches();
    void follow_singles(std::size_t order, std::size_t orders, const Symbol* hypothesis, const Symbol* references);
    void drop_finished(const Symbol* next_symbols);
    DirectTable open_direct(std::size_t width);
    HashedTable open_hashed();

    std::vector<Position> hypothesis_, references_;  // what may still match
    std::vector<Position> singles_;                  // in the hypothesis, to be compared directly
    std::size_t hypothesis_count_ = 0, reference_count_ = 0, single_count_ = 0;
    std::vector<std::size_t> reference_ends_;   // in `references_`
    std::vector<Gram> grams_;                   // by number
    std::uint32_t gram_count_ = 0;              // n-grams of the last order are numbered 1 .. gram_count_
    std::vector<std::uint32_t> most_, counts_;  // by gram, for several references: greatest count; count in one
    std::vector<std::int64_t> direct_;          // by order: differences of the numbers of direct matches
    std::vector<std::uint16_t> cells_;          // of the direct table; all zero between two orders
    std::vector<std::uint32_t> touched_;        // cells in use
    std::vector<std::uint64_t> keys_;           // of the hashed table
    std::vector<std::uint32_t> values_;
};

/// The words of the references of every segment as symbols, and the way from a word to its symbol. Immutable.
/// One flat array for each kind of number, whatever the number of segments. O(words) expected time and memory.
class Lexicon {
 public:
    /// Segment i has the references from offsets[i] to offsets[i + 1]. The words must outlive the lexicon.
    Lexicon(std::span<const std::span<const Token>> references, std::vector<std::int64_t> offsets, unsigned threads,
            const Interrupted& interrupted);

    /// How many segments there are.
    std::size_t size() const noexcept { return offsets_.size() - 1; }

    /// All references of a segment.
    SymbolReferences references(std::size_t segment) const noexcept;

    /// Fills `symbols` with the symbols of these words, 0 for those that are in no reference of the segment, and with
    /// what must follow them; the result is the part that stands for the words.
    std::span<const Symbol> look_up(std::size_t segment, std::span<const Token> words,
                                    std::vector<Symbol>& symbols) const;

 private:
    struct Slot {
        std::uint32_t hash;
        Symbol symbol;  // 0 = empty
    };
    /// The part of the flat arrays that belongs to one segment.
    struct Table {
        const Slot* slots;
        std::size_t mask;
        const Token* const* words;  // by symbol, from 1 on

        const Slot& find(const Token& word) const noexcept;
    };

    Table table(std::size_t segment) const noexcept;
    void index(std::size_t segment, std::span<const std::span<const Token>> references) noexcept;

    std::vector<std::int64_t> offsets_;
    std::vector<std::uint64_t> word_starts_;  // by segment
    std::vector<std::uint64_t> slot_starts_;  // by segment
    std::vector<Slot> slots_;
    std::vector<const Token*> words_;  // by word_starts_[segment] + symbol - 1: where the word stands first
    std::vector<Symbol> symbols_;      // from word_starts_[segment] + offsets_[segment] on; each reference with its end
    std::vector<std::uint32_t> ends_;  // by reference, counted from the start of the segment
    std::vector<Symbol> alphabets_;    // by segment
};

}  // namespace karat
