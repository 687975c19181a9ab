#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "karat/paraphrases.hpp"
#include "table_of.hpp"

using namespace karat;
using karat::test::image_of;
using karat::test::table_of;

namespace {

using Ids = std::vector<std::int32_t>;

Token token(std::string_view word) { return {word.data(), static_cast<std::uint32_t>(word.size()), hash_bytes(word)}; }

bool refuses(std::string_view table) {
    try {
        image_of(table);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

bool refuses_image(std::span<const std::uint64_t> image) {
    try {
        const ParaphraseTable table(image, nullptr);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

/// Every entry that the index can spell, as (phrase, paraphrase, probability), in the order of the table's phrases.
std::vector<std::tuple<Ids, Ids, float>> entries_of(const ParaphraseIndex& index) {
    std::vector<std::tuple<Ids, Ids, float>> all;
    Ids phrase, paraphrase;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(index.table().phrase_count()); ++p) {
        const auto [first, last] = index.table().entries(p);
        for (std::size_t entry = first; entry < last; ++entry) {
            if (index.spell(p, phrase) && index.spell(index.table().paraphrase(entry), paraphrase)) {
                all.emplace_back(phrase, paraphrase, index.table().probability(entry));
            }
        }
    }
    return all;
}

}  // namespace

TEST(tables_that_are_cut_off_are_refused) {
    CHECK(refuses("x\na\nb\n"));
    CHECK(refuses("0.5\na\n"));
    CHECK(refuses("0.5\n\nb\n"));
    CHECK(refuses("-1\na\nb\n"));
    CHECK(!refuses(""));
    CHECK(table_of("")->size() == 0);
}

TEST(a_table_may_come_in_pieces_cut_anywhere) {
    const std::string text = "0.25\na b\r\nc\n0.5\nc  d \nlonger words a";
    const auto whole = image_of(text);
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        ParaphraseCompiler compiler;
        compiler.add(std::string_view(text).substr(0, cut));
        compiler.add("");
        compiler.add(std::string_view(text).substr(cut));
        CHECK(compiler.finish() == whole);
    }
}

TEST(entries_keep_the_order_of_the_table_within_a_phrase) {
    const auto table = table_of("1\nb a\nc\n0.5\na\nc\n0.25\nb a\na\n0.125\nb a\nc\n2\na b\nx\n");
    const std::vector<Token> types{token("a"), token("y"), token("b"), token("c")};
    const ParaphraseIndex index(table, types);
    CHECK(table->size() == 5);
    CHECK(
        (entries_of(index) == std::vector<std::tuple<Ids, Ids, float>>{
                                  {{0}, {3}, 0.5f}, {{2, 0}, {3}, 1.f}, {{2, 0}, {0}, 0.25f}, {{2, 0}, {3}, 0.125f}}));
}

TEST(phrases_are_found_by_start_and_then_by_length) {
    const auto table = table_of("1\na\na b c\n1\nb c\nq\n");
    const std::vector<Token> types{token("c"), token("b"), token("a"), token("unknown")};
    const ParaphraseIndex index(table, types);
    std::vector<PhraseOccurrence> found;
    index.find(Ids{2, 1, 0, 3, 2, 1}, found);
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected{{0, 1}, {0, 3}, {1, 2}, {4, 1}};
    CHECK(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        CHECK(found[k].start == expected[k].first && found[k].length == expected[k].second);
    }
    index.find({}, found);
    CHECK(found.size() == expected.size());
}

TEST(a_trie_has_as_many_phrases_as_there_are_beginnings) {
    // More than 64 phrases, so that the blocks of bits are crossed; every word goes on in several ways.
    std::string text;
    std::set<std::string> beginnings;
    std::vector<std::string> words;
    for (int w = 0; w < 30; ++w) words.push_back("w" + std::to_string(w * 7 % 30));
    for (int a = 0; a < 30; ++a) {
        for (int b = 0; b < 30; b += 1 + a % 3) {
            text += "0.5\n" + words[a] + " " + words[b] + "\n" + words[b] + "\n";
            beginnings.insert({words[a], words[b], words[a] + " " + words[b]});
        }
    }
    const auto table = table_of(text);
    CHECK(table->phrase_count() == beginnings.size() + 1);
    std::vector<Token> types;
    for (const std::string& word : words) types.push_back(token(word));
    const ParaphraseIndex index(table, types);
    CHECK(entries_of(index).size() == table->size());
    for (const auto& [phrase, paraphrase, probability] : entries_of(index)) {
        CHECK(phrase.size() == 2 && (Ids{phrase[1]} == paraphrase) && probability == 0.5f);
    }
}

TEST(images_of_the_wrong_size_are_refused) {
    auto image = image_of("0.5\na b\nc\n");
    CHECK(!refuses_image(image));
    CHECK(refuses_image({}));
    CHECK(refuses_image(std::span(image).first(3)));
    CHECK(refuses_image(std::span(image).first(image.size() - 1)));
    for (std::size_t size = 0; size < 5; ++size) {
        auto other = image;
        other[size] = ~0ull - size;
        CHECK(refuses_image(other));
        other[size] = image[size] + 64;
        CHECK(refuses_image(other));
    }
}

TEST(places_of_phrases_are_those_looked_for_one_by_one) {
    PhrasePlaces places;
    CHECK(places.of(1).empty());
    std::vector<PhraseOccurrence> occurrences;
    for (std::uint32_t start = 0; start < 200; ++start) {
        occurrences.push_back({start, 1, static_cast<std::int32_t>(start * start % 61 * 1000)});
    }
    places.set(occurrences);
    for (std::int32_t phrase = 0; phrase < 61'000; phrase += 500) {
        std::vector<std::uint32_t> starts, expected;
        for (const PhraseOccurrence& one : places.of(phrase)) starts.push_back(one.start);
        for (const PhraseOccurrence& one : occurrences) {
            if (one.phrase == phrase) expected.push_back(one.start);
        }
        CHECK(starts == expected);
    }
    places.set({});
    CHECK(places.of(0).empty());
}
