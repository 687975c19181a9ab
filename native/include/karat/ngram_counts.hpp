// How often n-grams of words occur in all references of a set: what NIST's information, TF-IDF and ranks by frequency
// are made of.
//
// The n-grams form a tree: a node is the pair (node of its first n - 1 words, its last word), so equality is exact at
// any order and nothing is ever decided by a hash value. The root stands for the n-gram without words, which occurs
// before every word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// Counts of n-grams up to some order. Holds its own copy of the words, so that the texts may go. Adding a text in one
/// piece or in several, or adding up counts of pieces, gives the same counts and the same digest.
/// O(orders * words) expected time and memory.
class NgramCounts {
 public:
    using Node = std::uint32_t;
    using Word = std::uint32_t;

    static constexpr Node root = 0;
    static constexpr Node none = 0xFFFFFFFFu;
    static constexpr Word unknown = 0xFFFFFFFFu;

    explicit NgramCounts(unsigned orders);

    /// Counts the references of some more segments; those of segment i stand at offsets[i] to offsets[i + 1].
    void add(const Tokens& references, std::span<const std::int64_t> offsets, const Interrupted& interrupted);

    /// Adds the counts of other segments. Throws std::invalid_argument unless both go up to the same order.
    void add(const NgramCounts& other);

    unsigned orders() const noexcept { return static_cast<unsigned>(totals_.size()); }

    /// How many segments were counted, and how many of them have a word in one of their references.
    std::int64_t segments() const noexcept { return segments_; }
    std::int64_t segments_with(Word word) const noexcept { return word_segments_[word]; }

    /// How many n-grams of an order there are, and how many different ones.
    std::int64_t total(unsigned order) const noexcept { return totals_[order - 1]; }
    std::int64_t types(unsigned order) const noexcept { return types_[order - 1]; }

    Word find_word(const Token& word) const noexcept;
    Node find(Node parent, Word last) const noexcept;

    Node parent(Node node) const noexcept { return nodes_[node].parent; }
    Word last_word(Node node) const noexcept { return nodes_[node].word; }

    /// How often the n-gram occurs; that of the root is the number of words.
    std::int64_t count(Node node) const noexcept { return counts_[node]; }

    /// The counts of all n-grams of an order.
    std::vector<std::int64_t> counts_of(unsigned order) const;

    /// All that is counted, as it can be sent to another machine. `parents` and `lasts` are those of all nodes but the
    /// root, `counts` has the root first.
    struct State {
        unsigned orders = 0;
        std::int64_t segments = 0;
        std::string letters;
        std::vector<std::uint64_t> word_ends;
        std::vector<std::uint32_t> word_hashes;
        std::vector<std::int64_t> word_segments;
        std::vector<Node> parents;
        std::vector<Word> lasts;
        std::vector<std::int64_t> counts;
    };
    State state() const;

    /// The same counts again. Throws std::invalid_argument where the state is of nothing that could be counted.
    static NgramCounts of(const State& state);

    /// A number that tells sets of counts apart, the same on every machine and in any order of segments.
    std::uint64_t digest() const;

 private:
    struct Child {
        Node parent;
        Word word;

        friend bool operator==(const Child&, const Child&) = default;
    };
    /// The key stands in the table itself: looking it up elsewhere would cost a second miss of the cache.
    struct Slot {
        Child child;
        Node node;
    };

    Word intern(std::string_view word, std::uint32_t hash);
    Node insert(Node parent, Word last);
    std::string_view spelling(Word word) const noexcept;
    std::size_t word_slot(std::string_view word, std::uint32_t hash) const noexcept;
    std::size_t node_slot(Node parent, Word last) const noexcept;
    void count_reference(std::span<const Token> words);
    void grow_words();
    void resize_slots(std::size_t slots);
    void reserve(std::size_t more_words);

    std::string letters_;                       // of all words, one after the other
    std::vector<std::uint64_t> word_ends_;      // in `letters_`
    std::vector<std::uint32_t> word_hashes_;    // by word
    std::vector<std::int64_t> word_segments_;   // by word
    std::vector<std::int64_t> last_segment_;    // by word: the last one counted in `word_segments_`
    std::vector<Word> word_slots_;              // open addressing
    std::vector<Child> nodes_;                  // a parent stands before its children
    std::vector<std::int64_t> counts_;          // by node
    std::vector<std::uint8_t> node_orders_;     // by node
    std::vector<Slot> node_slots_;              // open addressing
    std::vector<std::int64_t> totals_, types_;  // by order
    std::vector<Word> scratch_;
    std::int64_t segments_ = 0;
};

}  // namespace karat
