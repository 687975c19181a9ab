// Tables of paraphrases from their text.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "karat/paraphrase_table.hpp"

namespace karat::test {

inline std::vector<std::uint64_t> image_of(std::string_view text) {
    ParaphraseCompiler compiler;
    compiler.add(text);
    return compiler.finish();
}

inline std::shared_ptr<const ParaphraseTable> table_of(std::string_view text) {
    const auto image = std::make_shared<const std::vector<std::uint64_t>>(image_of(text));
    return std::make_shared<const ParaphraseTable>(*image, image);
}

}  // namespace karat::test
