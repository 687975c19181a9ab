#include <string>
#include <vector>

#include "check.hpp"
#include "karat/tercom.hpp"

using karat::tercom_normalize;
using karat::TercomOptions;

TEST(tercom_without_options_joins_words) {
    CHECK(tercom_normalize("", {}) == "");
    CHECK(tercom_normalize(" \t\xE3\x80\x80", {}) == "");
    CHECK(tercom_normalize(" a\tb\xC2\xA0 c.\n", {}) == "a b c.");
}

TEST(tercom_substitutes_from_left_to_right) {
    const TercomOptions normalized{true, false, false};
    CHECK(tercom_normalize("It's.", normalized) == "It's .");
    CHECK(tercom_normalize("It's .", normalized) == "It 's .");
    CHECK(tercom_normalize("1.2,3. a.b", normalized) == "1.2,3 . a . b");
    CHECK(tercom_normalize("1..2", normalized) == "1 . . 2");
    CHECK(tercom_normalize("5-6 a-b", normalized) == "5 - 6 a-b");
    CHECK(tercom_normalize("a\n-b\nc", normalized) == "ab c");
    CHECK(tercom_normalize("&amp;lt; &amp;quot;", normalized) == "< & quot ;");
    CHECK(tercom_normalize("", normalized) == "");
}

TEST(tercom_treats_asian_text_only_with_another_option) {
    const std::string text = "\xE4\xB8\xAD\xE6\x96\x87\xE3\x80\x82x";  // two ideographs, a full stop, x
    CHECK(tercom_normalize(text, {false, false, true}) == text);
    CHECK(tercom_normalize(text, {true, false, true}) == "\xE4\xB8\xAD \xE6\x96\x87 \xE3\x80\x82 x");
    CHECK(tercom_normalize(text, {false, true, true}) == "\xE4\xB8\xAD\xE6\x96\x87x");
}

TEST(tercom_column_is_the_same_on_any_number_of_threads) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (int i = 0; i < 1000; ++i) {
        arena += "it's " + std::to_string(i) + ".";
        offsets.push_back(arena.size());
    }
    const karat::TextColumn text(std::move(arena), std::move(offsets));
    const auto one = tercom_normalize(text, {true, false, false}, 1, {});
    const auto four = tercom_normalize(text, {true, false, false}, 4, {});
    CHECK(one[999] == "it 's 999 .");
    CHECK(one.arena() == four.arena() && one.offsets() == four.offsets());
}
