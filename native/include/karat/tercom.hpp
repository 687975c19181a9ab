// The text rewriting that precedes TER: tercom's tokenizer, as sacreBLEU has it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "karat/parallel.hpp"
#include "karat/text_column.hpp"

namespace karat {

struct TercomOptions {
    bool normalized = false;     // split punctuation off, undo entities
    bool no_punct = false;       // delete punctuation
    bool asian_support = false;  // let the other two treat CJK characters and punctuation as well
};

/// One line, rewritten; its tokens are those of `Tokenizer::none`, joined by one space each. Case is left alone.
/// O(bytes).
std::string tercom_normalize(std::string_view line, const TercomOptions& options);

/// Every string of a column, rewritten; the result is the same for every number of threads.
TextColumn tercom_normalize(const TextColumn& text, const TercomOptions& options, unsigned threads,
                            const Interrupted& interrupted);

}  // namespace karat
