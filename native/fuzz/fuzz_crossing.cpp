// Any bytes that are UTF-8, cut into strings at newlines: rows of all pairs must be those of the pairs one by one.
#include <cstdlib>
#include <memory>
#include <vector>

#include "fuzz_lines.hpp"
#include "karat/bleu.hpp"
#include "karat/chrf.hpp"
#include "karat/crossing.hpp"

namespace {

using namespace karat;

/// Compares one column-wise row with the row of the same pair by itself.
template <class Whole>
void check_row(const std::vector<double>& values, std::size_t columns, std::size_t pair, const Whole& alone) {
    const std::size_t stride = values.size() / columns;
    for (std::size_t c = 0; c < columns; ++c) {
        if (values[c * stride + pair] != static_cast<double>(alone[c])) std::abort();
    }
}

std::vector<std::int64_t> one_each(std::size_t count) {
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i <= count; ++i) offsets.push_back(static_cast<std::int64_t>(i));
    return offsets;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const karat::fuzz::Lines lines(data, size);
    if (!lines.usable()) return 0;
    const auto references = lines.references();
    const std::size_t count = references->size();
    const std::vector<std::int64_t> all{0, static_cast<std::int64_t>(count)};
    const std::vector<Rectangle> whole{{0, 1, 0, count}};
    const unsigned orders = 1 + static_cast<unsigned>(size % 6);
    const auto tokens = std::make_shared<const Tokens>(tokenize(references, Tokenizer::none));
    const ChrfOptions options{.char_order = orders, .word_order = orders % 3, .whitespace = size % 2 == 0};
    const auto bleu = bleu_crossing(*tokens, all, orders, 1, {});
    const auto chrf = chrf_crossing(*references, all, options, 1, {});
    const auto bleu_values = bleu->rows(whole, 1, {}), chrf_values = chrf->rows(whole, 1, {});
    const std::vector<double> weights(count, 1.0);
    for (const double value : chrf->mean_rows(whole, weights, 1, {})) {
        if (!(value >= 0)) std::abort();
    }
    const BleuReferences bleu_references(tokens, one_each(count));
    const ChrfReferences chrf_references(references, one_each(count), options, 1, {});
    // The first string against every one, which is the same column once more as hypotheses.
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (std::size_t i = 0; i < count; ++i) {
        arena.append((*references)[0]);
        offsets.push_back(arena.size());
    }
    const auto repeated = std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
    const auto bleu_alone =
        bleu_references.rows(tokenize(repeated, Tokenizer::none), orders, ReferenceLength::closest, 1, {});
    const auto chrf_alone = chrf_references.rows(*repeated, 1, {});
    for (std::size_t i = 0; i < count; ++i) {
        check_row(bleu_values, bleu->columns(), i, bleu_alone.data() + i * bleu->columns());
        check_row(chrf_values, chrf->columns(), i, chrf_alone.data() + i * chrf->columns());
    }
    return 0;
}
