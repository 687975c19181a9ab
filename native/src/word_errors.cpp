#include "karat/word_errors.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "distance_columns.hpp"
#include "symbol_masks.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 64;

using Words = std::span<const std::int32_t>;

using Word = std::uint64_t;

/// One side of a pair: its words by form and base form, and what is found out about each.
struct Side {
    Words forms;
    Words bases;
    std::vector<WordOperation> operations;
    std::vector<BagError> bag;
    std::vector<ErrorClass> classes;
};

using Open = std::vector<char>;  // which words have no partner yet

/// Finds partners for words in the other side of a pair, equal ones in order. Whatever order one looks at them in,
/// the first ones of both sides have partners, as many as both have, so each side is gone through once.
class Partners {
 public:
    /// Takes words that are open on both sides out of both. O(words), expected.
    void pair_up(Words first, Open& first_open, Words second, Open& second_open) {
        clear(first.size());
        places_.resize(first.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (!first_open[i]) continue;
            Slot& slot = slots_[places_[i] = place_of(first[i])];
            slot.word = first[i];
            ++slot.there;
        }
        for (std::size_t i = 0; i < second.size(); ++i) {
            if (!second_open[i]) continue;
            Slot& slot = slots_[place_of(second[i])];
            if (slot.paired == slot.there) continue;
            ++slot.paired;
            second_open[i] = 0;
        }
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (!first_open[i]) continue;
            Slot& slot = slots_[places_[i]];
            if (slot.paired == 0) continue;
            --slot.paired;
            first_open[i] = 0;
        }
    }

 private:
    struct Slot {
        std::int32_t word = 0;
        std::int32_t there = 0;  // none: an empty slot
        std::int32_t paired = 0;
    };

    void clear(std::size_t words) { slots_.assign(std::bit_ceil(2 * words + 1), Slot{}); }

    std::size_t place_of(std::int32_t word) const noexcept {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = static_cast<std::uint32_t>(word) * std::size_t{0x9E3779B1u} >> 7 & mask;
        while (slots_[place].there != 0 && slots_[place].word != word) place = (place + 1) & mask;
        return place;
    }

    std::vector<Slot> slots_;
    std::vector<std::size_t> places_;
};

/// The steps of an alignment, a bit for each word of the hypothesis in a row for each of the reference.
struct Steps {
    std::vector<Word> straight;  // the last step may be a match or a substitution
    std::vector<Word> deletion;  // it may be a deletion
};

/// Memory that a chunk of segments uses again and again.
struct Room {
    edit::SymbolMasks<std::int32_t> masks;  // of the hypothesis
    std::vector<Word> up, down;
    Steps steps;
    Open hypothesis_open, reference_open;
    Partners partners;
    Side hypothesis, reference;
};

/// The least number of edits of the hypothesis whose masks are built, and the steps to it.
std::int64_t fill(Words reference, Room& room) {
    const std::size_t blocks = room.masks.blocks();
    if (blocks == 0) return static_cast<std::int64_t>(reference.size());
    room.up.assign(blocks, ~Word{0});
    room.down.assign(blocks, 0);
    room.steps.straight.resize(blocks * reference.size());
    room.steps.deletion.resize(blocks * reference.size());
    auto edits = static_cast<std::int64_t>(room.masks.length());
    const Word last = edit::last_bit(room.masks.length());
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const Word* const match = room.masks[room.masks.index().find(reference[i])];
        Word* const straight = room.steps.straight.data() + i * blocks;
        Word* const deletion = room.steps.deletion.data() + i * blocks;
        edits += edit::advance(match, blocks, last, room.up.data(), room.down.data(),
                               [&](std::size_t block, Word diagonal, Word right) {
                                   straight[block] = match[block] | ~diagonal;
                                   deletion[block] = right;
                               });
    }
    return edits;
}

bool bit(const std::vector<Word>& rows, std::size_t blocks, std::size_t row, std::size_t at) noexcept {
    return rows[row * blocks + at / 64] >> (at % 64) & 1;
}

/// Follows the steps back from the end: of equals a straight one, then a deletion.
void trace(Room& room) {
    Side &hypothesis = room.hypothesis, &reference = room.reference;
    hypothesis.operations.assign(hypothesis.forms.size(), WordOperation::lone);
    reference.operations.assign(reference.forms.size(), WordOperation::lone);
    const std::size_t blocks = room.masks.blocks();
    std::size_t i = reference.forms.size(), j = hypothesis.forms.size();
    while (i > 0 && j > 0) {
        if (bit(room.steps.straight, blocks, i - 1, j - 1)) {
            --i, --j;
            const bool same = reference.forms[i] == hypothesis.forms[j];
            const WordOperation operation = same ? WordOperation::match : WordOperation::substitution;
            hypothesis.operations[j] = reference.operations[i] = operation;
        } else {
            bit(room.steps.deletion, blocks, i - 1, j - 1) ? --i : --j;
        }
    }
}

/// Which words of both sides are not in the bag of the other: first by form, then those that are left by base form.
void compare_bags(Room& room) {
    Side &hypothesis = room.hypothesis, &reference = room.reference;
    Open &ours = room.hypothesis_open, &theirs = room.reference_open;
    const auto mark = [](Side& side, const Open& open, BagError other) {
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (side.bag[i] == BagError::error && !open[i]) side.bag[i] = other;
        }
    };
    hypothesis.bag.assign(hypothesis.forms.size(), BagError::error);
    reference.bag.assign(reference.forms.size(), BagError::error);
    ours.assign(hypothesis.forms.size(), 1);
    theirs.assign(reference.forms.size(), 1);
    room.partners.pair_up(hypothesis.forms, ours, reference.forms, theirs);
    mark(hypothesis, ours, BagError::none);
    mark(reference, theirs, BagError::none);
    room.partners.pair_up(hypothesis.bases, ours, reference.bases, theirs);
    mark(hypothesis, ours, BagError::inflected);
    mark(reference, theirs, BagError::inflected);
}

ErrorClass class_of(WordOperation operation, BagError bag, ErrorClass lone) {
    if (bag == BagError::inflected) return ErrorClass::inflection;
    if (bag == BagError::none || operation == WordOperation::match) return ErrorClass::right;
    return operation == WordOperation::substitution ? ErrorClass::lexical : lone;
}

void classify(Side& side, const Open& open, ErrorClass lone) {
    side.classes.resize(side.forms.size());
    for (std::size_t i = 0; i < side.forms.size(); ++i) {
        const bool moved = side.operations[i] != WordOperation::match && !open[i];
        side.classes[i] = moved ? ErrorClass::order : class_of(side.operations[i], side.bag[i], lone);
    }
}

/// Classes by alignment and bag, but words that are errors of the alignment on both sides are out of order.
void classify(Room& room) {
    Side &hypothesis = room.hypothesis, &reference = room.reference;
    const auto misaligned = [](const Side& side, Open& open) {
        for (std::size_t i = 0; i < open.size(); ++i) open[i] = side.operations[i] != WordOperation::match;
    };
    misaligned(hypothesis, room.hypothesis_open);
    misaligned(reference, room.reference_open);
    room.partners.pair_up(hypothesis.forms, room.hypothesis_open, reference.forms, room.reference_open);
    classify(hypothesis, room.hypothesis_open, ErrorClass::extra);
    classify(reference, room.reference_open, ErrorClass::missing);
}

void write_marks(const Side& side, std::uint8_t* marks) {
    for (std::size_t i = 0; i < side.forms.size(); ++i) {
        marks[i] = word_mark(side.classes[i], side.operations[i], side.bag[i]);
    }
}

/// Whether a rate is lower than another; edits without any word are the highest of all.
bool is_lower(std::int64_t edits, std::size_t words, std::int64_t other_edits, std::size_t other_words) {
    if (words == 0 || other_words == 0) return edits == 0 ? other_edits > 0 : words > 0 && other_edits > 0;
    return edits * static_cast<std::int64_t>(other_words) < other_edits * static_cast<std::int64_t>(words);
}

std::size_t closest(const NumberedPairs& pairs, std::size_t segment, Room& room) {
    const auto first = static_cast<std::size_t>(pairs.starts[segment]);
    const auto last = static_cast<std::size_t>(pairs.starts[segment + 1]);
    std::size_t best = first;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    room.masks.build(pairs.hypotheses[segment]);
    for (std::size_t r = first; r < last; ++r) {
        check_length(pairs.hypotheses[segment].size(), pairs.references[r].size(), segment);
        const std::int64_t edits = fill(pairs.references[r], room);
        if (r == first || is_lower(edits, pairs.references[r].size(), fewest, pairs.references[best].size())) {
            best = r;
            fewest = edits;
        }
    }
    if (best + 1 < last) fill(pairs.references[best], room);
    return best;
}

Words part(std::span<const std::int32_t> all, const NumberedWords& like, std::size_t segment) {
    return all.subspan(static_cast<std::size_t>(like.offsets[segment]), like[segment].size());
}

}  // namespace

WordErrorMarks word_errors(const NumberedPairs& pairs, std::span<const std::int32_t> hypothesis_bases,
                           std::span<const std::int32_t> reference_bases, unsigned threads,
                           const Interrupted& interrupted) {
    const std::size_t segments = pairs.hypotheses.size();
    WordErrorMarks marks{std::vector<std::int64_t>(segments), std::vector<std::uint8_t>(hypothesis_bases.size()),
                         std::vector<std::uint8_t>(reference_bases.size(), no_mark)};
    parallel_for(segments, segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Room room;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t r = closest(pairs, i, room);
            room.hypothesis.forms = pairs.hypotheses[i];
            room.hypothesis.bases = part(hypothesis_bases, pairs.hypotheses, i);
            room.reference.forms = pairs.references[r];
            room.reference.bases = part(reference_bases, pairs.references, r);
            trace(room);
            compare_bags(room);
            classify(room);
            marks.chosen[i] = static_cast<std::int64_t>(r);
            write_marks(room.hypothesis, marks.hypotheses.data() + pairs.hypotheses.offsets[i]);
            write_marks(room.reference, marks.references.data() + pairs.references.offsets[r]);
        }
    });
    return marks;
}

}  // namespace karat
