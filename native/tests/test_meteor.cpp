#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/meteor.hpp"
#include "table_of.hpp"

using namespace karat;
using karat::test::table_of;

namespace {

using Ids = std::vector<std::int32_t>;

Token token(std::string_view word) { return {word.data(), static_cast<std::uint32_t>(word.size()), hash_bytes(word)}; }

WordKnowledge exact_only() {
    WordKnowledge knowledge;
    knowledge.used[0] = true;
    return knowledge;
}

std::vector<std::uint32_t> starts(std::span<const MeteorMatch> matches) {
    std::vector<std::uint32_t> all;
    for (const MeteorMatch& match : matches) all.push_back(match.start);
    return all;
}

}  // namespace

TEST(meteor_of_nothing) {
    MeteorAligner aligner(exact_only(), MeteorSearch::released, 40);
    CHECK(aligner.align({}, {}).empty());
    CHECK(aligner.align(Ids{0, 1}, {}).empty());
    CHECK(aligner.align({}, Ids{0}).empty());
}

TEST(meteor_keeps_chunks_together) {
    for (const MeteorSearch search : {MeteorSearch::released, MeteorSearch::published}) {
        MeteorAligner aligner(exact_only(), search, 40);
        CHECK((starts(aligner.align(Ids{0, 2, 0, 1}, Ids{0, 1})) == std::vector<std::uint32_t>{2, 3}));
        CHECK((starts(aligner.align(Ids{1, 0}, Ids{0, 1})) == std::vector<std::uint32_t>{1, 0}));
    }
}

TEST(meteor_uses_words_beyond_the_first_64) {
    Ids hypothesis(70, 0), reference(70, 0);
    hypothesis[69] = reference[0] = 1;
    MeteorAligner aligner(exact_only(), MeteorSearch::published, 3);
    CHECK(aligner.align(hypothesis, reference).size() == 70);
}

TEST(meteor_rows_of_several_references) {
    const Ids hypotheses{0, 1}, references{0, 1, 1, 0};
    const std::vector<std::int64_t> hypothesis_offsets{0, 2}, reference_offsets{0, 2, 4}, segments{0, 2};
    const auto rows = meteor_rows({hypotheses, hypothesis_offsets}, {references, reference_offsets}, segments,
                                  exact_only(), MeteorSearch::released, 40, 2, {});
    CHECK(rows.size() == 2 * meteor_columns);
    CHECK(rows[20] == 0);  // one chunk that is everything
    CHECK(rows[meteor_columns + 20] == 2);
}

TEST(paraphrases_of_several_words) {
    const auto table = table_of("0.5\na b\nc\n0.5\nc\nx y z");
    const std::vector<Token> types{token("c"), token("a"), token("b")};
    const ParaphraseIndex index(table, types);
    WordKnowledge knowledge = exact_only();
    knowledge.used[3] = true;
    knowledge.paraphrases = &index;
    MeteorAligner aligner(knowledge, MeteorSearch::released, 40);
    const auto matches = aligner.align(Ids{0}, Ids{1, 2});
    CHECK(matches.size() == 1);
    CHECK(matches[0].reference_length == 2);
}
