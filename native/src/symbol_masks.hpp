// Where each word or character of a sequence stands, as bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/tokens.hpp"

namespace karat::edit {

inline std::uint32_t symbol_hash(const Token& token) noexcept { return token.hash; }
inline std::uint32_t symbol_hash(char32_t c) noexcept {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(c) * 0x9E3779B97F4A7C15ull) >> 32);
}
inline std::uint32_t symbol_hash(std::int32_t word) noexcept {
    return static_cast<std::uint32_t>(word) * std::uint32_t{0x9E3779B1u} >> 7;
}

/// Numbers the distinct symbols of a sequence from 1 on, in the order of their first occurrence; 0 is every other one.
template <class Symbol>
class SymbolIndex {
 public:
    void build(std::span<const Symbol> symbols) {
        slots_.assign(std::bit_ceil(2 * symbols.size() + 2), 0);
        distinct_.clear();
        ids_.clear();
        for (const Symbol& symbol : symbols) {
            std::uint32_t& slot = slots_[place(symbol)];
            if (slot == 0) {
                distinct_.push_back(&symbol);
                slot = static_cast<std::uint32_t>(distinct_.size());
            }
            ids_.push_back(slot);
        }
    }

    std::uint32_t find(const Symbol& symbol) const noexcept { return slots_[place(symbol)]; }

    /// The numbers of the symbols of the sequence, in order.
    std::span<const std::uint32_t> ids() const noexcept { return ids_; }

    /// One more than the greatest number.
    std::size_t id_count() const noexcept { return distinct_.size() + 1; }

 private:
    /// The slot of a symbol, or the empty one where it would go.
    std::size_t place(const Symbol& symbol) const noexcept {
        const std::size_t last = slots_.size() - 1;
        std::size_t at = symbol_hash(symbol) & last;
        while (slots_[at] != 0 && !(*distinct_[slots_[at] - 1] == symbol)) at = (at + 1) & last;
        return at;
    }

    std::vector<std::uint32_t> slots_;
    std::vector<const Symbol*> distinct_;
    std::vector<std::uint32_t> ids_;
};

/// For each symbol of a sequence the set of positions where it stands, 64 positions to a block.
///
/// A symbol that occurs more often than there are blocks keeps its bits; there are fewer than 64 of those. Any other
/// one has them set when asked for. So memory is linear in the length, and a set costs no more than to read it.
template <class Symbol>
class SymbolMasks {
 public:
    void build(std::span<const Symbol> symbols) {
        index_.build(symbols);
        length_ = symbols.size();
        blocks_ = (length_ + 63) / 64;
        list_positions();
        keep_masks();
        scratch_.assign(blocks_, 0);
        in_scratch_ = 0;
    }

    std::size_t length() const noexcept { return length_; }
    std::size_t blocks() const noexcept { return blocks_; }
    const SymbolIndex<Symbol>& index() const noexcept { return index_; }

    /// The positions of the symbol of that number; valid until the next call.
    const std::uint64_t* operator[](std::uint32_t id) noexcept {
        if (kept_[id] != absent) return masks_.data() + kept_[id];
        for (std::uint32_t i = starts_[in_scratch_]; i < starts_[in_scratch_ + 1]; ++i) {
            scratch_[positions_[i] / 64] = 0;
        }
        in_scratch_ = id;
        for (std::uint32_t i = starts_[id]; i < starts_[id + 1]; ++i) set(scratch_.data(), positions_[i]);
        return scratch_.data();
    }

 private:
    static constexpr std::size_t absent = ~std::size_t{0};
    static constexpr std::size_t always_kept = std::size_t{1} << 14;  // words of memory: fits into the nearest cache

    static void set(std::uint64_t* bits, std::uint32_t at) noexcept { bits[at / 64] |= std::uint64_t{1} << (at % 64); }

    /// Sorts positions by symbol: those of `id` stand at starts_[id] to starts_[id + 1]. Those of 0 are none.
    void list_positions() {
        const auto ids = index_.ids();
        starts_.assign(index_.id_count() + 1, 0);
        for (const std::uint32_t id : ids) ++starts_[id + 1];
        for (std::size_t id = 1; id < starts_.size(); ++id) starts_[id] += starts_[id - 1];
        next_.assign(starts_.begin(), starts_.end());
        positions_.resize(ids.size());
        for (std::uint32_t at = 0; at < ids.size(); ++at) positions_[next_[ids[at]]++] = at;
    }

    void keep_masks() {
        const bool all = index_.id_count() * blocks_ <= always_kept;
        kept_.assign(index_.id_count(), absent);
        masks_.clear();
        for (std::uint32_t id = 0; id < index_.id_count(); ++id) {
            if (!all && starts_[id + 1] - starts_[id] <= blocks_) continue;
            kept_[id] = masks_.size();
            masks_.resize(masks_.size() + blocks_, 0);
            for (std::uint32_t i = starts_[id]; i < starts_[id + 1]; ++i) set(&masks_[kept_[id]], positions_[i]);
        }
    }

    SymbolIndex<Symbol> index_;
    std::size_t length_ = 0;
    std::size_t blocks_ = 0;
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> positions_;
    std::vector<std::size_t> kept_;     // where the bits of a symbol start in masks_
    std::vector<std::uint64_t> masks_;  // of symbols that keep theirs
    std::vector<std::uint64_t> scratch_;
    std::uint32_t in_scratch_ = 0;  // whose bits are in scratch_
};

}  // namespace karat::edit
