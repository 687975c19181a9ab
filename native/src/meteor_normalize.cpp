#include "karat/meteor_normalize.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "karat/unicode.hpp"
#include "replace_all.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 256;

/// Letters are those of the program's lists: Latin, Cyrillic and phonetic ones, with some signs between them.
enum class Kind : std::uint8_t { letter, digit, space, double_quote, single_quote, dash, plain_mark, other };

constexpr Kind ascii_kind(char32_t c) noexcept {
    if ((c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z')) return Kind::letter;
    if (c >= U'0' && c <= U'9') return Kind::digit;
    if (is_space(c)) return Kind::space;
    if (c == U'`') return Kind::single_quote;
    return c == U'.' || c == U'\'' || c == U',' || c == U'-' ? Kind::plain_mark : Kind::other;
}

constexpr auto ascii_kinds = [] {
    std::array<Kind, 128> kinds{};
    for (char32_t c = 0; c < 128; ++c) kinds[c] = ascii_kind(c);
    return kinds;
}();

constexpr bool is_letter_beyond_ascii(char32_t c) noexcept {
    if (c <= 0x17E) return c >= 0xC0 && c != 0xD7 && c != 0xF7;
    return (c >= 0x400 && c <= 0x527) || (c >= 0x1D00 && c <= 0x1D7F) || (c >= 0xA640 && c <= 0xA66E) ||
           (c >= 0xA67E && c <= 0xA697);
}

Kind kind_of(char32_t c) noexcept {
    if (c < 128) return ascii_kinds[c];
    if (is_letter_beyond_ascii(c)) return Kind::letter;
    if (is_space(c)) return Kind::space;
    switch (c) {
        case U'\u2018':
        case U'\u2019': return Kind::single_quote;
        case U'\u201C':
        case U'\u201D': return Kind::double_quote;
        case U'\u2013': return Kind::dash;
        default: return Kind::other;
    }
}

bool is_digit(char32_t c) noexcept { return c >= U'0' && c <= U'9'; }
bool is_no_digit(char32_t c) noexcept { return !is_digit(c); }
bool is_letter(char32_t c) noexcept { return kind_of(c) == Kind::letter; }
bool is_no_letter(char32_t c) noexcept { return !is_letter(c); }
bool is_known(char32_t c) noexcept { return kind_of(c) <= Kind::digit; }
bool is_unknown(char32_t c) noexcept { return !is_known(c); }
bool is_known_or_point(char32_t c) noexcept { return c == U'.' || is_known(c); }
bool is_s(char32_t c) noexcept { return c == U's'; }

/// A line under rewriting: each step reads `text_` and writes `next_`, so that steps see each other's output as
/// successive substitutions would. They work on code points, because a match takes the whole of what is beside it.
class Rewriter {
 public:
    explicit Rewriter(const MeteorNormalizeOptions& options) : options_(options) {}

    void rewrite(std::string_view line, std::string& out) {
        isolate_characters(line);
        replace(U"''", U" \" ");
        isolate_points();
        split_around(U',', is_no_digit, is_no_digit, U" , ");
        split_around(U',', is_digit, is_no_digit, U" , ");
        split_around(U',', is_no_digit, is_digit, U" , ");
        replace(U"--", U"-");
        part_apostrophes();
        split_around(U'-', is_known_or_point, is_known, U" ");
        find_words();
        write_words(out);
    }

 private:
    void isolate_characters(std::string_view line) {
        text_.assign(1, U' ');
        std::size_t length = 1;
        for (std::size_t i = 0; i < line.size(); i += length) {
            const char32_t c = decode(line.data() + i, length);
            switch (kind_of(c)) {
                case Kind::space: text_ += U' '; break;
                case Kind::double_quote: text_ += U" \" "; break;
                case Kind::single_quote: text_ += U'\''; break;
                case Kind::dash: text_ += U" - "; break;
                case Kind::other: text_.append({U' ', c, U' '}); break;
                default: text_ += c;
            }
        }
        text_ += U' ';
    }

    void replace(std::u32string_view from, std::u32string_view to) { replace_all(text_, from, to, next_); }

    void isolate_points() {
        std::size_t found = text_.find(U"..");
        if (found == std::u32string::npos) return;
        next_.clear();
        std::size_t copied = 0;
        for (; found != std::u32string::npos; found = text_.find(U"..", copied)) {
            const std::size_t end = text_.find_first_not_of(U'.', found);  // a space stands at the end of the line
            next_.append(text_, copied, found - copied).append(1, U' ');
            next_.append(text_, found, end - found).append(1, U' ');
            copied = end;
        }
        next_.append(text_, copied);
        text_.swap(next_);
    }

    /// Puts `with` for `middle` where what is before and behind it is right. A match takes both neighbours, so the one
    /// behind cannot be the one before the next match.
    template <class Left, class Right>
    void split_around(char32_t middle, Left left, Right right, std::u32string_view with) {
        std::size_t found = text_.find(middle);
        if (found == std::u32string::npos) return;
        next_.clear();
        std::size_t copied = 0, free = 0;
        for (; found != std::u32string::npos; found = text_.find(middle, found + 1)) {
            const bool has_neighbours = found > free && found + 1 < text_.size();
            if (!has_neighbours || !left(text_[found - 1]) || !right(text_[found + 1])) continue;
            next_.append(text_, copied, found - copied).append(with);
            copied = found + 1;
            free = found + 2;
        }
        next_.append(text_, copied);
        text_.swap(next_);
    }

    void part_apostrophes() {
        if (options_.apostrophes == Apostrophes::alone) return replace(U"'", U" ' ");
        const bool english = options_.apostrophes == Apostrophes::english;
        split_around(U'\'', is_no_letter, is_no_letter, U" ' ");
        split_around(U'\'', english ? is_unknown : is_no_letter, is_letter, U" ' ");
        split_around(U'\'', is_letter, is_no_letter, U" ' ");
        split_around(U'\'', is_letter, is_letter, english ? U" '" : U"' ");
        if (english) split_around(U'\'', is_digit, is_s, U" '");
    }

    void find_words() {
        words_.clear();
        const std::u32string_view text = text_;
        std::size_t start = text.find_first_not_of(U' ');
        while (start != std::u32string_view::npos) {
            const std::size_t end = text.find(U' ', start);  // the last character is a space
            words_.push_back(text.substr(start, end - start));
            start = text.find_first_not_of(U' ', end);
        }
    }

    void write_words(std::string& out) {
        line_start_ = out.size();
        for (std::size_t w = 0; w < words_.size(); ++w) {
            const std::u32string_view word = words_[w];
            if (word.size() > 1 && word.back() == U'.') {
                write_pointed(word, w + 1 < words_.size() ? words_[w + 1].front() : U'\0', out);
            } else {
                write(word, out);
            }
        }
    }

    /// A word that ends with a point: U.S. loses its points, Mr. keeps it, others stand before it.
    void write_pointed(std::u32string_view pointed, char32_t following, std::string& out) {
        const std::u32string_view word = pointed.substr(0, pointed.size() - 1);
        if (word.find_first_not_of(U'.') == std::u32string_view::npos) return write(pointed, out);
        if (word.find(U'.') != std::u32string_view::npos && std::any_of(word.begin(), word.end(), is_letter)) {
            next_.clear();
            std::copy_if(word.begin(), word.end(), std::back_inserter(next_), [](char32_t c) { return c != U'.'; });
            return write(next_, out);
        }
        const bool is_kept = options_.always.contains(word) || (following >= U'a' && following <= U'z') ||
                             (is_digit(following) && options_.before_numbers.contains(word));
        if (is_kept) return write(pointed, out);
        write(word, out);
        write(U".", out);
    }

    /// A word behind those that the line has already; without punctuation, what is between its marks.
    void write(std::u32string_view word, std::string& out) const {
        bool gap = out.size() > line_start_;
        for (const char32_t c : word) {
            if (!options_.punctuation && is_unknown(c)) {
                gap = out.size() > line_start_;
                continue;
            }
            if (gap) out += ' ';
            gap = false;
            append_utf8(c, out);
        }
    }

    const MeteorNormalizeOptions& options_;
    std::u32string text_, next_;
    std::vector<std::u32string_view> words_;  // of text_
    std::size_t line_start_ = 0;              // in what is written to
};

}  // namespace

MeteorPrefixes meteor_prefixes(const TextColumn& words) {
    MeteorPrefixes prefixes;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::u32string word;
        std::size_t length = 1;
        for (std::size_t k = 0; k < words[i].size(); k += length) word += decode(words[i].data() + k, length);
        prefixes.insert(std::move(word));
    }
    return prefixes;
}

std::string meteor_normalize(std::string_view line, const MeteorNormalizeOptions& options) {
    std::string result;
    Rewriter(options).rewrite(line, result);
    return result;
}

TextColumn meteor_normalize(const TextColumn& text, const MeteorNormalizeOptions& options, unsigned threads,
                            const Interrupted& interrupted) {
    const std::size_t count = text.size();
    std::vector<std::string> arenas((count + segments_per_chunk - 1) / segments_per_chunk);
    std::vector<std::uint64_t> offsets(count + 1, 0);
    parallel_for(count, segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        std::string& arena = arenas[begin / segments_per_chunk];
        Rewriter rewriter(options);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t before = arena.size();
            rewriter.rewrite(text[i], arena);
            offsets[i + 1] = arena.size() - before;
        }
    });
    Arena arena;
    for (const std::string& part : arenas) arena += std::string_view(part);
    for (std::size_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
    return TextColumn(std::move(arena), std::move(offsets));
}

}  // namespace karat
