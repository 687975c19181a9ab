// One string cut into tokens.
#pragma once

#include <string_view>

#include "karat/tokens.hpp"
#include "token_buffer.hpp"

namespace karat {

/// Adds the tokens of one string, which must be valid UTF-8, to `out`. O(bytes).
void tokenize_line(Tokenizer tokenizer, std::string_view line, TokenBuffer& out);

}  // namespace karat
