#include "karat/tokens.hpp"

#include <algorithm>
#include <iterator>

#include "token_buffer.hpp"
#include "tokenize_line.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_block = 256;

/// For how many bytes of text there is room for one token at first. What is not needed is never written, so it costs
/// address space only; blocks that need more get memory of their own.
std::size_t bytes_per_token(Tokenizer tokenizer) noexcept {
    const bool one_per_character =
        tokenizer == Tokenizer::character || tokenizer == Tokenizer::chinese || tokenizer == Tokenizer::chinese_fixed;
    return one_per_character ? 2 : 5;
}

}  // namespace

Tokens tokenize(std::shared_ptr<const TextColumn> text, Tokenizer tokenizer, unsigned threads,
                const Interrupted& interrupted) {
    const TextColumn& column = *text;
    const std::size_t count = column.size();
    const std::size_t blocks = (count + segments_per_block - 1) / segments_per_block;
    const std::size_t room = column.arena().size() / bytes_per_token(tokenizer);
    // One large piece of memory for nearly all tokens: the system hands it out, and takes it back, at once.
    const auto first_room = [&](std::size_t segment) {
        return static_cast<std::size_t>(column.offsets()[segment]) / bytes_per_token(tokenizer);
    };
    Tokens result;
    const MemoryPiece memory = take_memory(room * sizeof(Token));
    result.room_ = {static_cast<Token*>(memory.data), GiveBackTokens{memory.bytes}};
    result.overflow_.resize(blocks);
    result.segments_.resize(count);
    std::vector<std::vector<std::unique_ptr<char[]>>> kept(blocks);
    parallel_for(count, segments_per_block, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        TokenBuffer buffer({result.room_.get() + first_room(begin), result.room_.get() + first_room(end)});
        std::vector<std::size_t> ends{0};
        ends.reserve(end - begin + 1);
        for (std::size_t i = begin; i < end; ++i) {
            tokenize_line(tokenizer, column[i], buffer);
            ends.push_back(buffer.size());
        }
        for (std::size_t i = begin; i < end; ++i)
            result.segments_[i] = {buffer.data() + ends[i - begin], buffer.data() + ends[i - begin + 1]};
        const std::size_t block = begin / segments_per_block;
        result.overflow_[block] = buffer.release_own();
        kept[block] = buffer.release_kept();
    });
    for (auto& block : kept) std::move(block.begin(), block.end(), std::back_inserter(result.rewritten_));
    std::erase(result.overflow_, nullptr);
    for (const auto& segment : result.segments_) result.token_count_ += segment.size();
    result.text_ = std::move(text);
    return result;
}

}  // namespace karat
