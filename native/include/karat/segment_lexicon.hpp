// The words of one segment as small numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "karat/tokens.hpp"

namespace karat {

/// Numbers the words of one segment after the other, 1, 2, ... as they come; holds scratch memory, so each thread has
/// its own. Words must be of `Tokens`. Hash and bytes are compared. O(1) expected a word.
///
/// Slots keep numbers that go on from segment to segment, so those of earlier segments are known to be free without
/// being cleared, and a table large enough for few collisions costs nothing.
class SegmentLexicon {
 public:
    /// Slots are cleared after so many words at the latest; a test says fewer.
    explicit SegmentLexicon(std::uint32_t most_numbers = std::numeric_limits<std::uint32_t>::max())
        : most_numbers_(most_numbers) {}

    /// Forgets all words and makes room for so many; fewer than half of the slots are ever taken.
    void start(std::size_t words) {
        const std::size_t capacity =
            std::max(std::bit_ceil(2 * words + 2), std::min(std::bit_ceil(16 * words + 2), most_sparse_slots));
        if (slots_.size() < capacity) slots_.resize(capacity);
        if (words_.size() < words + 1) words_.resize(words + 1, no_word);
        mask_ = capacity - 1;
        base_ += size_;
        size_ = 0;
        if (words <= most_numbers_ - base_) return;
        std::fill(slots_.begin(), slots_.end(), Slot{});
        base_ = 0;
    }

    /// Calls `visit` with the number of each word, the next one where it has none.
    template <class Visit>
    void add(std::span<const Token> words, Visit visit) {
        const View view{slots_.data(), words_.data(), mask_, base_};
        std::uint32_t size = size_;
        for (const Token& word : words) {
            const Place place = view.find(word, size);
            const std::uint32_t fresh = place.number == 0;
            size += fresh;
            const std::uint32_t number = place.number | (size & (0u - fresh));  // whether it is fresh is anyone's guess
            view.slots[place.slot] = {word.hash, base_ + number};
            view.words[number] = word;
            visit(number);
        }
        size_ = size;
    }

    /// Calls `visit` with the number of each word, 0 where it has none.
    template <class Visit>
    void find(std::span<const Token> words, Visit visit) {
        const View view{slots_.data(), words_.data(), mask_, base_};
        for (const Token& word : words) visit(view.find(word, size_).number);
    }

    std::size_t size() const noexcept { return size_; }

 private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;  // plus `base_`; free where that makes it none of this segment's numbers
    };

    struct Place {
        std::size_t slot;
        std::uint32_t number;  // 0 = free
    };

    static constexpr std::size_t most_sparse_slots = 4096;
    static constexpr char no_bytes[readable_bytes] = {};
    static constexpr Token no_word{no_bytes, 0, 0};

    /// Bare pointers, passed by value, so that the compiler can keep them in registers.
    struct View {
        Slot* slots;
        Token* words;
        std::size_t mask;
        std::uint32_t base;

        /// Whether a word is there cannot be predicted, so it is compared with no word at all if it is not, and the
        /// only branches are for two words in one slot and for long ones.
        Place find(const Token& word, std::uint32_t size) const noexcept {
            for (std::size_t at = word.hash & mask;; at = (at + 1) & mask) {
                const std::uint32_t number = slots[at].number - base;
                const std::uint64_t taken = number - 1 < size;
                const std::uint64_t likely = taken & (slots[at].hash == word.hash);
                const auto candidate = static_cast<std::uint32_t>(number & (0 - likely));
                if (difference(words[candidate], word) & (0 - taken)) [[unlikely]]
                    continue;
                return {at, candidate};
            }
        }

        /// 0 for equal words.
        static std::uint64_t difference(const Token& a, const Token& b) noexcept {
            if (b.size > readable_bytes) [[unlikely]]
                return !(a == b);
            return (a.size ^ b.size) | short_difference(a.data, b.data, b.size);
        }
    };

    std::uint32_t most_numbers_;
    std::vector<Slot> slots_;
    std::vector<Token> words_;  // by number; the first is none
    std::size_t mask_ = 0;
    std::uint32_t base_ = 0;
    std::uint32_t size_ = 0;
};

}  // namespace karat
