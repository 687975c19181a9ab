#include "karat/lepor.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace karat {
namespace {

/// Which of these places, in ascending order, is nearest to `i`: its index, the first of two.
std::size_t nearest(std::span<const std::uint32_t> places, std::size_t i) {
    const auto distance = [i](std::size_t place) { return place < i ? i - place : place - i; };
    std::size_t best = 0;
    for (std::size_t k = 1; k < places.size(); ++k) {
        if (distance(places[k]) < distance(places[best])) best = k;
    }
    return best;
}

}  // namespace

std::size_t ScriptMatches::operator()(const WordPair& pair, const Positions& in_reference) {
    taken_.assign(pair.reference.size() + 1, 0);
    std::size_t count = 0;
    for (const Symbol word : pair.hypothesis) {
        if (word == 0) continue;
        const auto there = in_reference.of(word);
        const auto first = std::ranges::find_if(there, [this](std::uint32_t j) { return taken_[j + 1] == 0; });
        if (first == there.end()) continue;
        take(*first + 1);
        ++count;
    }
    return count;
}

void ScriptMatches::take(std::size_t position) {
    for (; position > 0; position /= 10) taken_[position] = 1;
}

void LeporKernel::operator()(const WordPair& pair, std::span<double> row) {
    const auto hypothesis_length = static_cast<double>(pair.hypothesis.size());
    const auto reference_length = static_cast<double>(pair.reference.size());
    std::size_t count = 0;
    double moved = 0;
    const auto aligned = align(pair);
    for (std::size_t i = 0; i < aligned.size(); ++i) {
        const std::size_t j = aligned[i];
        if (j == pair.reference.size()) continue;
        ++count;
        moved +=
            std::abs(static_cast<double>(i + 1) / hypothesis_length - static_cast<double>(j + 1) / reference_length);
    }
    if (alignment_ == LeporAlignment::perl) {
        count = script_matches_(pair, in_reference_);
        // The script asks for the order only where a word is missing or to spare.
        if (count == pair.hypothesis.size() && count == pair.reference.size()) moved = 0;
    }
    row[0] = static_cast<double>(count);
    row[1] = moved;
}

std::span<const std::uint32_t> LeporKernel::align(const WordPair& pair) {
    in_hypothesis_.set(pair.hypothesis, pair.alphabet);
    in_reference_.set(pair.reference, pair.alphabet);
    used_.assign(pair.reference.size(), 0);
    aligned_.assign(pair.hypothesis.size(), static_cast<std::uint32_t>(pair.reference.size()));
    for (std::size_t i = 0; i < pair.hypothesis.size(); ++i) {
        if (pair.hypothesis[i] == 0) continue;
        const std::size_t j = choose(pair, i);
        aligned_[i] = static_cast<std::uint32_t>(j);
        if (j < pair.reference.size()) used_[j] = alignment_ != LeporAlignment::perl;
    }
    return aligned_;
}

/// Where word `i` goes; behind the last word of the reference if there is no place left.
std::size_t LeporKernel::choose(const WordPair& pair, std::size_t i) {
    const auto there = in_reference_.of(pair.hypothesis[i]);
    if (there.size() == 1 && in_hypothesis_.of(pair.hypothesis[i]).size() == 1) return there[0];
    free_.clear();
    preferred_.clear();
    for (const std::uint32_t j : there) {
        if (used_[j]) continue;
        free_.push_back(j);
        if (shares_neighbour(pair, i, j)) preferred_.push_back(j);
    }
    if (free_.empty()) return pair.reference.size();
    if (preferred_.empty()) return free_[nearest(free_, i)];
    const std::size_t best = nearest(preferred_, i);
    // hLepor 0.0.4 and the script look its index up in the list of all free places.
    return alignment_ == LeporAlignment::published ? preferred_[best] : free_[best];
}

LeporKernel::Words LeporKernel::neighbours_before(Words words, std::size_t place) const noexcept {
    if (window_ <= place) return words.subspan(place - window_, window_);
    if (alignment_ != LeporAlignment::hlepor) return words.first(place);
    // hLepor 0.0.4 counts a negative start from the end, as Python does: mostly nothing is left.
    const std::size_t missing = window_ - place;
    const std::size_t start = missing < words.size() ? words.size() - missing : 0;
    return start < place ? words.subspan(start, place - start) : Words{};
}

/// The script counts a place before the first word from the end, as Perl does.
LeporKernel::Words LeporKernel::neighbours_beyond_the_start(Words words, std::size_t place) const noexcept {
    if (alignment_ != LeporAlignment::perl || window_ <= place) return {};
    return words.last(std::min(window_ - place, words.size()));
}

LeporKernel::Words LeporKernel::neighbours_after(Words words, std::size_t place) const noexcept {
    return words.subspan(place + 1, std::min(window_, words.size() - place - 1));
}

bool LeporKernel::shares_neighbour(const WordPair& pair, std::size_t i, std::size_t j) const noexcept {
    const auto neighbours = [this](Words words, std::size_t place) {
        return std::array{neighbours_before(words, place), neighbours_after(words, place),
                          neighbours_beyond_the_start(words, place)};
    };
    const auto here = neighbours(pair.hypothesis, i);
    const auto there = neighbours(pair.reference, j);
    for (const Words& ours : here) {
        for (const Words& theirs : there) {
            if (std::find_first_of(ours.begin(), ours.end(), theirs.begin(), theirs.end()) != ours.end()) return true;
        }
    }
    return false;
}

}  // namespace karat
