#include "karat/ribes.hpp"

#include <algorithm>

namespace karat {
namespace {

/// Keeps the places whose neighbour at distance `by` (negative: to the left) is `symbol`.
void keep_followed(std::vector<std::uint32_t>& places, std::span<const Symbol> symbols, std::int64_t by,
                   Symbol symbol) {
    std::erase_if(places, [&](std::uint32_t place) {
        const std::int64_t neighbour = static_cast<std::int64_t>(place) + by;
        return neighbour < 0 || neighbour >= static_cast<std::int64_t>(symbols.size()) ||
               symbols[static_cast<std::size_t>(neighbour)] != symbol;
    });
}

}  // namespace

void RibesKernel::operator()(const WordPair& pair, std::span<std::int64_t> row) {
    align(pair);
    row[0] = static_cast<std::int64_t>(aligned_.size());
    row[1] = ascending_pairs(pair.reference.size());
}

void RibesKernel::align(const WordPair& pair) {
    in_hypothesis_.set(pair.hypothesis, pair.alphabet);
    in_reference_.set(pair.reference, pair.alphabet);
    aligned_.clear();
    for (std::uint32_t i = 0; i < pair.hypothesis.size(); ++i) {
        const Symbol word = pair.hypothesis[i];
        const auto there = word == 0 ? std::span<const std::uint32_t>{} : in_reference_.of(word);
        if (there.empty()) continue;
        if (there.size() == 1 && in_hypothesis_.of(word).size() == 1) {
            aligned_.push_back(there[0]);
        } else {
            align_by_context(pair, i);
        }
    }
}

void RibesKernel::align_by_context(const WordPair& pair, std::uint32_t i) {
    const auto here = in_hypothesis_.of(pair.hypothesis[i]);
    const auto there = in_reference_.of(pair.hypothesis[i]);
    for (Occurrences* side : {&left_, &right_}) {
        side->hypothesis.assign(here.begin(), here.end());
        side->reference.assign(there.begin(), there.end());
    }
    const std::size_t to_the_right = pair.hypothesis.size() - 1 - i;
    const auto aligned_by = [&](Occurrences& side, std::size_t size) {
        const bool left = &side == &left_;
        if (size > (left ? i : to_the_right) || side.reference.empty()) return false;
        const std::int64_t by = left ? -static_cast<std::int64_t>(size) : static_cast<std::int64_t>(size);
        const Symbol neighbour = pair.hypothesis[left ? i - size : i + size];
        keep_followed(side.hypothesis, pair.hypothesis, by, neighbour);
        keep_followed(side.reference, pair.reference, by, neighbour);
        if (side.unique()) aligned_.push_back(side.reference[0]);
        return side.unique();
    };
    Occurrences& first = right_first_ ? right_ : left_;
    Occurrences& second = right_first_ ? left_ : right_;
    for (std::size_t size = 1; size <= std::max<std::size_t>(i, to_the_right); ++size) {
        if (aligned_by(first, size) || aligned_by(second, size)) return;
        if (left_.reference.empty() && right_.reference.empty()) return;
    }
}

std::int64_t RibesKernel::ascending_pairs(std::size_t reference_length) {
    tree_.assign(reference_length + 1, 0);
    std::int64_t pairs = 0;
    for (const std::size_t position : aligned_) {
        for (std::size_t node = position; node > 0; node &= node - 1) pairs += tree_[node];
        for (std::size_t node = position + 1; node <= reference_length; node += node & (~node + 1)) ++tree_[node];
    }
    return pairs;
}

}  // namespace karat
