// n-grams that a hypothesis shares with one reference: the ground of nLEPOR, ROUGE-N, GLEU and the n-gram F-measure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "karat/ngram.hpp"
#include "karat/word_pairs.hpp"

namespace karat {

/// Writes, for each order from 1 on, the sum over n-grams of the smaller of the two counts. O(orders x words).
class OverlapKernel {
 public:
    void operator()(const WordPair& pair, std::span<std::int64_t> row) {
        const std::array<std::uint32_t, 1> end{static_cast<std::uint32_t>(pair.reference.size())};
        matcher_.match(pair.hypothesis, {pair.reference.data(), end, pair.alphabet}, row);
    }

 private:
    NgramMatcher matcher_;
};

}  // namespace karat
