#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/word_types.hpp"
#include "tokens_of.hpp"

using namespace karat;
using karat::test::tokens_of;

TEST(words_of_one_hash_stay_different) {
    WordTable table;
    const Token first{"one", 3, 7}, second{"two", 3, 7}, prefix{"one", 2, 7};
    CHECK(table.intern(first) == 0);
    CHECK(table.intern(second) == 1);
    CHECK(table.intern(first) == 0);
    CHECK(table.find(second) == 1);
    CHECK(table.find(prefix) == -1);
    CHECK(table.words().size() == 2);
}

TEST(types_of_empty_columns) {
    CHECK(word_types({}, 2, {}).types.empty());
    const std::vector<std::shared_ptr<const Tokens>> columns{tokens_of({}), tokens_of({"", "x"})};
    const WordTypes found = word_types(columns, 2, {});
    CHECK(found.types.size() == 1);
    CHECK(found.ids[0].empty());
    CHECK((found.offsets[0] == std::vector<std::int64_t>{0}));
    CHECK((found.offsets[1] == std::vector<std::int64_t>{0, 0, 1}));
}

TEST(types_are_the_same_on_every_number_of_threads) {
    std::vector<std::string> lines;
    for (int i = 0; i < 5000; ++i) lines.push_back(std::to_string(i % 700) + " " + std::to_string(i));
    const std::vector<std::shared_ptr<const Tokens>> columns{tokens_of(lines), tokens_of({"4999 new 0"})};
    const WordTypes one = word_types(columns, 1, {}), four = word_types(columns, 4, {});
    CHECK(one.ids == four.ids);
    CHECK(one.types.size() == 5001);
    CHECK((one.ids[1] == std::vector<std::int32_t>{4999, 5000, 0}));
    CHECK(one.types[5000].view() == "new");
}

TEST(words_spelled_by_number) {
    const auto words = std::make_shared<const TextColumn>("abcd", std::vector<std::uint64_t>{0, 1, 4});
    const std::vector<std::int32_t> ids{1, 0, 1};
    const std::vector<std::int64_t> offsets{0, 0, 2, 3};
    const Tokens spelled = spell_words(words, ids, offsets);
    CHECK(spelled.size() == 3 && spelled.token_count() == 3);
    CHECK(spelled[0].empty() && spelled[1].size() == 2 && spelled[2].size() == 1);
    CHECK(spelled[1][0].view() == "bcd" && spelled[1][1].view() == "a");
    CHECK(spelled[2][0] == spelled[1][0]);
}
