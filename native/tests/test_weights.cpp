#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/ngram_counts.hpp"
#include "karat/weighted_ngrams.hpp"
#include "tokens_of.hpp"

using namespace karat;
using karat::test::tokens_of;

namespace {

std::shared_ptr<const NgramCounts> counts_of(const std::vector<std::string>& lines,
                                             const std::vector<std::int64_t>& offsets, unsigned orders) {
    auto counts = std::make_shared<NgramCounts>(orders);
    counts->add(*tokens_of(lines), offsets, {});
    return counts;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

}  // namespace

TEST(counts_of_ngrams_types_totals_and_segments) {
    const auto counts = counts_of({"a b a", "a b", "c"}, {0, 2, 3}, 2);
    CHECK(counts->total(1) == 6 && counts->types(1) == 3);
    CHECK(counts->total(2) == 3 && counts->types(2) == 2);
    CHECK(counts->count(NgramCounts::root) == 6);
    CHECK(counts->segments() == 2);
    const auto words = tokens_of({"a b c z"});
    const auto a = counts->find_word((*words)[0][0]);
    CHECK(counts->segments_with(a) == 1);
    CHECK(counts->count(counts->find(NgramCounts::root, a)) == 3);
    CHECK(counts->find_word((*words)[0][3]) == NgramCounts::unknown);
    CHECK((counts->counts_of(2) == std::vector<std::int64_t>{2, 1}));
}

TEST(counts_add_up_to_the_same_digest_in_any_order) {
    const auto whole = counts_of({"a b", "b c d", "a b"}, {0, 1, 2, 3}, 3);
    NgramCounts parts(3);
    parts.add(*counts_of({"b c d"}, {0, 1}, 3));
    parts.add(*counts_of({"a b", "a b"}, {0, 1, 2}, 3));
    CHECK(parts.digest() == whole->digest());
    CHECK(parts.segments() == 3 && parts.total(1) == 7 && parts.types(2) == 3);
    // Two references of one segment are not two segments.
    CHECK(counts_of({"a b", "b c d", "a b"}, {0, 2, 3}, 3)->digest() != whole->digest());
    bool refused = false;
    try {
        parts.add(NgramCounts(2));
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(counts_are_the_same_after_a_journey) {
    const auto whole = counts_of({"a b", "b c d", "a b"}, {0, 2, 3}, 3);
    const NgramCounts back = NgramCounts::of(whole->state());
    CHECK(back.digest() == whole->digest());
    CHECK(back.segments() == 2 && back.total(1) == 7 && back.types(2) == 3 && back.total(3) == 1);
    NgramCounts more = NgramCounts::of(back.state());
    more.add(*whole);
    CHECK(more.count(NgramCounts::root) == 14 && more.types(2) == 3);
    const auto refused = [&](auto spoil) {
        NgramCounts::State state = whole->state();
        spoil(state);
        try {
            NgramCounts::of(state);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(refused([](auto& state) { state.counts.pop_back(); }));
    CHECK(refused([](auto& state) { state.word_ends.back() += 1; }));
    CHECK(refused([](auto& state) { state.parents.front() = 7; }));
    CHECK(refused([](auto& state) { state.lasts.front() = 99; }));
    CHECK(refused([](auto& state) { state.orders = 0; }));
    CHECK(refused([](auto& state) { state.orders = 1; }));
}

TEST(counts_of_many_words_grow) {
    std::string line;
    for (int i = 0; i < 5000; ++i) line += "w" + std::to_string(i) + " ";
    const auto counts = counts_of({line}, {0, 1}, 3);
    CHECK(counts->types(1) == 5000 && counts->types(2) == 4999 && counts->types(3) == 4998);
}

TEST(weighted_rows_have_lengths_matches_divergence_and_weights) {
    const std::vector<std::string> lines{"a b", "a c d"};
    const std::vector<std::int64_t> offsets{0, 2};
    const WeightedReferences prepared(tokens_of(lines), offsets, counts_of(lines, offsets, 2), Ranking::joint, 2, {});
    const std::vector<NgramWeight> weights{NgramWeight::information, NgramWeight::recurrence, NgramWeight::zipf};
    const auto row = prepared.rows(*tokens_of({"a b b"}), weights, {}, 2, {});
    CHECK(row.size() == prepared.columns(3) && row.size() == 13);
    CHECK(row[0] == 3 && row[1] == 2.5 && row[2] == 3);
    CHECK(row[3] == 2 && row[4] == 1);
    CHECK(near(row[5], 4.0 / 5) && near(row[6], 1.0));
    CHECK(near(row[7], std::log2(5.0 / 2) + std::log2(5.0)) && near(row[8], 1.0));
    CHECK(near(row[9], std::log10(2.0) + std::log10(1.5)) && near(row[10], std::log10(2.5)));
    // "a" is the most frequent of seven n-grams; the six others share the ranks from 2 to 7.
    CHECK(near(row[11], std::log10(1 + 2 / 2.0) + std::log10(1 + 4.5 / 2)));
}

TEST(weighted_rows_have_what_the_rarest_n_gram_would_weigh) {
    const std::vector<std::string> lines{"a b", "a c d"};
    const std::vector<std::int64_t> offsets{0, 2};
    const auto row = [&](Ranking ranking, const std::string& hypothesis) {
        const WeightedReferences prepared(tokens_of(lines), offsets, counts_of(lines, offsets, 4), ranking, 1, {});
        const std::vector<NgramWeight> weights{NgramWeight::rarest_rank_share};
        const auto all = prepared.rows(*tokens_of({hypothesis}), weights, {}, 1, {});
        return std::vector<double>(all.end() - 4, all.end());
    };
    // Eight n-grams: "a" comes first, the others share the ranks from 2 to 8. By order: four words, three pairs, "a c
    // d".
    CHECK((row(Ranking::joint, "x y z") == std::vector{3 * 5 / 2.0, 2 * 5 / 2.0, 5 / 2.0, 0.0}));
    CHECK((row(Ranking::by_order, "x y z p") == std::vector{4 * 3 / 2.0, 3 * 2 / 2.0, 2 * 1 / 2.0, 0.0}));
    CHECK((row(Ranking::joint, "") == std::vector{0.0, 0.0, 0.0, 0.0}));
}

TEST(weighted_rows_of_empty_segments) {
    const std::vector<std::string> lines{"", "a"};
    const std::vector<std::int64_t> offsets{0, 1, 2};
    const WeightedReferences prepared(tokens_of(lines), offsets, counts_of(lines, offsets, 2), Ranking::none, 1, {});
    const std::vector<NgramWeight> weights{NgramWeight::tf_idf, NgramWeight::tf_idf_total};
    const auto row = prepared.rows(*tokens_of({"a", ""}), weights, {}, 1, {});
    CHECK(row[0] == 1 && row[1] == 0 && row[2] == 0 && row[3] == 0 && row[9] == 1);
    CHECK(row[11] == 0 && row[12] == 1 && row[20] == 0);
}

TEST(counts_of_other_references_are_refused) {
    const std::vector<std::int64_t> offsets{0, 1};
    bool refused = false;
    try {
        const WeightedReferences prepared(tokens_of({"a b"}), offsets, counts_of({"b a"}, offsets, 2), Ranking::none, 1,
                                          {});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(coverage_counts_ngrams_by_the_references_that_have_them) {
    const std::vector<std::string> lines{"a b a", "a c"};
    const std::vector<std::int64_t> offsets{0, 2};
    const WeightedReferences prepared(tokens_of(lines), offsets, counts_of(lines, offsets, 1), Ranking::none, 1, {});
    CHECK((prepared.coverage(nullptr, 2, {}) == std::vector<std::int64_t>{2, 2, 1, 3}));
    const auto shared = tokens_of({"a a a b"});
    CHECK((prepared.coverage(shared.get(), 2, {}) == std::vector<std::int64_t>{1, 1, 1, 2}));
}
