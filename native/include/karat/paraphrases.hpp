// The paraphrases of a table that can occur in some texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "karat/paraphrase_table.hpp"
#include "karat/word_types.hpp"

namespace karat {

/// A phrase of the table that stands somewhere in a segment.
struct PhraseOccurrence {
    std::uint32_t start;
    std::uint32_t length;
    std::int32_t phrase;
};

/// Where each phrase stands in a segment. Keeps its memory from one segment to the next.
class PhrasePlaces {
 public:
    /// O(n log n).
    void set(std::span<const PhraseOccurrence> occurrences);

    /// The occurrences of a phrase, by start. O(1), expected.
    std::span<const PhraseOccurrence> of(std::int32_t phrase) const noexcept {
        for (std::size_t slot = slot_of(phrase);; slot = (slot + 1) & (groups_.size() - 1)) {
            const Group& group = groups_[slot];
            if (group.begin == group.end) return {};
            if (group.phrase == phrase) return std::span(occurrences_).subspan(group.begin, group.end - group.begin);
        }
    }

 private:
    /// The occurrences of one phrase; begins where it ends if the slot is empty.
    struct Group {
        std::int32_t phrase = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    std::size_t slot_of(std::int32_t phrase) const noexcept {
        return static_cast<std::uint32_t>(phrase) * 0x9E3779B1u >> shift_;
    }

    std::vector<PhraseOccurrence> occurrences_;          // by phrase, then by start
    std::vector<Group> groups_ = std::vector<Group>(2);  // by hash; a power of two of them, some of them empty
    int shift_ = 31;
};

/// A table seen from texts: their words are numbers of types, as in `WordTypes`. Immutable. To make it, each type is
/// looked up once.
class ParaphraseIndex {
 public:
    ParaphraseIndex(std::shared_ptr<const ParaphraseTable> table, std::span<const Token> types);

    const ParaphraseTable& table() const noexcept { return *table_; }

    /// Appends the phrases of a segment, by start and then by length. O(words x longest phrase x log of the table).
    void find(std::span<const std::int32_t> words, std::vector<PhraseOccurrence>& found) const;

    /// Puts the types that a phrase is made of into `words`; false where one of its words is not a type.
    bool spell(std::int32_t phrase, std::vector<std::int32_t>& words) const;

 private:
    std::shared_ptr<const ParaphraseTable> table_;
    std::vector<std::int32_t> words_;  // by type: its number in the table, -1 if none
    std::vector<std::int32_t> types_;  // by number in the table
};

}  // namespace karat
