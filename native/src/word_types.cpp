#include "karat/word_types.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace karat {
namespace {

constexpr std::size_t segments_per_block = 2048;

/// Some segments of one column, and the words that they have.
struct Block {
    std::size_t column;
    std::size_t begin;
    std::size_t end;
    std::vector<Token> words;
};

std::vector<Block> blocks_of(std::span<const std::shared_ptr<const Tokens>> columns) {
    std::vector<Block> blocks;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        for (std::size_t begin = 0; begin < columns[c]->size(); begin += segments_per_block) {
            blocks.push_back({c, begin, std::min(begin + segments_per_block, columns[c]->size()), {}});
        }
    }
    return blocks;
}

std::vector<std::int64_t> segment_starts(const Tokens& tokens) {
    std::vector<std::int64_t> starts{0};
    starts.reserve(tokens.size() + 1);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        starts.push_back(starts.back() + static_cast<std::int64_t>(tokens[i].size()));
    }
    return starts;
}

/// Writes numbers that count within the block.
void number_block(const Tokens& tokens, Block& block, std::int32_t* ids) {
    WordTable table;
    for (std::size_t i = block.begin; i < block.end; ++i) {
        for (const Token& token : tokens[i]) *ids++ = table.intern(token);
    }
    block.words.assign(table.words().begin(), table.words().end());
}

}  // namespace

WordTable::WordTable() : slots_(64, -1) {}

std::size_t WordTable::slot_of(const Token& word) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = word.hash & mask;
    while (slots_[slot] >= 0 && !(words_[static_cast<std::size_t>(slots_[slot])] == word)) slot = (slot + 1) & mask;
    return slot;
}

std::int32_t WordTable::find(const Token& word) const noexcept { return slots_[slot_of(word)]; }

std::int32_t WordTable::intern(const Token& word) {
    const std::size_t slot = slot_of(word);
    if (slots_[slot] >= 0) return slots_[slot];
    if (words_.size() == std::numeric_limits<std::int32_t>::max()) throw std::length_error("2^31 different words");
    const auto number = static_cast<std::int32_t>(words_.size());
    words_.push_back(word);
    slots_[slot] = number;
    if (2 * words_.size() > slots_.size()) grow();
    return number;
}

void WordTable::grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t i = 0; i < words_.size(); ++i) slots_[slot_of(words_[i])] = static_cast<std::int32_t>(i);
}

WordTypes word_types(std::span<const std::shared_ptr<const Tokens>> columns, unsigned threads,
                     const Interrupted& interrupted) {
    WordTypes result;
    for (const auto& column : columns) {
        column->complete(threads, interrupted);
        result.offsets.push_back(segment_starts(*column));
        result.ids.emplace_back(result.offsets.back().back());
    }
    std::vector<Block> blocks = blocks_of(columns);
    const auto ids_at = [&](const Block& block, std::size_t segment) {
        return result.ids[block.column].data() + result.offsets[block.column][segment];
    };
    parallel_for(blocks.size(), 1, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            number_block(*columns[blocks[b].column], blocks[b], ids_at(blocks[b], blocks[b].begin));
        }
    });
    WordTable all;
    std::vector<std::vector<std::int32_t>> renumbered;
    for (const Block& block : blocks) {
        auto& numbers = renumbered.emplace_back();
        for (const Token& word : block.words) numbers.push_back(all.intern(word));
    }
    parallel_for(blocks.size(), 1, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            std::int32_t* const last = ids_at(blocks[b], blocks[b].end);
            for (std::int32_t* id = ids_at(blocks[b], blocks[b].begin); id != last; ++id) {
                *id = renumbered[b][static_cast<std::size_t>(*id)];
            }
        }
    });
    result.types.assign(all.words().begin(), all.words().end());
    return result;
}

}  // namespace karat
