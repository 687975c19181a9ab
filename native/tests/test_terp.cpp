#include <vector>

#include "check.hpp"
#include "karat/edit_distance.hpp"
#include "karat/terp.hpp"

using namespace karat;

namespace {

using Ids = std::vector<std::int32_t>;

// Types 0 and 1 have one stem, 2 and 3 a synset; 4 is a function word.
const std::vector<std::uint8_t> function{0, 0, 0, 0, 1, 0, 0, 0};
const Ids stems{0, 0, 2, 3, 4, 5, 6, 7};
const std::vector<std::int64_t> synset_offsets{0, 0, 0, 2, 3, 3, 3, 3, 3};
const Ids synsets{7, 9, 9};

TerpOptions options() {
    const TerpCosts costs{0, 1, 0.5, 1.5, 0.25, 0.125, 0.5, {0, 0, 0, 0}};
    return {costs, 35, 10, 50};
}

double edits(const Ids& hypothesis, const Ids& reference) {
    const WordKnowledge knowledge{function, stems, synset_offsets, synsets, {}, nullptr, {true, true, true, false}};
    const std::vector<std::int64_t> left{0, static_cast<std::int64_t>(hypothesis.size())};
    const std::vector<std::int64_t> right{0, static_cast<std::int64_t>(reference.size())};
    const std::vector<std::int64_t> offsets{0, 1};
    return terp_rows({hypothesis, left}, {reference, right}, offsets, knowledge, options(), 1, {})[0];
}

}  // namespace

TEST(terp_of_empty_segments) {
    CHECK(edits({}, {}) == 0);
    CHECK(edits({5}, {}) == 0.5);
    CHECK(edits({}, {5, 6}) == 2);
}

TEST(terp_costs_of_words) {
    CHECK(edits({5, 6}, {5, 6}) == 0);
    CHECK(edits({5, 6}, {5, 7}) == 1.5);
    CHECK(edits({5, 0}, {5, 1}) == 0.25);
    CHECK(edits({5, 2}, {5, 3}) == 0.125);
}

TEST(terp_shifts_blocks_but_not_function_words_alone) {
    CHECK(edits({5, 6, 7}, {7, 5, 6}) == 0.5);
    CHECK(edits({5, 6, 0, 2}, {1, 3, 5, 6}) == 0.5 + 0.25 + 0.125);
    CHECK(edits({5, 6, 4}, {4, 5, 6}) == 1.5);
}

TEST(terp_refuses_what_takes_too_much_memory) {
    bool refused = false;
    try {
        edits(Ids(4000, 5), Ids(4000, 6));
    } catch (const EditTooMuchWork& error) {
        refused = error.segment == 0 && error.reference_length == 4000;
    }
    CHECK(refused);
}
