#include <random>
#include <vector>

#include "check.hpp"
#include "karat/ngram.hpp"
#include "karat/placed_ngrams.hpp"

using namespace karat;

namespace {

using Words = std::vector<Symbol>;

constexpr Symbol alphabet = 40;

std::vector<std::int64_t> matches_of_symbols(Words hypothesis, Words reference, std::size_t orders) {
    const std::size_t length = hypothesis.size();
    const auto end = static_cast<std::uint32_t>(reference.size());
    hypothesis.resize(length + symbol_padding, end_of_hypothesis);
    reference.resize(end + symbol_padding, end_of_reference);
    std::vector<std::int64_t> matches(orders);
    NgramMatcher().match(std::span(hypothesis).first(length), {reference.data(), {&end, 1}, alphabet}, matches);
    return matches;
}

std::vector<std::int64_t> matches_of_places(const Words& hypothesis, const Words& reference, std::size_t orders) {
    std::vector<Places> by_word(alphabet + 1), places;
    for (std::size_t j = 0; j < reference.size(); ++j) by_word[reference[j]] |= Places{1} << j;
    for (const Symbol word : hypothesis) places.push_back(by_word[word]);
    std::vector<std::int64_t> matches(orders, -1);
    match_places(places, matches);
    return matches;
}

Words random_words(std::mt19937& random, std::size_t longest, Symbol least, Symbol most) {
    Words words(std::uniform_int_distribution<std::size_t>(0, longest)(random));
    for (Symbol& word : words) word = std::uniform_int_distribution<Symbol>(least, most)(random);
    return words;
}

void compare_both(const Words& hypothesis, const Words& reference) {
    for (std::size_t orders = 0; orders <= most_placed_orders; ++orders)
        CHECK(matches_of_places(hypothesis, reference, orders) == matches_of_symbols(hypothesis, reference, orders));
}

}  // namespace

TEST(matches_of_places_are_those_of_the_matcher_for_all) {
    std::mt19937 random(3);
    for (int round = 0; round < 600; ++round) {
        const Symbol most = std::vector<Symbol>{2, 5, alphabet}[static_cast<std::size_t>(round) % 3];
        const Words reference = random_words(random, most_places, 1, most);
        Words hypothesis = random_words(random, 40, 0, most);
        if (round % 4 == 0) hypothesis.insert(hypothesis.end(), reference.begin(), reference.end());
        compare_both(hypothesis, reference);
    }
}

TEST(the_longest_placed_reference_matches_itself_and_repetitions_of_it) {
    Words reference(most_places);
    for (std::size_t i = 0; i < reference.size(); ++i) reference[i] = static_cast<Symbol>(1 + i * i % alphabet);
    Words twice = reference;
    twice.insert(twice.end(), reference.begin(), reference.end());
    compare_both(reference, reference);
    compare_both(twice, reference);
    compare_both(Words(200, 1), Words(most_places, 1));
}
