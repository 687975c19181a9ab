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
#include "tokenize_line.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "karat/unicode.hpp"
#include "karat/unicode_class.hpp"
#include "replace_all.hpp"

namespace karat {
namespace {

/// What a code point does; `multibyte` asks for a look at the whole code point.
enum class Kind : std::uint8_t { word, number, space, isolated, point, dash, multibyte };

using KindTable = std::array<Kind, 256>;

constexpr bool is_ascii_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// How many of the eight bytes at `p` come before the first that is no ASCII letter.
inline std::size_t letters_at(const char* p) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101ull;
    std::uint64_t bytes;
    std::memcpy(&bytes, p, 8);
    // With the case bit set and the high bit cleared, sums carry into the high bit of a byte but never out of it.
    const std::uint64_t low = (bytes | 0x20 * ones) & 0x7F * ones;
    const std::uint64_t from_a = low + (0x80 - 'a') * ones;
    const std::uint64_t beyond_z = low + (0x7F - 'z') * ones;
    const std::uint64_t others = (~from_a | beyond_z | bytes) & 0x80 * ones;
    return static_cast<std::size_t>(std::countr_zero(others)) / 8;
}

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
    static constexpr bool padded = true;
    static constexpr KindTable table = [] {
        KindTable kinds = make_table(mteval_kind);
        // All white space beyond ASCII starts with one of these bytes; other bytes need no look at the code point.
        for (unsigned c = 0x80; c < 0x100; ++c) {
            if (c != 0xC2 && (c < 0xE1 || c > 0xE3)) kinds[c] = Kind::word;
        }
        return kinds;
    }();

    static Kind classify(char32_t c) noexcept { return is_space(c) ? Kind::space : Kind::word; }
};

struct International {
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
    static constexpr bool padded = false;
    static constexpr KindTable table = make_table(mteval_kind);

    static Kind classify(char32_t c) noexcept {
        if (is_space(c)) return Kind::space;
        const bool more = fixed ? is_supplementary_cjk(c) : is_misread_cjk(c);
        return more || is_listed_cjk(c) ? Kind::isolated : Kind::word;
    }
};

/// The machine described at the top of this file.
template <class Rules>
class Cutter {
 public:
    Cutter(std::string_view line, TokenBuffer& out) noexcept
        : begin_(line.data()), end_(begin_ + line.size()), p_(begin_), token_(begin_), out_(out) {}

    void run() noexcept {
        while (p_ < end_) {
            Kind kind = Rules::table[static_cast<unsigned char>(*p_)];
            if (kind <= Kind::number) {
                skip_word();
                continue;
            }
            std::size_t length = 1;
            if (kind == Kind::multibyte) kind = Rules::classify(decode(p_, length));
            const char* const next = p_ + length;
            switch (kind) {
                case Kind::space: skip(next); break;
                case Kind::isolated: isolate(next); break;
                case Kind::point: take_point(next) ? isolate(next) : go_on(next); break;
                case Kind::dash: after_number() ? isolate(next) : go_on(next); break;
                case Kind::number: number_end_ = next; [[fallthrough]];
                default: go_on(next);
            }
        }
        finish_token();
    }

 private:
    /// Goes on behind a byte of a word; behind the letters that follow as well, where they are quick to see.
    void skip_word() noexcept {
        const bool ascii = static_cast<unsigned char>(*p_) < 0x80;
        ++p_;
        if (std::endian::native != std::endian::little || !ascii) return;
        while (end_ - p_ >= 8) {
            const std::size_t letters = letters_at(p_);
            p_ += letters;
            if (letters < 8) return;
        }
    }

    void go_on(const char* next) noexcept { p_ = next; }

    void finish_token() noexcept {
        if (token_ < p_) out_.add(token_, p_);
    }

    void skip(const char* next) noexcept {
        finish_token();
        p_ = token_ = next;
    }

    void isolate(const char* next) noexcept {
        finish_token();
        out_.add(p_, next);
        p_ = token_ = next;
    }

    bool after_number() const noexcept { return p_ != begin_ && (is_ascii_digit(p_[-1]) || number_end_ == p_); }

    static bool is_number(const char* p) noexcept {
        const Kind kind = Rules::table[static_cast<unsigned char>(*p)];
        if (kind != Kind::multibyte) return kind == Kind::number;
        std::size_t length;
        return Rules::classify(decode(p, length)) == Kind::number;
    }

    /// Whether the point here gets a space on either side.
    bool take_point(const char* next) noexcept {
        const bool something_before = Rules::padded || p_ != begin_;
        if (something_before && !after_number() && taken_end_ != p_) {
            taken_end_ = next;
            return true;
        }
        return next == end_ ? Rules::padded : !is_number(next);
    }

    const char* const begin_;
    const char* const end_;
    const char* p_;
    const char* token_;                 // where the token that may end here starts
    const char* number_end_ = nullptr;  // where the last number beyond ASCII ends
    const char* taken_end_ = nullptr;   // where the last point that step 2 took ends
    TokenBuffer& out_;
};

template <class Rules>
void cut(std::string_view line, TokenBuffer& out) {
    out.start_line(line);
    Cutter<Rules>(line, out).run();
}

/// What 13a rewrites before anything else, in its order: the result of one may be the start of another.
constexpr std::pair<std::string_view, std::string_view> rewritings[] = {
    {"<skipped>", ""}, {"-\n", ""}, {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};

bool needs_rewriting(std::string_view line) noexcept {
    if (line.find('&') == std::string_view::npos && line.find('<') == std::string_view::npos &&
        line.find('\n') == std::string_view::npos)
        return false;
    for (const auto& [what, with] : rewritings) {
        if (line.find(what) != std::string_view::npos) return true;
    }
    return false;
}

void cut_13a(std::string_view line, TokenBuffer& out) {
    if (!needs_rewriting(line)) return cut<V13a>(line, out);
    std::string text(line), buffer;
    for (const auto& [what, with] : rewritings) replace_all(text, what, with, buffer);
    cut<V13a>(out.keep(text), out);
}

/// Which of the eight bytes at `p` may start white space, as bits: what is at most a blank, and the first bytes of
/// white space beyond ASCII and of some other code points.
inline std::uint64_t spaces_at(const char* p) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101ull;
    constexpr std::uint64_t high = 0x80 * ones;
    const std::uint64_t bytes = eight_bytes(p);
    // The high bit of a byte is cleared before something is added to it, so that sums never carry into the next one.
    const std::uint64_t above_blank = (bytes & ~high) + (0x7F - ' ') * ones;
    const auto is_zero = [](std::uint64_t x) { return ~(((x & ~high) + ~high) | x); };
    const std::uint64_t candidates =
        ~(above_blank | bytes) | is_zero(bytes ^ 0xC2 * ones) | is_zero((bytes ^ 0xE0 * ones) & 0xFC * ones);
    return ((candidates & high) >> 7) * 0x0102040810204080ull >> 56;
}

/// Splits at white space. Where it may be is found for 64 bytes at a time, for it is hard to predict.
void split_words(std::string_view line, TokenBuffer& out) {
    out.start_line(line);
    const char* const end = line.data() + line.size();
    const char* token = line.data();
    for (const char* block = line.data(); block < end; block += 64) {
        std::uint64_t spaces = 0;
        std::array<char, 64> rest;
        const char* from = block;
        if (end - block < 64) {
            rest.fill('x');
            std::memcpy(rest.data(), block, static_cast<std::size_t>(end - block));
            from = rest.data();
        }
        for (unsigned i = 0; i < 8; ++i) spaces |= spaces_at(from + 8 * i) << (8 * i);
        for (; spaces != 0; spaces &= spaces - 1) {
            const char* const at = block + std::countr_zero(spaces);
            std::size_t length = 1;
            if (!is_space(*at == ' ' ? U' ' : decode(at, length))) continue;
            if (token < at) out.add(token, at);
            token = at + length;
        }
    }
    if (token < end) out.add(token, end);
}

void split_characters(std::string_view line, TokenBuffer& out) {
    out.start_line(line);
    const char* const end = line.data() + line.size();
    std::size_t length = 1;
    for (const char* p = line.data(); p < end; p += length) {
        if (!is_space(decode(p, length))) out.add(p, p + length);
    }
}

}  // namespace

void tokenize_line(Tokenizer tokenizer, std::string_view line, TokenBuffer& out) {
    line = strip_right(line);
    switch (tokenizer) {
        case Tokenizer::none: return split_words(line, out);
        case Tokenizer::character: return split_characters(line, out);
        case Tokenizer::v13a: return cut_13a(line, out);
        case Tokenizer::international: return cut<International>(line, out);
        case Tokenizer::chinese: return cut<Chinese<false>>(strip_left(line), out);
        case Tokenizer::chinese_fixed: return cut<Chinese<true>>(strip_left(line), out);
    }
}

}  // namespace karat
