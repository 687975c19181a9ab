// Any bytes that are UTF-8, cut into a hypothesis and references at newlines: rows must be made, and be possible.
#include <cstdlib>

#include "fuzz_lines.hpp"
#include "karat/chrf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const karat::fuzz::Lines lines(data, size);
    if (!lines.usable()) return 0;
    karat::ChrfOptions options;
    options.word_order = static_cast<unsigned>(size % 3);
    options.whitespace = size % 2 == 0;
    const karat::ChrfReferences prepared(lines.references(), lines.offsets(), options, 1, {});
    const auto row = prepared.rows(*lines.hypothesis(), 1, {});
    for (std::size_t i = 0; i < row.size(); i += 3) {
        if (row[i + 2] < 0 || row[i + 2] > row[i] || row[i + 2] > row[i + 1]) std::abort();
    }
    return 0;
}
