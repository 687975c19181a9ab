// Hypotheses beside their references, one pair at a time: what metrics need that look at one reference alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "karat/ngram.hpp"
#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// A hypothesis and one of its references. Symbols are those of the segment; 0, in the hypothesis alone, is a word that
/// no reference has. After the last symbol of either stands its end, as `NgramMatcher` wants it.
struct WordPair {
    std::span<const Symbol> hypothesis;
    std::span<const Symbol> reference;
    Symbol alphabet;  // the greatest symbol of the segment
};

/// References made ready to be compared with hypotheses. Immutable. O(words) expected time and memory.
class WordReferences {
 public:
    /// Segment i has the references from offsets[i] to offsets[i + 1].
    WordReferences(std::shared_ptr<const Tokens> references, const std::vector<std::int64_t>& offsets, unsigned threads,
                   const Interrupted& interrupted);

    /// How many segments there are.
    std::size_t size() const noexcept { return lexicon_.size(); }

    /// How many references all segments have together.
    std::size_t reference_count() const noexcept { return tokens_->size(); }

    const Lexicon& lexicon() const noexcept { return lexicon_; }

    /// The number of the first reference of a segment.
    std::size_t first(std::size_t segment) const noexcept { return starts_[segment]; }

 private:
    std::shared_ptr<const Tokens> tokens_;
    std::vector<std::size_t> starts_;
    Lexicon lexicon_;
};

/// One row per reference, in their order: length of the hypothesis, length of the reference, then what `kernel` writes
/// into the `columns` that follow. Each chunk of segments works with its own copy of the kernel, so that a kernel may
/// keep scratch memory; the rows are the same for every number of threads.
template <class Value, class Kernel>
std::vector<Value> pair_rows(const WordReferences& references, const Tokens& hypotheses, std::size_t columns,
                             unsigned threads, const Interrupted& interrupted, const Kernel& kernel) {
    constexpr std::size_t segments_per_chunk = 64;
    const std::size_t width = 2 + columns;
    std::vector<Value> rows(references.reference_count() * width);
    parallel_for(references.size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Kernel own = kernel;
        std::vector<Symbol> symbols;
        for (std::size_t i = begin; i < end; ++i) {
            const auto hypothesis = references.lexicon().look_up(i, hypotheses[i], symbols);
            const SymbolReferences all = references.lexicon().references(i);
            std::size_t start = 0;
            for (std::size_t r = 0; r < all.ends.size(); ++r) {
                const WordPair pair{hypothesis, {all.symbols + start, all.ends[r] - start}, all.alphabet};
                const auto row = std::span(rows).subspan((references.first(i) + r) * width, width);
                row[0] = static_cast<Value>(pair.hypothesis.size());
                row[1] = static_cast<Value>(pair.reference.size());
                own(pair, row.subspan(2));
                start = all.ends[r] + 1;
            }
        }
    });
    return rows;
}

/// Where each symbol of a sequence stands, in ascending order.
class Positions {
 public:
    void set(std::span<const Symbol> symbols, Symbol alphabet);

    std::span<const std::uint32_t> of(Symbol symbol) const noexcept {
        return {positions_.data() + starts_[symbol], starts_[symbol + 1] - starts_[symbol]};
    }

 private:
    std::vector<std::uint32_t> positions_;
    std::vector<std::uint32_t> starts_;
};

}  // namespace karat
