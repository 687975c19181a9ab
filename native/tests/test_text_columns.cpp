#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/columns.hpp"
#include "karat/unicode.hpp"
#include "karat/unicode_class.hpp"

using karat::SharedColumn;
using karat::split_lines;
using karat::TextColumn;
using karat::valid_utf8_prefix;

namespace {

std::vector<std::string> strings(const TextColumn& column) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < column.size(); ++i) all.emplace_back(column[i]);
    return all;
}

SharedColumn shared(std::string_view bytes) { return std::make_shared<const TextColumn>(split_lines(bytes)); }

using Strings = std::vector<std::string>;

}  // namespace

TEST(lines_end_at_newlines_only) {
    CHECK(strings(split_lines("")).empty());
    CHECK((strings(split_lines("\n")) == Strings{""}));
    CHECK((strings(split_lines("a\r\nb\rc\n\nd")) == Strings{"a", "b\rc", "", "d"}));
    CHECK((strings(split_lines("a\x0C\x1C\xE2\x80\xA8z\n")) == Strings{"a\x0C\x1C\xE2\x80\xA8z"}));
    CHECK((strings(split_lines("a\r")) == Strings{"a\r"}));
}

TEST(invalid_utf8_is_located) {
    bool caught = false;
    try {
        split_lines("one\ntwo \xED\xA0\x80");
    } catch (const karat::InvalidUtf8& error) {
        caught = error.offset == 8 && error.line == 2;
    }
    CHECK(caught);
}

TEST(every_sequence_of_two_bytes_is_judged_rightly) {
    for (unsigned a = 0; a < 256; ++a) {
        for (unsigned b = 0; b < 256; ++b) {
            const std::string bytes{static_cast<char>(a), static_cast<char>(b)};
            std::size_t valid = 0;
            if (a < 0x80) {
                valid = b < 0x80 ? 2 : 1;
            } else if (a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF) {
                valid = 2;
            }
            CHECK(valid_utf8_prefix(bytes) == valid);
        }
    }
}

TEST(every_code_point_is_valid_but_surrogates) {
    for (char32_t c = 0x800; c <= 0x110000; ++c) {
        std::string bytes;
        if (c < 0x10000) {
            bytes = {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
                     static_cast<char>(0x80 | (c & 0x3F))};
        } else {
            bytes = {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3F)),
                     static_cast<char>(0x80 | (c >> 6 & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
        }
        const bool is_text = (c < 0xD800 || c > 0xDFFF) && c <= 0x10FFFF;
        if ((valid_utf8_prefix(bytes) == bytes.size()) != is_text) CHECK(!"a code point is judged wrongly");
        std::size_t length;
        if (is_text && (karat::decode(bytes.data(), length) != c || length != bytes.size()))
            CHECK(!"a code point is decoded wrongly");
    }
}

TEST(overlong_and_truncated_sequences_are_refused) {
    for (const char* bad : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xF5\x80\x80\x80", "\xC3",
                            "\xE4\xB8", "\xF0\x9F\x98", "\xFF", "\xBF"}) {
        for (std::size_t before = 0; before < 18; ++before)
            CHECK(valid_utf8_prefix(std::string(before, 'a') + bad) == before);
    }
}

TEST(columns_are_sliced_and_joined) {
    const SharedColumn a = shared("a1\na2\na3"), b = shared("b1\n\nb3");
    CHECK((strings(karat::slice(*a, 1, 3)) == Strings{"a2", "a3"}));
    CHECK(strings(karat::slice(*a, 3, 3)).empty());
    CHECK(karat::slice(*a, 1, 2).offsets().front() == 0);
    const std::vector<SharedColumn> both{a, b};
    CHECK((strings(karat::concatenate(both)) == Strings{"a1", "a2", "a3", "b1", "", "b3"}));
    CHECK((strings(karat::interleave(both)) == Strings{"a1", "b1", "a2", "", "a3", "b3"}));
    CHECK(strings(karat::interleave({})).empty());
    CHECK(strings(karat::concatenate({})).empty());
    const std::vector<SharedColumn> unequal{a, shared("x")};
    bool caught = false;
    try {
        karat::interleave(unequal);
    } catch (const std::invalid_argument&) {
        caught = true;
    }
    CHECK(caught);
}

TEST(rows_are_compared_and_blanks_counted) {
    CHECK(karat::equal_rows(*shared("a\nb\n\n"), *shared("a\nc\n\n")) == 2);
    CHECK(karat::empty_count(*shared("a\n \n\xC2\xA0\xE2\x80\x8A\n\n x ")) == 3);
}

TEST(white_space_is_stripped) {
    CHECK(karat::strip_right("a \xE3\x80\x80\n") == "a");
    CHECK(karat::strip_left("\xC2\x85 a ") == "a ");
    CHECK(karat::strip_right("\xE3\x80\x80").empty());
    CHECK(karat::strip_left("").empty());
}

TEST(unicode_classes) {
    using karat::unicode_class;
    using karat::UnicodeClass;
    CHECK(unicode_class(U'a') == UnicodeClass::other);
    CHECK(unicode_class(U'7') == UnicodeClass::number);
    CHECK(unicode_class(U'_') == UnicodeClass::punctuation);
    CHECK(unicode_class(U'$') == UnicodeClass::symbol);
    CHECK(unicode_class(0x1F600) == UnicodeClass::symbol);
    CHECK(unicode_class(0x10FFFF) == UnicodeClass::other);
}

TEST(bytes_are_translated_by_a_table) {
    std::string table(256, ' ');
    for (char c = 'a'; c <= 'z'; ++c) table[static_cast<unsigned char>(c)] = c;
    const karat::TextColumn found = karat::translate(karat::TextColumn("abÄ-c", {0, 2, 6}), table);
    CHECK(found[0] == "ab" && found[1] == "   c");
    bool refused = false;
    try {
        karat::translate(found, "too short");
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}
