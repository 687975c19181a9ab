#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "karat/paraphrase_table.hpp"
#include "paraphrase_image.hpp"

namespace karat {
namespace {

constexpr std::size_t longest_phrase = 255;
constexpr std::size_t arena_block = 1 << 16;

[[noreturn]] void refuse(std::size_t line, const char* what) {
    throw std::invalid_argument("line " + std::to_string(line) + ": " + what);
}

float probability_in(std::string_view line, std::size_t number) {
    double value = -1;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc() || end != line.data() + line.size() || !(value >= 0 && value < 1e9)) {
        refuse(number, "a probability is expected");
    }
    return static_cast<float>(value);
}

}  // namespace

ParaphraseCompiler::ParaphraseCompiler() : nodes_{{-1, -1}}, slots_(64, -1) {}

void ParaphraseCompiler::add(std::string_view bytes) {
    for (std::size_t end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n')) {
        if (unfinished_.empty()) {
            add_line(bytes.substr(0, end));
        } else {
            unfinished_.append(bytes.substr(0, end));
            add_line(unfinished_);
            unfinished_.clear();
        }
        bytes.remove_prefix(end + 1);
    }
    unfinished_.append(bytes);
}

void ParaphraseCompiler::add_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::size_t which = lines_++ % 3;
    if (which == 0) entry_.probability = probability_in(line, lines_);
    if (which == 1) entry_.phrase = phrase_in(line);
    if (which != 2) return;
    entry_.paraphrase = phrase_in(line);
    entries_.push_back(entry_);
    if (entries_.size() == std::numeric_limits<std::uint32_t>::max()) throw std::length_error("2^32 paraphrases");
}

/// The node of the phrase on a line, new or known.
std::int32_t ParaphraseCompiler::phrase_in(std::string_view line) {
    std::int32_t node = 0;
    std::size_t count = 0;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (end > 0) {
            if (++count > longest_phrase) refuse(lines_, "a phrase of more than 255 words");
            node = child(node, number_of(line.substr(0, end)));
        }
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    if (count == 0) refuse(lines_, "a phrase is expected, but there is no word");
    is_phrase_.resize(std::max(is_phrase_.size(), nodes_.size()), false);
    is_phrase_[static_cast<std::size_t>(node)] = true;
    return node;
}

/// A word that is new gets memory that stays, and a node below the root.
std::int32_t ParaphraseCompiler::number_of(std::string_view word) {
    const Token token{word.data(), static_cast<std::uint32_t>(word.size()), hash_bytes(word)};
    const std::int32_t known = vocabulary_.find(token);
    if (known >= 0) return known;
    if (word.size() > room_) {
        room_ = std::max(arena_block, word.size());
        arena_.push_back(std::make_unique<char[]>(room_));
        free_ = arena_.back().get();
    }
    std::memcpy(free_, word.data(), word.size());
    const Token kept{free_, token.size, token.hash};
    free_ += word.size();
    room_ -= word.size();
    const std::int32_t number = vocabulary_.intern(kept);
    child(0, number);
    return number;
}

std::size_t ParaphraseCompiler::slot_of(std::int32_t node, std::int32_t word) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const auto key =
        (static_cast<std::uint64_t>(node) << 32 | static_cast<std::uint32_t>(word)) * 0xFF51AFD7ED558CCDull;
    std::size_t slot = static_cast<std::size_t>(key >> 32) & mask;
    while (slots_[slot] >= 0) {
        const Node& found = nodes_[static_cast<std::size_t>(slots_[slot])];
        if (found.parent == node && found.word == word) break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

std::int32_t ParaphraseCompiler::child(std::int32_t node, std::int32_t word) {
    const std::size_t slot = slot_of(node, word);
    if (slots_[slot] >= 0) return slots_[slot];
    if (nodes_.size() == std::numeric_limits<std::int32_t>::max()) throw std::length_error("2^31 phrases");
    const auto number = static_cast<std::int32_t>(nodes_.size());
    slots_[slot] = number;
    nodes_.push_back({node, word});
    if (2 * nodes_.size() > slots_.size()) grow();
    return number;
}

void ParaphraseCompiler::grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t n = 1; n < nodes_.size(); ++n) {
        slots_[slot_of(nodes_[n].parent, nodes_[n].word)] = static_cast<std::int32_t>(n);
    }
}

/// Puts the nodes into the order of the image; the result says where each has gone. Those of a level are sorted by the
/// new numbers of their parents, and then by word.
std::vector<std::int32_t> ParaphraseCompiler::number_nodes() const {
    std::vector<std::int32_t> numbers(nodes_.size(), 0);
    std::vector<std::uint8_t> levels(nodes_.size(), 0);
    for (std::size_t n = 1; n < nodes_.size(); ++n) {
        levels[n] = static_cast<std::uint8_t>(levels[static_cast<std::size_t>(nodes_[n].parent)] + 1);
    }
    std::vector<std::int32_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t n) { return levels[static_cast<std::size_t>(n)]; });
    const auto level_of = [&](std::size_t place) { return levels[static_cast<std::size_t>(order[place])]; };
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && level_of(end) == level_of(begin)) ++end;
        const auto level = std::span(order).subspan(begin, end - begin);
        std::ranges::sort(level, {}, [&](std::int32_t n) {
            const Node& node = nodes_[static_cast<std::size_t>(n)];
            const std::int32_t parent = n == 0 ? 0 : numbers[static_cast<std::size_t>(node.parent)];
            return std::pair{parent, node.word};
        });
        for (std::size_t place = begin; place < end; ++place) {
            numbers[static_cast<std::size_t>(order[place])] = static_cast<std::int32_t>(place);
        }
    }
    return numbers;
}

/// Entries of one phrase stay in the order of the table.
void ParaphraseCompiler::sort_entries(std::span<const std::int32_t> numbers) {
    for (Entry& entry : entries_) {
        entry.phrase = numbers[static_cast<std::size_t>(entry.phrase)];
        entry.paraphrase = numbers[static_cast<std::size_t>(entry.paraphrase)];
    }
    std::ranges::stable_sort(entries_, {}, &Entry::phrase);
}

std::vector<std::uint64_t> ParaphraseCompiler::finish() {
    if (!unfinished_.empty()) add_line(unfinished_);
    unfinished_.clear();
    if (lines_ % 3 != 0) refuse(lines_, "the last entry does not have its three lines");
    std::vector<std::int32_t>().swap(slots_);
    is_phrase_.resize(nodes_.size(), false);
    const std::vector<std::int32_t> numbers = number_nodes();
    sort_entries(numbers);
    const ParaphraseSizes sizes = sizes_of_parts();
    const ParaphraseLayout layout(sizes);
    std::vector<std::uint64_t> image(layout.size());
    std::memcpy(image.data(), &sizes, sizeof sizes);
    write_words(image, layout);
    write_phrases(image, layout, numbers);
    write_entries(image, layout);
    return image;
}

ParaphraseSizes ParaphraseCompiler::sizes_of_parts() const {
    ParaphraseSizes sizes{vocabulary_.words().size(), 0, nodes_.size(), 0, entries_.size()};
    for (const Token& word : vocabulary_.words()) sizes.word_bytes += word.size;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
        sizes.phrases_with_entries += e == 0 || entries_[e].phrase != entries_[e - 1].phrase;
    }
    if (!sizes.possible()) throw std::length_error("a table of paraphrases with 2^32 bytes of words");
    return sizes;
}

void ParaphraseCompiler::write_words(std::span<std::uint64_t> image, const ParaphraseLayout& layout) const {
    const auto ends = part_of<std::uint32_t>(image, layout.word_ends);
    const auto text = part_of<char>(image, layout.text);
    std::uint32_t end = 0;
    for (std::size_t w = 0; w < ends.size(); ++w) {
        const Token& word = vocabulary_.words()[w];
        std::memcpy(text.data() + end, word.data, word.size);
        ends[w] = end += word.size;
    }
}

void ParaphraseCompiler::write_phrases(std::span<std::uint64_t> image, const ParaphraseLayout& layout,
                                       std::span<const std::int32_t> numbers) const {
    const auto last_words = part_of<std::int32_t>(image, layout.last_words);
    const auto parents = part_of<std::int32_t>(image, layout.parents);
    const auto children = part_of<std::uint32_t>(image, layout.children);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const auto place = static_cast<std::size_t>(numbers[n]);
        last_words[place] = nodes_[n].word;
        parents[place] = n == 0 ? -1 : numbers[static_cast<std::size_t>(nodes_[n].parent)];
    }
    std::size_t place = 1;
    for (std::size_t parent = 0; parent < children.size(); ++parent) {
        while (place < parents.size() && parents[place] < static_cast<std::int32_t>(parent)) ++place;
        children[parent] = static_cast<std::uint32_t>(place);
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        if (is_phrase_[n]) children[static_cast<std::size_t>(numbers[n])] |= ParaphraseTable::phrase_mark;
    }
}

void ParaphraseCompiler::write_entries(std::span<std::uint64_t> image, const ParaphraseLayout& layout) const {
    const auto has_entries = part_of<std::uint64_t>(image, layout.has_entries);
    const auto starts = part_of<std::uint32_t>(image, layout.entry_starts);
    const auto paraphrases = part_of<std::int32_t>(image, layout.paraphrases);
    const auto probabilities = part_of<float>(image, layout.probabilities);
    std::size_t groups = 0;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
        const auto phrase = static_cast<std::size_t>(entries_[e].phrase);
        if (e == 0 || entries_[e].phrase != entries_[e - 1].phrase) {
            has_entries[phrase / 64] |= 1ull << (phrase % 64);
            starts[groups++] = static_cast<std::uint32_t>(e);
        }
        paraphrases[e] = entries_[e].paraphrase;
        probabilities[e] = entries_[e].probability;
    }
    starts[groups] = static_cast<std::uint32_t>(entries_.size());
    const auto before = part_of<std::uint32_t>(image, layout.with_entries);
    std::uint32_t count = 0;
    for (std::size_t block = 0; block < before.size(); ++block) {
        before[block] = count;
        count += static_cast<std::uint32_t>(std::popcount(has_entries[block]));
    }
}

}  // namespace karat
