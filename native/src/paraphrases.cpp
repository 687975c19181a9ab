#include "karat/paraphrases.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace karat {

void PhrasePlaces::set(std::span<const PhraseOccurrence> occurrences) {
    occurrences_.assign(occurrences.begin(), occurrences.end());
    std::ranges::sort(occurrences_, [](const PhraseOccurrence& a, const PhraseOccurrence& b) {
        return std::tie(a.phrase, a.start) < std::tie(b.phrase, b.start);
    });
    const std::size_t slots = std::bit_ceil(4 * occurrences.size() + 2);
    shift_ = 32 - std::countr_zero(slots);
    groups_.assign(slots, Group{});
    for (std::uint32_t begin = 0, end = 0; begin < occurrences_.size(); begin = end) {
        const std::int32_t phrase = occurrences_[begin].phrase;
        while (end < occurrences_.size() && occurrences_[end].phrase == phrase) ++end;
        std::size_t slot = slot_of(phrase);
        while (groups_[slot].begin != groups_[slot].end) slot = (slot + 1) & (slots - 1);
        groups_[slot] = {phrase, begin, end};
    }
}

ParaphraseIndex::ParaphraseIndex(std::shared_ptr<const ParaphraseTable> table, std::span<const Token> types)
    : table_(std::move(table)), types_(table_->word_count(), -1) {
    words_.reserve(types.size());
    for (const Token& type : types) {
        const std::int32_t word = table_->find(type);
        if (word >= 0) types_[static_cast<std::size_t>(word)] = static_cast<std::int32_t>(words_.size());
        words_.push_back(word);
    }
}

void ParaphraseIndex::find(std::span<const std::int32_t> words, std::vector<PhraseOccurrence>& found) const {
    const auto word_at = [&](std::size_t place) { return words_[static_cast<std::size_t>(words[place])]; };
    for (std::uint32_t start = 0; start < words.size(); ++start) {
        if (word_at(start) < 0) continue;
        std::int32_t phrase = table_->phrase_of(word_at(start));
        for (std::uint32_t end = start + 1; phrase >= 0; ++end) {
            if (table_->is_phrase(phrase)) found.push_back({start, end - start, phrase});
            if (end == words.size() || word_at(end) < 0) break;
            phrase = table_->longer(phrase, word_at(end));
        }
    }
}

bool ParaphraseIndex::spell(std::int32_t phrase, std::vector<std::int32_t>& words) const {
    words.clear();
    for (std::int32_t p = phrase; p > 0; p = table_->shorter(p)) {
        words.push_back(types_[static_cast<std::size_t>(table_->last_word(p))]);
        if (words.back() < 0) return false;
    }
    std::reverse(words.begin(), words.end());
    return true;
}

}  // namespace karat
