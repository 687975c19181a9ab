// Where tokenizers put the tokens of some hundred segments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "karat/tokens.hpp"

namespace karat {

/// Tokens in the order they are found: first in the room that was given, and in memory of its own once that is full.
/// Room is made per line, for as many tokens as it has bytes, so that adding a token needs no check.
class TokenBuffer {
 public:
    explicit TokenBuffer(std::span<Token> room) noexcept
        : first_(room.data()), next_(first_), limit_(first_ + room.size()) {}

    void start_line(std::string_view line) {
        if (line.size() > UINT32_MAX) throw std::length_error("a string of 4 GiB or more cannot be tokenised");
        if (static_cast<std::size_t>(limit_ - next_) < line.size()) grow(size() + size() / 2 + line.size());
        line_ = next_;
    }

    /// Bytes [begin, end), at least one, of the line that was started.
    void add(const char* begin, const char* end) noexcept {
        *next_++ = {begin, static_cast<std::uint32_t>(end - begin), 0};
    }

    /// Hashes the tokens of the line, all at once: where one ends is hard to predict, and would hold up its hash.
    void end_line() noexcept {
        for (Token* token = line_; token < next_; ++token) token->hash = hash_readable(token->data, token->size);
    }

    /// Forgets the tokens of the line.
    void drop_line() noexcept { next_ = line_; }

    /// A copy of text that is not in the column, kept as long as the tokens are.
    std::string_view keep(std::string_view text) {
        kept_.push_back(std::make_unique<char[]>(text.size() + readable_bytes));
        std::copy(text.begin(), text.end(), kept_.back().get());
        return {kept_.back().get(), text.size()};
    }

    const Token* data() const noexcept { return first_; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(next_ - first_); }

    /// The memory of the tokens, unless they fitted into the room that was given.
    std::unique_ptr<Token[]> release_own() noexcept { return std::move(own_); }
    std::vector<std::unique_ptr<char[]>> release_kept() noexcept { return std::move(kept_); }

 private:
    void grow(std::size_t capacity) {
        auto larger = std::make_unique_for_overwrite<Token[]>(capacity);
        next_ = std::copy(first_, next_, larger.get());
        own_ = std::move(larger);
        first_ = own_.get();
        limit_ = first_ + capacity;
    }

    Token* first_;
    Token* next_;
    Token* limit_;
    Token* line_ = nullptr;  // the first token of the line at hand
    std::unique_ptr<Token[]> own_;
    std::vector<std::unique_ptr<char[]>> kept_;
};

}  // namespace karat
