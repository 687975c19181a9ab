#include "karat/ribes.hpp"

#include <algorithm>
#include <utility>

namespace karat {
namespace {

constexpr std::uint32_t never = ~std::uint32_t{0};

/// The longest and second longest n-gram that some places have in common with the word read last.
struct Longest {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t place = 0;

    void add(std::uint32_t length, std::uint32_t at) noexcept {
        if (length > first) {
            second = first;
            first = length;
            place = at;
        } else if (length > second) {
            second = length;
        }
    }
};

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
    if (repeats_much(pair)) return align_by_lengths(pair);
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

/// Whether contexts have so many places to be looked for that to grow them one by one could take cubic time.
bool RibesKernel::repeats_much(const WordPair& pair) const noexcept {
    constexpr std::size_t usual_repetitions = 8;
    std::size_t places = 0;
    for (Symbol word = 1; word <= pair.alphabet; ++word) {
        const std::size_t here = in_hypothesis_.of(word).size();
        places += here * (here + in_reference_.of(word).size());
    }
    return places > usual_repetitions * pair.hypothesis.size();
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

void RibesKernel::align_by_lengths(const WordPair& pair) {
    find_contexts(pair, Side::left, left_contexts_);
    find_contexts(pair, Side::right, right_contexts_);
    const auto& first = right_first_ ? right_contexts_ : left_contexts_;
    const auto& second = right_first_ ? left_contexts_ : right_contexts_;
    for (std::size_t i = 0; i < pair.hypothesis.size(); ++i) {
        const Context& context = second[i].size < first[i].size ? second[i] : first[i];
        if (context.size != never) aligned_.push_back(context.place);
    }
}

/// An n-gram of the hypothesis is unique there if no other place has one in common that is as long, and unique in the
/// reference if one place has it and the second best has not. So lengths are all that is needed, and they follow from
/// those of the neighbour.
void RibesKernel::find_contexts(const WordPair& pair, Side side, std::vector<Context>& contexts) {
    const std::uint32_t by = side == Side::left ? ~std::uint32_t{0} : 1;  // to the neighbour, modulo 2^32
    const auto count = static_cast<std::uint32_t>(pair.hypothesis.size());
    contexts.resize(count);
    for (Lengths* lengths : {&hypothesis_lengths_, &reference_lengths_}) {
        const std::size_t size = (lengths == &hypothesis_lengths_ ? pair.hypothesis : pair.reference).size();
        lengths->now.resize(size);
        lengths->before.resize(size);
    }
    for (std::uint32_t step = 0; step < count; ++step) {
        const std::uint32_t i = side == Side::left ? step : count - 1 - step;
        const Symbol word = pair.hypothesis[i];
        const Symbol neighbour = i + by < count ? pair.hypothesis[i + by] : 0;
        const auto length_at = [&](std::span<const Symbol> words, Lengths& lengths, std::uint32_t place) {
            const std::uint32_t next = place + by;
            const bool goes_on = neighbour != 0 && next < words.size() && words[next] == neighbour;
            return lengths.now[place] = 1 + (goes_on ? lengths.before[next] : 0);
        };
        Longest there;
        std::uint32_t here = 0;
        if (word != 0) {
            for (const std::uint32_t place : in_reference_.of(word)) {
                there.add(length_at(pair.reference, reference_lengths_, place), place);
            }
            for (const std::uint32_t place : in_hypothesis_.of(word)) {
                const std::uint32_t length = length_at(pair.hypothesis, hypothesis_lengths_, place);
                if (place != i) here = std::max(here, length);
            }
        }
        const std::uint32_t shared = std::max(here, there.second);
        contexts[i] = {shared < there.first ? shared : never, there.place};
        std::swap(hypothesis_lengths_.now, hypothesis_lengths_.before);
        std::swap(reference_lengths_.now, reference_lengths_.before);
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
