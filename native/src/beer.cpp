#include "karat/beer.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace karat {
namespace {

constexpr std::size_t marks = BeerKernel::orders - 1;
constexpr std::size_t table_alphabet = 512;

/// Symbols with marks on both sides, as `NgramMatcher` wants them; the result has the marks, but not the end.
std::span<const Symbol> marked(std::span<const Symbol> words, Symbol alphabet, Symbol end,
                               std::vector<Symbol>& symbols) {
    symbols.assign(marks, alphabet + 1);
    symbols.insert(symbols.end(), words.begin(), words.end());
    symbols.insert(symbols.end(), marks, alphabet + 2);
    const std::size_t size = symbols.size();
    symbols.insert(symbols.end(), symbol_padding, end);
    return {symbols.data(), size};
}

/// Calls `use` with each pair of known words that has at most `gap` words between the two.
template <class Use>
void each_pair(std::span<const Symbol> words, std::size_t gap, const Use& use) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == 0) continue;
        const std::size_t last = gap < words.size() - 2 - i ? i + 1 + gap : words.size() - 1;
        for (std::size_t j = i + 1; j <= last; ++j) {
            if (words[j] != 0) use(words[i], words[j]);
        }
    }
}

}  // namespace

void BeerKernel::operator()(const WordPair& pair, std::span<std::int64_t> row) {
    match_orders(pair, row.first(orders));
    for (std::size_t k = 0; k < gaps.size(); ++k) row[orders + k] = match_pairs(pair, gaps[k]);
}

void BeerKernel::match_orders(const WordPair& pair, std::span<std::int64_t> matches) {
    const Words hypothesis = marked(pair.hypothesis, pair.alphabet, end_of_hypothesis, hypothesis_);
    const Words reference = marked(pair.reference, pair.alphabet, end_of_reference, reference_);
    const std::array<std::uint32_t, 1> end{static_cast<std::uint32_t>(reference.size())};
    matcher_.match(hypothesis, {reference.data(), end, pair.alphabet + 2}, matches);
    // Both sides have all marks, so n-grams of nothing but marks of one kind match, more of them than order n has.
    for (std::size_t n = 1; n <= orders; ++n) matches[n - 1] -= static_cast<std::int64_t>(2 * (orders - n));
}

std::int64_t BeerKernel::match_pairs(const WordPair& pair, std::size_t gap) {
    for (const Words words : {pair.hypothesis, pair.reference}) {
        const std::uint64_t followers = std::min<std::uint64_t>(words.size(), gap);
        if (words.size() > 0 && followers > beer_pairs / words.size()) {
            throw std::invalid_argument("a segment of " + std::to_string(words.size()) +
                                        " words is too long for BEER: split it into sentences");
        }
    }
    return pair.alphabet < table_alphabet ? match_in_table(pair, gap) : match_sorted(pair, gap);
}

std::int64_t BeerKernel::match_in_table(const WordPair& pair, std::size_t gap) {
    const std::size_t width = std::size_t{pair.alphabet} + 1;
    if (counts_.size() < width * width) counts_.resize(width * width);
    std::uint32_t* const counts = counts_.data();
    each_pair(pair.reference, gap, [&](Symbol a, Symbol b) { ++counts[a * width + b]; });
    std::int64_t matches = 0;
    each_pair(pair.hypothesis, gap, [&](Symbol a, Symbol b) {
        std::uint32_t& left = counts[a * width + b];
        matches += left > 0;
        left -= left > 0;
    });
    each_pair(pair.reference, gap, [&](Symbol a, Symbol b) { counts[a * width + b] = 0; });
    return matches;
}

std::int64_t BeerKernel::match_sorted(const WordPair& pair, std::size_t gap) {
    const Words sides[] = {pair.hypothesis, pair.reference};
    for (std::size_t side = 0; side < 2; ++side) {
        keys_[side].clear();
        each_pair(sides[side], gap, [&](Symbol a, Symbol b) { keys_[side].push_back(std::uint64_t{a} << 32 | b); });
        std::sort(keys_[side].begin(), keys_[side].end());
    }
    std::int64_t matches = 0;
    for (auto h = keys_[0].begin(), r = keys_[1].begin(); h != keys_[0].end() && r != keys_[1].end();) {
        const bool advance_hypothesis = *h <= *r;
        const bool advance_reference = *r <= *h;
        matches += advance_hypothesis && advance_reference;
        h += advance_hypothesis;
        r += advance_reference;
    }
    return matches;
}

}  // namespace karat
