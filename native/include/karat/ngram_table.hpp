// The n-grams of several columns, each with the segments that it stands in and how often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/word_facts.hpp"

namespace karat {

/// One column: how often an n-gram stands in a segment, by n-gram and then by segment; zeros are left out.
struct NgramOccurrences {
    std::vector<std::int32_t> ngrams;
    std::vector<std::int32_t> segments;
    std::vector<std::int32_t> counts;
};

/// N-grams by number, in the order in which they were first met, shorter ones first at each place. N-gram i is the
/// n-gram previous[i] (-1 = none) followed by the word last[i].
struct NgramTable {
    std::vector<std::int32_t> previous;
    std::vector<std::int32_t> last;
    std::vector<NgramOccurrences> columns;
};

/// Counts all n-grams of up to `orders` words. The keys are exact: an n-gram is the number of the n-gram before its
/// last word, and that word. O(words * orders) expected, and O(n-grams) for each column. Results are the same for every
/// number of threads. Throws std::length_error for 2^31 n-grams or more.
NgramTable ngram_table(std::span<const NumberedWords> columns, std::size_t orders, unsigned threads,
                       const Interrupted& interrupted);

}  // namespace karat
