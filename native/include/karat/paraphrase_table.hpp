// Tables of paraphrases, compiled into one block of bytes that can be read where it lies: in memory or in a mapped
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "karat/word_types.hpp"

namespace karat {

struct ParaphraseSizes;
class ParaphraseLayout;

/// Counts up whenever images are laid out in another way, so that none is taken for what it is not.
inline constexpr std::uint32_t paraphrase_layout = 1;

/// Reads a table in METEOR's format, three lines to an entry: probability, phrase, paraphrase. Words stand between
/// single spaces. O(bytes), expected; memory is about that of the image, twice.
class ParaphraseCompiler {
 public:
    ParaphraseCompiler();
    ParaphraseCompiler(const ParaphraseCompiler&) = delete;
    ParaphraseCompiler& operator=(const ParaphraseCompiler&) = delete;

    /// The next bytes of the table, cut anywhere. Throws std::invalid_argument, with the number of the line, for what
    /// is not such a table.
    void add(std::string_view bytes);

    /// The image of all that was added.
    std::vector<std::uint64_t> finish();

 private:
    struct Node {
        std::int32_t parent;
        std::int32_t word;
    };
    struct Entry {
        std::int32_t phrase;
        std::int32_t paraphrase;
        float probability;
    };

    void add_line(std::string_view line);
    std::int32_t phrase_in(std::string_view line);
    std::int32_t number_of(std::string_view word);
    std::int32_t child(std::int32_t node, std::int32_t word);
    std::size_t slot_of(std::int32_t node, std::int32_t word) const noexcept;
    void grow();
    std::vector<std::int32_t> number_nodes() const;
    void sort_entries(std::span<const std::int32_t> numbers);
    ParaphraseSizes sizes_of_parts() const;
    void write_words(std::span<std::uint64_t> image, const ParaphraseLayout& layout) const;
    void write_phrases(std::span<std::uint64_t> image, const ParaphraseLayout& layout,
                       std::span<const std::int32_t> numbers) const;
    void write_entries(std::span<std::uint64_t> image, const ParaphraseLayout& layout) const;

    std::string unfinished_;  // the beginning of a line whose end is still to come
    std::size_t lines_ = 0;
    Entry entry_{};                               // the one that is being read
    std::vector<std::unique_ptr<char[]>> arena_;  // the bytes of the words
    char* free_ = nullptr;
    std::size_t room_ = 0;
    WordTable vocabulary_;
    std::vector<Node> nodes_;          // of a trie whose nodes are phrases and their beginnings
    std::vector<std::int32_t> slots_;  // numbers of nodes, -1 = empty
    std::vector<bool> is_phrase_;      // by node
    std::vector<Entry> entries_;
};

/// A compiled table. Phrases are the nodes of a trie, numbered from the root level by level; the children of a node
/// follow one another, by number of word, and the root has one for each word. Immutable.
class ParaphraseTable {
 public:
    /// Looks at an image that `owner` keeps. Throws std::invalid_argument where the sizes of its parts do not add up;
    /// whether its bytes are those that were compiled, the caller must know. O(words).
    ParaphraseTable(std::span<const std::uint64_t> image, std::shared_ptr<const void> owner);

    /// How many entries there are.
    std::size_t size() const noexcept { return paraphrases_.size(); }

    std::size_t word_count() const noexcept { return vocabulary_.words().size(); }

    /// The number of a word; -1 where no phrase has it.
    std::int32_t find(const Token& word) const noexcept { return vocabulary_.find(word); }

    /// The phrase that is one word.
    std::int32_t phrase_of(std::int32_t word) const noexcept { return 1 + word; }

    /// The phrase with one more word; -1 where none begins like that. O(log of how many go on from here).
    std::int32_t longer(std::int32_t phrase, std::int32_t word) const noexcept;

    /// The phrase without its last word; 0 for a single word.
    std::int32_t shorter(std::int32_t phrase) const noexcept { return parents_[static_cast<std::size_t>(phrase)]; }

    std::int32_t last_word(std::int32_t phrase) const noexcept { return last_words_[static_cast<std::size_t>(phrase)]; }

    /// Whether the table has the phrase or paraphrase, rather than longer ones only.
    bool is_phrase(std::int32_t phrase) const noexcept {
        return children_[static_cast<std::size_t>(phrase)] & phrase_mark;
    }

    /// The numbers of a phrase's entries, in the order of the table: from the first to before the second.
    std::pair<std::size_t, std::size_t> entries(std::int32_t phrase) const noexcept;

    /// What may stand for the phrase of an entry.
    std::int32_t paraphrase(std::size_t entry) const noexcept { return paraphrases_[entry]; }

    float probability(std::size_t entry) const noexcept { return probabilities_[entry]; }

    /// How many numbers phrases have.
    std::size_t phrase_count() const noexcept { return last_words_.size(); }

 private:
    friend class ParaphraseCompiler;

    static constexpr std::uint32_t phrase_mark = 0x80000000u;

    std::size_t first_child(std::int32_t phrase) const noexcept {
        return children_[static_cast<std::size_t>(phrase)] & ~phrase_mark;
    }

    std::shared_ptr<const void> owner_;
    WordTable vocabulary_;
    std::span<const std::int32_t> last_words_;     // by phrase
    std::span<const std::uint32_t> children_;      // by phrase, and the end; marked where it is a phrase of the table
    std::span<const std::uint64_t> has_entries_;   // one bit for each phrase
    std::span<const std::uint32_t> with_entries_;  // by 64 phrases: how many before them have entries
    std::span<const std::uint32_t> entry_starts_;  // by phrase with entries, and the end
    std::span<const std::int32_t> paraphrases_;    // by entry
    std::span<const std::int32_t> parents_;        // by phrase
    std::span<const float> probabilities_;         // by entry
};

}  // namespace karat
