#include <cstdint>
#include <vector>

#include "check.hpp"
#include "karat/meteor_stages.hpp"

using namespace karat;

namespace {

using Ids = std::vector<std::int32_t>;

WordKnowledge exact_only() {
    WordKnowledge knowledge;
    knowledge.used[0] = true;
    return knowledge;
}

}  // namespace

TEST(stages_of_nothing) {
    StagedAligner aligner(exact_only(), 40);
    CHECK(aligner.align({}, {}).empty());
    CHECK(aligner.align(Ids{0}, {}).empty());
    CHECK(aligner.align({}, Ids{0}).empty());
}

TEST(stages_match_in_order_within_equal_words) {
    StagedAligner aligner(exact_only(), 40);
    CHECK(aligner.align(Ids{0, 1, 0}, Ids{0, 0, 1}).size() == 3);
    CHECK(aligner.crossings() == 1);
    CHECK(aligner.align(Ids(100, 0), Ids(70, 0)).size() == 70);
    CHECK(aligner.crossings() == 0);
}

TEST(stages_take_stems_from_what_is_left) {
    const std::vector<std::int32_t> stems{0, 0, 1};
    WordKnowledge knowledge = exact_only();
    knowledge.used[1] = true;
    knowledge.stems = stems;
    const Ids hypotheses{1, 0, 2}, references{0, 0, 1};
    const std::vector<std::int64_t> offsets{0, 3}, segments{0, 1};
    CHECK((staged_partners({hypotheses, offsets}, {references, offsets}, knowledge, 40, 1, {}).back() == -1));
    const auto rows = staged_rows({hypotheses, offsets}, {references, offsets}, segments, knowledge, 40, 2, {});
    CHECK((std::vector<std::int64_t>(rows.begin(), rows.begin() + 3) == std::vector<std::int64_t>{3, 3, 2}));
    const Ids left{0, 0, 2};
    CHECK((staged_partners({hypotheses, offsets}, {left, offsets}, knowledge, 40, 1, {}) == Ids{0, 1, 2}));
}
