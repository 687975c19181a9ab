#include "karat/edit_distance.hpp"

#include <algorithm>
#include <utility>

#include "distance_columns.hpp"
#include "edit_rate.hpp"
#include "karat/unicode.hpp"
#include "symbol_bag.hpp"
#include "symbol_masks.hpp"

namespace karat {
namespace {

using edit::advance;
using edit::last_bit;
using edit::SymbolMasks;
using Word = std::uint64_t;

constexpr std::size_t segments_per_chunk = 32;

/// How many symbols two sequences have in common at their starts, and then at their ends.
template <class Symbol>
std::pair<std::size_t, std::size_t> common_ends(std::span<const Symbol> a, std::span<const Symbol> b) {
    const std::size_t shorter = std::min(a.size(), b.size());
    std::size_t prefix = 0;
    while (prefix < shorter && a[prefix] == b[prefix]) ++prefix;
    std::size_t suffix = 0;
    while (suffix < shorter - prefix && a[a.size() - 1 - suffix] == b[b.size() - 1 - suffix]) ++suffix;
    return {prefix, suffix};
}

template <class Symbol>
std::span<const Symbol> without_ends(std::span<const Symbol> all, std::pair<std::size_t, std::size_t> ends) {
    return all.subspan(ends.first, all.size() - ends.first - ends.second);
}

/// Signed differences between neighbouring cells of one column of the distance matrix, 64 rows to a block.
struct Column {
    std::vector<Word> up;    // the cell is one more than the cell above it
    std::vector<Word> down;  // the cell is one less than the cell above it

    void start(std::size_t blocks) {
        up.assign(blocks, ~Word{0});
        down.assign(blocks, 0);
    }
};

constexpr auto keep_nothing = [](std::size_t, Word, Word) {};

/// Computes the rows of one segment after the other, and keeps its memory from one to the next.
template <class Symbol>
class Editor {
 public:
    using Sequence = std::span<const Symbol>;

    Editor(EditRow row, ReferenceChoice choice) : row_(row), choice_(choice) {}

    /// Against the reference that is chosen; `reference_at` gives them one by one.
    template <class ReferenceAt>
    void best(Sequence hypothesis, std::size_t references, ReferenceAt reference_at, std::int64_t* row) {
        if (row_ == EditRow::bag) bag_.build(hypothesis);
        if (row_ == EditRow::cder) masks_.build(hypothesis);
        const std::size_t width = edit_row_width(row_);
        compare(hypothesis, reference_at(0), references == 1, row);
        for (std::size_t i = 1; i < references; ++i) {
            std::int64_t candidate[5];
            compare(hypothesis, reference_at(i), i + 1 == references, candidate);
            if (is_better({candidate, width}, {row, width})) std::copy_n(candidate, width, row);
        }
    }

 private:
    using Row = std::span<const std::int64_t>;

    bool is_better(Row candidate, Row best) const noexcept {
        if (choice_ == ReferenceChoice::fewest_edits) return edits_of(candidate) < edits_of(best);
        return edit::standing(row_, choice_, candidate).beats(edit::standing(row_, choice_, best));
    }

    std::int64_t edits_of(Row row) const noexcept {
        return row_ == EditRow::operations ? row[1] + row[2] + row[3] : row[0];
    }

    /// The row of a pair.
    void compare(Sequence hypothesis, Sequence reference, bool last, std::int64_t* row) {
        switch (row_) {
            case EditRow::levenshtein: row[0] = distance(hypothesis, reference); break;
            case EditRow::operations: return operations(hypothesis, reference, row);
            case EditRow::cder: row[0] = cder(hypothesis, reference); break;
            case EditRow::bag: return bag(hypothesis, reference, last, row);
        }
        row[1] = static_cast<std::int64_t>(reference.size());
    }

    static void limit(std::size_t rows, std::size_t columns, std::uint64_t steps, Sequence hypothesis,
                      Sequence reference) {
        const std::uint64_t blocks = (rows + 63) / 64;
        if (columns != 0 && blocks > steps / columns) throw EditTooMuchWork(hypothesis.size(), reference.size());
    }

    std::int64_t distance(Sequence hypothesis, Sequence reference) {
        const auto ends = common_ends(hypothesis, reference);
        const Sequence rows = without_ends(hypothesis, ends);
        const Sequence columns = without_ends(reference, ends);
        if (rows.empty() || columns.empty()) return static_cast<std::int64_t>(rows.size() + columns.size());
        limit(rows.size(), columns.size(), edit_distance_steps, hypothesis, reference);
        masks_.build(rows);
        column_.start(masks_.blocks());
        auto edits = static_cast<std::int64_t>(rows.size());
        const Word last = last_bit(rows.size());
        for (const Symbol& symbol : columns) {
            edits += advance(masks_[masks_.index().find(symbol)], masks_.blocks(), last, column_.up.data(),
                             column_.down.data(), keep_nothing);
        }
        return edits;
    }

    void operations(Sequence hypothesis, Sequence reference, std::int64_t* row) {
        const auto ends = common_ends(hypothesis, reference);
        const Sequence rows = without_ends(reference, ends);
        const Sequence columns = without_ends(hypothesis, ends);
        limit(rows.size(), columns.size(), edit_alignment_steps, hypothesis, reference);
        masks_.build(rows);
        const std::size_t blocks = masks_.blocks();
        history_.up.resize(blocks * columns.size());
        history_.down.resize(blocks * columns.size());
        column_.start(blocks);
        column_ids_.clear();
        for (std::size_t j = 0; j < columns.size(); ++j) {
            column_ids_.push_back(masks_.index().find(columns[j]));
            advance(masks_[column_ids_[j]], blocks, 0, column_.up.data(), column_.down.data(), keep_nothing);
            std::copy_n(column_.up.data(), blocks, history_.up.data() + j * blocks);
            std::copy_n(column_.down.data(), blocks, history_.down.data() + j * blocks);
        }
        std::fill_n(row, 5, 0);
        row[0] = static_cast<std::int64_t>(ends.first + ends.second);
        trace(rows.size(), columns.size(), row);
    }

    /// Follows an alignment back from the last cell, and counts its operations.
    void trace(std::size_t i, std::size_t j, std::int64_t* row) {
        const auto ids = masks_.index().ids();
        const auto bit = [blocks = masks_.blocks()](const std::vector<Word>& words, std::size_t at,
                                                    std::size_t column) {
            return (words[column * blocks + at / 64] >> (at % 64) & 1) != 0;
        };
        dropped_.assign(masks_.index().id_count(), 0);
        const auto remove = [&](std::uint32_t id) { ++row[2], ++dropped_[id]; };
        added_.clear();
        const auto add = [&](std::uint32_t id) { ++row[3], added_.push_back(id); };
        while (i > 0 && j > 0) {
            if (bit(history_.up, i - 1, j - 1)) {
                remove(ids[--i]);
                continue;
            }
            --j;
            if (j > 0 && bit(history_.down, i - 1, j - 1)) {
                add(column_ids_[j]);
            } else {
                --i;
                ++row[ids[i] == column_ids_[j] ? 0 : 1];
            }
        }
        while (i > 0) remove(ids[--i]);
        while (j > 0) add(column_ids_[--j]);
        for (const std::uint32_t id : added_) {
            if (id == 0 || dropped_[id] == 0) continue;
            --dropped_[id];
            ++row[4];
        }
    }

    /// After each reference word a jump makes no cell exceed the least one by more than 1, so a bit per position of the
    /// hypothesis says which cells are least. If one of them goes on with a match, those that do are the least of the
    /// next row; if none does, the minimum grows by 1, and so much is reached by skipping or replacing the reference
    /// word from a least cell, or by a match from any cell.
    std::int64_t cder(Sequence hypothesis, Sequence reference) {
        const std::size_t blocks = hypothesis.size() / 64 + 1;  // position 0 stands before the first word
        limit(hypothesis.size() + 1, reference.size(), edit_distance_steps, hypothesis, reference);
        least_.assign(blocks, 0);
        least_[0] = 1;
        std::int64_t minimum = 0;
        for (const Symbol& symbol : reference) {
            const Word* const match = masks_[masks_.index().find(symbol)];
            if (!follow_matches(match)) {
                allow_edit(match);
                ++minimum;
            }
        }
        const bool reached = (least_[hypothesis.size() / 64] >> (hypothesis.size() % 64) & 1) != 0;
        return minimum + (reached ? 0 : 1);
    }

    /// Bit p of `match` leads from position p to p + 1. False, and nothing is changed, if no least cell has one.
    bool follow_matches(const Word* match) noexcept {
        Word any = 0;
        for (std::size_t b = 0; b < masks_.blocks(); ++b) any |= least_[b] & match[b];
        if (any == 0) return false;
        Word carry = 0;
        for (std::size_t b = 0; b < least_.size(); ++b) {
            const Word step = b < masks_.blocks() ? least_[b] & match[b] : 0;
            least_[b] = step << 1 | carry;
            carry = step >> 63;
        }
        return true;
    }

    void allow_edit(const Word* match) noexcept {
        Word carry = 0;
        for (std::size_t b = 0; b < least_.size(); ++b) {
            const Word step = least_[b] | (b < masks_.blocks() ? match[b] : 0);
            least_[b] |= step << 1 | carry;
            carry = step >> 63;
        }
    }

    void bag(Sequence hypothesis, Sequence reference, bool last, std::int64_t* row) {
        const std::int64_t matches = bag_.matches(reference, last);
        row[0] = static_cast<std::int64_t>(std::max(hypothesis.size(), reference.size())) - matches;
        row[1] = matches;
        row[2] = static_cast<std::int64_t>(hypothesis.size());
        row[3] = static_cast<std::int64_t>(reference.size());
    }

    EditRow row_;
    ReferenceChoice choice_;
    edit::SymbolBag<Symbol> bag_;
    SymbolMasks<Symbol> masks_;
    Column column_;
    Column history_;
    std::vector<Word> least_;
    std::vector<std::uint32_t> column_ids_;
    std::vector<std::uint32_t> added_;
    std::vector<std::uint32_t> dropped_;  // how often each symbol is still unmatched
};

/// The code points of a string that count.
void code_points(std::string_view line, bool spaces, std::vector<char32_t>& into) {
    line = strip_right(strip_left(line));
    into.clear();
    for (std::size_t at = 0, length = 0; at < line.size(); at += length) {
        const char32_t c = decode(line.data() + at, length);
        if (spaces || !is_space(c)) into.push_back(c);
    }
}

/// `segment_work(editor, i, row)` fills the row of segment i.
template <class Symbol, class SegmentWork>
std::vector<std::int64_t> all_rows(std::size_t count, EditRow row, ReferenceChoice choice, unsigned threads,
                                   const Interrupted& interrupted, SegmentWork segment_work) {
    const std::size_t width = edit_row_width(row);
    std::vector<std::int64_t> rows(width * count);
    parallel_for(count, segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Editor<Symbol> editor(row, choice);
        for (std::size_t i = begin; i < end; ++i) {
            try {
                segment_work(editor, i, rows.data() + width * i);
            } catch (EditTooMuchWork& error) {
                error.segment = i;
                throw;
            }
        }
    });
    return rows;
}

}  // namespace

std::vector<std::int64_t> edit_rows(const Tokens& hypotheses, const Tokens& references,
                                    std::span<const std::int64_t> offsets, EditRow row, ReferenceChoice choice,
                                    unsigned threads, const Interrupted& interrupted) {
    return all_rows<Token>(hypotheses.size(), row, choice, threads, interrupted,
                           [&](Editor<Token>& editor, std::size_t i, std::int64_t* out) {
                               const auto first = static_cast<std::size_t>(offsets[i]);
                               editor.best(
                                   hypotheses[i], static_cast<std::size_t>(offsets[i + 1]) - first,
                                   [&](std::size_t reference) { return references[first + reference]; }, out);
                           });
}

std::vector<std::int64_t> edit_rows(const TextColumn& hypotheses, const TextColumn& references,
                                    std::span<const std::int64_t> offsets, EditRow row, ReferenceChoice choice,
                                    bool spaces, unsigned threads, const Interrupted& interrupted) {
    return all_rows<char32_t>(hypotheses.size(), row, choice, threads, interrupted,
                              [&](Editor<char32_t>& editor, std::size_t i, std::int64_t* out) {
                                  std::vector<char32_t> hypothesis;
                                  std::vector<char32_t> reference;
                                  code_points(hypotheses[i], spaces, hypothesis);
                                  const auto first = static_cast<std::size_t>(offsets[i]);
                                  const auto reference_at = [&](std::size_t which) {
                                      code_points(references[first + which], spaces, reference);
                                      return std::span<const char32_t>(reference);
                                  };
                                  editor.best(hypothesis, static_cast<std::size_t>(offsets[i + 1]) - first,
                                              reference_at, out);
                              });
}

std::int64_t edit_distance(std::span<const char32_t> hypothesis, std::span<const char32_t> reference) {
    std::int64_t row[2];
    Editor<char32_t>(EditRow::levenshtein, ReferenceChoice::fewest_edits)
        .best(hypothesis, 1, [&](std::size_t) { return reference; }, row);
    return row[0];
}

}  // namespace karat
