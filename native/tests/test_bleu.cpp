#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/bleu.hpp"
#include "tokens_of.hpp"

using namespace karat;
using karat::test::tokens_of;

namespace {

std::vector<std::int64_t> rows(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                               std::vector<std::int64_t> offsets, unsigned order = 2,
                               ReferenceLength length = ReferenceLength::closest) {
    const BleuReferences prepared(tokens_of(references), std::move(offsets));
    return prepared.rows(*tokens_of(hypotheses), order, length, 2, {});
}

using Row = std::vector<std::int64_t>;

}  // namespace

TEST(bleu_counts_are_clipped_by_the_greatest_count_in_one_reference) {
    CHECK((rows({"the the the the"}, {"the cat the mat", "the the the"}, {0, 2}) == Row{4, 4, 3, 2, 4, 3}));
}

TEST(bleu_reference_lengths) {
    const std::vector<std::string> references{"a b c d e", "a", "a b"};
    const auto length = [&](const char* hypothesis, ReferenceLength which) {
        return rows({hypothesis}, references, {0, 3}, 1, which)[1];
    };
    CHECK(length("x y z", ReferenceLength::closest) == 2);
    CHECK(length("x y z w", ReferenceLength::closest) == 5);
    CHECK(length("x y z w", ReferenceLength::shortest) == 1);
    CHECK(length("x y z w", ReferenceLength::total) == 8);
}

TEST(bleu_of_empty_segments) {
    CHECK((rows({"", "a", ""}, {"", "", "a"}, {0, 1, 2, 3}) ==
           Row{0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0}));
    CHECK(rows({}, {}, {0}).empty());
}

TEST(bleu_words_of_equal_length_are_told_apart) {
    CHECK((rows({"aaaaaaaab aaab"}, {"aaaaaaaac aaac"}, {0, 1}) == Row{2, 2, 0, 0, 2, 1}));
}
