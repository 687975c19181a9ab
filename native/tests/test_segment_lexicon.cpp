#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/segment_lexicon.hpp"
#include "tokens_of.hpp"

using namespace karat;
using karat::test::tokens_of;

namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers added(SegmentLexicon& lexicon, std::span<const Token> words) {
    Numbers numbers;
    lexicon.add(words, [&](std::uint32_t number) { numbers.push_back(number); });
    return numbers;
}

Numbers found(SegmentLexicon& lexicon, std::span<const Token> words) {
    Numbers numbers;
    lexicon.find(words, [&](std::uint32_t number) { numbers.push_back(number); });
    return numbers;
}

}  // namespace

TEST(words_of_a_segment_are_numbered_as_they_come) {
    const auto tokens = tokens_of({"a b a antidisestablishmentarianism", "antidisestablishmentarianism c b", ""});
    SegmentLexicon lexicon;
    lexicon.start(4);
    CHECK((added(lexicon, (*tokens)[0]) == Numbers{1, 2, 1, 3}));
    CHECK((found(lexicon, (*tokens)[1]) == Numbers{3, 0, 2}));
    CHECK(lexicon.size() == 3);
    lexicon.start(0);
    CHECK((found(lexicon, (*tokens)[0]) == Numbers{0, 0, 0, 0}));
    CHECK(added(lexicon, (*tokens)[2]).empty());
}

TEST(words_of_one_hash_have_numbers_of_their_own) {
    const char text[64] = "one two a longer one than sixteen a longer one than SIXTEEN";
    const std::vector<Token> words{{text, 3, 7}, {text + 4, 3, 7}, {text, 2, 7}, {text + 8, 25, 7}, {text + 34, 25, 7}};
    SegmentLexicon lexicon;
    lexicon.start(words.size());
    CHECK((added(lexicon, std::span(words).first(4)) == Numbers{1, 2, 3, 4}));
    CHECK((found(lexicon, words) == Numbers{1, 2, 3, 4, 0}));
}

TEST(words_of_earlier_segments_are_forgotten_however_many_there_were) {
    std::vector<std::string> lines;
    for (int i = 0; i < 300; ++i) lines.push_back("same w" + std::to_string(i) + " w" + std::to_string(i % 7));
    const auto tokens = tokens_of(lines);
    for (const std::uint32_t most_numbers : {3u, 10u, 1000u}) {
        SegmentLexicon lexicon(most_numbers);
        for (std::size_t i = 0; i < tokens->size(); ++i) {
            lexicon.start(3);
            CHECK(found(lexicon, (*tokens)[i]) == (Numbers{0, 0, 0}));
            CHECK(added(lexicon, (*tokens)[i]) == (i < 7 ? Numbers{1, 2, 2} : Numbers{1, 2, 3}));
        }
    }
}
