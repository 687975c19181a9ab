#include "karat/ter.hpp"

#include <algorithm>

#include "karat/ter_search.hpp"
#include "karat/workers.hpp"

namespace karat {
namespace {

// A few segments each, because some take a hundred times as long as others; one where each can take seconds.
constexpr std::size_t segments_per_chunk(TerSearch search) { return search == TerSearch::full ? 1 : 32; }

/// Fewest edits over the references, and their mean length.
void segment_row(ter::Searcher& searcher, std::span<const Token> hypothesis, const Tokens& references,
                 std::size_t begin, std::size_t end, double* row) {
    std::uint64_t fewest = ~std::uint64_t{0};
    std::size_t length = 0;
    for (std::size_t reference = begin; reference < end; ++reference) {
        fewest = std::min(fewest, searcher.edits(hypothesis, references[reference], nullptr));
        length += references[reference].size();
    }
    row[0] = static_cast<double>(fewest);
    row[1] = static_cast<double>(length) / static_cast<double>(end - begin);
}

}  // namespace

TerAlignment ter_align(std::span<const Token> hypothesis, std::span<const Token> reference, TerSearch search) {
    TerAlignment alignment;
    alignment.edits = ter::Searcher(search).edits(hypothesis, reference, &alignment);
    return alignment;
}

std::vector<double> ter_rows(const Tokens& hypotheses, const Tokens& references, std::span<const std::int64_t> offsets,
                             TerSearch search, unsigned threads, const Interrupted& interrupted) {
    std::vector<double> rows(2 * hypotheses.size());
    const std::size_t chunk = segments_per_chunk(search);
    Workers<ter::Searcher> searchers;
    parallel_for(hypotheses.size(), chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        const auto lease = searchers.take([search] { return std::make_unique<ter::Searcher>(search); });
        for (std::size_t i = begin; i < end; ++i) {
            try {
                segment_row(*lease, hypotheses[i], references, static_cast<std::size_t>(offsets[i]),
                            static_cast<std::size_t>(offsets[i + 1]), rows.data() + 2 * i);
            } catch (TerTooMuchWork& error) {
                error.segment = i;
                throw;
            }
        }
    });
    return rows;
}

}  // namespace karat
