#include "karat/word_errors.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 64;

using Words = std::span<const std::int32_t>;

enum class Step : std::uint8_t { diagonal, deletion, insertion };

/// One side of a pair: its words by form and base form, and what is found out about each.
struct Side {
    Words forms;
    Words bases;
    std::vector<WordOperation> operations;
    std::vector<BagError> bag;
    std::vector<ErrorClass> classes;
};

/// The words of one side that are not taken yet, each kind in order.
class WordsLeft {
 public:
    /// Those that are left of `words`. O(words), expected.
    void fill(Words words, const std::vector<char>& taken) {
        words_ = words;
        heads_.assign(std::bit_ceil(2 * words.size() + 1), none);
        next_.resize(words.size());
        for (std::size_t i = words.size(); i-- > 0;) {
            if (taken[i]) continue;
            std::int32_t& head = heads_[slot_of(words[i])];
            next_[i] = head;
            head = static_cast<std::int32_t>(i);
        }
    }

    /// Takes the first one that is left and equal; false where there is none.
    bool take_first(std::int32_t word, std::vector<char>& taken) {
        std::int32_t& head = heads_[slot_of(word)];
        if (head < 0) return false;
        const auto place = static_cast<std::size_t>(head);
        taken[place] = 1;
        // The last one leaves a slot that its word still finds, and that no other word takes for its own.
        head = next_[place] < 0 ? used_up(place) : next_[place];
        return true;
    }

 private:
    static constexpr std::int32_t none = -1;

    /// A slot whose words are all taken still says which word it is of.
    static std::int32_t used_up(std::size_t place) noexcept { return -2 - static_cast<std::int32_t>(place); }

    std::size_t slot_of(std::int32_t word) const noexcept {
        const std::size_t mask = heads_.size() - 1;
        std::size_t slot = static_cast<std::uint32_t>(word) * std::size_t{0x9E3779B1u} >> 7 & mask;
        while (heads_[slot] != none && words_[owner(heads_[slot])] != word) slot = (slot + 1) & mask;
        return slot;
    }

    static std::size_t owner(std::int32_t head) noexcept {
        return static_cast<std::size_t>(head >= 0 ? head : -2 - head);
    }

    Words words_;
    std::vector<std::int32_t> heads_, next_;
};

/// Memory that a chunk of segments uses again and again.
struct Room {
    std::vector<std::int32_t> row;
    std::vector<Step> steps;
    std::vector<char> taken;
    WordsLeft left;
    Side hypothesis, reference;
};

/// The least number of edits; `steps` has the last step to each cell, of equals a diagonal one, then a deletion.
std::int64_t fill(Words hypothesis, Words reference, Room& room) {
    const std::size_t width = hypothesis.size() + 1;
    room.row.resize(width);
    room.steps.resize(width * (reference.size() + 1));
    std::iota(room.row.begin(), room.row.end(), 0);
    std::fill_n(room.steps.begin(), width, Step::insertion);
    for (std::size_t i = 1; i <= reference.size(); ++i) {
        const std::int32_t word = reference[i - 1];
        std::int32_t diagonal = room.row[0], left = static_cast<std::int32_t>(i);
        std::int32_t* const row = room.row.data();
        Step* const steps = room.steps.data() + i * width;
        row[0] = left;
        steps[0] = Step::deletion;
        for (std::size_t j = 1; j < width; ++j) {
            const std::int32_t up = row[j], kept = diagonal + (word != hypothesis[j - 1]);
            const std::int32_t above = std::min(kept, up + 1);
            const Step step = up + 1 < kept ? Step::deletion : Step::diagonal;
            steps[j] = left + 1 < above ? Step::insertion : step;
            row[j] = left = std::min(above, left + 1);
            diagonal = up;
        }
    }
    return room.row.back();
}

/// Follows the steps back from the end.
void trace(Room& room) {
    Side &hypothesis = room.hypothesis, &reference = room.reference;
    hypothesis.operations.assign(hypothesis.forms.size(), WordOperation::lone);
    reference.operations.assign(reference.forms.size(), WordOperation::lone);
    const std::size_t width = hypothesis.forms.size() + 1;
    std::size_t i = reference.forms.size(), j = hypothesis.forms.size();
    while (i > 0 || j > 0) {
        const Step step = room.steps[i * width + j];
        if (step == Step::diagonal) {
            --i, --j;
            const bool same = reference.forms[i] == hypothesis.forms[j];
            const WordOperation operation = same ? WordOperation::match : WordOperation::substitution;
            hypothesis.operations[j] = reference.operations[i] = operation;
        } else {
            step == Step::deletion ? --i : --j;
        }
    }
}

/// Which words of a side are not in the bag of the other: first by form, then those that are left by base form.
void compare_bags(Side& side, const Side& other, std::vector<char>& taken, WordsLeft& left) {
    taken.assign(other.forms.size(), 0);
    side.bag.assign(side.forms.size(), BagError::none);
    left.fill(other.forms, taken);
    for (std::size_t i = 0; i < side.forms.size(); ++i) {
        if (!left.take_first(side.forms[i], taken)) side.bag[i] = BagError::error;
    }
    left.fill(other.bases, taken);
    for (std::size_t i = 0; i < side.forms.size(); ++i) {
        if (side.bag[i] == BagError::error && left.take_first(side.bases[i], taken)) {
            side.bag[i] = BagError::inflected;
        }
    }
}

ErrorClass class_of(WordOperation operation, BagError bag, ErrorClass lone) {
    if (bag == BagError::inflected) return ErrorClass::inflection;
    if (bag == BagError::none || operation == WordOperation::match) return ErrorClass::right;
    return operation == WordOperation::substitution ? ErrorClass::lexical : lone;
}

/// Classes by alignment and bag; then words that are errors of the alignment on both sides are out of order.
void classify(Side& side, const Side& other, ErrorClass lone, std::vector<char>& taken, WordsLeft& left) {
    side.classes.resize(side.forms.size());
    taken.resize(other.forms.size());
    for (std::size_t i = 0; i < other.forms.size(); ++i) taken[i] = other.operations[i] == WordOperation::match;
    left.fill(other.forms, taken);
    for (std::size_t i = 0; i < side.forms.size(); ++i) {
        side.classes[i] = class_of(side.operations[i], side.bag[i], lone);
        if (side.operations[i] != WordOperation::match && left.take_first(side.forms[i], taken)) {
            side.classes[i] = ErrorClass::order;
        }
    }
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
    for (std::size_t r = first; r < last; ++r) {
        check_length(pairs.hypotheses[segment].size(), pairs.references[r].size(), segment);
        const std::int64_t edits = fill(pairs.hypotheses[segment], pairs.references[r], room);
        if (r == first || is_lower(edits, pairs.references[r].size(), fewest, pairs.references[best].size())) {
            best = r;
            fewest = edits;
        }
    }
    if (last - first > 1) fill(pairs.hypotheses[segment], pairs.references[best], room);
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
            compare_bags(room.hypothesis, room.reference, room.taken, room.left);
            compare_bags(room.reference, room.hypothesis, room.taken, room.left);
            classify(room.hypothesis, room.reference, ErrorClass::extra, room.taken, room.left);
            classify(room.reference, room.hypothesis, ErrorClass::missing, room.taken, room.left);
            marks.chosen[i] = static_cast<std::int64_t>(r);
            write_marks(room.hypothesis, marks.hypotheses.data() + pairs.hypotheses.offsets[i]);
            write_marks(room.reference, marks.references.data() + pairs.references.offsets[r]);
        }
    });
    return marks;
}

}  // namespace karat
