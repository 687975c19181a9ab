#include "karat/ter_distance.hpp"

#include <cmath>

namespace karat::ter {
namespace {

/// The least |k| + |difference - k| over all k >= `least`: the indels of a path that reaches diagonal k.
std::ptrdiff_t detour(std::ptrdiff_t least, std::ptrdiff_t difference) {
    if (least <= std::max<std::ptrdiff_t>(0, difference)) return std::abs(difference);
    return std::abs(least) + std::abs(least - difference);
}

}  // namespace

void Band::set(std::size_t hypothesis_length, std::size_t reference_length) {
    low_.resize(hypothesis_length + 1);
    high_.resize(hypothesis_length + 1);
    // The product of a row number and this rounded quotient can fall below a whole number that it should equal; the
    // band has to be wrong in the same places.
    const double slope =
        hypothesis_length == 0 ? 1.0 : static_cast<double>(reference_length) / static_cast<double>(hypothesis_length);
    const bool steep = slope / 2 > static_cast<double>(half_width);
    const auto half =
        steep ? static_cast<std::size_t>(std::ceil(slope / 2 + static_cast<double>(half_width))) : half_width;
    const std::size_t columns = reference_length + 1;
    low_[0] = 0;
    high_[0] = static_cast<std::uint32_t>(columns);
    for (std::size_t row = 1; row <= hypothesis_length; ++row) {
        const auto centre = static_cast<std::size_t>(static_cast<double>(row) * slope);
        low_[row] = static_cast<std::uint32_t>(centre > half ? centre - half : 0);
        high_[row] = static_cast<std::uint32_t>(std::min(columns, centre + half));
    }
    high_[hypothesis_length] = static_cast<std::uint32_t>(columns);
}

std::size_t Band::shortest_outside(std::size_t hypothesis_length, std::size_t reference_length) const {
    const auto signed_of = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };
    const std::ptrdiff_t difference = signed_of(reference_length) - signed_of(hypothesis_length);
    std::ptrdiff_t shortest = signed_of(hypothesis_length + reference_length) + 1;
    for (std::size_t row = 1; row <= hypothesis_length; ++row) {
        if (high_[row] <= reference_length)
            shortest = std::min(shortest, detour(signed_of(high_[row]) - signed_of(row), difference));
        if (low_[row] > 0)
            shortest = std::min(shortest, detour(signed_of(row) - signed_of(low_[row]) + 1, -difference));
    }
    return static_cast<std::size_t>(shortest);
}

void BandDistance::set(std::span<const Id> hypothesis, std::span<const Id> reference, const Band& band) {
    band_ = &band;
    hypothesis_.assign(hypothesis.begin(), hypothesis.end());
    reference_.assign(reference.begin(), reference.end());
    const std::size_t rows = hypothesis_.size() + 1;
    starts_.resize(rows);
    std::size_t cells = 0;
    std::size_t widest = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        starts_[row] = cells;
        cells += band.high(row) - band.low(row);
        widest = std::max(widest, band.high(row) - band.low(row));
    }
    front_.resize(cells);
    for (std::size_t j = 0; j <= reference_.size(); ++j) front_[j] = static_cast<Cost>(j);
    for (auto& window : window_) window.resize(widest);
    scratch_.resize(widest);
    back_valid_ = rows;
    fill_front(0);
}

void BandDistance::next_row(std::size_t row, Id word, const Cost* previous, Cost* current) {
    const std::size_t low = band_->low(row);
    const std::size_t high = band_->high(row);
    const std::size_t above_low = band_->low(row - 1);
    const std::size_t above_high = band_->high(row - 1);
    Cost* const best = scratch_.data();  // of the two ways from above
    const auto from_above = [&](std::size_t j) { return j < above_high ? previous[j - above_low] + 1 : unreachable; };
    const auto from_diagonal = [&](std::size_t j) {
        const bool exists = j > above_low && j - 1 < above_high;
        return exists ? previous[j - 1 - above_low] + (reference_[j - 1] != word) : unreachable;
    };
    std::size_t j = low;
    if (j == above_low) best[0] = from_above(j), ++j;
    const std::size_t inner = std::max(j, std::min(high, above_high));
    const Cost* const above = previous + (j - above_low);
    const Id* const words = reference_.data() + j;
    Cost* const out = best + (j - low);
    for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(inner - j); ++k) {
        const Cost diagonal = above[k - 1] + (words[k - 1] != word);
        const Cost vertical = above[k] + 1;
        out[k] = diagonal < vertical ? diagonal : vertical;
    }
    for (j = inner; j < high; ++j) best[j - low] = std::min(from_diagonal(j), from_above(j));
    Cost left = unreachable;
    for (std::size_t k = 0; k < high - low; ++k) {
        left = std::min(best[k], left + 1);
        current[k] = left;
    }
}

void BandDistance::fill_front(std::size_t from) {
    for (std::size_t row = from + 1; row <= hypothesis_.size(); ++row)
        next_row(row, hypothesis_[row - 1], front_.data() + starts_[row - 1], front_.data() + starts_[row]);
}

void BandDistance::previous_row(std::size_t row) {
    const std::size_t low = band_->low(row);
    const std::size_t high = band_->high(row);
    const std::size_t below_low = band_->low(row + 1);
    const std::size_t below_high = band_->high(row + 1);
    const Cost* const below = back_.data() + starts_[row + 1];
    Cost* const current = back_.data() + starts_[row];
    const Id word = hypothesis_[row];
    Cost right = unreachable;
    for (std::size_t j = high; j-- > low;) {
        Cost best = right + 1;
        if (j >= below_low && j < below_high) best = std::min(best, below[j - below_low] + 1);
        if (j + 1 >= below_low && j + 1 < below_high)
            best = std::min(best, below[j + 1 - below_low] + (reference_[j] != word));
        current[j - low] = right = best;
    }
}

void BandDistance::fill_back(std::size_t down_to) {
    const std::size_t last = hypothesis_.size();
    if (back_valid_ > last) {
        back_.resize(front_.size());
        for (std::size_t j = band_->low(last); j <= reference_.size(); ++j)
            back_[starts_[last] + j - band_->low(last)] = static_cast<Cost>(reference_.size() - j);
        back_valid_ = last;
    }
    while (back_valid_ > down_to) previous_row(--back_valid_);
}

void BandDistance::apply(const Rotation& r) {
    std::rotate(hypothesis_.begin() + r.begin, hypothesis_.begin() + r.middle, hypothesis_.begin() + r.end);
    fill_front(r.begin);
    back_valid_ = std::max<std::size_t>(back_valid_, r.end);
}

bool BandDistance::hopeless(std::size_t row, const Cost* values, std::size_t enough) const noexcept {
    const Cost* const end = values + (band_->high(row) - band_->low(row));
    return static_cast<std::size_t>(*std::min_element(values, end)) > enough;
}

std::size_t BandDistance::after(const Rotation& r, std::size_t enough) {
    const Cost* previous = front_.data() + starts_[r.begin];
    std::size_t row = r.begin;
    for (std::size_t step = r.begin; step < r.end; ++step) {
        const std::size_t moved = step < r.begin + (r.end - r.middle) ? r.middle + (step - r.begin)
                                                                      : r.begin + (step - r.begin - (r.end - r.middle));
        Cost* const current = window_[step % 2].data();
        next_row(++row, hypothesis_[moved], previous, current);
        previous = current;
        if (step % 8 == 7 && hopeless(row, current, enough)) return enough + 1;
    }
    fill_back(r.end);
    const Cost* const back = back_.data() + starts_[r.end];
    Cost best = unreachable;
    for (std::size_t k = 0; k < band_->high(r.end) - band_->low(r.end); ++k)
        best = std::min(best, previous[k] + back[k]);
    return static_cast<std::size_t>(best);
}

}  // namespace karat::ter
