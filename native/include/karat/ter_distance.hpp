// The edit distance inside TER: two ways to compute it, which agree wherever both apply.
//
// Rows are hypothesis words, columns reference words. sacreBLEU fills row i only near the pseudo-diagonal i * R / H; a
// cell outside that band is unreachable. So the distance is the length of the shortest path from (0, 0) to (H, R) in a
// graph whose cells depend on the two lengths alone, not on the words. Two things follow, and both kernels rest on
// them: a path may be cut at any row and its halves be computed from either end; and two hypotheses of one length that
// share their first a and last H - b words share the rows up to a (from the front) and from b on (from the back).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/bit_count.hpp"

namespace karat::ter {

using Id = std::uint32_t;

/// The id of every word that the reference does not have: equal to no reference word.
inline constexpr Id unknown_word = 0xFFFFFFFFu;

/// How many columns the band holds on either side of the diagonal, unless the reference is much the longer.
inline constexpr std::size_t half_width = 25;

/// Two neighbouring blocks [begin, middle) and [middle, end) that change places; what every shift comes down to.
struct Rotation {
    std::uint32_t begin;
    std::uint32_t middle;
    std::uint32_t end;
};

/// Which columns of each row sacreBLEU fills.
class Band {
 public:
    void set(std::size_t hypothesis_length, std::size_t reference_length);

    std::size_t low(std::size_t row) const noexcept { return low_[row]; }
    std::size_t high(std::size_t row) const noexcept { return high_[row]; }

    /// No path that leaves the band is shorter than this; below it, the band makes no difference.
    std::size_t shortest_outside(std::size_t hypothesis_length, std::size_t reference_length) const;

 private:
    std::vector<std::uint32_t> low_;
    std::vector<std::uint32_t> high_;
};

/// The first operations of a path, where only one side has words left; one of the numbers is 0.
template <class Visit>
void trace_edge(std::size_t i, std::size_t j, Visit visit) {
    while (i > 0) visit('D', i--, j);
    while (j > 0) visit('I', i, j--);
}

/// The whole matrix in bit vectors (Myers 1999, Hyyrö 2003): references of up to 64 x Words words, and only where the
/// distance is below `Band::shortest_outside`. That being so for one hypothesis, it is so for every better one of the
/// same length, and the optimal paths, hence the traces, are those of the banded matrix. O(H x Words).
template <std::size_t Words>
class BitDistance {
 public:
    static constexpr std::size_t longest = 64 * Words;
    static constexpr bool obeys_triangle_inequality = true;

    /// Fills the matrix; `ids` counts the different words of the reference.
    void set(std::span<const Id> hypothesis, std::span<const Id> reference, std::size_t ids) {
        columns_ = reference.size();
        masks_.assign(ids + 1, Mask{});
        for (std::size_t j = 0; j < columns_; ++j) masks_[reference[j]][j / 64] |= std::uint64_t{1} << (j % 64);
        rows_.resize(hypothesis.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = masks_[std::min<std::size_t>(hypothesis[i], ids)];
        states_.resize(rows_.size() + 1);
        moves_.resize(rows_.size());
        for (std::size_t w = 0; w < Words; ++w) {
            states_[0].plus[w] = ~std::uint64_t{0};
            states_[0].minus[w] = 0;
        }
        fill(0);
    }

    std::size_t distance() const noexcept { return score(states_.back()); }

    void apply(const Rotation& r) {
        std::rotate(rows_.begin() + r.begin, rows_.begin() + r.middle, rows_.begin() + r.end);
        fill(r.begin);
    }

    /// The distance after a rotation that is not applied.
    std::size_t after(const Rotation& r, std::size_t /*enough*/) const noexcept {
        State state = states_[r.begin];
        for (std::size_t i = r.middle; i < r.end; ++i) step(state, rows_[i]);
        for (std::size_t i = r.begin; i < r.middle; ++i) step(state, rows_[i]);
        for (std::size_t i = r.end; i < rows_.size(); ++i) step(state, rows_[i]);
        return score(state);
    }

    /// Calls visit(operation, i, j) for the operations of the best path from the last to the first, each of which ends
    /// behind so many words of hypothesis and reference.
    template <class Visit>
    void trace(Visit visit) const {
        std::size_t i = rows_.size();
        std::size_t j = columns_;
        while (i > 0 && j > 0) {
            const std::size_t word = (j - 1) / 64;
            const std::uint64_t bit = std::uint64_t{1} << ((j - 1) % 64);
            const bool equal = rows_[i - 1][word] & bit;
            if (equal || !(moves_[i - 1].diagonal_free[word] & bit)) {
                visit(equal ? '=' : 'S', i--, j--);
            } else if (moves_[i - 1].down[word] & bit) {
                visit('D', i--, j);
            } else {
                visit('I', i, j--);
            }
        }
        trace_edge(i, j, visit);
    }

 private:
    using Mask = std::array<std::uint64_t, Words>;

    /// One row: where the value rises (plus) or falls (minus) by one from a column to the next.
    struct State {
        Mask plus;
        Mask minus;
    };
    /// Where a row's value equals that of the upper left neighbour, and where it is one more than the upper one.
    struct Moves {
        Mask diagonal_free;
        Mask down;
    };

    static Moves step(State& state, const Mask& equal) noexcept {
        Moves moves;
        std::uint64_t plus_in = 1;
        std::uint64_t minus_in = 0;
        for (std::size_t w = 0; w < Words; ++w) {
            const std::uint64_t plus = state.plus[w];
            const std::uint64_t minus = state.minus[w];
            const std::uint64_t same = equal[w] | minus_in;
            const std::uint64_t free = (((same & plus) + plus) ^ plus) | same | minus;
            const std::uint64_t down = minus | ~(free | plus);
            const std::uint64_t up = free & plus;
            moves.diagonal_free[w] = free;
            moves.down[w] = down;
            const std::uint64_t down_shifted = (down << 1) | plus_in;
            const std::uint64_t up_shifted = (up << 1) | minus_in;
            plus_in = down >> 63;
            minus_in = up >> 63;
            state.plus[w] = up_shifted | ~(free | down_shifted);
            state.minus[w] = down_shifted & free;
        }
        return moves;
    }

    void fill(std::size_t from) noexcept {
        State state = states_[from];
        for (std::size_t i = from; i < rows_.size(); ++i) {
            moves_[i] = step(state, rows_[i]);
            states_[i + 1] = state;
        }
    }

    std::size_t score(const State& state) const noexcept {
        std::size_t up = rows_.size();
        std::size_t down = 0;
        for (std::size_t w = 0; w * 64 < columns_; ++w) {
            const std::size_t left = columns_ - w * 64;
            const std::uint64_t valid = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
            up += bit_count(state.plus[w] & valid);
            down += bit_count(state.minus[w] & valid);
        }
        return up - down;
    }

    std::size_t columns_ = 0;
    std::vector<Mask> masks_;  // by id of a reference word, then one of zeros for unknown words
    std::vector<Mask> rows_;   // by hypothesis position
    std::vector<State> states_;
    std::vector<Moves> moves_;
};

/// The banded matrix, cell by cell, for any lengths. A rotation costs the rows between its ends only, since the rows
/// from the back are kept too. O(R + 50 H) time and memory to fill, O(window x band) per rotation.
class BandDistance {
 public:
    static constexpr bool obeys_triangle_inequality = false;  // a detour can lead out of the band

    void set(std::span<const Id> hypothesis, std::span<const Id> reference, const Band& band);

    std::size_t distance() const noexcept { return front_.back(); }

    void apply(const Rotation& rotation);

    /// The distance after a rotation that is not applied; anything above `enough` if it is above `enough`.
    std::size_t after(const Rotation& rotation, std::size_t enough);

    /// Calls visit(operation, i, j) for the operations of the best path, as the one above.
    template <class Visit>
    void trace(Visit visit) const {
        std::size_t i = hypothesis_.size();
        std::size_t j = reference_.size();
        while (i > 0 && j > 0) {
            const Cost here = front(i, j);
            const bool equal = hypothesis_[i - 1] == reference_[j - 1];
            if (front(i - 1, j - 1) + !equal == here) {
                visit(equal ? '=' : 'S', i--, j--);
            } else if (front(i - 1, j) + 1 == here) {
                visit('D', i--, j);
            } else {
                visit('I', i, j--);
            }
        }
        trace_edge(i, j, visit);
    }

 private:
    using Cost = std::int32_t;

    static constexpr Cost unreachable = 1 << 29;

    Cost front(std::size_t row, std::size_t column) const noexcept {
        if (column < band_->low(row) || column >= band_->high(row)) return unreachable;
        return front_[starts_[row] + column - band_->low(row)];
    }
    void fill_front(std::size_t from);
    void fill_back(std::size_t down_to);
    void next_row(std::size_t row, Id word, const Cost* previous, Cost* current);
    void previous_row(std::size_t row);
    bool hopeless(std::size_t row, const Cost* values, std::size_t enough) const noexcept;

    const Band* band_ = nullptr;
    std::vector<Id> hypothesis_;
    std::vector<Id> reference_;
    std::vector<std::size_t> starts_;  // where each row begins in `front_` and `back_`
    std::vector<Cost> front_;          // cost of the best path from the first cell
    std::vector<Cost> back_;           // cost of the best path to the last cell, made when first needed
    std::size_t back_valid_ = 0;       // rows of `back_` from here on are up to date
    std::vector<Cost> window_[2];
    std::vector<Cost> scratch_;
};

/// The banded matrix for references that the bit vectors have room for: those give a lower bound, which settles most
/// rotations at a fraction of the cost.
template <std::size_t Words>
class FilteredDistance {
 public:
    static constexpr bool obeys_triangle_inequality = false;

    FilteredDistance(BitDistance<Words>& bound, BandDistance& exact) : bound_(bound), exact_(exact) {}

    std::size_t distance() const noexcept { return exact_.distance(); }

    void apply(const Rotation& rotation) {
        bound_.apply(rotation);
        exact_.apply(rotation);
    }

    /// The distance after a rotation that is not applied; anything above `enough` if it is above `enough`.
    std::size_t after(const Rotation& rotation, std::size_t enough) {
        const std::size_t least = bound_.after(rotation, enough);
        return least > enough ? least : exact_.after(rotation, enough);
    }

    template <class Visit>
    void trace(Visit visit) const {
        exact_.trace(visit);
    }

 private:
    BitDistance<Words>& bound_;
    BandDistance& exact_;
};

}  // namespace karat::ter
