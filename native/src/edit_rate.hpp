// Error rates as fractions, and which of several references counts by them.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>

#include "karat/edit_distance.hpp"

namespace karat::edit {

/// Errors per length, where the length is not 0.
struct Rate {
    std::int64_t errors;
    std::int64_t length;

    /// As scores have it: over no length at all the rate is 1 if there is an error, and 0 otherwise.
    static Rate of(std::int64_t errors, std::int64_t length) noexcept {
        if (length > 0) return {errors, length};
        return {errors > 0 ? 1 : 0, 1};
    }

    /// Exact and without products, which might not fit: whole parts first, then what is left, turned upside down.
    friend std::strong_ordering operator<=>(Rate a, Rate b) noexcept {
        while (true) {
            const std::int64_t whole_a = a.errors / a.length, whole_b = b.errors / b.length;
            if (whole_a != whole_b) return whole_a <=> whole_b;
            const std::int64_t left_a = a.errors % a.length, left_b = b.errors % b.length;
            if (left_a == 0 || left_b == 0) return left_a <=> left_b;
            const Rate turned{a.length, left_a};
            a = {b.length, left_b};
            b = turned;
        }
    }
};

/// What decides between references: rows of one kind, compared.
struct Standing {
    Rate rate;
    std::int64_t reference_length;
    std::span<const std::int64_t> row;

    /// The lower rate; the longer reference; the greater row, number by number.
    bool beats(const Standing& other) const noexcept {
        if (const auto order = rate <=> other.rate; order != 0) return order < 0;
        if (reference_length != other.reference_length) return reference_length > other.reference_length;
        return std::ranges::lexicographical_compare(other.row, row);
    }
};

inline Standing standing(EditRow kind, ReferenceChoice choice, std::span<const std::int64_t> row) noexcept {
    if (kind == EditRow::bag) return {Rate::of(row[0], row[3]), row[3], row};
    if (kind != EditRow::operations) return {Rate::of(row[0], row[1]), row[1], row};
    const std::int64_t hits = row[0], edits = row[1] + row[2] + row[3];
    const std::int64_t reference = hits + row[1] + row[2], hypothesis = hits + row[1] + row[3];
    switch (choice) {
        case ReferenceChoice::match_error_rate: return {Rate::of(edits, hits + edits), reference, row};
        case ReferenceChoice::information_lost:
            if (hypothesis * reference == 0) return {Rate::of(edits, 0), reference, row};
            return {{hypothesis * reference - hits * hits, hypothesis * reference}, reference, row};
        case ReferenceChoice::error_rate_with_moves: return {Rate::of(edits - row[4], reference), reference, row};
        default: return {Rate::of(edits, reference), reference, row};
    }
}

}  // namespace karat::edit
