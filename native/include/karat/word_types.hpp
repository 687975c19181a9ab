// Every distinct word of some columns, once: what is looked up about words (stems, synonyms, counts) is looked up for
// types, not for tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// Words by number, 0, 1, 2, ... in the order in which they were first met; a hash is never taken for a word.
class WordTable {
 public:
    WordTable();

    /// The number of a word, new or known. Its bytes must outlive the table. O(bytes), expected.
    std::int32_t intern(const Token& word);

    /// The number of a word, -1 where it was never met.
    std::int32_t find(const Token& word) const noexcept;

    std::span<const Token> words() const noexcept { return words_; }

 private:
    std::size_t slot_of(const Token& word) const noexcept;
    void grow();

    std::vector<Token> words_;
    std::vector<std::int32_t> slots_;  // a number, -1 = empty; a power of two of them
};

/// The distinct words of columns, and the columns as their numbers.
struct WordTypes {
    std::vector<Token> types;                        // by first appearance, columns one after the other
    std::vector<std::vector<std::int32_t>> ids;      // by column: one number for each token
    std::vector<std::vector<std::int64_t>> offsets;  // by column: where each segment starts in ids, and the end
};

/// Numbers the words of all columns together. The bytes of `types` belong to the columns. The result is the same for
/// every number of threads. O(bytes), expected. Throws std::length_error for 2^31 types or more.
WordTypes word_types(std::span<const std::shared_ptr<const Tokens>> columns, unsigned threads,
                     const Interrupted& interrupted);

}  // namespace karat
