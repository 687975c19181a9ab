// All tokenizers that separate punctuation are one machine over classes of code points.
//
// They are defined by substitutions, each made from left to right over the result of the one before, where a match
// starts behind the end of the last:
//   1. every "isolated" code point gets a space on either side;
//   2. a point after something that is not a number (which the match takes with it) gets a space on either side;
//   3. a point before something that is not a number gets a space on either side;
//   4. a dash right after a number gets a space on either side;
// and the result is split at white space. What "point" and the rest are differs by tokenizer. In one pass that is:
//   - Step 2 takes a point iff there is something before it that is not a number and was not itself a point that step 2
//     took: what stands before is free unless an earlier match ended in it, and only a point can end a match. So in a
//     run of points after a letter all odd ones are taken as ends of a match and all even ones but a last are its
//     start.
//   - A point that step 2 did not take is taken by step 3 iff something follows that is not a number. If a point
//   follows,
//     step 2 took that one and left a space between. So no match of step 3 can hide another.
//   - Spaces only ever appear beside points, isolated code points and dashes after numbers, so they never part a number
//     from a dash behind it, and whatever stands beside an isolated code point sees "not a number", as it would have
//     without the space.
// The tests compare this with the substitutions for every short string over the code points that matter.
//
// Where words end is hard to predict, so little is decided byte by byte: of 64 bytes at a time, marks say which are
// blanks and which may be anything but a word. Only the latter are looked at one by one; tokens are then the runs of
// bytes between marks, found by counting zeros.
#include "tokenize_line.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include "byte_marks.hpp"
#include "karat/unicode.hpp"
#include "karat/unicode_class.hpp"
#include "replace_all.hpp"

namespace karat {
namespace {

/// What a code point does; `multibyte` asks for a look at the whole code point, and `rewritten` may be part of what a
/// tokenizer rewrites before it cuts.
enum class Kind : std::uint8_t { word, number, space, isolated, point, dash, multibyte, rewritten };

using KindTable = std::array<Kind, 256>;

constexpr bool is_ascii_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// A table for the bytes that can start a code point, from the kinds of the ASCII ones.
template <class KindOf>
constexpr KindTable make_table(KindOf kind_of) {
    KindTable table{};
    for (unsigned c = 0; c < 0x80; ++c) table[c] = is_space(c) ? Kind::space : kind_of(static_cast<char>(c));
    for (unsigned c = 0x80; c < 0x100; ++c) table[c] = Kind::multibyte;
    return table;
}

constexpr Kind mteval_kind(char c) noexcept {
    if (is_ascii_digit(c)) return Kind::number;
    if (c == '.' || c == ',') return Kind::point;
    if (c == '-') return Kind::dash;
    const bool isolated = (c >= '!' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
                          (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
    return isolated ? Kind::isolated : Kind::word;
}

/// The line has a space before and behind it, and no punctuation beyond ASCII.
struct V13a {
    static constexpr Sought sought = Sought::breaks;
    static constexpr bool padded = true;
    static constexpr KindTable table = [] {
        KindTable kinds = make_table(mteval_kind);
        // All white space beyond ASCII starts with one of these bytes; other bytes need no look at the code point.
        for (unsigned c = 0x80; c < 0x100; ++c) {
            if (c != 0xC2 && (c < 0xE1 || c > 0xE3)) kinds[c] = Kind::word;
        }
        for (const unsigned char c : {'&', '<', '\n'}) kinds[c] = Kind::rewritten;
        return kinds;
    }();

    static Kind classify(char32_t c) noexcept { return is_space(c) ? Kind::space : Kind::word; }
};

/// Punctuation is part of words.
struct WhiteSpace {
    static constexpr Sought sought = Sought::white_space;
    static constexpr bool padded = false;
    static constexpr KindTable table = make_table([](char) { return Kind::word; });

    static Kind classify(char32_t c) noexcept { return is_space(c) ? Kind::space : Kind::word; }
};

struct International {
    static constexpr Sought sought = Sought::breaks_and_beyond;
    static constexpr bool padded = false;
    static Kind classify(char32_t c) noexcept {
        switch (unicode_class(c)) {
            case UnicodeClass::number: return Kind::number;
            case UnicodeClass::punctuation: return Kind::point;
            case UnicodeClass::symbol: return Kind::isolated;
            default: return is_space(c) ? Kind::space : Kind::word;
        }
    }
    static constexpr KindTable table = make_table([](char c) {
        const auto four = tables::classes[tables::block_of[0] * 64 + c / 4];
        constexpr Kind kinds[] = {Kind::word, Kind::number, Kind::point, Kind::isolated};
        return kinds[four >> (2 * (c % 4)) & 3];
    });
};

/// Inclusive.
struct Range {
    char32_t first, last;
};

// CJK ideographs, radicals, strokes, punctuation, bopomofo, enclosed and compatibility forms, full-width forms, and the
// miscellaneous symbols and dingbats. Sorted.
constexpr Range cjk_ranges[] = {{0x2600, 0x26FF}, {0x2700, 0x27BF}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF},
                                {0x2FF0, 0x2FFF}, {0x3000, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
                                {0x31C0, 0x31EF}, {0x3200, 0x32FF}, {0x3300, 0x33FF}, {0x3400, 0x4DB5},
                                {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
                                {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};

bool is_listed_cjk(char32_t c) noexcept {
    if (c >= 0x4E00 && c <= 0x9FBB) return true;
    for (const Range& range : cjk_ranges) {
        if (c <= range.last) return c >= range.first;
    }
    return false;
}

/// sacreBLEU writes U+20000..U+2A6D6 and U+2F800..U+2FA1D with four digits: they became these.
constexpr bool is_misread_cjk(char32_t c) noexcept {
    return (c >= 0x2001 && c <= 0x2A6D) || (c >= 0x2F81 && c <= 0x2FA1);
}

constexpr bool is_supplementary_cjk(char32_t c) noexcept {
    return (c >= 0x20000 && c <= 0x2A6D6) || (c >= 0x2F800 && c <= 0x2FA1D);
}

template <bool fixed>
struct Chinese {
    static constexpr Sought sought = Sought::breaks_and_beyond;
    static constexpr bool padded = false;
    static constexpr KindTable table = make_table(mteval_kind);

    static Kind classify(char32_t c) noexcept {
        if (is_space(c)) return Kind::space;
        const bool more = fixed ? is_supplementary_cjk(c) : is_misread_cjk(c);
        return more || is_listed_cjk(c) ? Kind::isolated : Kind::word;
    }
};

constexpr std::size_t block_bytes = 64;

constexpr std::uint64_t first_bits(std::size_t count) noexcept {
    return count < block_bytes ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
}

/// The machine described at the top of this file.
template <class Rules>
class Cutter {
 public:
    Cutter(std::string_view line, TokenBuffer& out) noexcept
        : begin_(line.data()), end_(begin_ + line.size()), out_(out) {}

    /// Whether there is nothing that may have to be rewritten.
    bool run() noexcept {
        for (block_ = begin_; block_ < end_; block_ += block_bytes) {
            mark(std::min(block_bytes, static_cast<std::size_t>(end_ - block_)));
            add_tokens();
        }
        if (open_ != nullptr) out_.add(open_, end_);
        return !rewritten_;
    }

 private:
    /// Sets the marks of the block. Bytes behind the line are read, but nothing is made of them.
    void mark(std::size_t size) noexcept {
        const std::uint64_t within = first_bits(size);
        const ByteMarks marks = marks_of<Rules::sought>(block_, size);
        spaces_ = marks.blanks | ~within | first_bits(spaces_beyond_);
        single_ = first_bits(single_beyond_);
        starts_ = 0;
        lasts_ = single_ ^ single_ >> 1;  // the last of the bytes that go on from the block before
        spaces_beyond_ = single_beyond_ = 0;
        for (std::uint64_t rest = marks.found & within & ~marks.blanks; rest != 0; rest &= rest - 1)
            look_at(std::countr_zero(rest));
    }

    void look_at(int position) noexcept {
        const auto i = static_cast<std::size_t>(position);
        const char* const at = block_ + i;
        Kind kind = Rules::table[static_cast<unsigned char>(*at)];
        std::size_t length = 1;
        if (kind == Kind::multibyte) kind = Rules::classify(decode(at, length));
        const char* const next = at + length;
        switch (kind) {
            case Kind::space: skip(i, length); break;
            case Kind::isolated: isolate(i, length); break;
            case Kind::point:
                if (take_point(at, next)) isolate(i, length);
                break;
            case Kind::dash:
                if (after_number(at)) isolate(i, length);
                break;
            case Kind::number: number_end_ = next; break;
            case Kind::rewritten:
                rewritten_ = true;
                *at == '\n' ? skip(i, length) : isolate(i, length);
                break;
            default: break;
        }
    }

    void skip(std::size_t i, std::size_t length) noexcept {
        spaces_ |= first_bits(length) << i;
        if (i + length > block_bytes) spaces_beyond_ = i + length - block_bytes;
    }

    void isolate(std::size_t i, std::size_t length) noexcept {
        single_ |= first_bits(length) << i;
        starts_ |= std::uint64_t{1} << i;
        if (i + length > block_bytes) {
            single_beyond_ = i + length - block_bytes;
        } else {
            lasts_ |= std::uint64_t{1} << (i + length - 1);
        }
    }

    /// Adds the tokens that end in the block, and keeps the start of one that goes on.
    void add_tokens() noexcept {
        const std::uint64_t words = ~(spaces_ | single_);
        std::uint64_t starts = starts_ | (words & ~(words << 1 | word_before_));
        std::uint64_t lasts = lasts_ | (words & ~(words >> 1 | std::uint64_t{1} << 63));
        if (word_before_ & ~words) {
            out_.add(open_, block_);
            open_ = nullptr;
        } else if (open_ != nullptr && lasts != 0) {
            out_.add(open_, block_ + std::countr_zero(lasts) + 1);
            open_ = nullptr;
            lasts &= lasts - 1;
        }
        for (; lasts != 0; starts &= starts - 1, lasts &= lasts - 1)
            out_.add(block_ + std::countr_zero(starts), block_ + std::countr_zero(lasts) + 1);
        if (starts != 0) open_ = block_ + std::countr_zero(starts);
        word_before_ = words >> 63;
    }

    bool after_number(const char* at) const noexcept {
        return at != begin_ && (is_ascii_digit(at[-1]) || number_end_ == at);
    }

    static bool is_number(const char* p) noexcept {
        const Kind kind = Rules::table[static_cast<unsigned char>(*p)];
        if (kind != Kind::multibyte) return kind == Kind::number;
        std::size_t length;
        return Rules::classify(decode(p, length)) == Kind::number;
    }

    /// Whether the point gets a space on either side.
    bool take_point(const char* at, const char* next) noexcept {
        const bool something_before = Rules::padded || at != begin_;
        if (something_before && !after_number(at) && taken_end_ != at) {
            taken_end_ = next;
            return true;
        }
        return next == end_ ? Rules::padded : !is_number(next);
    }

    const char* const begin_;
    const char* const end_;
    const char* block_ = nullptr;
    // Marks of the block, the first byte lowest:
    std::uint64_t spaces_ = 0;  // bytes of white space, and what is behind the line
    std::uint64_t single_ = 0;  // bytes of code points that are tokens of their own
    std::uint64_t starts_ = 0;  // the first ones of these
    std::uint64_t lasts_ = 0;   // and the last ones
    // What goes on from one block to the next:
    std::size_t spaces_beyond_ = 0, single_beyond_ = 0;  // how many bytes of the last code point lie in the next block
    std::uint64_t word_before_ = 0;                      // 1 if the byte before the block belongs to a word
    const char* open_ = nullptr;                         // where a token starts that has not ended
    const char* number_end_ = nullptr;                   // where the last number beyond ASCII ends
    const char* taken_end_ = nullptr;                    // where the last point that step 2 took ends
    bool rewritten_ = false;
    TokenBuffer& out_;
};

template <class Rules>
void cut(std::string_view line, TokenBuffer& out) {
    out.start_line(line);
    Cutter<Rules>(line, out).run();
    out.end_line();
}

/// What 13a rewrites before anything else, in its order: the result of one may be the start of another.
constexpr std::pair<std::string_view, std::string_view> rewritings[] = {
    {"<skipped>", ""}, {"-\n", ""}, {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};

/// What is rewritten is seldom there, so it is looked for only where cutting met one of its characters.
void cut_13a(std::string_view line, TokenBuffer& out) {
    out.start_line(line);
    if (Cutter<V13a>(line, out).run()) return out.end_line();
    std::string text(line), buffer;
    for (const auto& [what, with] : rewritings) replace_all(text, what, with, buffer);
    if (text == line) return out.end_line();
    out.drop_line();
    cut<V13a>(out.keep(text), out);
}

void split_characters(std::string_view line, TokenBuffer& out) {
    out.start_line(line);
    const char* const end = line.data() + line.size();
    std::size_t length = 1;
    for (const char* p = line.data(); p < end; p += length) {
        if (!is_space(decode(p, length))) out.add(p, p + length);
    }
    out.end_line();
}

}  // namespace

void tokenize_line(Tokenizer tokenizer, std::string_view line, TokenBuffer& out) {
    line = strip_right(line);
    switch (tokenizer) {
        case Tokenizer::none: return cut<WhiteSpace>(line, out);
        case Tokenizer::character: return split_characters(line, out);
        case Tokenizer::v13a: return cut_13a(line, out);
        case Tokenizer::international: return cut<International>(line, out);
        case Tokenizer::chinese: return cut<Chinese<false>>(strip_left(line), out);
        case Tokenizer::chinese_fixed: return cut<Chinese<true>>(strip_left(line), out);
    }
}

}  // namespace karat
