#include "karat/tercom.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "karat/unicode.hpp"
#include "replace_all.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 256;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_point(char c) noexcept { return c == '.' || c == ','; }

/// ASCII punctuation that is always a token of its own: all but apostrophe, comma, hyphen and full stop.
bool is_always_split(char c) noexcept {
    if (c >= '!' && c <= '/') return c != '\'' && c != ',' && c != '-' && c != '.';
    return (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

bool is_removed(char c) noexcept { return std::memchr(".,?:;!\"()", c, 9) != nullptr; }

bool is_asian_punctuation(char32_t c) noexcept {
    if (c < 0xFF00) {
        return c == 0x3001 || c == 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) ||
               c == 0x30FB;
    }
    return c == 0xFF01 || c == 0xFF02 || c == 0xFF08 || c == 0xFF09 || c == 0xFF0C || c == 0xFF0E || c == 0xFF1A ||
           c == 0xFF1B || c == 0xFF1F || (c >= 0xFF61 && c <= 0xFF65);
}

/// Characters that `asian_support` makes tokens of their own. Kana are not among them: the rules for them are anchored
/// at the start of the line, where the padding stands, and so never apply.
bool is_asian_character(char32_t c) noexcept {
    if (c < 0x2E80) return false;
    return c <= 0x2EFF || (c >= 0x31C0 && c <= 0x31EF) || (c >= 0x3200 && c <= 0x4DBF) ||
           (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F) ||
           is_asian_punctuation(c);
}

/// A line under rewriting: each step reads `text` and writes `next`, so that steps see each other's output as
/// successive regular-expression substitutions would.
class Rewriter {
 public:
    explicit Rewriter(std::string_view line) : text_(line) {}

    void western() {
        replace("\n-", "");
        replace("\n", " ");
        if (text_.find('&') != std::string::npos) {
            replace("&quot;", "\"");
            replace("&amp;", "&");
            replace("&lt;", "<");
            replace("&gt;", ">");
        }
        pad_and_split();
        replace("'s ", " 's ");
        split_after_non_digit();
        split_before_non_digit();
        split_hyphen_after_digit();
    }

    void isolate_asian() {
        each_character([this](char32_t c, std::string_view bytes) {
            const bool isolated = is_asian_character(c);
            if (isolated) next_ += ' ';
            next_ += bytes;
            if (isolated) next_ += ' ';
        });
    }

    void remove_punctuation() {
        next_.clear();
        for (const char c : text_) {
            if (!is_removed(c)) next_ += c;
        }
        text_.swap(next_);
    }

    void remove_asian_punctuation() {
        each_character([this](char32_t c, std::string_view bytes) {
            if (!is_asian_punctuation(c)) next_ += bytes;
        });
    }

    /// The words, joined by single spaces.
    std::string words() {
        bool gap = false;
        each_character([&, this](char32_t c, std::string_view bytes) {
            if (is_space(c)) {
                gap = !next_.empty();
                return;
            }
            if (gap) next_ += ' ';
            gap = false;
            next_ += bytes;
        });
        return std::move(text_);
    }

 private:
    template <class Visit>
    void each_character(Visit visit) {
        next_.clear();
        std::size_t length = 1;
        for (std::size_t i = 0; i < text_.size(); i += length) {
            const char32_t c = decode(text_.data() + i, length);
            visit(c, std::string_view(text_).substr(i, length));
        }
        text_.swap(next_);
    }

    void replace(std::string_view from, std::string_view to) { replace_all(text_, from, to, next_); }

    void pad_and_split() {
        next_.assign(1, ' ');
        for (const char c : text_) {
            if (is_always_split(c)) {
                next_ += ' ';
                next_ += c;
                next_ += ' ';
            } else {
                next_ += c;
            }
        }
        next_ += ' ';
        text_.swap(next_);
    }

    /// Rewrites non-overlapping pairs of bytes from left to right. Bytes do as well as characters here: one half of a
    /// pair is always ASCII, and no byte of a longer sequence is a digit or a point.
    template <class Matches, class Write>
    void pairs(Matches matches, Write write) {
        next_.clear();
        std::size_t i = 0;
        for (; i + 1 < text_.size(); ++i) {
            if (matches(text_[i], text_[i + 1])) {
                write(text_[i], text_[i + 1]);
                ++i;
            } else {
                next_ += text_[i];
            }
        }
        if (i < text_.size()) next_ += text_[i];
        text_.swap(next_);
    }

    void split_after_non_digit() {
        pairs([](char a, char b) { return !is_digit(a) && is_point(b); },
              [this](char a, char b) { next_.append({a, ' ', b, ' '}); });
    }

    void split_before_non_digit() {
        pairs([](char a, char b) { return is_point(a) && !is_digit(b); },
              [this](char a, char b) { next_.append({' ', a, ' ', b}); });
    }

    void split_hyphen_after_digit() {
        pairs([](char a, char b) { return is_digit(a) && b == '-'; },
              [this](char a, char b) { next_.append({a, ' ', b, ' '}); });
    }

    std::string text_;
    std::string next_;
};

}  // namespace

std::string tercom_normalize(std::string_view line, const TercomOptions& options) {
    Rewriter rewriter(line);
    if (options.normalized && !line.empty()) {
        rewriter.western();
        if (options.asian_support) rewriter.isolate_asian();
    }
    if (options.no_punct) {
        rewriter.remove_punctuation();
        if (options.asian_support) rewriter.remove_asian_punctuation();
    }
    return rewriter.words();
}

TextColumn tercom_normalize(const TextColumn& text, const TercomOptions& options, unsigned threads,
                            const Interrupted& interrupted) {
    const std::size_t count = text.size();
    std::vector<std::string> arenas((count + segments_per_chunk - 1) / segments_per_chunk);
    std::vector<std::uint64_t> offsets(count + 1, 0);
    parallel_for(count, segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        std::string& arena = arenas[begin / segments_per_chunk];
        for (std::size_t i = begin; i < end; ++i) {
            const std::string line = tercom_normalize(text[i], options);
            offsets[i + 1] = line.size();
            arena += line;
        }
    });
    Arena arena;
    for (const std::string& part : arenas) arena += std::string_view(part);
    for (std::size_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
    return TextColumn(std::move(arena), std::move(offsets));
}

}  // namespace karat
