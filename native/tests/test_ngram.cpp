#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "check.hpp"
#include "karat/ngram.hpp"

using namespace karat;

namespace {

using Sequence = std::vector<Symbol>;

std::map<Sequence, std::int64_t> count(const Sequence& sequence, std::size_t n) {
    std::map<Sequence, std::int64_t> counts;
    for (std::size_t i = 0; i + n <= sequence.size(); ++i) ++counts[Sequence(&sequence[i], &sequence[i] + n)];
    return counts;
}

std::vector<std::int64_t> plain_matches(const Sequence& hypothesis, const std::vector<Sequence>& references,
                                        std::size_t orders) {
    std::vector<std::int64_t> matches;
    for (std::size_t n = 1; n <= orders; ++n) {
        std::map<Sequence, std::int64_t> most;
        for (const Sequence& reference : references) {
            for (const auto& [gram, times] : count(reference, n)) most[gram] = std::max(most[gram], times);
        }
        std::int64_t total = 0;
        for (const auto& [gram, times] : count(hypothesis, n)) {
            if (const auto found = most.find(gram); found != most.end()) total += std::min(times, found->second);
        }
        matches.push_back(total);
    }
    return matches;
}

std::vector<std::int64_t> fast_matches(NgramMatcher& matcher, Sequence hypothesis,
                                       const std::vector<Sequence>& references, Symbol alphabet, std::size_t orders) {
    Sequence symbols;
    std::vector<std::uint32_t> ends;
    for (const Sequence& reference : references) {
        symbols.insert(symbols.end(), reference.begin(), reference.end());
        ends.push_back(static_cast<std::uint32_t>(symbols.size()));
        symbols.push_back(end_of_reference);
    }
    symbols.resize(symbols.size() + symbol_padding - 1);
    const std::size_t size = hypothesis.size();
    hypothesis.resize(size + symbol_padding, end_of_hypothesis);
    std::vector<std::int64_t> matches(orders, -1);
    matcher.match(std::span(hypothesis).first(size), {symbols.data(), ends, alphabet}, matches);
    return matches;
}

Sequence random_sequence(std::mt19937& random, std::size_t longest, Symbol least, Symbol most) {
    Sequence sequence(std::uniform_int_distribution<std::size_t>(0, longest)(random));
    for (Symbol& symbol : sequence) symbol = std::uniform_int_distribution<Symbol>(least, most)(random);
    return sequence;
}

void compare_at_random(unsigned rounds, std::size_t longest, Symbol alphabet, std::size_t most_references) {
    std::mt19937 random(1);
    NgramMatcher matcher;
    for (unsigned round = 0; round < rounds; ++round) {
        const std::size_t orders = round % 9;
        std::vector<Sequence> references(1 + round % most_references);
        for (Sequence& reference : references) reference = random_sequence(random, longest, 1, alphabet);
        Sequence hypothesis = random_sequence(random, longest, 0, alphabet);
        if (round % 3 == 0) hypothesis.insert(hypothesis.end(), references[0].begin(), references[0].end());
        CHECK(fast_matches(matcher, hypothesis, references, alphabet, orders) ==
              plain_matches(hypothesis, references, orders));
    }
}

}  // namespace

TEST(matches_of_short_sequences) { compare_at_random(2000, 20, 4, 4); }

TEST(matches_of_many_symbols) { compare_at_random(200, 60, 1000, 3); }

TEST(matches_when_the_direct_table_would_be_too_large) { compare_at_random(20, 2000, 700, 2); }

TEST(matches_beyond_16_bits) {
    NgramMatcher matcher;
    Sequence sequence(70000);
    for (std::size_t i = 0; i < sequence.size(); ++i) sequence[i] = static_cast<Symbol>(1 + i % 3 + (i / 70) % 2);
    CHECK(fast_matches(matcher, sequence, {sequence}, 5, 6) == plain_matches(sequence, {sequence}, 6));
}

TEST(scratch_memory_does_not_leak_into_the_next_segment) {
    NgramMatcher matcher;
    const Sequence first{1, 2, 1, 2, 1, 2, 3};
    const Sequence second{2, 1, 2};
    const auto alone = plain_matches(second, {second, first}, 4);
    fast_matches(matcher, first, {first}, 3, 4);
    CHECK(fast_matches(matcher, second, {second, first}, 3, 4) == alone);
}
