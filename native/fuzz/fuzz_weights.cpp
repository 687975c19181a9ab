// Any bytes that are UTF-8, cut into a hypothesis and references at newlines: weights must be possible.
#include <cstdlib>
#include <memory>
#include <vector>

#include "fuzz_lines.hpp"
#include "karat/ngram_counts.hpp"
#include "karat/weighted_ngrams.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const karat::fuzz::Lines lines(data, size);
    if (!lines.usable()) return 0;
    const auto tokens = [](const std::shared_ptr<const karat::TextColumn>& column) {
        return std::make_shared<const karat::Tokens>(karat::tokenize(column, karat::Tokenizer::none));
    };
    const unsigned orders = 1 + static_cast<unsigned>(size % 6);
    auto counts = std::make_shared<karat::NgramCounts>(orders);
    counts->add(*tokens(lines.references()), lines.offsets(), {});
    const karat::WeightedReferences prepared(tokens(lines.references()), lines.offsets(), counts, karat::Ranking::joint,
                                             1, {});
    const std::vector<karat::NgramWeight> weights{karat::NgramWeight::informed_zipf, karat::NgramWeight::tf_idf,
                                                  karat::NgramWeight::tf_idf_total,
                                                  karat::NgramWeight::rarest_rank_share};
    const auto row = prepared.rows(*tokens(lines.hypothesis()), weights, {}, 1, {});
    for (unsigned n = 0; n < orders; ++n) {
        const double matches = row[3 + n];
        if (matches < 0 || row[3 + 3 * orders + n] < matches) std::abort();
        if (row[3 + 4 * orders + n] < row[3 + 3 * orders + n] - 1e-9) std::abort();
        if (row[3 + 5 * orders + n] < 0 || (matches > 0 && row[3 + 5 * orders + n] == 0)) std::abort();
    }
    return 0;
}
