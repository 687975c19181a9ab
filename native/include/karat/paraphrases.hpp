// Tables of paraphrases, and those of them that can occur in some texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "karat/word_types.hpp"

namespace karat {

/// A whole table in METEOR's format, three lines to an entry: probability, phrase, paraphrase. Words stand between
/// single spaces. Immutable. O(bytes) time; about half the memory of the text.
class ParaphraseTable {
 public:
    /// Throws std::invalid_argument, with the number of the line, for what is not such a table.
    explicit ParaphraseTable(std::string_view text);

    std::size_t size() const noexcept { return probabilities_.size(); }

 private:
    friend class ParaphraseIndex;

    void sort_entries();

    struct Lengths {
        std::uint8_t phrase;
        std::uint8_t paraphrase;
    };

    std::vector<std::unique_ptr<char[]>> arena_;  // the bytes of the words
    WordTable vocabulary_;
    std::vector<std::int32_t> words_;  // phrase and paraphrase of one entry after the other
    std::vector<Lengths> lengths_;     // by entry
    std::vector<float> probabilities_;
    std::vector<std::uint64_t> word_starts_;   // by entry, into words_
    std::vector<std::uint32_t> entries_;       // by the first word of the phrase, then by number
    std::vector<std::uint32_t> entry_starts_;  // by word, into entries_
};

/// A phrase of the index that stands somewhere in a segment.
struct PhraseOccurrence {
    std::uint32_t start;
    std::uint32_t length;
    std::int32_t phrase;
};

/// The entries of a table all of whose words are among the types of some texts. Phrases have numbers; words are
/// numbers of types, as in `WordTypes`. Immutable. To make it, only entries that begin with one of the types are read.
class ParaphraseIndex {
 public:
    struct Paraphrase {
        std::int32_t phrase;
        float probability;
    };

    ParaphraseIndex(const ParaphraseTable& table, std::span<const Token> types);

    /// What a phrase may be replaced by, in the order of the table.
    std::span<const Paraphrase> paraphrases(std::int32_t phrase) const noexcept {
        const auto at = static_cast<std::size_t>(phrase);
        return {paraphrases_.data() + starts_[at], starts_[at + 1] - starts_[at]};
    }

    /// Appends the phrases of a segment, by start and then by length. O(words x longest phrase).
    void find(std::span<const std::int32_t> words, std::vector<PhraseOccurrence>& found) const;

    /// How many entries of the table are left.
    std::size_t size() const noexcept { return paraphrases_.size(); }

    /// How many numbers of phrases there are; some stand for beginnings of phrases only.
    std::size_t phrase_count() const noexcept { return starts_.size() - 1; }

    /// The words of a phrase.
    std::vector<std::int32_t> words(std::int32_t phrase) const;

 private:
    struct Node {
        std::int32_t parent;
        std::int32_t word;
    };

    /// An entry of the table by numbers of phrases.
    struct Entry {
        std::int32_t phrase;
        Paraphrase paraphrase;
    };

    std::vector<Entry> entries_among(const ParaphraseTable& table, std::span<const Token> types);
    std::int32_t child(std::int32_t node, std::int32_t word) const noexcept;
    std::int32_t insert(std::span<const std::int32_t> words);
    std::size_t slot_of(std::int32_t node, std::int32_t word) const noexcept;
    void grow();

    // A trie whose nodes are the phrases: children are found by hashing, and a hash is never taken for a child.
    std::vector<Node> nodes_;
    std::vector<std::int32_t> slots_;  // numbers of nodes, -1 = empty
    std::vector<bool> is_phrase_;      // by node
    std::vector<std::size_t> starts_;  // by node, into paraphrases_
    std::vector<Paraphrase> paraphrases_;
};

}  // namespace karat
