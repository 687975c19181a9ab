#include <cstdint>
#include <vector>

#include "check.hpp"
#include "karat/ngram_table.hpp"
#include "karat/ngram_tally.hpp"
#include "karat/phrase_runs.hpp"
#include "karat/word_errors.hpp"
#include "tokens_of.hpp"

using namespace karat;

namespace {

using Ids = std::vector<std::int32_t>;
using Starts = std::vector<std::int64_t>;

WordErrorMarks marks_of(const Ids& hypothesis, const Ids& references, const Starts& reference_offsets) {
    const Starts hypothesis_offsets{0, static_cast<std::int64_t>(hypothesis.size())};
    const Starts starts{0, static_cast<std::int64_t>(reference_offsets.size()) - 1};
    return word_errors({{hypothesis, hypothesis_offsets}, {references, reference_offsets}, starts}, hypothesis,
                       references, 1, {});
}

}  // namespace

TEST(a_word_out_of_place_is_one_of_order) {
    const WordErrorMarks marks = marks_of({1, 2, 3}, {3, 1, 2}, {0, 3});
    CHECK(marks.hypotheses.size() == 3);
    CHECK(marks.hypotheses[2] == word_mark(ErrorClass::order, WordOperation::lone, BagError::none));
    CHECK(marks.references[0] == marks.hypotheses[2]);
    CHECK(marks.references[1] == word_mark(ErrorClass::right, WordOperation::match, BagError::none));
}

TEST(an_empty_hypothesis_misses_everything) {
    const WordErrorMarks marks = marks_of({}, {1, 2}, {0, 2});
    CHECK(marks.hypotheses.empty());
    CHECK(marks.references[1] == word_mark(ErrorClass::missing, WordOperation::lone, BagError::error));
}

TEST(words_beyond_the_first_sixty_four_are_aligned) {
    Ids reference(130);
    for (std::size_t i = 0; i < reference.size(); ++i) reference[i] = static_cast<std::int32_t>(i);
    Ids hypothesis = reference;
    hypothesis[64] = 500;
    hypothesis.erase(hypothesis.begin() + 2);
    const WordErrorMarks marks = marks_of(hypothesis, reference, {0, 130});
    const std::uint8_t right = word_mark(ErrorClass::right, WordOperation::match, BagError::none);
    for (std::size_t i = 0; i < reference.size(); ++i) CHECK((marks.references[i] == right) == (i != 2 && i != 64));
    CHECK(marks.references[2] == word_mark(ErrorClass::missing, WordOperation::lone, BagError::error));
    CHECK(marks.references[64] == word_mark(ErrorClass::lexical, WordOperation::substitution, BagError::error));
    CHECK(marks.hypotheses[63] == marks.references[64]);
}

TEST(an_empty_reference_counts_only_if_nothing_else_fits) {
    CHECK(marks_of({1}, {2, 3}, {0, 0, 2}).chosen[0] == 1);
    CHECK(marks_of({}, {2, 3}, {0, 2, 2}).chosen[0] == 1);
    CHECK(marks_of({1}, {}, {0, 0, 0}).chosen[0] == 0);
    CHECK(marks_of({1}, {2, 3}, {0, 0, 2}).references[0] != no_mark);
}

TEST(ngrams_of_nothing) {
    CHECK(ngram_table({}, 4, 2, {}).last.empty());
    const Ids ids;
    const Starts offsets{0, 0, 0};
    const std::vector<NumberedWords> columns{{ids, offsets}};
    const NgramTable table = ngram_table(columns, 4, 2, {});
    CHECK(table.columns.size() == 1 && table.columns[0].ngrams.empty());
}

TEST(ngrams_are_shared_by_columns) {
    const Ids first{7, 7, 7}, second{7, 8};
    const Starts first_offsets{0, 3}, second_offsets{0, 0, 2};
    const std::vector<NumberedWords> columns{{first, first_offsets}, {second, second_offsets}};
    const NgramTable table = ngram_table(columns, 2, 2, {});
    CHECK((table.previous == Ids{-1, 0, 0, -1}) && (table.last == Ids{7, 7, 8, 8}));
    CHECK((table.columns[0].ngrams == Ids{0, 1}) && (table.columns[0].counts == Ids{3, 2}));
    CHECK((table.columns[1].segments == Ids{1, 1, 1}));
}

TEST(many_ngrams_grow_the_table) {
    Ids ids;
    for (std::int32_t i = 0; i < 5000; ++i) ids.push_back(i % 4999);
    const Starts offsets{0, 5000};
    const std::vector<NumberedWords> columns{{ids, offsets}};
    const NgramTable table = ngram_table(columns, 3, 1, {});
    CHECK(table.last.size() == 4999 + 4999 + 4998);
    CHECK(table.columns[0].counts[0] == 2);
}

TEST(words_of_one_kind_are_taken_in_order_and_no_further) {
    // 1, 17 and 33 share a slot of a small table; every one of them is used up by what equals it.
    const WordErrorMarks marks = marks_of({1, 17, 33, 1, 17, 33}, {33, 33, 1, 1, 17}, {0, 5});
    CHECK((marks.hypotheses[4] >> 5 & 3) == static_cast<int>(BagError::error));
    CHECK((marks.hypotheses[5] >> 5 & 3) == static_cast<int>(BagError::none));
}

TEST(a_tally_leaves_out_what_both_have_equally_often) {
    const Ids ngrams{0, 0, 7}, segments{0, 2, 1}, counts{1, 3, 2}, others{1, 1, 2};
    const NgramColumn a{ngrams, segments, counts}, b{ngrams, segments, others}, nothing{};
    const NgramTally apart = ngram_tally(a, b, true);
    CHECK((apart.ngrams == Ids{0}) && (apart.segments == Ids{2}) && (apart.more == Ids{2}) && (apart.less == Ids{0}));
    CHECK(ngram_tally(nothing, b, false).less == others);
    CHECK(shared_ngrams(a, b).counts == others);
    CHECK(shared_ngrams(a, nothing).ngrams.empty());
}

TEST(kinds_keep_the_first_ngrams_and_count_all) {
    const Ids ngrams{0, 1, 2, 3, 3}, more{1, 1, 1, 70, 1}, less{0, 0, 0, 0, 5};
    const NgramKinds kinds = ngram_kinds(ngrams, more, less, 2);
    CHECK((kinds.counts == Starts{3, 1}) && (kinds.more == Starts{1, 71}) && (kinds.less == Starts{0, 5}));
    CHECK((kinds.first == Ids{0, 1, 3}) && (kinds.starts == Starts{0, 2, 3}));
    CHECK(ngram_kinds({}, {}, {}, 2).starts == Starts{0});
}

TEST(a_phrase_run_begins_where_the_phrase_is_first_said) {
    const auto tokens = karat::test::tokens_of({"", "a b a b a b", "x a a a a y"});
    const PhraseRuns runs = phrase_runs(*tokens, 12, 3, 4, {});
    CHECK((runs.segments == Ids{1, 2}) && (runs.starts == Ids{0, 1}) && (runs.lengths == Ids{2, 1}));
}
