// Tokens of lines, for tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "karat/tokens.hpp"

namespace karat::test {

inline std::shared_ptr<const Tokens> tokens_of(const std::vector<std::string>& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& line : lines) {
        arena += line;
        offsets.push_back(arena.size());
    }
    auto column = std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
    return std::make_shared<const Tokens>(tokenize(column, Tokenizer::none));
}

}  // namespace karat::test
