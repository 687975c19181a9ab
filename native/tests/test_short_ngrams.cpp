#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "karat/ngram.hpp"
#include "karat/short_ngrams.hpp"

using namespace karat;

namespace {

using Short = std::vector<ShortSymbol>;

std::vector<std::int64_t> long_matches(const Short& hypothesis, const Short& reference, std::size_t orders) {
    NgramMatcher matcher;
    std::vector<Symbol> left(hypothesis.begin(), hypothesis.end()), right(reference.begin(), reference.end());
    left.resize(left.size() + symbol_padding, end_of_hypothesis);
    right.resize(right.size() + symbol_padding, end_of_reference);
    const auto end = static_cast<std::uint32_t>(reference.size());
    std::vector<std::int64_t> matches(orders);
    matcher.match(std::span(left).first(hypothesis.size()), {right.data(), {&end, 1}, most_short_symbols}, matches);
    return matches;
}

Short padded(Short symbols, ShortSymbol with) {
    symbols.resize(symbols.size() + short_padding, with);
    return symbols;
}

void compare_both(ShortMatcher& matcher, const Short& hypothesis, const Short& reference) {
    const Short left = padded(hypothesis, 0), right = padded(reference, end_of_short_reference);
    const auto those = [&](const Short& all, const Short& symbols) { return std::span(all).first(symbols.size()); };
    for (std::size_t orders = 0; orders <= ShortMatcher::most_character_orders; ++orders) {
        const std::vector<std::int64_t> expected = long_matches(hypothesis, reference, orders);
        std::vector<std::int64_t> found(orders, -1);
        if (matcher.match_characters(those(left, hypothesis), those(right, reference), most_short_symbols, found))
            CHECK(found == expected);
    }
}

Short random_symbols(std::mt19937& random, std::size_t longest, int least, int most) {
    Short symbols(std::uniform_int_distribution<std::size_t>(0, longest)(random));
    for (ShortSymbol& symbol : symbols)
        symbol = static_cast<ShortSymbol>(std::uniform_int_distribution<int>(least, most)(random));
    return symbols;
}

}  // namespace

TEST(short_matches_are_those_of_the_matcher_for_all) {
    std::mt19937 random(2);
    ShortMatcher matcher;
    for (int round = 0; round < 600; ++round) {
        const int alphabet = std::vector{2, 5, 30, 254}[static_cast<std::size_t>(round) % 4];
        const Short reference = random_symbols(random, 60, 1, alphabet);
        Short hypothesis = random_symbols(random, 40, 0, alphabet);
        if (round % 3 == 0) hypothesis.insert(hypothesis.end(), reference.begin(), reference.end());
        compare_both(matcher, hypothesis, reference);
    }
}

TEST(the_longest_short_sequences_match_themselves) {
    ShortMatcher matcher;
    Short symbols(longest_short);
    for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = static_cast<ShortSymbol>(1 + i * i % 251);
    compare_both(matcher, symbols, symbols);
}

TEST(repetitions_are_left_to_the_matcher_for_all_and_leave_nothing_behind) {
    ShortMatcher matcher;
    const Short same(longest_short, 7);
    const Short left = padded(same, 0), right = padded(same, end_of_short_reference);
    std::vector<std::int64_t> matches(6);
    CHECK(
        !matcher.match_characters(std::span(left).first(same.size()), std::span(right).first(same.size()), 7, matches));
    compare_both(matcher, {7, 7, 7, 8, 7, 7}, {7, 7, 8, 7, 7, 7, 7});
}
