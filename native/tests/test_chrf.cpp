#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/chrf.hpp"

using namespace karat;

namespace {

std::shared_ptr<const TextColumn> column_of(const std::vector<std::string>& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& line : lines) {
        arena += line;
        offsets.push_back(arena.size());
    }
    return std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
}

using Row = std::vector<std::int64_t>;

Row row(const std::string& hypothesis, const std::vector<std::string>& references, const ChrfOptions& options) {
    const ChrfReferences prepared(column_of(references), {0, static_cast<std::int64_t>(references.size())}, options, 1,
                                  {});
    return prepared.rows(*column_of({hypothesis}), 1, {});
}

}  // namespace

TEST(chrf_counts_characters_without_white_space) {
    const ChrfOptions options{.char_order = 2};
    CHECK((row("a b\u00a0c", {"ab\u3000c"}, options) == Row{3, 3, 3, 2, 2, 2}));
    CHECK((row("a b", {"a b"}, {.char_order = 1, .whitespace = true}) == Row{3, 3, 3}));
    CHECK((row("ä長", {"長ä𝒳"}, options) == Row{2, 3, 2, 1, 2, 0}));
}

TEST(chrf_hypothesis_has_none_where_the_reference_has_none) {
    CHECK((row("abc", {"a"}, {.char_order = 2}) == Row{3, 1, 1, 0, 0, 0}));
    CHECK((row("abc", {""}, {.char_order = 1, .word_order = 1}) == Row{0, 0, 0, 0, 0, 0}));
    CHECK((row("", {"abc"}, {.char_order = 1, .word_order = 1}) == Row{0, 3, 0, 0, 1, 0}));
}

TEST(chrf_words_lose_one_mark) {
    const ChrfOptions words{.char_order = 0, .word_order = 1};
    CHECK((row("(hi )", {"(hi)"}, words) == Row{3, 2, 1}));  // "(" "hi" ")" against "(hi" ")"
    CHECK((row("(( hi", {"((hi"}, words) == Row{3, 2, 1}));  // "(" "(" "hi" against "(" "(hi"
    CHECK((row("end . .", {"end.."}, words) == Row{3, 2, 1}));
    CHECK((row("»hi«", {"»hi«"}, words) == Row{1, 1, 1}));
}

TEST(chrf_takes_the_best_reference_and_the_first_of_equals) {
    const ChrfOptions options{.char_order = 1};
    CHECK((row("abc", {"xyz", "abcd", "a"}, options) == Row{3, 4, 3}));
    CHECK((row("abc", {"xy", "xyz"}, options) == Row{3, 2, 0}));
}

TEST(chrf_scores) {
    const ChrfOptions options;
    CHECK(chrf_score(Row{2, 2, 2, 0, 0, 0}, options) == 1.0);
    CHECK(chrf_score(Row{0, 0, 0, 0, 0, 0}, options) == 0.0);
    const double half = chrf_score(Row{2, 2, 2, 0, 0, 0}, {.eps_smoothing = true});
    CHECK(half > 0.4999 && half < 0.5001);
}
