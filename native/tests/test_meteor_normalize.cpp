#include <string>
#include <vector>

#include "check.hpp"
#include "karat/meteor_normalize.hpp"

using karat::Apostrophes;
using karat::meteor_normalize;
using karat::MeteorNormalizeOptions;

namespace {

const MeteorNormalizeOptions english{Apostrophes::english, true, {U"Mr"}, {U"No"}};

}  // namespace

TEST(meteor_normalize_has_single_spaces_between_words) {
    CHECK(meteor_normalize("", english) == "");
    CHECK(meteor_normalize(" \t\xE3\x80\x80", english) == "");
    CHECK(meteor_normalize(" a\tb\xC2\xA0 c(d)\n", english) == "a b c ( d )");
}

TEST(meteor_normalize_takes_neighbours_with_a_match) {
    CHECK(meteor_normalize("a,b,c", english) == "a , b,c");
    CHECK(meteor_normalize("a,\xC3\xA9,c", english) == "a , \xC3\xA9,c");
    CHECK(meteor_normalize("1,2 3,x y,4", english) == "1,2 3 , x y , 4");
    CHECK(meteor_normalize("a-b-c", english) == "a b-c");
    CHECK(meteor_normalize("---", english) == "--");
}

TEST(meteor_normalize_parts_apostrophes_by_language) {
    const std::string text = "it's 'so' 1980's";
    CHECK(meteor_normalize(text, english) == "it 's ' so ' 1980 's");
    CHECK(meteor_normalize("l'eau", {Apostrophes::french, true, {}, {}}) == "l' eau");
    CHECK(meteor_normalize("l'eau", {Apostrophes::alone, true, {}, {}}) == "l ' eau");
    CHECK(meteor_normalize("``x''", english) == "\" x \"");
}

TEST(meteor_normalize_knows_points) {
    CHECK(meteor_normalize("Mr. No. 5 No. x. U.S. 3. Y.", english) == "Mr. No. 5 No. x . US 3 . Y .");
    CHECK(meteor_normalize("wait...", english) == "wait ...");
    CHECK(meteor_normalize(". ..", english) == ". ..");
}

TEST(meteor_normalize_deletes_marks) {
    CHECK(meteor_normalize("(a-b) Mr. c.d, \xE2\x80\x9Cx\xE2\x80\x9D \xF0\x9F\x98\x80",
                           {Apostrophes::english, false, {U"Mr"}, {}}) == "a b Mr c d x");
    CHECK(meteor_normalize("?!", {Apostrophes::english, false, {}, {}}) == "");
}

TEST(meteor_normalize_column_is_the_same_on_any_number_of_threads) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (int i = 0; i < 1000; ++i) {
        arena += "it's " + std::to_string(i) + ".";
        offsets.push_back(arena.size());
    }
    const karat::TextColumn text(std::move(arena), std::move(offsets));
    const auto one = meteor_normalize(text, english, 1, {});
    const auto four = meteor_normalize(text, english, 4, {});
    CHECK(one[999] == "it 's 999 .");
    CHECK(one.arena() == four.arena() && one.offsets() == four.offsets());
}
