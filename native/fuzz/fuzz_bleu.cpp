// Any bytes that are UTF-8, cut into a hypothesis and references at newlines: rows must be made, and be possible.
#include <cstdlib>
#include <memory>
#include <string>

#include "fuzz_lines.hpp"
#include "karat/bleu.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const karat::fuzz::Lines lines(data, size);
    if (!lines.usable()) return 0;
    const auto tokens = [](const std::shared_ptr<const karat::TextColumn>& column) {
        return std::make_shared<const karat::Tokens>(karat::tokenize(column, karat::Tokenizer::none));
    };
    const karat::BleuReferences prepared(tokens(lines.references()), lines.offsets());
    const unsigned orders = 1 + static_cast<unsigned>(size % 6);
    const auto row = prepared.rows(*tokens(lines.hypothesis()), orders, karat::ReferenceLength::closest, 1, {});
    for (unsigned n = 0; n < orders; ++n) {
        if (row[2 + n] < 0 || row[2 + n] > row[2 + orders + n]) std::abort();
    }
    return 0;
}
