#include "karat/word_pairs.hpp"

namespace karat {
namespace {

std::vector<std::span<const Token>> all_segments(const Tokens& tokens, unsigned threads,
                                                 const Interrupted& interrupted) {
    tokens.complete(threads, interrupted);
    std::vector<std::span<const Token>> segments;
    segments.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) segments.push_back(tokens[i]);
    return segments;
}

}  // namespace

WordReferences::WordReferences(std::shared_ptr<const Tokens> references, const std::vector<std::int64_t>& offsets,
                               unsigned threads, const Interrupted& interrupted)
    : tokens_(std::move(references)),
      starts_(offsets.begin(), offsets.end()),
      lexicon_(all_segments(*tokens_, threads, interrupted), offsets, threads, interrupted) {}

void Positions::set(std::span<const Symbol> symbols, Symbol alphabet) {
    starts_.assign(std::size_t{alphabet} + 3, 0);
    for (const Symbol symbol : symbols) ++starts_[std::size_t{symbol} + 2];
    for (std::size_t s = 2; s < starts_.size(); ++s) starts_[s] += starts_[s - 1];
    positions_.resize(symbols.size());
    // starts_[s + 1] is where the next position of s goes, and ends up as where those of s + 1 begin.
    for (std::uint32_t i = 0; i < symbols.size(); ++i) positions_[starts_[std::size_t{symbols[i]} + 1]++] = i;
}

}  // namespace karat
