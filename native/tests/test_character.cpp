#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/character.hpp"
#include "karat/edit_distance.hpp"

using namespace karat;

namespace {

Tokens words(const std::vector<std::string>& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& line : lines) {
        arena += line;
        offsets.push_back(arena.size());
    }
    return tokenize(std::make_shared<const TextColumn>(std::move(arena), std::move(offsets)), Tokenizer::none);
}

double score(const std::string& hypothesis, const std::vector<std::string>& references) {
    const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(references.size())};
    return character_scores(words({hypothesis}), words(references), offsets, 1, {})[0];
}

std::string repeated(const std::string& unit, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += unit;
    return text;
}

}  // namespace

TEST(character_of_empty_segments) {
    CHECK(score("", {""}) == 0.0);
    CHECK(score("", {"a"}) == 1.0);
    CHECK(score("a", {""}) == 1.0);
}

TEST(character_counts_code_points) { CHECK(score("\xC3\xA9\xC3\xA9", {"\xC3\xA9"}) == 0.5); }

TEST(character_shifts_a_block_at_the_mean_length_of_its_words) {
    // "aa bbbb" moves behind the rest: (2 + 4) / 2 characters of 12.
    CHECK(score("aa bbbb c dd", {"c dd aa bbbb"}) == 3.0 / 12);
}

TEST(character_of_long_segments) {
    CHECK(score(repeated("a ", 2000), {repeated("a ", 2000)}) == 0.0);
    bool refused = false;
    try {
        score(repeated("b a ", 1000), {repeated("a b ", 1000)});
    } catch (const EditTooMuchWork& error) {
        refused = error.hypothesis_length == 2000;
    }
    CHECK(refused);
}
