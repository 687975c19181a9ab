#include "karat/crossed_ngrams.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <stdexcept>

#include "karat/workers.hpp"

namespace karat {
namespace {

/// How many references are columns of one table, and the greatest count that it holds.
constexpr std::size_t table_columns = 64;
constexpr std::uint32_t greatest_count = 255;
/// How many hypotheses are compared with a table before it is made again.
constexpr std::size_t hypotheses_per_tile = 512;

using Counts = std::array<std::uint8_t, table_columns>;
using Sums = std::array<std::uint32_t, table_columns>;

/// The numbers of n-grams, by the number of their first symbols and their last symbol: 1, 2, ... as they come.
class GramIds {
 public:
    void clear() {
        keys_.assign(least_slots, 0);
        ids_.assign(least_slots, 0);
        size_ = 0;
    }

    std::uint32_t size() const noexcept { return size_; }

    std::uint32_t add(std::uint32_t parent, Symbol last) {
        if (2 * std::size_t{size_} >= ids_.size()) grow();
        const std::uint64_t key = std::uint64_t{parent} << 32 | last;
        const std::size_t at = slot(key);
        if (ids_[at] == 0) {
            if (size_ == std::numeric_limits<std::uint32_t>::max() - 1)
                throw std::length_error("too many different n-grams to compare at once");
            keys_[at] = key;
            ids_[at] = ++size_;
        }
        return ids_[at];
    }

 private:
    static constexpr std::size_t least_slots = 1024;

    std::size_t slot(std::uint64_t key) const noexcept {
        std::uint64_t mixed = key * 0x9E3779B97F4A7C15u;
        mixed ^= mixed >> 32;
        const std::size_t mask = ids_.size() - 1;
        std::size_t at = mixed & mask;
        while (ids_[at] != 0 && keys_[at] != key) at = (at + 1) & mask;
        return at;
    }

    void grow() {
        const std::vector<std::uint64_t> keys = std::move(keys_);
        const std::vector<std::uint32_t> ids = std::move(ids_);
        keys_.assign(2 * keys.size(), 0);
        ids_.assign(2 * ids.size(), 0);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (ids[i] == 0) continue;
            const std::size_t at = slot(keys[i]);
            keys_[at] = keys[i];
            ids_[at] = ids[i];
        }
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> ids_;  // 0 = free
    std::uint32_t size_ = 0;
};

inline void add_smaller(const Counts& references, std::uint8_t own, Counts& sums) noexcept {
    for (std::size_t r = 0; r < table_columns; ++r)
        sums[r] = static_cast<std::uint8_t>(sums[r] + std::min(references[r], own));
}

inline void flush(Counts& small, Sums& sums) noexcept {
    for (std::size_t r = 0; r < table_columns; ++r) sums[r] += small[r];
    small.fill(0);
}

}  // namespace

/// What one thread needs to number one group after the other.
struct CrossedNgrams::Numbering {
    GramIds ids;
    SymbolStrings strings;
    std::vector<std::uint32_t> at;      // by position, the n-gram of the last order that starts there
    std::vector<std::uint32_t> counts;  // by id, in the string at hand; zero between two
    std::vector<std::uint32_t> seen;    // ids with a count
};

/// The counts of some references, a row for each n-gram.
struct CrossedNgrams::Table {
    struct Large {
        std::uint32_t id;
        std::size_t column;
        std::uint32_t count;
    };

    std::vector<std::uint32_t> row_of;  // by id; 0 = none of the references has it
    std::vector<std::uint32_t> ids;     // that have a row
    std::vector<Counts> rows;
    std::vector<Large> large;  // counts beyond those that a row can hold

    void start(std::size_t most_ids) {
        for (const std::uint32_t id : ids) row_of[id] = 0;
        if (row_of.size() <= most_ids) row_of.resize(most_ids + 1);
        ids.clear();
        rows.clear();
        large.clear();
    }

    void add(std::size_t column, Gram gram) {
        std::uint32_t& row = row_of[gram.id];
        if (row == 0) {
            rows.emplace_back(Counts{});
            ids.push_back(gram.id);
            row = static_cast<std::uint32_t>(rows.size());
        }
        rows[row - 1][column] = static_cast<std::uint8_t>(std::min(gram.count, greatest_count));
        if (gram.count > greatest_count) large.push_back({gram.id, column, gram.count});
    }

    void add_large(Gram own, Sums& sums) const noexcept {
        for (const Large& other : large) {
            if (other.id == own.id) sums[other.column] += std::min(own.count, other.count) - greatest_count;
        }
    }
};

/// A part of a rectangle that one thread takes at once, and where its first pair and the rows of its pairs stand.
struct CrossedNgrams::Tile {
    Rectangle part;
    std::size_t first;
    std::size_t stride;
};

CrossedNgrams::CrossedNgrams(std::vector<std::int64_t> groups, unsigned orders, const ReadGroup& read, unsigned threads,
                             const Interrupted& interrupted)
    : groups_(std::move(groups)), orders_(orders), lengths_(size()), grams_(groups_.size() - 1) {
    Workers<Numbering> workers;
    parallel_for(grams_.size(), 1, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        const auto lease = workers.take();
        for (std::size_t g = begin; g < end; ++g) number(g, read, *lease);
    });
}

void CrossedNgrams::number(std::size_t group, const ReadGroup& read, Numbering& numbering) {
    const auto first = static_cast<std::size_t>(groups_[group]), last = static_cast<std::size_t>(groups_[group + 1]);
    Group& made = grams_[group];
    numbering.strings.symbols.clear();
    numbering.strings.ends.clear();
    numbering.ids.clear();
    read(first, last, numbering.strings);
    made.ends.reserve((last - first) * orders_);
    std::size_t start = 0;
    for (std::size_t i = first; i < last; ++i) {
        const std::size_t end = numbering.strings.ends[i - first];
        const std::span<const Symbol> symbols(numbering.strings.symbols.data() + start, end - start);
        lengths_[i] = symbols.size();
        start = end;
        numbering.at.assign(symbols.size(), 0);
        for (unsigned n = 1; n <= orders_; ++n) {
            const std::size_t starts = symbols.size() >= n ? symbols.size() - n + 1 : 0;
            for (std::size_t s = 0; s < starts; ++s) {
                const std::uint32_t id = numbering.at[s] = numbering.ids.add(numbering.at[s], symbols[s + n - 1]);
                if (numbering.counts.size() <= id) numbering.counts.resize(2 * std::size_t{id});
                if (numbering.counts[id]++ == 0) numbering.seen.push_back(id);
            }
            for (const std::uint32_t id : numbering.seen) {
                made.grams.push_back({id, numbering.counts[id]});
                numbering.counts[id] = 0;
            }
            numbering.seen.clear();
            if (made.grams.size() > std::numeric_limits<std::uint32_t>::max())
                throw std::length_error("too many n-grams to compare at once");
            made.ends.push_back(static_cast<std::uint32_t>(made.grams.size()));
        }
        keep_going(20 * std::uint64_t{orders_} * symbols.size());
    }
    made.grams.shrink_to_fit();
    made.ids = numbering.ids.size();
}

std::size_t CrossedNgrams::group_of(std::size_t string) const noexcept {
    const auto after = std::upper_bound(groups_.begin(), groups_.end(), static_cast<std::int64_t>(string));
    return static_cast<std::size_t>(after - groups_.begin()) - 1;
}

std::span<const CrossedNgrams::Gram> CrossedNgrams::grams(const Group& group, std::size_t string,
                                                          unsigned order) const noexcept {
    const std::size_t first = static_cast<std::size_t>(groups_[static_cast<std::size_t>(&group - grams_.data())]);
    const std::size_t at = (string - first) * orders_ + order - 1;
    const std::size_t begin = at == 0 ? 0 : group.ends[at - 1];
    return std::span(group.grams).subspan(begin, group.ends[at] - begin);
}

void CrossedNgrams::match(std::span<const Rectangle> rectangles, std::span<double* const> columns, unsigned threads,
                          const Interrupted& interrupted) const {
    std::vector<Tile> tiles;
    std::size_t first = 0;
    for (const Rectangle& whole : rectangles) {
        for (std::size_t r = whole.references_begin; r < whole.references_end; r += table_columns) {
            for (std::size_t h = whole.hypotheses_begin; h < whole.hypotheses_end; h += hypotheses_per_tile) {
                const Rectangle part{h, std::min(h + hypotheses_per_tile, whole.hypotheses_end), r,
                                     std::min(r + table_columns, whole.references_end)};
                const std::size_t row = h - whole.hypotheses_begin, column = r - whole.references_begin;
                tiles.push_back({part, first + row * whole.references() + column, whole.references()});
            }
        }
        first += whole.pairs();
    }
    Workers<Table> workers;
    parallel_for(tiles.size(), 1, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        const auto lease = workers.take();
        for (std::size_t i = begin; i < end; ++i) match_tile(tiles[i], *lease, columns);
    });
}

void CrossedNgrams::match_tile(const Tile& tile, Table& table, std::span<double* const> columns) const {
    const Rectangle& part = tile.part;
    const Group& group = grams_[group_of(part.hypotheses_begin)];
    for (unsigned n = 1; n <= orders_; ++n) {
        table.start(group.ids);
        for (std::size_t r = part.references_begin; r < part.references_end; ++r) {
            for (const Gram gram : grams(group, r, n)) table.add(r - part.references_begin, gram);
        }
        for (std::size_t h = part.hypotheses_begin; h < part.hypotheses_end; ++h) {
            Counts small{};
            Sums sums{};
            std::uint32_t room = greatest_count;
            const std::span<const Gram> own = grams(group, h, n);
            for (const Gram gram : own) {
                const std::uint32_t row = table.row_of[gram.id];
                if (row == 0) continue;
                const std::uint32_t count = std::min(gram.count, greatest_count);
                if (count > room) {
                    flush(small, sums);
                    room = greatest_count;
                }
                room -= count;
                add_smaller(table.rows[row - 1], static_cast<std::uint8_t>(count), small);
                if (gram.count > greatest_count) table.add_large(gram, sums);
            }
            flush(small, sums);
            double* const out = columns[n - 1] + tile.first + (h - part.hypotheses_begin) * tile.stride;
            std::copy_n(sums.begin(), part.references(), out);
            keep_going(4 * own.size());
        }
    }
}

void CrossedNgrams::match_mean(std::span<const Rectangle> rectangles, std::span<const double> weights,
                               std::span<double* const> columns, unsigned threads,
                               const Interrupted& interrupted) const {
    std::vector<std::size_t> first_hypothesis, first_weight;
    std::size_t hypotheses = 0, references = 0;
    for (const Rectangle& one : rectangles) {
        first_hypothesis.push_back(hypotheses);
        first_weight.push_back(references);
        hypotheses += one.hypotheses();
        references += one.references();
    }
    Workers<std::vector<double>> workers;
    parallel_for(rectangles.size(), 1, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        const auto lease = workers.take();
        for (std::size_t i = begin; i < end; ++i) {
            const Rectangle& one = rectangles[i];
            const Group& group = grams_[group_of(one.hypotheses_begin)];
            const std::span<const double> of = weights.subspan(first_weight[i], one.references());
            std::vector<double>& means = *lease;
            means.assign(std::size_t{group.ids} + 1, 0);
            double total = 0;
            for (const double weight : of) total += weight;
            for (std::size_t r = 0; r < of.size(); ++r) {
                for (unsigned n = 1; n <= orders_; ++n) {
                    for (const Gram gram : grams(group, one.references_begin + r, n))
                        means[gram.id] += of[r] * gram.count;
                }
            }
            for (double& mean : means) mean /= total;
            for (std::size_t h = 0; h < one.hypotheses(); ++h) {
                for (unsigned n = 1; n <= orders_; ++n) {
                    double matched = 0;
                    for (const Gram gram : grams(group, one.hypotheses_begin + h, n))
                        matched += std::min(static_cast<double>(gram.count), means[gram.id]);
                    columns[n - 1][first_hypothesis[i] + h] = matched;
                }
            }
            keep_going(8 * group.grams.size());
        }
    });
}

void check_rectangles(std::span<const Rectangle> rectangles, std::span<const std::int64_t> groups) {
    for (const Rectangle& one : rectangles) {
        if (one.hypotheses_begin >= one.hypotheses_end || one.references_begin >= one.references_end)
            throw std::invalid_argument("a rectangle has no pair");
        const std::size_t least = std::min(one.hypotheses_begin, one.references_begin);
        const std::size_t most = std::max(one.hypotheses_end, one.references_end);
        const auto after = std::upper_bound(groups.begin(), groups.end(), static_cast<std::int64_t>(least));
        if (after == groups.end() || static_cast<std::int64_t>(most) > *after)
            throw std::invalid_argument("a rectangle reaches beyond its group");
    }
}

}  // namespace karat
