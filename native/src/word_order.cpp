#include "karat/word_order.hpp"

#include <cstdlib>

namespace karat {

void WordOrderKernel::operator()(const WordPair& pair, std::span<std::int64_t> row) {
    const auto aligned = aligner_.align(pair);
    rank(aligned, pair.reference.size());
    std::int64_t moves = 0;
    std::int64_t jumps = 0;
    std::int64_t squares = 0;
    std::int64_t before = 0;
    for (std::size_t k = 0; k < ranks_.size(); ++k) {
        const std::int64_t move = std::abs(ranks_[k] - static_cast<std::int64_t>(k + 1));
        moves += move;
        squares += move * move;
        jumps += std::abs(ranks_[k] - before - 1);
        before = ranks_[k];
    }
    row[0] = static_cast<std::int64_t>(ranks_.size());
    row[1] = chunks(aligned, pair.reference.size());
    row[2] = moves;
    row[3] = jumps;
    row[4] = squares;
    row[5] = ascending_pairs();
}

/// Aligned places of the reference are numbered from left to right.
void WordOrderKernel::rank(std::span<const std::uint32_t> aligned, std::size_t reference_length) {
    rank_at_.assign(reference_length + 1, 0);
    for (const std::uint32_t place : aligned) rank_at_[place] = 1;
    for (std::size_t place = 1; place < reference_length; ++place) rank_at_[place] += rank_at_[place - 1];
    ranks_.clear();
    for (const std::uint32_t place : aligned) {
        if (place < reference_length) ranks_.push_back(rank_at_[place]);
    }
}

std::int64_t WordOrderKernel::chunks(std::span<const std::uint32_t> aligned, std::size_t reference_length) const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < aligned.size(); ++i) {
        if (aligned[i] == reference_length) continue;
        const bool goes_on = i > 0 && aligned[i - 1] < reference_length && aligned[i] == aligned[i - 1] + 1;
        count += !goes_on;
    }
    return count;
}

std::int64_t WordOrderKernel::ascending_pairs() {
    tree_.assign(ranks_.size() + 1, 0);
    std::int64_t pairs = 0;
    for (const std::int64_t rank : ranks_) {
        const auto own = static_cast<std::size_t>(rank);
        for (std::size_t node = own; node > 0; node &= node - 1) pairs += tree_[node];
        for (std::size_t node = own; node < tree_.size(); node += node & (~node + 1)) ++tree_[node];
    }
    return pairs;
}

}  // namespace karat
