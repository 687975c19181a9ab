#include "karat/ngram_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace karat {
namespace {

/// Numbers of pairs (n-gram, word), found by open addressing.
class PairNumbers {
 public:
    explicit PairNumbers(NgramTable& table) : table_(table), slots_(1024, -1) {}

    std::int32_t intern(std::int32_t previous, std::int32_t word) {
        const std::size_t slot = slot_of(previous, word);
        if (slots_[slot] >= 0) return slots_[slot];
        if (table_.last.size() == std::numeric_limits<std::int32_t>::max()) throw std::length_error("2^31 n-grams");
        const auto number = static_cast<std::int32_t>(table_.last.size());
        table_.previous.push_back(previous);
        table_.last.push_back(word);
        slots_[slot] = number;
        if (2 * table_.last.size() > slots_.size()) grow();
        return number;
    }

 private:
    std::size_t slot_of(std::int32_t previous, std::int32_t word) const noexcept {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = hash(previous, word) & mask;
        while (slots_[slot] >= 0) {
            const auto number = static_cast<std::size_t>(slots_[slot]);
            if (table_.previous[number] == previous && table_.last[number] == word) break;
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    static std::size_t hash(std::int32_t previous, std::int32_t word) noexcept {
        std::uint64_t key =
            std::uint64_t{static_cast<std::uint32_t>(previous)} << 32 | static_cast<std::uint32_t>(word);
        key *= 0x9E3779B97F4A7C15u;
        key ^= key >> 32;
        key *= 0xD6E8FEB86659FD93u;
        return static_cast<std::size_t>(key ^ key >> 32);
    }

    void grow() {
        slots_.assign(2 * slots_.size(), -1);
        for (std::size_t i = 0; i < table_.last.size(); ++i) {
            slots_[slot_of(table_.previous[i], table_.last[i])] = static_cast<std::int32_t>(i);
        }
    }

    NgramTable& table_;
    std::vector<std::int32_t> slots_;
};

/// What stands where in a column: n-grams in order of place, and where each segment's begin.
struct Places {
    std::vector<std::int32_t> ngrams;
    std::vector<std::size_t> starts;
};

Places number_column(const NumberedWords& column, std::size_t orders, PairNumbers& numbers) {
    Places places;
    for (std::size_t s = 0; s < column.size(); ++s) {
        places.starts.push_back(places.ngrams.size());
        const std::span<const std::int32_t> words = column[s];
        for (std::size_t i = 0; i < words.size(); ++i) {
            std::int32_t ngram = -1;
            for (std::size_t n = 0; n < orders && i + n < words.size(); ++n) {
                ngram = numbers.intern(ngram, words[i + n]);
                places.ngrams.push_back(ngram);
            }
        }
        keep_going(words.size() * orders * 100);
    }
    places.starts.push_back(places.ngrams.size());
    return places;
}

/// The places of a column by n-gram: segments ascend, so that equal ones stand side by side and add up.
NgramOccurrences by_ngram(const Places& places, std::size_t types) {
    std::vector<std::size_t> begins(types + 1);
    for (const std::int32_t ngram : places.ngrams) ++begins[static_cast<std::size_t>(ngram) + 1];
    for (std::size_t i = 0; i < types; ++i) begins[i + 1] += begins[i];
    std::vector<std::int32_t> segments(places.ngrams.size());
    std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
    for (std::size_t s = 0; s + 1 < places.starts.size(); ++s) {
        for (std::size_t p = places.starts[s]; p < places.starts[s + 1]; ++p) {
            segments[next[static_cast<std::size_t>(places.ngrams[p])]++] = static_cast<std::int32_t>(s);
        }
    }
    NgramOccurrences found;
    for (std::size_t type = 0; type < types; ++type) {
        for (std::size_t p = begins[type]; p < begins[type + 1]; ++p) {
            if (p > begins[type] && segments[p] == segments[p - 1]) {
                ++found.counts.back();
                continue;
            }
            found.ngrams.push_back(static_cast<std::int32_t>(type));
            found.segments.push_back(segments[p]);
            found.counts.push_back(1);
        }
    }
    return found;
}

}  // namespace

NgramTable ngram_table(std::span<const NumberedWords> columns, std::size_t orders, unsigned threads,
                       const Interrupted& interrupted) {
    NgramTable table;
    PairNumbers numbers(table);
    std::vector<Places> places(columns.size());
    // One table for all, so one thread; the call through parallel_for lets Ctrl-C in.
    parallel_for(1, 1, 1, interrupted, [&](std::size_t, std::size_t) {
        for (std::size_t c = 0; c < columns.size(); ++c) places[c] = number_column(columns[c], orders, numbers);
    });
    table.columns.resize(columns.size());
    parallel_for(columns.size(), 1, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) table.columns[c] = by_ngram(places[c], table.last.size());
    });
    return table;
}

}  // namespace karat
