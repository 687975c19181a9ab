// How often a sequence has each of its words or characters.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/tokens.hpp"
#include "symbol_masks.hpp"

namespace karat::edit {

/// Equality of symbols with the same hash; words are those of text columns.
inline bool same_symbol(const Token& a, const Token& b) noexcept {
    return a.size == b.size && same_readable(a.data, b.data, a.size);
}
inline bool same_symbol(char32_t a, char32_t b) noexcept { return a == b; }

/// Counts the symbols of a sequence, then how many of another one's it has as well. Keeps its memory.
template <class Symbol>
class SymbolBag {
 public:
    void build(std::span<const Symbol> symbols) {
        slots_.assign(std::bit_ceil(4 * symbols.size() + 1), Slot{});
        for (const Symbol& symbol : symbols) {
            Slot& slot = find(slots_, symbol);
            slot.symbol = &symbol;
            slot.hash = symbol_hash(symbol);
            ++slot.count;
        }
    }

    /// How many symbols both have, each as often as the side has it that has it less often. The last question uses the
    /// bag up.
    std::int64_t matches(std::span<const Symbol> symbols, bool last) {
        if (!last) copy_ = slots_;
        std::vector<Slot>& slots = last ? slots_ : copy_;
        std::int64_t found = 0;
        for (const Symbol& symbol : symbols) {
            Slot& slot = find(slots, symbol);
            const bool left = slot.count > 0;  // hard to predict, so there is no branch
            found += left;
            slot.count -= left;
        }
        return found;
    }

 private:
    struct Slot {
        const Symbol* symbol = nullptr;
        std::uint32_t hash = 0;
        std::int32_t count = 0;
    };

    /// The slot of a symbol, or the empty one where it would go.
    static Slot& find(std::vector<Slot>& slots, const Symbol& symbol) noexcept {
        Slot* const all = slots.data();
        const std::size_t mask = slots.size() - 1;
        const std::uint32_t hash = symbol_hash(symbol);
        std::size_t at = hash & mask;
        while (all[at].symbol != nullptr && !(all[at].hash == hash && same_symbol(*all[at].symbol, symbol))) {
            at = (at + 1) & mask;
        }
        return all[at];
    }

    std::vector<Slot> slots_;
    std::vector<Slot> copy_;
};

}  // namespace karat::edit
