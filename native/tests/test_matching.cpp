#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/beer.hpp"
#include "karat/gtm.hpp"
#include "karat/lcs.hpp"
#include "karat/lepor.hpp"
#include "karat/overlap.hpp"
#include "karat/ribes.hpp"
#include "karat/skip_bigrams.hpp"
#include "karat/word_order.hpp"
#include "karat/word_pairs.hpp"
#include "tokens_of.hpp"

using namespace karat;
using karat::test::tokens_of;

namespace {

template <class Value, class Kernel>
std::vector<Value> rows(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                        const std::vector<std::int64_t>& offsets, std::size_t columns, const Kernel& kernel) {
    const WordReferences prepared(tokens_of(references), offsets, 2, {});
    return pair_rows<Value>(prepared, *tokens_of(hypotheses), columns, 2, {}, kernel);
}

using Row = std::vector<std::int64_t>;

}  // namespace

TEST(ribes_one_row_for_each_reference) {
    const auto found = rows<std::int64_t>({"a b c", "x"}, {"c b a", "a c", "y x"}, {0, 2, 3}, 2, RibesKernel(false));
    CHECK((found == Row{3, 3, 3, 0, 3, 2, 2, 1, 1, 2, 1, 0}));
}

TEST(ribes_context_tells_equal_words_apart) {
    const std::vector<std::string> reference{"a b a c"};
    CHECK((rows<std::int64_t>({"a c a b"}, reference, {0, 1}, 2, RibesKernel(false)) == Row{4, 4, 4, 2}));
    CHECK((rows<std::int64_t>({"a a"}, {"a a"}, {0, 1}, 2, RibesKernel(false)) == Row{2, 2, 2, 1}));
    CHECK((rows<std::int64_t>({"a a"}, {"a"}, {0, 1}, 2, RibesKernel(true)) == Row{2, 1, 0, 0}));
}

TEST(ribes_of_one_word_over_and_over) {
    std::string text;
    for (int i = 0; i < 500; ++i) text += "a ";
    // Only the whole line is unique: it ends with the last word and begins with the first.
    CHECK((rows<std::int64_t>({text}, {text}, {0, 1}, 2, RibesKernel(false)) == Row{500, 500, 2, 1}));
    CHECK((rows<std::int64_t>({text}, {text + "b"}, {0, 1}, 2, RibesKernel(true)) == Row{500, 501, 2, 1}));
    CHECK((rows<std::int64_t>({text + "b"}, {text + "b"}, {0, 1}, 2, RibesKernel(false))[2] == 501));
}

TEST(ribes_of_empty_segments) {
    const auto found = rows<std::int64_t>({"", "a", ""}, {"", "", "a"}, {0, 1, 2, 3}, 2, RibesKernel(false));
    CHECK((found == Row{0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}));
    CHECK(rows<std::int64_t>({}, {}, {0}, 2, RibesKernel(false)).empty());
}

TEST(lepor_words_go_where_a_neighbour_is_shared) {
    const LeporKernel kernel(1, LeporAlignment::published);
    // The second a shares b with the far place, not with the near one.
    const auto found = rows<double>({"x y a b"}, {"a b z a"}, {0, 1}, 2, kernel);
    CHECK(found[2] == 2);
    CHECK(found[3] == 1.0);
    CHECK((rows<double>({"", "a"}, {"a", ""}, {0, 1, 2}, 2, kernel) == std::vector<double>{0, 1, 0, 0, 1, 0, 0, 0}));
}

TEST(lepor_as_the_script_takes_one_for_used_with_ten) {
    const LeporKernel kernel(0, LeporAlignment::perl);
    // j is the tenth word, so that a, the first, has no place left; but its way is counted: 2 / 3 - 1 / 10.
    const auto found = rows<double>({"j a x"}, {"a b c d e f g h i j"}, {0, 1}, 2, kernel);
    CHECK(found[2] == 1);
    CHECK(std::abs(found[3] - (2.0 / 3 + 2.0 / 3 - 0.1)) < 1e-12);
    // Each a goes to the one place, one of them matches; order is forgiven where all words match.
    CHECK((rows<double>({"a a", "b a"}, {"a b", "a b"}, {0, 1, 2}, 2, kernel) ==
           std::vector<double>{2, 2, 1, 0.5, 2, 2, 2, 0}));
    CHECK((rows<double>({"", "a"}, {"a", ""}, {0, 1, 2}, 2, kernel) == std::vector<double>{0, 1, 0, 0, 1, 0, 0, 0}));
}

TEST(order_of_words_that_both_have) {
    const std::vector<std::string> reference{"a b c d"};
    const WordOrderKernel kernel;
    CHECK((rows<std::int64_t>({"a b c d"}, reference, {0, 1}, 6, kernel) == Row{4, 4, 4, 1, 0, 0, 0, 6}));
    CHECK((rows<std::int64_t>({"c d a b"}, reference, {0, 1}, 6, kernel) == Row{4, 4, 4, 2, 8, 6, 16, 2}));
    CHECK((rows<std::int64_t>({"x d y a"}, reference, {0, 1}, 6, kernel) == Row{4, 4, 2, 2, 2, 3, 2, 0}));
    CHECK((rows<std::int64_t>({"", "a"}, {"a", ""}, {0, 1, 2}, 6, kernel) ==
           Row{0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(overlap_is_clipped_by_each_reference_alone) {
    const auto found = rows<std::int64_t>({"a a b"}, {"a b", "a a a b c", ""}, {0, 3}, 2, OverlapKernel{});
    CHECK((found == Row{3, 2, 2, 1, 3, 5, 3, 2, 3, 0, 0, 0}));
}

TEST(beer_counts_the_ends_of_sentences_and_pairs_with_gaps) {
    const auto found = rows<std::int64_t>({"a x b"}, {"a b", "", "b a"}, {0, 3}, 9, BeerKernel{});
    CHECK((found == Row{3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1,  //
                        3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  //
                        3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0}));
    CHECK((rows<std::int64_t>({""}, {""}, {0, 1}, 9, BeerKernel{}) == Row{0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0}));
}

TEST(beer_with_many_words_sorts_what_it_counts_in_a_table_with_few) {
    std::string line;
    for (int i = 0; i < 600; ++i) line += "w" + std::to_string(i) + " ";
    const auto found = rows<std::int64_t>({line}, {line + "w0 w1 w0"}, {0, 1}, 9, BeerKernel{});
    CHECK(found[6] == 1197 && found[7] == 1794 && found[10] == 599 * 300);
}

TEST(beer_refuses_what_would_take_gigabytes) {
    std::string line;
    for (int i = 0; i < 12000; ++i) line += "w ";
    bool refused = false;
    try {
        rows<std::int64_t>({line}, {"w"}, {0, 1}, 9, BeerKernel{});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(common_subsequences) {
    const std::vector<std::string> references{"a x b c", "", "c b a"};
    const auto plain = rows<std::int64_t>({"a b c"}, references, {0, 3}, 1, LcsKernel{});
    CHECK((plain == Row{3, 4, 3, 3, 0, 0, 3, 3, 1}));
    const auto squared = rows<double>({"a b c"}, references, {0, 3}, 1, WeightedLcsKernel(2));
    CHECK((squared == std::vector<double>{3, 4, 5, 3, 0, 0, 3, 3, 1}));
}

TEST(common_subsequences_of_long_texts) {
    std::string hypothesis;
    std::string reference;
    for (int i = 0; i < 1500; ++i) {
        hypothesis += std::to_string(i * 7 % 1301) + " ";
        reference += std::to_string(i * 11 % 1301) + " ";
    }
    const auto plain = rows<std::int64_t>({hypothesis}, {reference}, {0, 1}, 1, LcsKernel{});
    const auto weighted = rows<double>({hypothesis}, {reference}, {0, 1}, 1, WeightedLcsKernel(1));
    CHECK(static_cast<double>(plain[2]) == weighted[2]);
}

TEST(common_subsequences_are_united_over_sentences) {
    // The first reference has the sentences "a b c" and "b"; the hypothesis has "a x" and "c b".
    const WordReferences prepared(tokens_of({"a b c", "b", "", "c"}), {0, 3, 4}, 1, {});
    const std::vector<std::int64_t> offsets{0, 2, 3};
    const std::vector<std::int64_t> references{0, 2, 3, 4};
    const auto words = tokens_of({"a x", "c b", ""});
    const auto found =
        summary_lcs_rows(prepared, offsets, references, *words, std::vector<std::int64_t>{0, 2, 3}, 1, {});
    CHECK((found == Row{4, 4, 3, 2, 4, 0, 0, 0, 0, 1, 0, 0}));
}

TEST(skip_bigrams_are_clipped_and_bounded) {
    const std::vector<std::string> references{"a b a c", "c"};
    CHECK((rows<std::int64_t>({"a a c"}, references, {0, 2}, 3, SkipBigramKernel(0)) ==
           Row{3, 4, 1, 3, 2, 3, 1, 0, 1, 0}));
    CHECK((rows<std::int64_t>({"a a c"}, references, {0, 2}, 3, SkipBigramKernel(9)) ==
           Row{3, 4, 3, 3, 2, 3, 1, 0, 1, 0}));
    CHECK((rows<std::int64_t>({""}, {""}, {0, 1}, 3, SkipBigramKernel(4)) == Row{0, 0, 0, 0, 0}));
}

TEST(gtm_takes_the_longest_free_run_again_and_again) {
    CHECK((rows<double>({"a b a b c"}, {"a b c a", ""}, {0, 2}, 1, GtmKernel(1)) ==
           std::vector<double>{5, 4, 4, 5, 0, 0}));
    const auto squared = rows<double>({"x a b a b c"}, {"a b c a"}, {0, 1}, 1, GtmKernel(2));
    CHECK(squared[2] * squared[2] > 9.999 && squared[2] * squared[2] < 10.001);
}

TEST(gtm_runs_do_not_cross_references) {
    const WordReferences prepared(tokens_of({"a b", "c d", "e"}), {0, 2, 3}, 1, {});
    const auto found = gtm_rows(prepared, *tokens_of({"a b c d", ""}), 3, 1, {});
    CHECK(found[0] == 4 && found[1] == 2 && found[2] < 2.52);
    CHECK(found[3] == 0 && found[4] == 1 && found[5] == 0);
}
