#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/edit_distance.hpp"
#include "karat/hyter.hpp"

using namespace karat;

namespace {

using Row = std::vector<std::int64_t>;
using Steps = std::vector<std::int32_t>;

Tokens words(const std::vector<std::string>& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& line : lines) {
        arena += line;
        offsets.push_back(arena.size());
    }
    return tokenize(std::make_shared<const TextColumn>(std::move(arena), std::move(offsets)), Tokenizer::none);
}

Row row(const std::string& hypothesis, const std::vector<std::string>& pieces, const Steps& steps, unsigned window = 1,
        ReferenceChoice choice = ReferenceChoice::fewest_edits) {
    const Row starts{0, static_cast<std::int64_t>(steps.size())};
    const Row offsets{0, 1};
    return hyter_rows(words({hypothesis}), words(pieces), {steps, starts}, offsets, window, choice, 2, {});
}

bool refused(const Steps& steps) {
    try {
        row("a", {"a"}, steps);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

TEST(hyter_of_empty_networks) {
    CHECK((row("", {}, {}) == Row{0, 0}));
    CHECK((row("a b", {}, {}) == Row{2, 0}));
    CHECK((row("", {"a b"}, {0}) == Row{2, 2}));
    CHECK((row("", {}, {open_group, next_alternative, close_group}) == Row{0, 0}));
}

TEST(hyter_takes_the_closest_and_then_the_longest) {
    const Steps steps{open_group, 0, next_alternative, 1, next_alternative, 2, close_group};
    CHECK((row("a b", {"a", "a b c", "a b c d e"}, steps) == Row{1, 3}));
}

TEST(hyter_takes_the_lowest_rate_and_then_the_longest) {
    const auto rate = ReferenceChoice::error_rate;
    const Steps three{open_group, 0, next_alternative, 1, next_alternative, 2, close_group};
    CHECK((row("a b", {"a", "a b c", "a b c d e"}, three, 1, rate) == Row{1, 3}));
    // Two edits of two words, or of six.
    CHECK((row("a b c d", {"c d", "a b c d e f", "a b"}, three, 1, rate) == Row{2, 6}));
    // Two of four, three of six, two of four again.
    CHECK((row("a b c d", {"a b x y", "a b c q r s", "c d p q"}, three, 1, rate) == Row{3, 6}));
    // From three edits of three words the search goes to ten of thirteen, and from there to four of seven.
    CHECK((row("a b c", {"p q r", "a b c d e f g", "a b c d e f g h i j k l m"}, three, 1, rate) == Row{4, 7}));
}

TEST(hyter_gives_an_empty_string_the_rate_1) {
    const auto rate = ReferenceChoice::error_rate;
    const Steps pair{open_group, 0, next_alternative, close_group};
    CHECK((row("x y z", {"a"}, pair, 1, rate) == Row{3, 0}));
    CHECK((row("x y z", {"a b c"}, pair, 1, rate) == Row{3, 3}));
    CHECK((row("x y z", {"a y"}, pair, 1, rate) == Row{2, 2}));
    CHECK((row("", {"a"}, pair, 1, rate) == Row{0, 0}));
    CHECK((row("a", {""}, {0}, 1, rate) == Row{1, 0}));
}

TEST(hyter_refuses_other_choices) {
    bool refused = false;
    try {
        row("a", {"a"}, {0}, 1, ReferenceChoice::match_error_rate);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(hyter_reads_nested_groups) {
    const Steps steps{open_group, 0, open_group, 1, next_alternative, close_group, 2, next_alternative, 3, close_group};
    CHECK((row("the man", {"the", "old", "man", "he"}, steps) == Row{0, 2}));
    CHECK((row("he", {"the", "old", "man", "he"}, steps) == Row{0, 1}));
}

TEST(hyter_reorders_within_a_window) {
    CHECK((row("c a b", {"a b c"}, {0}) == Row{2, 3}));
    CHECK((row("b a c", {"a b c"}, {0}, 2) == Row{0, 3}));
    CHECK((row("c a b", {"a b c"}, {0}, 2) == Row{2, 3}));
    CHECK((row("c b a", {"a b c"}, {0}, 2) == Row{2, 3}));
    CHECK((row("c b a", {"a b c"}, {0}, 3) == Row{0, 3}));
    CHECK((row("", {"a b c"}, {0}, 3) == Row{3, 3}));
}

TEST(hyter_refuses_steps_that_are_no_network) {
    CHECK(refused({open_group}));
    CHECK(refused({close_group}));
    CHECK(refused({next_alternative}));
    CHECK(refused({1}));
    CHECK(refused({-4}));
}
