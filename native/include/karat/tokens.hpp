// A column of text cut into tokens: what every word-based kernel reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "karat/kept_memory.hpp"
#include "karat/parallel.hpp"
#include "karat/text_column.hpp"
#include "karat/token_bytes.hpp"

namespace karat {

/// One token: bytes that outlive the `Tokens` it belongs to, and their hash, computed once for all kernels.
struct Token {
    const char* data;
    std::uint32_t size;
    std::uint32_t hash;

    std::string_view view() const noexcept { return {data, size}; }

    friend bool operator==(const Token& a, const Token& b) noexcept {
        return a.hash == b.hash && a.size == b.size && same_bytes(a.data, b.data, a.size);
    }
};

/// `none` splits at white space, `character` makes a token of every other code point; the rest separate punctuation as
/// sacreBLEU's tokenizers of these names do. `chinese_fixed` is `chinese` without the two malformed ranges of its list.
enum class Tokenizer : std::uint8_t { none, character, v13a, international, chinese, chinese_fixed };

/// Gives the memory of tokens back.
struct GiveBackTokens {
    std::size_t bytes = 0;

    void operator()(Token* tokens) const noexcept { give_back({tokens, bytes}); }
};

/// An immutable column of token sequences, sharing the text it was cut from.
class Tokens {
 public:
    std::size_t size() const noexcept { return segments_.size(); }

    std::span<const Token> operator[](std::size_t segment) const noexcept { return segments_[segment]; }

    std::size_t token_count() const noexcept { return token_count_; }

 private:
    friend Tokens tokenize(std::shared_ptr<const TextColumn>, Tokenizer, unsigned, const Interrupted&);
    friend Tokens spell_words(std::shared_ptr<const TextColumn>, std::span<const std::int32_t>,
                              std::span<const std::int64_t>);

    std::shared_ptr<const TextColumn> text_;
    std::vector<std::unique_ptr<char[]>> rewritten_;  // bytes of tokens that are not slices of the text
    std::unique_ptr<Token[], GiveBackTokens> room_;   // most tokens
    std::vector<std::unique_ptr<Token[]>> overflow_;  // tokens of segments with more of them than expected
    std::vector<std::span<const Token>> segments_;    // into the two above
    std::size_t token_count_ = 0;
};

/// Cuts every string of a column into tokens; the result is the same for every number of threads. White space at the
/// end of a string is dropped first. O(bytes). Throws std::length_error for a string of 4 GiB or more.
Tokens tokenize(std::shared_ptr<const TextColumn> text, Tokenizer tokenizer, unsigned threads,
                const Interrupted& interrupted);

/// Segments of words that are known by number: segment i has the tokens words[ids[k]], k from offsets[i] to
/// offsets[i + 1]. So words can be replaced by others, such as their stems, and go on to every kernel. O(ids + bytes).
/// Throws std::invalid_argument for numbers, offsets or words (an empty one) that are none.
Tokens spell_words(std::shared_ptr<const TextColumn> words, std::span<const std::int32_t> ids,
                   std::span<const std::int64_t> offsets);

}  // namespace karat
