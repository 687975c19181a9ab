#include "karat/paraphrases.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

namespace karat {
namespace {

[[noreturn]] void refuse(std::size_t line, const char* what) {
    throw std::invalid_argument("line " + std::to_string(line) + ": " + what);
}

/// The lines of a text, one at a time.
class Lines {
 public:
    explicit Lines(std::string_view text) : rest_(text) {}

    bool at_end() const noexcept { return rest_.empty(); }
    std::size_t number() const noexcept { return number_; }

    std::string_view next() {
        ++number_;
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        return line;
    }

 private:
    std::string_view rest_;
    std::size_t number_ = 0;
};

float probability_in(std::string_view line, std::size_t number) {
    double value = -1;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc() || end != line.data() + line.size() || !(value >= 0 && value < 1e9)) {
        refuse(number, "a probability is expected");
    }
    return static_cast<float>(value);
}

/// Words that are new to a vocabulary get memory that stays.
class Interner {
 public:
    Interner(WordTable& vocabulary, std::vector<std::unique_ptr<char[]>>& arena)
        : vocabulary_(vocabulary), arena_(arena) {}

    std::int32_t operator()(std::string_view word) {
        const Token token{word.data(), static_cast<std::uint32_t>(word.size()), hash_bytes(word)};
        const std::int32_t known = vocabulary_.find(token);
        if (known >= 0) return known;
        if (word.size() > room_) {
            room_ = std::max(block_, word.size());
            arena_.push_back(std::make_unique<char[]>(room_));
            free_ = arena_.back().get();
        }
        std::memcpy(free_, word.data(), word.size());
        const Token kept{free_, token.size, token.hash};
        free_ += word.size();
        room_ -= word.size();
        return vocabulary_.intern(kept);
    }

 private:
    static constexpr std::size_t block_ = 1 << 16;

    WordTable& vocabulary_;
    std::vector<std::unique_ptr<char[]>>& arena_;
    char* free_ = nullptr;
    std::size_t room_ = 0;
};

/// Appends the words of a line; the result is how many there are.
std::uint8_t append_words(std::string_view line, std::size_t number, Interner& intern,
                          std::vector<std::int32_t>& words) {
    std::size_t count = 0;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (end > 0) {
            words.push_back(intern(line.substr(0, end)));
            ++count;
        }
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    if (count == 0) refuse(number, "a phrase is expected, but there is no word");
    if (count > std::numeric_limits<std::uint8_t>::max()) refuse(number, "a phrase of more than 255 words");
    return static_cast<std::uint8_t>(count);
}

}  // namespace

ParaphraseTable::ParaphraseTable(std::string_view text) {
    Interner intern(vocabulary_, arena_);
    for (Lines lines(text); !lines.at_end();) {
        word_starts_.push_back(words_.size());
        const std::string_view head = lines.next();
        probabilities_.push_back(probability_in(head, lines.number()));
        Lengths lengths{};
        for (std::uint8_t* length : {&lengths.phrase, &lengths.paraphrase}) {
            if (lines.at_end()) refuse(lines.number(), "the last entry does not have its three lines");
            const std::string_view line = lines.next();
            *length = append_words(line, lines.number(), intern, words_);
        }
        lengths_.push_back(lengths);
    }
    sort_entries();
}

void ParaphraseTable::sort_entries() {
    entry_starts_.assign(vocabulary_.words().size() + 2, 0);
    const auto first_word = [&](std::size_t entry) { return static_cast<std::size_t>(words_[word_starts_[entry]]); };
    for (std::size_t e = 0; e < size(); ++e) ++entry_starts_[first_word(e) + 2];
    for (std::size_t w = 2; w < entry_starts_.size(); ++w) entry_starts_[w] += entry_starts_[w - 1];
    entries_.resize(size());
    // entry_starts_[w + 1] is where the next entry of w goes, and ends up as where those of w + 1 begin.
    for (std::size_t e = 0; e < size(); ++e)
        entries_[entry_starts_[first_word(e) + 1]++] = static_cast<std::uint32_t>(e);
}

ParaphraseIndex::ParaphraseIndex(const ParaphraseTable& table, std::span<const Token> types) : slots_(64, -1) {
    nodes_.push_back({-1, -1});
    std::vector<Entry> kept = entries_among(table, types);
    std::stable_sort(kept.begin(), kept.end(), [](const Entry& a, const Entry& b) { return a.phrase < b.phrase; });
    starts_.assign(nodes_.size() + 1, 0);
    for (const Entry& entry : kept) ++starts_[static_cast<std::size_t>(entry.phrase) + 1];
    for (std::size_t n = 1; n < starts_.size(); ++n) starts_[n] += starts_[n - 1];
    for (const Entry& entry : kept) paraphrases_.push_back(entry.paraphrase);
}

std::vector<ParaphraseIndex::Entry> ParaphraseIndex::entries_among(const ParaphraseTable& table,
                                                                   std::span<const Token> types) {
    std::vector<std::int32_t> type_of(table.vocabulary_.words().size(), -1);
    std::vector<std::size_t> known_words;
    for (std::size_t t = 0; t < types.size(); ++t) {
        const std::int32_t word = table.vocabulary_.find(types[t]);
        if (word < 0) continue;
        known_words.push_back(static_cast<std::size_t>(word));
        type_of[known_words.back()] = static_cast<std::int32_t>(t);
    }
    std::vector<Entry> kept;
    std::vector<std::int32_t> words;
    for (const std::size_t first_word : known_words) {
        for (std::size_t k = table.entry_starts_[first_word]; k < table.entry_starts_[first_word + 1]; ++k) {
            const std::uint32_t e = table.entries_[k];
            const std::size_t length = table.lengths_[e].phrase;
            const auto both =
                std::span(table.words_).subspan(table.word_starts_[e], length + table.lengths_[e].paraphrase);
            words.clear();
            for (const std::int32_t word : both) words.push_back(type_of[static_cast<std::size_t>(word)]);
            if (std::find(words.begin(), words.end(), -1) != words.end()) continue;
            const std::int32_t phrase = insert(std::span(words).first(length));
            kept.push_back({phrase, {insert(std::span(words).subspan(length)), table.probabilities_[e]}});
        }
    }
    return kept;
}

std::size_t ParaphraseIndex::slot_of(std::int32_t node, std::int32_t word) const noexcept {
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

std::int32_t ParaphraseIndex::child(std::int32_t node, std::int32_t word) const noexcept {
    return slots_[slot_of(node, word)];
}

std::int32_t ParaphraseIndex::insert(std::span<const std::int32_t> words) {
    std::int32_t node = 0;
    for (const std::int32_t word : words) {
        const std::size_t slot = slot_of(node, word);
        if (slots_[slot] < 0) {
            slots_[slot] = static_cast<std::int32_t>(nodes_.size());
            nodes_.push_back({node, word});
            node = slots_[slot];
            if (2 * nodes_.size() > slots_.size()) grow();
        } else {
            node = slots_[slot];
        }
    }
    is_phrase_.resize(nodes_.size(), false);
    is_phrase_[static_cast<std::size_t>(node)] = true;
    return node;
}

void ParaphraseIndex::grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t n = 1; n < nodes_.size(); ++n) {
        slots_[slot_of(nodes_[n].parent, nodes_[n].word)] = static_cast<std::int32_t>(n);
    }
}

void ParaphraseIndex::find(std::span<const std::int32_t> words, std::vector<PhraseOccurrence>& found) const {
    for (std::uint32_t start = 0; start < words.size(); ++start) {
        std::int32_t node = 0;
        for (std::uint32_t k = start; k < words.size(); ++k) {
            node = child(node, words[k]);
            if (node < 0) break;
            if (is_phrase_[static_cast<std::size_t>(node)]) found.push_back({start, k - start + 1, node});
        }
    }
}

std::vector<std::int32_t> ParaphraseIndex::words(std::int32_t phrase) const {
    std::vector<std::int32_t> found;
    for (std::int32_t n = phrase; n > 0; n = nodes_[static_cast<std::size_t>(n)].parent) {
        found.push_back(nodes_[static_cast<std::size_t>(n)].word);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace karat
