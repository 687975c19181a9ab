#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/bleu.hpp"
#include "karat/crossing.hpp"
#include "tokens_of.hpp"

using namespace karat;
using test::tokens_of;

namespace {

using Row = std::vector<double>;

std::shared_ptr<const TextColumn> column_of(const std::vector<std::string>& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& line : lines) {
        arena += line;
        offsets.push_back(arena.size());
    }
    return std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
}

/// The row of one pair out of columns.
Row row_of(const std::vector<double>& values, std::size_t columns, std::size_t pair) {
    Row row;
    for (std::size_t c = 0; c < columns; ++c) row.push_back(values[c * (values.size() / columns) + pair]);
    return row;
}

Row bleu_row(const std::string& hypothesis, const std::string& reference, unsigned orders) {
    const BleuReferences prepared(tokens_of({reference}), {0, 1});
    const auto row = prepared.rows(*tokens_of({hypothesis}), orders, ReferenceLength::closest, 1, {});
    return Row(row.begin(), row.end());
}

template <class Work>
bool is_refused(Work work) {
    try {
        work();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

TEST(crossing_has_the_rows_of_every_pair) {
    const std::vector<std::string> lines{"a b c", "", "a b a b", "c"};
    const auto crossing = bleu_crossing(*tokens_of(lines), {0, 4}, 2, 1, {});
    const std::vector<Rectangle> all{{0, 4, 0, 4}};
    const auto values = crossing->rows(all, 1, {});
    for (std::size_t h = 0; h < 4; ++h) {
        for (std::size_t r = 0; r < 4; ++r)
            CHECK(row_of(values, crossing->columns(), 4 * h + r) == bleu_row(lines[h], lines[r], 2));
    }
}

TEST(crossing_counts_beyond_a_byte) {
    std::vector<std::string> lines;
    for (const std::size_t length : {1u, 254u, 255u, 256u, 300u, 1000u}) {
        std::string line;
        for (std::size_t i = 0; i < length; ++i) line += "a ";
        lines.push_back(line + "b");
    }
    const auto crossing = bleu_crossing(*tokens_of(lines), {0, 6}, 3, 1, {});
    const std::vector<Rectangle> all{{0, 6, 0, 6}};
    const auto values = crossing->rows(all, 1, {});
    for (std::size_t h = 0; h < 6; ++h) {
        for (std::size_t r = 0; r < 6; ++r)
            CHECK(row_of(values, crossing->columns(), 6 * h + r) == bleu_row(lines[h], lines[r], 3));
    }
}

TEST(crossing_does_not_depend_on_threads_or_tiles) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < 700; ++i)
        lines.push_back("line " + std::to_string(i % 37) + " of " + std::to_string(i));
    const auto one = chrf_crossing(*column_of(lines), {0, 300, 700}, {}, 1, {});
    const auto three = chrf_crossing(*column_of(lines), {0, 300, 700}, {}, 3, {});
    const std::vector<Rectangle> some{{0, 20, 10, 300}, {300, 700, 430, 500}};
    const auto values = one->rows(some, 1, {});
    CHECK(values == three->rows(some, 3, {}));
    const std::vector<Rectangle> single{{699, 700, 499, 500}};
    CHECK(row_of(values, one->columns(), 20 * 290 + 400 * 70 - 1) == one->rows(single, 1, {}));
}

TEST(crossing_averages_references) {
    const auto crossing = bleu_crossing(*tokens_of({"a a b", "a", "a a c"}), {0, 3}, 1, 1, {});
    const std::vector<Rectangle> one{{0, 1, 1, 3}};
    CHECK(crossing->mean_rows(one, std::vector<double>{1, 1}, 1, {}) == (Row{3, 2, 1.5, 3}));
    CHECK(crossing->mean_rows(one, std::vector<double>{3, 1}, 1, {}) == (Row{3, 1.5, 1.25, 3}));
}

TEST(crossing_of_chrf_has_no_hypothesis_where_references_have_none) {
    const auto crossing = chrf_crossing(*column_of({"ab", "a"}), {0, 2}, {.char_order = 2}, 1, {});
    CHECK(crossing->rows(std::vector<Rectangle>{{0, 1, 1, 2}}, 1, {}) == (Row{2, 1, 1, 0, 0, 0}));
    CHECK(crossing->mean_rows(std::vector<Rectangle>{{0, 1, 0, 2}}, std::vector<double>{1, 1}, 1, {}) ==
          (Row{2, 1.5, 1.5, 1, 0.5, 0.5}));
}

TEST(crossing_counts_edits) {
    const auto tokens = tokens_of({"a b c", "c a b", ""});
    const auto crossing = ter_crossing(tokens, tokens, {0, 3}, TerSearch::sacrebleu);
    CHECK(crossing->rows(std::vector<Rectangle>{{0, 2, 1, 3}}, 2, {}) == (Row{1, 3, 0, 3, 3, 0, 3, 0}));
}

TEST(crossing_refuses_what_is_no_rectangle) {
    const std::vector<std::int64_t> groups{0, 2, 5};
    CHECK(is_refused([&] { check_rectangles(std::vector<Rectangle>{{0, 0, 0, 1}}, groups); }));
    CHECK(is_refused([&] { check_rectangles(std::vector<Rectangle>{{0, 1, 1, 3}}, groups); }));
    CHECK(is_refused([&] { check_rectangles(std::vector<Rectangle>{{2, 3, 4, 6}}, groups); }));
    CHECK(is_refused([&] { check_rectangles(std::vector<Rectangle>{{7, 8, 7, 8}}, groups); }));
    check_rectangles(std::vector<Rectangle>{{0, 2, 0, 2}, {2, 5, 3, 4}}, groups);
}
