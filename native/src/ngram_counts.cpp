#include "karat/ngram_counts.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 256;
constexpr std::size_t first_slots = 1024;
constexpr std::size_t most_reserved = std::size_t{1} << 22;
constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;

/// Spreads a number over 64 bits; the constants are those of SplitMix64.
std::uint64_t mixed(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

/// FNV-1a, byte by byte, so that it does not depend on the order of bytes of the machine.
std::uint64_t portable_hash(std::string_view bytes) noexcept {
    std::uint64_t h = 0xCBF29CE484222325ull;
    for (const char c : bytes) h = (h ^ static_cast<std::uint8_t>(c)) * 0x100000001B3ull;
    return mixed(h);
}

}  // namespace

NgramCounts::NgramCounts(unsigned orders)
    : word_slots_(first_slots, unknown),
      nodes_{{none, unknown}},
      counts_{0},
      node_orders_{0},
      node_slots_(first_slots, Slot{{none, unknown}, none}),
      totals_(orders),
      types_(orders) {
    if (orders == 0 || orders > 255) throw std::invalid_argument("the greatest order must be from 1 to 255");
}

std::string_view NgramCounts::spelling(Word word) const noexcept {
    const std::uint64_t begin = word == 0 ? 0 : word_ends_[word - 1];
    return std::string_view(letters_).substr(begin, word_ends_[word] - begin);
}

std::size_t NgramCounts::word_slot(std::string_view word, std::uint32_t hash) const noexcept {
    const std::size_t mask = word_slots_.size() - 1;
    std::size_t at = hash & mask;
    while (word_slots_[at] != unknown && !(word_hashes_[word_slots_[at]] == hash && spelling(word_slots_[at]) == word))
        at = (at + 1) & mask;
    return at;
}

std::size_t NgramCounts::node_slot(Node parent, Word last) const noexcept {
    const std::size_t mask = node_slots_.size() - 1;
    auto at = static_cast<std::size_t>(((std::uint64_t{parent} << 32 | last) * golden) >> 32) & mask;
    const Child wanted{parent, last};
    while (node_slots_[at].node != none && !(node_slots_[at].child == wanted)) at = (at + 1) & mask;
    return at;
}

void NgramCounts::grow_words() {
    std::fill(word_slots_.begin(), word_slots_.end(), unknown);
    word_slots_.resize(2 * word_slots_.size(), unknown);
    for (Word word = 0; word < word_ends_.size(); ++word)
        word_slots_[word_slot(spelling(word), word_hashes_[word])] = word;
}

void NgramCounts::resize_slots(std::size_t slots) {
    node_slots_.assign(slots, Slot{{none, unknown}, none});
    for (Node node = 1; node < nodes_.size(); ++node)
        node_slots_[node_slot(nodes_[node].parent, nodes_[node].word)] = {nodes_[node], node};
}

/// Makes room at once where texts are short enough for nearly all their n-grams to be different ones.
void NgramCounts::reserve(std::size_t more_words) {
    const std::size_t nodes = nodes_.size() + more_words * orders();
    const std::size_t slots = std::bit_ceil(nodes + nodes / 2 + 1);
    if (slots > most_reserved) return;
    if (slots > node_slots_.size()) resize_slots(slots);
    nodes_.reserve(nodes);
    counts_.reserve(nodes);
    node_orders_.reserve(nodes);
}

NgramCounts::Word NgramCounts::intern(std::string_view word, std::uint32_t hash) {
    std::size_t at = word_slot(word, hash);
    if (word_slots_[at] != unknown) return word_slots_[at];
    if (3 * (word_ends_.size() + 1) > 2 * word_slots_.size()) {
        grow_words();
        at = word_slot(word, hash);
    }
    letters_ += word;
    word_ends_.push_back(letters_.size());
    word_hashes_.push_back(hash);
    word_segments_.push_back(0);
    last_segment_.push_back(-1);
    return word_slots_[at] = static_cast<Word>(word_ends_.size() - 1);
}

NgramCounts::Node NgramCounts::insert(Node parent, Word last) {
    std::size_t at = node_slot(parent, last);
    if (node_slots_[at].node != none) return node_slots_[at].node;
    if (nodes_.size() >= none) throw std::length_error("there are more different n-grams than can be counted");
    if (3 * (nodes_.size() + 1) > 2 * node_slots_.size()) {
        resize_slots(2 * node_slots_.size());
        at = node_slot(parent, last);
    }
    const auto order = static_cast<std::uint8_t>(node_orders_[parent] + 1);
    nodes_.push_back({parent, last});
    counts_.push_back(0);
    node_orders_.push_back(order);
    ++types_[order - 1u];
    node_slots_[at] = {nodes_.back(), static_cast<Node>(nodes_.size() - 1)};
    return node_slots_[at].node;
}

void NgramCounts::count_reference(std::span<const Token> words) {
    scratch_.clear();
    for (const Token& token : words) {
        const Word word = intern(token.view(), token.hash);
        scratch_.push_back(word);
        if (last_segment_[word] != segments_) {
            last_segment_[word] = segments_;
            ++word_segments_[word];
        }
    }
    for (std::size_t i = 0; i < scratch_.size(); ++i) {
        const std::size_t longest = std::min<std::size_t>(orders(), scratch_.size() - i);
        Node node = root;
        for (std::size_t n = 0; n < longest; ++n) {
            node = insert(node, scratch_[i + n]);
            ++counts_[node];
            ++totals_[n];
        }
    }
    counts_[root] += static_cast<std::int64_t>(words.size());
}

void NgramCounts::add(const Tokens& references, std::span<const std::int64_t> offsets, const Interrupted& interrupted) {
    reserve(references.token_count());
    // One thread: the numbers of nodes depend on the order in which they are met.
    parallel_for(offsets.size() - 1, segments_per_chunk, 1, interrupted, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (auto r = static_cast<std::size_t>(offsets[i]); r < static_cast<std::size_t>(offsets[i + 1]); ++r)
                count_reference(references[r]);
            ++segments_;
        }
    });
}

void NgramCounts::add(const NgramCounts& other) {
    if (other.orders() != orders()) throw std::invalid_argument("counts up to different orders cannot be added");
    std::vector<Word> words(other.word_ends_.size());
    for (Word word = 0; word < words.size(); ++word) {
        words[word] = intern(other.spelling(word), other.word_hashes_[word]);
        word_segments_[words[word]] += other.word_segments_[word];
    }
    std::vector<Node> nodes(other.nodes_.size(), root);
    for (Node node = 1; node < nodes.size(); ++node) {
        nodes[node] = insert(nodes[other.nodes_[node].parent], words[other.nodes_[node].word]);
        counts_[nodes[node]] += other.counts_[node];
    }
    counts_[root] += other.counts_[root];
    for (std::size_t n = 0; n < totals_.size(); ++n) totals_[n] += other.totals_[n];
    segments_ += other.segments_;
}

NgramCounts::State NgramCounts::state() const {
    State state{orders(), segments_, letters_, word_ends_, word_hashes_, word_segments_, {}, {}, counts_};
    state.parents.reserve(nodes_.size());
    state.lasts.reserve(nodes_.size());
    for (Node node = 1; node < nodes_.size(); ++node) {
        state.parents.push_back(nodes_[node].parent);
        state.lasts.push_back(nodes_[node].word);
    }
    return state;
}

NgramCounts NgramCounts::of(const State& state) {
    const std::size_t words = state.word_ends.size(), nodes = state.parents.size();
    if (state.word_hashes.size() != words || state.word_segments.size() != words || state.lasts.size() != nodes ||
        state.counts.size() != nodes + 1)
        throw std::invalid_argument("the parts of these counts do not fit each other");
    NgramCounts made(state.orders);
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < words; ++i) {
        const std::uint64_t end = state.word_ends[i];
        if (end < begin || end > state.letters.size()) throw std::invalid_argument("a word lies beyond the letters");
        const Word word = made.intern(std::string_view(state.letters).substr(begin, end - begin), state.word_hashes[i]);
        if (word != i) throw std::invalid_argument("a word is there twice");
        made.word_segments_[word] = state.word_segments[i];
        begin = end;
    }
    for (std::size_t i = 0; i < nodes; ++i) {
        const Node parent = state.parents[i];
        if (parent > i || state.lasts[i] >= words || made.node_orders_[parent] >= made.orders())
            throw std::invalid_argument("an n-gram stands before its beginning");
        const Node node = made.insert(parent, state.lasts[i]);
        if (node != i + 1) throw std::invalid_argument("an n-gram is there twice");
        made.counts_[node] = state.counts[node];
        made.totals_[made.node_orders_[node] - 1u] += state.counts[node];
    }
    made.counts_[root] = state.counts[root];
    made.segments_ = state.segments;
    return made;
}

NgramCounts::Word NgramCounts::find_word(const Token& word) const noexcept {
    return word_slots_[word_slot(word.view(), word.hash)];
}

NgramCounts::Node NgramCounts::find(Node parent, Word last) const noexcept {
    return node_slots_[node_slot(parent, last)].node;
}

std::vector<std::int64_t> NgramCounts::counts_of(unsigned order) const {
    std::vector<std::int64_t> counts;
    for (Node node = 1; node < nodes_.size(); ++node) {
        if (node_orders_[node] == order) counts.push_back(counts_[node]);
    }
    return counts;
}

std::uint64_t NgramCounts::digest() const {
    std::vector<std::uint64_t> word_hashes(word_ends_.size());
    std::uint64_t sum = mixed(static_cast<std::uint64_t>(segments_) + golden);
    for (Word word = 0; word < word_hashes.size(); ++word) {
        word_hashes[word] = portable_hash(spelling(word));
        sum += mixed(word_hashes[word] ^ mixed(static_cast<std::uint64_t>(word_segments_[word])));
    }
    std::vector<std::uint64_t> paths(nodes_.size());
    for (Node node = 1; node < nodes_.size(); ++node) {
        paths[node] = mixed(paths[nodes_[node].parent] * golden + word_hashes[nodes_[node].word]);
        sum += mixed(paths[node] + golden * static_cast<std::uint64_t>(counts_[node]));
    }
    return mixed(sum);
}

}  // namespace karat
