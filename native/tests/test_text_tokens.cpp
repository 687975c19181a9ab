#include <memory>
#include <string>
#include <vector>

#include "../src/byte_marks.hpp"
#include "check.hpp"
#include "karat/columns.hpp"
#include "karat/tokens.hpp"

using karat::TextColumn;
using karat::Token;
using karat::Tokenizer;
using karat::Tokens;

namespace {

/// A column in memory of exactly its size, so that a sanitizer sees a read beyond it.
std::shared_ptr<const TextColumn> column_of(const std::vector<std::string>& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& line : lines) {
        arena += line;
        offsets.push_back(arena.size());
    }
    arena.shrink_to_fit();
    return std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
}

std::string joined(std::span<const Token> tokens) {
    std::string line;
    for (const Token& token : tokens) line.append(line.empty() ? "" : " ").append(token.view());
    return line;
}

std::string cut(Tokenizer tokenizer, const std::string& line) {
    return joined(karat::tokenize(column_of({line}), tokenizer)[0]);
}

constexpr Tokenizer all[] = {Tokenizer::none,          Tokenizer::character, Tokenizer::v13a,
                             Tokenizer::international, Tokenizer::chinese,   Tokenizer::chinese_fixed};

}  // namespace

TEST(empty_and_blank_lines_have_no_tokens) {
    for (const Tokenizer tokenizer : all) {
        CHECK(cut(tokenizer, "").empty());
        CHECK(cut(tokenizer, " \t\n\xC2\xA0\xE3\x80\x80").empty());
    }
    CHECK(karat::tokenize(column_of({}), Tokenizer::v13a).size() == 0);
}

TEST(points_in_13a) {
    CHECK(cut(Tokenizer::v13a, "2017.") == "2017 .");
    CHECK(cut(Tokenizer::v13a, "1,000.5") == "1,000.5");
    CHECK(cut(Tokenizer::v13a, "....5") == ". . . .5");
    CHECK(cut(Tokenizer::v13a, "...5") == ". . . 5");
    CHECK(cut(Tokenizer::v13a, "1..2") == "1 . . 2");
    CHECK(cut(Tokenizer::v13a, ".") == ".");
    CHECK(cut(Tokenizer::v13a, "5-6 a-b -7") == "5 - 6 a-b -7");
}

TEST(points_without_padding) {
    for (const Tokenizer tokenizer : {Tokenizer::international, Tokenizer::chinese}) {
        CHECK(cut(tokenizer, "2017.") == "2017.");
        CHECK(cut(tokenizer, ".5") == ".5");
        CHECK(cut(tokenizer, "a.") == "a .");
    }
    CHECK(cut(Tokenizer::international, " .5") == ". 5");
    CHECK(cut(Tokenizer::chinese, " .5") == ".5");
}

TEST(rewritten_text_outlives_the_call) {
    CHECK(cut(Tokenizer::v13a, "&amp;lt;<skipped>x re-\nstart &quot;") == "< x restart \"");
    CHECK(cut(Tokenizer::v13a, "<skip<skipped>ped>") == "< skipped >");
    CHECK(cut(Tokenizer::v13a, "--\n\nx") == "- x");
    CHECK(cut(Tokenizer::v13a, "<skipped>").empty());
}

TEST(code_points_beyond_ascii) {
    CHECK(cut(Tokenizer::character, "a\xC3\xA9 \xE4\xB8\xAD\xF0\xA0\x80\x80") ==
          "a \xC3\xA9 \xE4\xB8\xAD \xF0\xA0\x80\x80");
    CHECK(cut(Tokenizer::international, "\xE2\x80\x9Chi\xE2\x80\x9D") == "\xE2\x80\x9C hi \xE2\x80\x9D");
    CHECK(cut(Tokenizer::international, "5\xD9\xAB\xD9\xA6") == "5\xD9\xAB\xD9\xA6");  // Arabic separator and digit
    CHECK(cut(Tokenizer::chinese, "\xF0\xA0\x80\x80\xF0\xA0\x80\x81") == "\xF0\xA0\x80\x80\xF0\xA0\x80\x81");
    CHECK(cut(Tokenizer::chinese_fixed, "\xF0\xA0\x80\x80\xF0\xA0\x80\x81") == "\xF0\xA0\x80\x80 \xF0\xA0\x80\x81");
    CHECK(cut(Tokenizer::none,
              "a\xE2\x80\xA8"
              "b\xC2\x85"
              "c") == "a b c");
}

TEST(letters_end_at_every_position) {
    for (std::size_t before = 0; before < 20; ++before) {
        for (std::size_t after = 0; after < 20; ++after) {
            const std::string left(before, 'z'), right(after, 'A');
            const std::string middle = left.empty() ? "!" : left + " !";
            CHECK(cut(Tokenizer::v13a, left + "!" + right) == (right.empty() ? middle : middle + " " + right));
        }
    }
    for (const char c : std::string("@[`{")) {  // the neighbours of the letters
        CHECK(cut(Tokenizer::v13a, std::string("azAZxyz") + c + "b") == std::string("azAZxyz ") + c + " b");
    }
}

TEST(what_stands_at_the_edge_of_a_block_is_cut_as_elsewhere) {
    const std::string texts[] = {"a,b..5 ...7 1.5-6 x-y.",
                                 "a\xC2\xA0"
                                 "b\xE3\x80\x80"
                                 "c\xE2\x80\xA8"
                                 "d\xE1\x9A\x80"
                                 "e",
                                 "a\xE2\x80\x9Cq\xE2\x80\x9D!\xC3\xA9.\xC3\xA9",
                                 "a\xE4\xB8\xAD\xE6\x96\x87\xF0\xA0\x80\x80\xE3\x80\x82"
                                 "5\xD9\xAB\xD9\xA6.",
                                 "a" + std::string(70, '!') + std::string(70, '.') + std::string(70, 'b'),
                                 "a\x1F\x7F\t'&"};
    for (const Tokenizer tokenizer : all) {
        if (tokenizer == Tokenizer::character) continue;
        for (const std::string& text : texts) {
            const std::string alone = cut(tokenizer, text);
            for (std::size_t before = 1; before < 150; ++before) {
                const std::string word(before, 'z');
                CHECK(cut(tokenizer, word + " " + text) == word + " " + alone);
            }
        }
    }
}

namespace {

template <karat::Sought sought>
void check_marks(const char* bytes) {
    const auto once = karat::at_once::marks_at<sought>(bytes);
    const auto first = karat::eight_at_once::marks_at<sought>(bytes);
    constexpr std::uint64_t eight = 0xFF;
    CHECK((once.found & eight) == first.found);
    CHECK((once.blanks & eight) == first.blanks);
}

}  // namespace

TEST(marks_do_not_depend_on_how_many_bytes_are_looked_at_at_once) {
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            char bytes[karat::readable_bytes];
            for (std::size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<char>(i % 3 == 0 ? first : second);
            check_marks<karat::Sought::white_space>(bytes);
            check_marks<karat::Sought::breaks>(bytes);
            check_marks<karat::Sought::breaks_and_beyond>(bytes);
        }
    }
}

TEST(blocks_with_more_tokens_than_expected) {
    std::vector<std::string> lines;
    for (int i = 0; i < 1500; ++i)
        lines.push_back(i % 2 ? std::string(static_cast<std::size_t>(i), '!') : "plain words");
    const auto column = column_of(lines);
    const Tokens one = karat::tokenize(column, Tokenizer::v13a);
    const Tokens many = karat::tokenize(column, Tokenizer::v13a);
    std::size_t total = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK(one[i].size() == (i % 2 ? i : 2));
        CHECK(joined(one[i]) == joined(many[i]));
        total += one[i].size();
    }
    CHECK(one.token_count() == total);
}

TEST(tokens_know_their_hash) {
    const Tokens tokens = karat::tokenize(column_of({"to be or not to be"}), Tokenizer::none);
    const auto segment = tokens[0];
    CHECK(segment[0] == segment[4]);
    CHECK(!(segment[0] == segment[1]));
    const Tokens alone = karat::tokenize(column_of({"to", "be", "or", "not", "to", "be"}), Tokenizer::none);
    for (std::size_t i = 0; i < segment.size(); ++i) CHECK(segment[i] == alone[i][0]);
}

TEST(tokens_differ_by_every_byte_and_by_length) {
    for (std::size_t size = 1; size <= 40; ++size) {
        const std::string text(size, 'x');
        std::vector<std::string> lines{text, "y " + text + " y", std::string(size + 1, 'x')};
        for (std::size_t i = 0; i < size; ++i) {
            lines.push_back(text);
            lines.back()[i] = i % 2 == 0 ? 'y' : '\0';
        }
        const Tokens tokens = karat::tokenize(column_of(lines), Tokenizer::none);
        CHECK(tokens[0][0] == tokens[1][1]);
        for (std::size_t i = 2; i < lines.size(); ++i) {
            CHECK(!(tokens[0][0] == tokens[i][0]));
            CHECK(tokens[0][0].hash != tokens[i][0].hash);
            CHECK(tokens[i][0].hash == karat::hash_bytes(tokens[i][0].view()));
        }
    }
}
