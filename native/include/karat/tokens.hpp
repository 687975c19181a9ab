// A column of text cut into tokens: what every word-based kernel reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/text_column.hpp"

namespace karat {

/// One token: bytes that outlive the `Tokens` it belongs to, and their hash, computed once for all kernels.
struct Token {
    const char* data;
    std::uint32_t size;
    std::uint32_t hash;

    std::string_view view() const noexcept { return {data, size}; }

    friend bool operator==(const Token& a, const Token& b) noexcept {
        return a.hash == b.hash && a.size == b.size && std::memcmp(a.data, b.data, a.size) == 0;
    }
};

/// A 32-bit hash of a few bytes; equal hashes are never taken for equal tokens.
std::uint32_t hash_bytes(std::string_view bytes) noexcept;

enum class Tokenizer : std::uint8_t { none, character };

/// An immutable column of token sequences, sharing the text it was cut from.
class Tokens {
 public:
    std::size_t size() const noexcept { return offsets_.size() - 1; }

    std::span<const Token> operator[](std::size_t segment) const noexcept {
        return {tokens_.data() + offsets_[segment], tokens_.data() + offsets_[segment + 1]};
    }

    std::size_t token_count() const noexcept { return tokens_.size(); }

 private:
    friend Tokens tokenize(std::shared_ptr<const TextColumn>, Tokenizer, unsigned, const Interrupted&);

    std::shared_ptr<const TextColumn> text_;
    std::vector<std::unique_ptr<char[]>> rewritten_;  // bytes of tokens that are not slices of the text
    std::vector<Token> tokens_;
    std::vector<std::uint64_t> offsets_{0};
};

/// Cuts every string of a column into tokens; the result is the same for every number of threads. O(bytes).
Tokens tokenize(std::shared_ptr<const TextColumn> text, Tokenizer tokenizer, unsigned threads,
                const Interrupted& interrupted);

}  // namespace karat
