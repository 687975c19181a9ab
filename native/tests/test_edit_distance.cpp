#include <memory>
#include <string>
#include <vector>

#include "../src/edit_rate.hpp"
#include "check.hpp"
#include "karat/edit_distance.hpp"
#include "karat/eed.hpp"

using namespace karat;
using karat::edit::Rate;

namespace {

using Row = std::vector<std::int64_t>;

std::shared_ptr<const TextColumn> column_of(const std::vector<std::string>& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& line : lines) {
        arena += line;
        offsets.push_back(arena.size());
    }
    return std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
}

Row words(EditRow row, const std::string& hypothesis, const std::vector<std::string>& references,
          ReferenceChoice choice = ReferenceChoice::fewest_edits) {
    const Tokens left = tokenize(column_of({hypothesis}), Tokenizer::none);
    const Tokens right = tokenize(column_of(references), Tokenizer::none);
    const Row offsets{0, static_cast<std::int64_t>(references.size())};
    return edit_rows(left, right, offsets, row, choice, 2, {});
}

Row characters(const std::string& hypothesis, const std::string& reference, bool spaces) {
    const Row offsets{0, 1};
    return edit_rows(*column_of({hypothesis}), *column_of({reference}), offsets, EditRow::levenshtein,
                     ReferenceChoice::fewest_edits, spaces, 1, {});
}

/// Words `first` to `last`, each one different from the others.
std::string numbers(int first, int last) {
    std::string text;
    for (int i = first; i < last; ++i) text += std::to_string(i) + ' ';
    return text;
}

}  // namespace

TEST(edit_distance_of_empty_segments) {
    CHECK((words(EditRow::levenshtein, "", {""}) == Row{0, 0}));
    CHECK((words(EditRow::levenshtein, "a b", {""}) == Row{2, 0}));
    CHECK((words(EditRow::operations, "", {"a b"}) == Row{0, 0, 2, 0, 0}));
    CHECK((words(EditRow::operations, "a b", {""}) == Row{0, 0, 0, 2, 0}));
    CHECK((words(EditRow::cder, "", {""}) == Row{0, 0}));
    CHECK((words(EditRow::cder, "", {"a b"}) == Row{2, 2}));
    CHECK((words(EditRow::cder, "a b", {""}) == Row{1, 0}));
    CHECK((words(EditRow::bag, "", {"a"}) == Row{1, 0, 0, 1}));
}

TEST(edit_distance_takes_the_first_of_the_closest_references) {
    CHECK((words(EditRow::levenshtein, "a b c", {"x", "a b c d", "a b"}) == Row{1, 4}));
    CHECK((words(EditRow::operations, "a b c", {"x", "a b c d", "a b"}) == Row{3, 0, 1, 0, 0}));
    CHECK((words(EditRow::bag, "a b c", {"x", "c b a d", "a b"}) == Row{1, 3, 3, 4}));
}

TEST(edit_distance_takes_the_reference_with_the_lowest_rate) {
    const auto rate = ReferenceChoice::error_rate;
    // 2 edits of 3 words; 2 of 8; 1 of 1.
    const std::vector<std::string> references{"a x y", "a b c d e f g h", "z"};
    for (const EditRow row : {EditRow::levenshtein, EditRow::cder}) {
        CHECK((words(row, "a b c d e f", references, rate) ==
               words(row, "a b c d e f", {references[1], references[0], references[2]}, rate)));
    }
    CHECK((words(EditRow::levenshtein, "a b c d e f", references, rate) == Row{2, 8}));
    CHECK((words(EditRow::bag, "a b c d e f", references, rate) == Row{2, 6, 6, 8}));
    CHECK((words(EditRow::operations, "a b c d e f", references, rate) == Row{6, 0, 2, 0, 0}));
    CHECK((words(EditRow::levenshtein, "z", {"x", "y q"}, rate) == Row{2, 2}));
    CHECK((words(EditRow::levenshtein, "z", {"y q", "x"}, rate) == Row{2, 2}));
}

TEST(edit_distance_to_an_empty_reference_has_the_rate_1) {
    for (const auto choice : {ReferenceChoice::error_rate, ReferenceChoice::match_error_rate,
                              ReferenceChoice::information_lost, ReferenceChoice::error_rate_with_moves}) {
        const auto row = [&](const std::string& hypothesis, const std::vector<std::string>& references) {
            return words(EditRow::operations, hypothesis, references, choice);
        };
        CHECK((row("", {"a", ""}) == Row{0, 0, 0, 0, 0}));
        CHECK((row("", {"", "a"}) == Row{0, 0, 0, 0, 0}));
        CHECK((row("x y", {"", "a b"}) == Row{0, 2, 0, 0, 0}));
        CHECK((row("x y", {"a b", ""}) == Row{0, 2, 0, 0, 0}));
        CHECK((row("x a", {"", "a"}) == row("x a", {"a", ""})));
    }
    CHECK((words(EditRow::levenshtein, "x y z", {"a", ""}, ReferenceChoice::error_rate) == Row{3, 0}));
    CHECK((words(EditRow::levenshtein, "x y z", {"", "a"}, ReferenceChoice::error_rate) == Row{3, 0}));
    CHECK((words(EditRow::bag, "x y z", {"a", ""}, ReferenceChoice::error_rate) == Row{3, 0, 3, 0}));
}

TEST(edit_distance_takes_the_same_of_equal_rates_in_any_order) {
    // Half of the places are wrong in both alignments: six places with three hits, eight with four.
    const std::string hypothesis = "a b c d e f";
    const std::string three = "a b c x y z", four = "p q a b c d";
    CHECK((words(EditRow::operations, hypothesis, {three}) == Row{3, 3, 0, 0, 0}));
    CHECK((words(EditRow::operations, hypothesis, {four}) == Row{4, 0, 2, 2, 0}));
    for (const auto& references : {std::vector{three, four}, std::vector{four, three}}) {
        CHECK((words(EditRow::operations, hypothesis, references, ReferenceChoice::match_error_rate) ==
               Row{4, 0, 2, 2, 0}));
        CHECK((words(EditRow::operations, hypothesis, references, ReferenceChoice::information_lost) ==
               Row{4, 0, 2, 2, 0}));
        CHECK((words(EditRow::operations, hypothesis, references, ReferenceChoice::error_rate) == Row{3, 3, 0, 0, 0}));
    }
}

TEST(edit_rates_are_compared_exactly) {
    constexpr std::int64_t large = std::int64_t{1} << 62;
    CHECK((Rate{1, 3} <=> Rate{2, 6}) == 0);
    CHECK((Rate{large - 1, large} <=> Rate{large - 2, large - 1}) > 0);
    CHECK((Rate{large, large - 1} <=> Rate{large - 1, large - 2}) < 0);
    CHECK((Rate{large, 3} <=> Rate{large, 3}) == 0);
    CHECK((Rate{0, 5} <=> Rate{1, large}) < 0);
    CHECK((Rate::of(7, 0) <=> Rate{4, 4}) == 0);
    CHECK((Rate::of(0, 0) <=> Rate{0, 9}) == 0);
}

TEST(edit_distance_across_blocks) {
    for (const int length : {63, 64, 65, 128, 129, 700}) {
        const std::string text = numbers(0, length);
        CHECK((words(EditRow::levenshtein, text, {"x " + text + "y"}) == Row{2, length + 2}));
        CHECK((words(EditRow::levenshtein, "x " + text + "y", {text}) == Row{2, length}));
        CHECK((words(EditRow::operations, "x " + text, {text + "x"}) == Row{length, 0, 1, 1, 1}));
        CHECK((words(EditRow::cder, numbers(5, length) + numbers(0, 5), {text}) == Row{3, length}));
        CHECK((words(EditRow::cder, text, {text}) == Row{0, length}));
        CHECK((words(EditRow::bag, numbers(5, length) + numbers(0, 5), {text}) == Row{0, length, length, length}));
    }
}

TEST(edit_distance_of_characters) {
    CHECK((characters(" größe  ", "grosse", true) == Row{3, 6}));
    CHECK((characters("a b", "ab", true) == Row{1, 2}));
    CHECK((characters("a b", "ab", false) == Row{0, 2}));
    CHECK((characters("\xF0\x9F\x90\xB1", "\xF0\x9F\x90\xB6", true) == Row{1, 1}));
}

TEST(edit_distance_refuses_what_takes_too_long) {
    bool refused = false;
    try {
        words(EditRow::operations, numbers(0, 40000), {numbers(50000, 90000)});
    } catch (const EditTooMuchWork& error) {
        refused = error.segment == 0 && error.hypothesis_length == 40000 && error.reference_length == 40000;
    }
    CHECK(refused);
}

TEST(extended_edit_distance_of_equal_and_empty_segments) {
    const auto score = [](const std::string& hypothesis, const std::string& reference, bool count_start) {
        const Tokens left = tokenize(column_of({hypothesis}), Tokenizer::none);
        const Tokens right = tokenize(column_of({reference}), Tokenizer::none);
        const Row offsets{0, 1};
        return eed_scores(left, right, offsets, {2.0, 0.3, 0.2, 1.0, count_start}, 1, {})[0];
    };
    CHECK(score("größe 猫", "größe 猫", false) == 0);
    CHECK(score("a b c", "a b c", true) == 0.3 / 7.3);
    CHECK(score("", "", false) == 0);
    CHECK(score("", "a b c", false) > 0.5);
    CHECK(score("a b c", "", false) <= 1);
}
