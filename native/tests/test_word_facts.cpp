#include <cmath>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "karat/atec.hpp"
#include "karat/tesla.hpp"
#include "karat/transport.hpp"
#include "karat/word_facts.hpp"

using namespace karat;

namespace {

using Ids = std::vector<std::int32_t>;
using Row = std::vector<double>;

/// Words 0 and 1 are of one lemma, 1 and 2 sound alike, 2 and 3 share a set; 4 weighs little.
WordFacts some_facts() {
    return WordFacts({0, 0, 1, 2, -1}, {-1, 5, 5, -1, -1}, {0, 1, 1, 3, 4, 4}, {7, 8, 9, 9}, {1, 1, 1, 1, 0.1});
}

bool near(const Row& found, const Row& expected) {
    if (found.size() != expected.size()) return false;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::abs(found[i] - expected[i]) > 1e-12) return false;
    }
    return true;
}

template <class Kernel>
Row row_of(Kernel kernel, const Ids& hypothesis, const Ids& reference, std::size_t columns) {
    Row row(columns, -1);
    kernel(hypothesis, reference, row);
    return row;
}

template <class Call>
bool refuses(const Call& call) {
    try {
        call();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

TEST(transport_of_nothing) {
    Transport transport;
    CHECK(transport.best({}, {}, {}) == 0);
    const Row one{1};
    CHECK(transport.best(one, one, {}) == 0);
    CHECK(transport.best(Row{0}, one, std::vector<Route>{{0, 0, 1}}) == 0);
}

TEST(transport_hands_on_what_it_took_first) {
    Transport transport;
    // The best single route is from 0 to 0; the best whole leaves that to 1.
    const std::vector<Route> routes{{0, 0, 1.0}, {0, 1, 0.9}, {1, 0, 0.8}};
    CHECK(std::abs(transport.best(Row{1, 1}, Row{1, 1}, routes) - 1.7) < 1e-12);
    CHECK(std::abs(transport.best(Row{1, 0.5}, Row{1, 0.25}, routes) - (0.75 + 0.25 * 0.9 + 0.25 * 0.8)) < 1e-12);
    // Where a change would lose, nothing changes.
    CHECK(std::abs(transport.best(Row{1, 1}, Row{1, 0}, routes) - 1.0) < 1e-12);
}

TEST(transport_keeps_nothing_from_one_call_to_the_next) {
    Transport transport;
    const std::vector<Route> many{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {2, 1, 1}};
    CHECK(std::abs(transport.best(Row{2, 1, 1}, Row{2, 3}, many) - 4) < 1e-12);
    CHECK(std::abs(transport.best(Row{1}, Row{3}, std::vector<Route>{{0, 0, 0.5}}) - 0.5) < 1e-12);
}

TEST(facts_about_words) {
    const WordFacts facts = some_facts();
    CHECK(facts.size() == 5);
    CHECK(facts.same_lemma(0, 1) && !facts.same_lemma(1, 2) && facts.same_lemma(4, 4));
    CHECK(facts.same_sound(1, 2) && !facts.same_sound(0, 3));
    CHECK(facts.share_set(2, 3) && !facts.share_set(0, 2) && !facts.share_set(1, 1));
}

TEST(facts_and_numbers_that_do_not_fit_are_refused) {
    CHECK(refuses([] { WordFacts({0}, {}, {0, 0}, {}, {1}); }));
    CHECK(refuses([] { WordFacts({0}, {0}, {0, 2}, {1}, {1}); }));
    CHECK(refuses([] { WordFacts({0}, {0}, {0, 1}, {1}, {-1}); }));
    const Ids ids{0, 5};
    const std::vector<std::int64_t> offsets{0, 2};
    CHECK(refuses([&] { NumberedWords{ids, offsets}.check(5); }));
    CHECK(!refuses([&] { NumberedWords{ids, offsets}.check(6); }));
}

TEST(texts_that_are_too_long_are_refused) {
    CHECK(!refuses([] { check_length(5000, 6000, 0); }));
    CHECK(!refuses([] { check_length(100'000'000, 0, 0); }));
    CHECK(refuses([] { check_length(6000, 6000, 0); }));
}

TEST(tesla_matches_n_grams_of_words_that_are_alike) {
    const WordFacts facts = some_facts();
    const TeslaKernel kernel(facts, 2, 0.5);
    CHECK(near(row_of(kernel, {0, 2}, {1, 3}, 6), {1.5, 2, 2, 0.75, 1, 1}));
    CHECK(near(row_of(kernel, {0, 0, 4}, {1}, 6), {1, 2.1, 1, 0, 1.1, 0}));
    CHECK(near(row_of(kernel, {}, {}, 6), {0, 0, 0, 0, 0, 0}));
}

TEST(atec_aligns_stage_by_stage_and_each_word_to_the_nearest) {
    const WordFacts facts = some_facts();
    const AtecKernel kernel(facts, {1, 0.5, 0.25, 0.125});
    CHECK(near(row_of(kernel, {0, 2}, {0, 2}, 7), {2, 2, 2, 2, 2, 0, 1}));
    CHECK(near(row_of(kernel, {0, 1, 2}, {1, 2, 3}, 7), {2, 2, 3, 3, 2, 2.0 / 3, 1}));
    CHECK(near(row_of(kernel, {2, 0}, {1, 3}, 7), {0.625, 0.625, 2, 2, 2, 1, 0}));
    CHECK(near(row_of(kernel, {}, {0}, 7), {0, 0, 0, 1, 0, 0, 0}));
    const AtecKernel plain(facts, {1, 0, 0, 0});
    CHECK(near(row_of(plain, {0, 2}, {1, 3}, 7), {0, 0, 2, 2, 0, 0, 0}));
}
