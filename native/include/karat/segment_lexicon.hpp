// The words of one segment as small numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "karat/tokens.hpp"

namespace karat {

/// Numbers the words of one segment after the other, 1, 2, ... as they come; holds scratch memory, so each thread has
/// its own. Words must be of `Tokens`. Hash and bytes are compared. O(1) expected a word.
class SegmentLexicon {
 public:
    /// Forgets all words and makes room for so many; fewer than half of the slots are ever taken.
    void start(std::size_t words) {
        const std::size_t capacity = std::bit_ceil(2 * words + 2);
        if (slots_.size() < capacity) slots_.resize(capacity);
        if (words_.size() < words + 1) words_.resize(words + 1);
        std::fill_n(slots_.data(), capacity, Slot{});
        mask_ = capacity - 1;
        size_ = 0;
    }

    /// The number of a word; the next one if it has none.
    std::uint32_t add(const Token& word) noexcept {
        Slot& slot = slots_[find_slot(word)];
        if (slot.number == 0) {
            slot = {word.hash, static_cast<std::uint32_t>(++size_)};
            words_[size_] = word;
        }
        return slot.number;
    }

    /// The number of a word, 0 if it has none.
    std::uint32_t find(const Token& word) const noexcept { return slots_[find_slot(word)].number; }

    std::size_t size() const noexcept { return size_; }

 private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;  // 0 = free
    };

    std::size_t find_slot(const Token& word) const noexcept {
        std::size_t at = word.hash & mask_;
        while (slots_[at].number != 0 && !is_at(slots_[at], word)) at = (at + 1) & mask_;
        return at;
    }

    bool is_at(const Slot& slot, const Token& word) const noexcept {
        if (slot.hash != word.hash) return false;
        const Token& known = words_[slot.number];
        return known.size == word.size && same_readable(known.data, word.data, word.size);
    }

    std::vector<Slot> slots_;
    std::vector<Token> words_;  // by number
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
};

}  // namespace karat
