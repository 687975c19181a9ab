// A column of text cut into tokens: what every word-based kernel reads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
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

/// An immutable column of token sequences, sharing the text it was cut from. The text is cut when its tokens are first
/// asked for, some segments at a time, by the thread that asks: so the threads of a kernel cut what they go on to
/// count, while it is still at hand.
class Tokens {
 public:
    std::size_t size() const noexcept { return segments_.size(); }

    /// The tokens of a segment; any number of threads may ask at once.
    std::span<const Token> operator[](std::size_t segment) const {
        if (blocks_ && !blocks_[segment / segments_per_block].is_cut.load(std::memory_order_acquire)) cut_once(segment);
        return segments_[segment];
    }

    /// Cuts whatever is not cut yet.
    void complete(unsigned threads, const Interrupted& interrupted) const;

    /// How many tokens there are in all. O(segments) and what `complete` takes.
    std::size_t token_count() const;

 private:
    friend Tokens tokenize(std::shared_ptr<const TextColumn>, Tokenizer);
    friend Tokens spell_words(std::shared_ptr<const TextColumn>, std::span<const std::int32_t>,
                              std::span<const std::int64_t>);

    static constexpr std::size_t segments_per_block = 64;

    /// Some segments that are cut together, and the memory of those of their tokens that need their own.
    struct Block {
        std::atomic<bool> is_cut{false};
        std::once_flag once;
        std::unique_ptr<Token[]> overflow;               // where there are more tokens than expected
        std::vector<std::unique_ptr<char[]>> rewritten;  // bytes of tokens that are not slices of the text
    };

    void cut_once(std::size_t segment) const;
    void cut(std::size_t block) const;
    Token* first_room(std::size_t segment) const noexcept;

    std::shared_ptr<const TextColumn> text_;
    Tokenizer tokenizer_ = Tokenizer::none;
    std::unique_ptr<Token[], GiveBackTokens> room_;  // most tokens
    std::unique_ptr<Block[]> blocks_;                // absent where there is nothing to cut
    // Each entry is written once, before the block that it belongs to says that it is cut.
    mutable std::vector<std::span<const Token>> segments_;
};

/// Every string of a column cut into tokens; white space at the end of a string is dropped first. O(strings), and
/// O(bytes) in all when the tokens are asked for. That throws std::length_error for a string of 4 GiB or more.
Tokens tokenize(std::shared_ptr<const TextColumn> text, Tokenizer tokenizer);

/// Segments of words that are known by number: segment i has the tokens words[ids[k]], k from offsets[i] to
/// offsets[i + 1]. So words can be replaced by others, such as their stems, and go on to every kernel. O(ids + bytes).
/// Throws std::invalid_argument for numbers, offsets or words (an empty one) that are none.
Tokens spell_words(std::shared_ptr<const TextColumn> words, std::span<const std::int32_t> ids,
                   std::span<const std::int64_t> offsets);

}  // namespace karat
