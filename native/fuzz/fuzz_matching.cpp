// Any bytes that are UTF-8, cut into a hypothesis and references at newlines: rows must be made, and be possible.
#include <cstdlib>
#include <memory>

#include "fuzz_lines.hpp"
#include "karat/beer.hpp"
#include "karat/gtm.hpp"
#include "karat/lcs.hpp"
#include "karat/lepor.hpp"
#include "karat/overlap.hpp"
#include "karat/ribes.hpp"
#include "karat/skip_bigrams.hpp"
#include "karat/word_order.hpp"
#include "karat/word_pairs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const karat::fuzz::Lines lines(data, size);
    if (!lines.usable()) return 0;
    const auto tokens = [](const std::shared_ptr<const karat::TextColumn>& column) {
        return std::make_shared<const karat::Tokens>(karat::tokenize(column, karat::Tokenizer::none));
    };
    const karat::WordReferences prepared(tokens(lines.references()), lines.offsets(), 1, {});
    const auto hypothesis = tokens(lines.hypothesis());
    const auto ribes = karat::pair_rows<std::int64_t>(prepared, *hypothesis, 2, 1, {}, karat::RibesKernel(size % 2));
    for (std::size_t i = 0; i < ribes.size(); i += 4) {
        if (ribes[i + 2] > ribes[i] || 2 * ribes[i + 3] > ribes[i + 2] * (ribes[i + 2] - 1)) std::abort();
    }
    const auto alignment = static_cast<karat::LeporAlignment>(size % 3);
    const auto lepor =
        karat::pair_rows<double>(prepared, *hypothesis, 2, 1, {}, karat::LeporKernel(size % 5, alignment));
    const auto overlap = karat::pair_rows<std::int64_t>(prepared, *hypothesis, 2, 1, {}, karat::OverlapKernel{});
    for (std::size_t i = 0; i < lepor.size(); i += 4) {
        const auto common = static_cast<double>(overlap[i + 2]);
        if (lepor[i + 2] > common || overlap[i + 3] > overlap[i + 2]) std::abort();
        if (alignment != karat::LeporAlignment::perl && lepor[i + 2] < common) std::abort();
    }
    const auto order = karat::pair_rows<std::int64_t>(prepared, *hypothesis, 6, 1, {}, karat::WordOrderKernel{});
    for (std::size_t i = 0; i < order.size(); i += 8) {
        if (order[i + 2] != overlap[i / 2 + 2] || order[i + 3] > order[i + 2]) std::abort();
        if (2 * order[i + 7] > order[i + 2] * (order[i + 2] - 1)) std::abort();
    }
    const auto beer = karat::pair_rows<std::int64_t>(prepared, *hypothesis, 9, 1, {}, karat::BeerKernel{});
    for (std::size_t i = 0; i < beer.size(); i += 11) {
        if (beer[i + 2] != overlap[i / 11 * 4 + 2] || beer[i + 10] < beer[i + 9]) std::abort();
    }
    const auto lcs = karat::pair_rows<std::int64_t>(prepared, *hypothesis, 1, 1, {}, karat::LcsKernel{});
    const auto weighted = karat::pair_rows<double>(prepared, *hypothesis, 1, 1, {}, karat::WeightedLcsKernel(1));
    const auto skip =
        karat::pair_rows<std::int64_t>(prepared, *hypothesis, 3, 1, {}, karat::SkipBigramKernel(size % 7));
    for (std::size_t i = 0; i < lcs.size() / 3; ++i) {
        if (static_cast<double>(lcs[3 * i + 2]) != weighted[3 * i + 2]) std::abort();
        if (skip[5 * i + 3] != overlap[4 * i + 2] || lcs[3 * i + 2] > overlap[4 * i + 2]) std::abort();
    }
    // With a sentence each, the union is the subsequence.
    std::vector<std::int64_t> starts;
    for (std::size_t i = 0; i <= prepared.reference_count(); ++i) starts.push_back(static_cast<std::int64_t>(i));
    const std::vector<std::int64_t> one{0, 1};
    const auto united = karat::summary_lcs_rows(prepared, lines.offsets(), starts, *hypothesis, one, 1, {});
    for (std::size_t i = 0; i < united.size() / 4; ++i) {
        if (united[4 * i + 2] != lcs[3 * i + 2] || united[4 * i + 3] != united[4 * i + 2]) std::abort();
    }
    const auto gtm = karat::pair_rows<double>(prepared, *hypothesis, 1, 1, {}, karat::GtmKernel(1));
    for (std::size_t i = 0; i < gtm.size() / 3; ++i) {
        if (gtm[3 * i + 2] != static_cast<double>(overlap[4 * i + 2])) std::abort();
    }
    return 0;
}
