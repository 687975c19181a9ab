#include <stdexcept>
#include <string>

#include "karat/tokens.hpp"

namespace karat {
namespace {

std::vector<Token> tokens_by_number(const TextColumn& words) {
    std::vector<Token> tokens;
    tokens.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].empty()) throw std::invalid_argument("word " + std::to_string(i) + " is empty");
        tokens.push_back({words[i].data(), static_cast<std::uint32_t>(words[i].size()), hash_bytes(words[i])});
    }
    return tokens;
}

void check_offsets(std::span<const std::int64_t> offsets, std::size_t count) {
    bool usable = !offsets.empty() && offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(count);
    for (std::size_t i = 1; i < offsets.size(); ++i) usable = usable && offsets[i - 1] <= offsets[i];
    if (!usable) throw std::invalid_argument("the offsets must ascend from 0 to the number of words");
}

}  // namespace

Tokens spell_words(std::shared_ptr<const TextColumn> words, std::span<const std::int32_t> ids,
                   std::span<const std::int64_t> offsets) {
    check_offsets(offsets, ids.size());
    const std::vector<Token> known = tokens_by_number(*words);
    Tokens result;
    const MemoryPiece memory = take_memory(ids.size() * sizeof(Token));
    result.room_ = {static_cast<Token*>(memory.data), GiveBackTokens{memory.bytes}};
    for (std::size_t k = 0; k < ids.size(); ++k) {
        if (ids[k] < 0 || static_cast<std::size_t>(ids[k]) >= known.size()) {
            throw std::invalid_argument("there is no word " + std::to_string(ids[k]));
        }
        result.room_[k] = known[static_cast<std::size_t>(ids[k])];
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        result.segments_.emplace_back(result.room_.get() + offsets[i - 1], result.room_.get() + offsets[i]);
    }
    result.text_ = std::move(words);
    return result;
}

}  // namespace karat
