#include "karat/tokens.hpp"

#include <algorithm>
#include <array>

#include "token_buffer.hpp"
#include "tokenize_line.hpp"

namespace karat {
namespace {

/// For how many bytes of text there is room for one token at first. What is not needed is never written, so it costs
/// address space only; blocks that need more get memory of their own.
std::size_t bytes_per_token(Tokenizer tokenizer) noexcept {
    const bool one_per_character =
        tokenizer == Tokenizer::character || tokenizer == Tokenizer::chinese || tokenizer == Tokenizer::chinese_fixed;
    return one_per_character ? 2 : 5;
}

}  // namespace

Tokens tokenize(std::shared_ptr<const TextColumn> text, Tokenizer tokenizer) {
    Tokens result;
    const std::size_t count = text->size();
    // One large piece of memory for nearly all tokens: the system hands it out, and takes it back, at once.
    const MemoryPiece memory = take_memory(text->arena().size() / bytes_per_token(tokenizer) * sizeof(Token));
    result.room_ = {static_cast<Token*>(memory.data), GiveBackTokens{memory.bytes}};
    result.segments_.resize(count);
    result.blocks_ =
        std::make_unique<Tokens::Block[]>((count + Tokens::segments_per_block - 1) / Tokens::segments_per_block);
    result.text_ = std::move(text);
    result.tokenizer_ = tokenizer;
    return result;
}

void Tokens::complete(unsigned threads, const Interrupted& interrupted) const {
    if (!blocks_) return;
    parallel_for(size(), segments_per_block, threads, interrupted,
                 [this](std::size_t begin, std::size_t) { (*this)[begin]; });
}

std::size_t Tokens::token_count() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < size(); ++i) count += (*this)[i].size();
    return count;
}

/// Out of line, since it happens once. A thread that comes while another one cuts waits for it; after an exception the
/// next one tries again.
void Tokens::cut_once(std::size_t segment) const {
    const std::size_t block = segment / segments_per_block;
    std::call_once(blocks_[block].once, [&] { cut(block); });
}

Token* Tokens::first_room(std::size_t segment) const noexcept {
    return room_.get() + static_cast<std::size_t>(text_->offsets()[segment]) / bytes_per_token(tokenizer_);
}

void Tokens::cut(std::size_t block) const {
    const std::size_t begin = block * segments_per_block;
    const std::size_t end = std::min(size(), begin + segments_per_block);
    TokenBuffer buffer({first_room(begin), first_room(end)});
    std::array<std::size_t, segments_per_block + 1> ends{};
    for (std::size_t i = begin; i < end; ++i) {
        tokenize_line(tokenizer_, (*text_)[i], buffer);
        ends[i - begin + 1] = buffer.size();
    }
    for (std::size_t i = begin; i < end; ++i)
        segments_[i] = {buffer.data() + ends[i - begin], buffer.data() + ends[i - begin + 1]};
    blocks_[block].overflow = buffer.release_own();
    blocks_[block].rewritten = buffer.release_kept();
    blocks_[block].is_cut.store(true, std::memory_order_release);
}

}  // namespace karat
