#include "karat/ngram.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace karat {
namespace {

constexpr std::size_t direct_cells = std::size_t{1} << 17;
constexpr std::size_t segments_per_chunk = 256;
constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;

/// Grows a vector, never shrinks it: scratch memory is for the longest segment so far.
template <class T>
T* at_least(std::vector<T>& values, std::size_t size) {
    if (values.size() < size) values.resize(std::max(size, 2 * values.size()));
    return values.data();
}

template <class T>
T* zeros(std::vector<T>& values, std::size_t size) {
    std::fill_n(at_least(values, size), size, T{});
    return values.data();
}

/// How many of two symbols are equal before the first that is not.
std::size_t equal_symbols(const Symbol* a, const Symbol* b) noexcept {
    std::uint64_t left;
    std::uint64_t right;
    std::memcpy(&left, a, sizeof left);
    std::memcpy(&right, b, sizeof right);
    const bool little = std::endian::native == std::endian::little;
    return static_cast<std::size_t>(little ? std::countr_zero(left ^ right) : std::countl_zero(left ^ right)) / 32;
}

/// The length of the longest common prefix of `a` and `b`, at most `most`, when it is at least `length`. Four symbols
/// at a time and without a branch, because where two texts part is anyone's guess.
std::size_t common_prefix(const Symbol* a, const Symbol* b, std::size_t length, std::size_t most) noexcept {
    std::size_t equal = 4;
    for (; length < most && equal == 4; length += equal) {
        const std::size_t first = equal_symbols(a + length, b + length);
        const std::size_t second = equal_symbols(a + length + 2, b + length + 2);
        equal = first + (first / 2) * second;
    }
    return std::min(length, most);
}

}  // namespace

// The tables map (number of an n-gram, next symbol) to a cell, which is 0 at first. They are passed by value and hold
// bare pointers, so that the compiler can keep them in registers.

/// One cell for each pair: for segments of usual size.
struct NgramMatcher::DirectTable {
    std::uint16_t* cells;
    std::size_t width;
    std::uint32_t* touched;
    std::uint32_t* touched_end;

    std::uint16_t& insert(std::uint32_t gram, Symbol symbol) noexcept {
        const std::size_t at = gram * width + symbol;
        *touched_end++ = static_cast<std::uint32_t>(at);
        return cells[at];
    }

    std::uint16_t& find(std::uint32_t gram, Symbol symbol) const noexcept { return cells[gram * width + symbol]; }

    void close() const noexcept {
        for (const std::uint32_t* at = touched; at != touched_end; ++at) cells[*at] = 0;
    }
};

/// Open addressing with the pair itself as the key: for all others.
struct NgramMatcher::HashedTable {
    std::uint64_t* keys;  // 0 = empty; n-grams are numbered from 1, so no pair is 0
    std::uint32_t* values;
    std::size_t mask;
    int shift;

    std::size_t slot(std::uint64_t key) const noexcept {
        auto at = static_cast<std::size_t>((key * golden) >> shift);
        while (keys[at] != 0 && keys[at] != key) at = (at + 1) & mask;
        return at;
    }

    std::uint32_t& insert(std::uint32_t gram, Symbol symbol) noexcept {
        const std::uint64_t key = std::uint64_t{gram} << 32 | symbol;
        const std::size_t at = slot(key);
        keys[at] = key;
        return values[at];
    }

    std::uint32_t& find(std::uint32_t gram, Symbol symbol) const noexcept {
        return values[slot(std::uint64_t{gram} << 32 | symbol)];
    }

    void close() const noexcept {}
};

NgramMatcher::DirectTable NgramMatcher::open_direct(std::size_t width) {
    std::uint32_t* const touched = at_least(touched_, reference_count_);
    return {at_least(cells_, (std::size_t{gram_count_} + 1) * width), width, touched, touched};
}

NgramMatcher::HashedTable NgramMatcher::open_hashed() {
    const std::size_t capacity = std::bit_ceil(2 * reference_count_ + 2);
    return {zeros(keys_, capacity), zeros(values_, capacity), capacity - 1, 64 - std::countr_zero(capacity)};
}

/// Matches against several references: an n-gram matches at most as often as one of them has it.
std::int64_t NgramMatcher::limited_matches() {
    std::uint32_t* const most = zeros(most_, gram_count_ + 1);
    std::uint32_t* const counts = zeros(counts_, gram_count_ + 1);
    std::size_t begin = 0;
    for (const std::size_t end : reference_ends_) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t gram = references_[i].gram;
            most[gram] = std::max(most[gram], ++counts[gram]);
        }
        for (std::size_t i = begin; i < end; ++i) counts[references_[i].gram] = 0;
        begin = end;
    }
    std::int64_t matched = 0;
    for (std::uint32_t gram = 1; gram <= gram_count_; ++gram) matched += std::min(most[gram], grams_[gram].hypothesis);
    return matched;
}

/// The first order needs no table, since the number of a unigram is its symbol.
std::int64_t NgramMatcher::match_symbols(std::span<const Symbol> hypothesis, const SymbolReferences& references) {
    gram_count_ = references.alphabet;
    Gram* const grams = zeros(grams_, gram_count_ + 1);
    Position* position = at_least(references_, references.ends.back());
    reference_ends_.clear();
    std::uint32_t place = 0;
    for (const std::uint32_t end : references.ends) {
        for (; place < end; ++place) {
            *position++ = {place, references.symbols[place]};
            ++grams[references.symbols[place]].references;
            grams[references.symbols[place]].start = place;
        }
        ++place;
        reference_ends_.push_back(static_cast<std::size_t>(position - references_.data()));
    }
    reference_count_ = reference_ends_.back();
    const auto count = static_cast<std::uint32_t>(hypothesis.size());
    Position* const positions = at_least(hypothesis_, count);
    Position* const singles = at_least(singles_, count);
    std::size_t kept = 0;
    std::size_t single_count = 0;
    std::int64_t matched = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Symbol symbol = hypothesis[i];
        const std::uint32_t reference_count = grams[symbol].references;
        matched += grams[symbol].hypothesis++ < reference_count;
        positions[kept] = singles[single_count] = {i, symbol};
        kept += reference_count > 1;
        single_count += reference_count == 1;
    }
    hypothesis_count_ = kept;
    single_count_ = single_count;
    return reference_ends_.size() > 1 ? limited_matches() : matched;
}

/// Numbers the n-grams of the references, counts them, and matches those of the hypothesis; both arguments point to the
/// last symbol of the n-gram that starts at 0.
template <class Table>
std::int64_t NgramMatcher::match_order(Table table, const Symbol* hypothesis, const Symbol* references) {
    Gram* const grams = zeros(grams_, reference_count_ + 1);
    std::uint32_t gram_count = 0;
    for (Position *at = references_.data(), *end = at + reference_count_; at != end; ++at) {
        const Position position = *at;
        auto& cell = table.insert(position.gram, references[position.start]);
        const std::uint32_t known = cell;
        const std::uint32_t fresh = known == 0;
        gram_count += fresh;
        const std::uint32_t number = known | (gram_count & (0u - fresh));  // whether it is fresh is anyone's guess
        cell = static_cast<std::remove_reference_t<decltype(cell)>>(number);
        at->gram = number;
        ++grams[number].references;
        grams[number].start = position.start;
    }
    gram_count_ = gram_count;
    Position* const positions = hypothesis_.data();
    Position* const singles = singles_.data();
    std::size_t kept = 0;
    std::size_t single_count = 0;
    std::int64_t matched = 0;
    for (std::size_t i = 0, count = hypothesis_count_; i < count; ++i) {
        const std::uint32_t start = positions[i].start;
        const std::uint32_t number = table.find(positions[i].gram, hypothesis[start]);
        const std::uint32_t reference_count = grams[number].references;
        matched += grams[number].hypothesis++ < reference_count;
        positions[kept] = singles[single_count] = {start, number};
        kept += reference_count > 1;
        single_count += reference_count == 1;
    }
    hypothesis_count_ = kept;
    single_count_ = single_count;
    table.close();
    return reference_ends_.size() > 1 ? limited_matches() : matched;
}

/// The references have these n-grams once, so longer ones that start with them match once, up to the longest match.
void NgramMatcher::follow_singles(std::size_t order, std::size_t orders, const Symbol* hypothesis,
                                  const Symbol* references) {
    Gram* const grams = grams_.data();
    std::int64_t* const direct = direct_.data();
    for (const Position single : std::span(singles_).first(single_count_)) {
        Gram& gram = grams[single.gram];
        const std::size_t length = common_prefix(hypothesis + single.start, references + gram.start, order, orders);
        const std::size_t before = std::max<std::size_t>(gram.reach, order);
        const std::size_t after = std::max(length, before);
        ++direct[before];
        --direct[after];
        gram.reach = static_cast<std::uint32_t>(after);
    }
}

/// Drops the positions of the references that need not be followed to the next order.
void NgramMatcher::drop_finished(const Symbol* next_symbols) {
    const Gram* const grams = grams_.data();
    Position* const positions = references_.data();
    std::size_t kept = 0;
    std::size_t next = 0;
    for (std::size_t& end : reference_ends_) {
        for (; next < end; ++next) {
            const Position position = positions[next];
            const Gram& gram = grams[position.gram];
            positions[kept] = position;
            kept += static_cast<std::size_t>(gram.references > 1) & (gram.hypothesis > 0) &
                    (next_symbols[position.start] != end_of_reference);
        }
        end = kept;
    }
    reference_count_ = kept;
}

void NgramMatcher::match(std::span<const Symbol> hypothesis, const SymbolReferences& references,
                         std::span<std::int64_t> matches) {
    const std::size_t orders = matches.size();
    std::fill(matches.begin(), matches.end(), 0);
    if (orders == 0) return;
    direct_.assign(orders + 1, 0);
    matches[0] = match_symbols(hypothesis, references);
    const std::size_t width = std::size_t{references.alphabet} + 1;
    for (std::size_t order = 2; order <= orders; ++order) {
        follow_singles(order - 1, orders, hypothesis.data(), references.symbols);
        if (hypothesis_count_ == 0) break;
        drop_finished(references.symbols + order - 1);
        if (reference_count_ == 0) break;
        const bool direct = (std::size_t{gram_count_} + 1) * width <= direct_cells &&
                            reference_count_ <= std::numeric_limits<std::uint16_t>::max();
        const auto match_with = [&](auto table) {
            return match_order(table, hypothesis.data() + order - 1, references.symbols + order - 1);
        };
        matches[order - 1] = direct ? match_with(open_direct(width)) : match_with(open_hashed());
    }
    std::int64_t direct_matches = 0;
    for (std::size_t n = 0; n < orders; ++n) matches[n] += direct_matches += direct_[n];
}

Lexicon::Lexicon(std::span<const std::span<const Token>> references, std::vector<std::int64_t> offsets,
                 unsigned threads, const Interrupted& interrupted)
    : offsets_(std::move(offsets)), ends_(references.size()), alphabets_(size()) {
    word_starts_.reserve(offsets_.size());
    slot_starts_.reserve(offsets_.size());
    word_starts_.push_back(0);
    slot_starts_.push_back(0);
    for (std::size_t i = 0; i < size(); ++i) {
        std::uint64_t count = 0;
        std::uint64_t ends_before = 0;
        for (auto r = static_cast<std::size_t>(offsets_[i]); r < static_cast<std::size_t>(offsets_[i + 1]); ++r) {
            count += references[r].size();
            ends_[r] = static_cast<std::uint32_t>(count + ends_before++);
        }
        word_starts_.push_back(word_starts_.back() + count);
        slot_starts_.push_back(slot_starts_.back() + std::bit_ceil(count + count / 2 + 1));
    }
    slots_.resize(slot_starts_.back());
    words_.resize(word_starts_.back());
    symbols_.resize(word_starts_.back() + references.size() + symbol_padding);
    parallel_for(size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        for (std::size_t segment = begin; segment < end; ++segment) index(segment, references);
    });
}

inline const Lexicon::Slot& Lexicon::Table::find(const Token& word) const noexcept {
    std::size_t at = word.hash & mask;
    while (slots[at].symbol != 0 && !(slots[at].hash == word.hash && *words[slots[at].symbol - 1] == word)) {
        at = (at + 1) & mask;
    }
    return slots[at];
}

Lexicon::Table Lexicon::table(std::size_t segment) const noexcept {
    return {slots_.data() + slot_starts_[segment],
            static_cast<std::size_t>(slot_starts_[segment + 1] - slot_starts_[segment] - 1),
            words_.data() + word_starts_[segment]};
}

SymbolReferences Lexicon::references(std::size_t segment) const noexcept {
    return {symbols_.data() + word_starts_[segment] + offsets_[segment],
            {ends_.data() + offsets_[segment], ends_.data() + offsets_[segment + 1]},
            alphabets_[segment]};
}

void Lexicon::index(std::size_t segment, std::span<const std::span<const Token>> references) noexcept {
    const Table known = table(segment);
    const auto first = static_cast<std::size_t>(offsets_[segment]);
    const Token** const words = words_.data() + word_starts_[segment];
    Symbol* symbol = symbols_.data() + word_starts_[segment] + first;
    Symbol alphabet = 0;
    for (const auto& reference : references.subspan(first, static_cast<std::size_t>(offsets_[segment + 1]) - first)) {
        for (const Token& word : reference) {
            const Slot& slot = known.find(word);
            if (slot.symbol == 0) {
                words[alphabet] = &word;
                slots_[static_cast<std::size_t>(&slot - slots_.data())] = {word.hash, ++alphabet};
            }
            *symbol++ = slot.symbol;
        }
        *symbol++ = end_of_reference;
    }
    alphabets_[segment] = alphabet;
}

std::span<const Symbol> Lexicon::look_up(std::size_t segment, std::span<const Token> words,
                                         std::vector<Symbol>& symbols) const {
    const Table known = table(segment);
    Symbol* const out = at_least(symbols, words.size() + symbol_padding);
    for (std::size_t i = 0; i < words.size(); ++i) out[i] = known.find(words[i]).symbol;
    out[words.size()] = end_of_hypothesis;
    return {out, words.size()};
}

}  // namespace karat
