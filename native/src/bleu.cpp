#include "karat/bleu.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 128;

std::vector<std::span<const Token>> all_segments(const Tokens& tokens) {
    std::vector<std::span<const Token>> segments;
    segments.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) segments.push_back(tokens[i]);
    return segments;
}

std::int64_t length_of(std::span<const std::uint32_t> ends, std::int64_t hypothesis, ReferenceLength which) {
    if (which == ReferenceLength::total) return static_cast<std::int64_t>(ends.back() + 1 - ends.size());
    std::int64_t best = ends[0];
    for (std::size_t r = 1; r < ends.size(); ++r) {
        const std::int64_t length = ends[r] - ends[r - 1] - 1;
        const std::int64_t gap = std::abs(length - hypothesis) - std::abs(best - hypothesis);
        const bool closer = gap < 0 || (gap == 0 && length < best);
        if (which == ReferenceLength::closest ? closer : length < best) best = length;
    }
    return best;
}

}  // namespace

struct BleuReferences::Worker {
    NgramMatcher matcher;
    std::vector<Symbol> symbols;
};

BleuReferences::BleuReferences(std::shared_ptr<const Tokens> references, std::vector<std::int64_t> offsets,
                               unsigned threads, const Interrupted& interrupted)
    : references_(std::move(references)),
      lexicon_(all_segments(*references_), std::move(offsets), threads, interrupted) {}

void BleuReferences::row(std::size_t segment, std::span<const Token> hypothesis, ReferenceLength reference_length,
                         Worker& worker, std::span<std::int64_t> out) const {
    const std::size_t orders = (out.size() - 2) / 2;
    const auto length = static_cast<std::int64_t>(hypothesis.size());
    const SymbolReferences references = lexicon_.references(segment);
    out[0] = length;
    out[1] = length_of(references.ends, length, reference_length);
    worker.matcher.match(lexicon_.look_up(segment, hypothesis, worker.symbols), references, out.subspan(2, orders));
    for (std::size_t n = 0; n < orders; ++n) {
        out[2 + orders + n] = std::max<std::int64_t>(0, length - static_cast<std::int64_t>(n));
    }
}

std::vector<std::int64_t> BleuReferences::rows(const Tokens& hypotheses, unsigned max_order,
                                               ReferenceLength reference_length, unsigned threads,
                                               const Interrupted& interrupted) const {
    const std::size_t columns = 2 + 2 * std::size_t{max_order};
    std::vector<std::int64_t> values(size() * columns);
    parallel_for(size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Worker worker;
        for (std::size_t i = begin; i < end; ++i) {
            row(i, hypotheses[i], reference_length, worker, std::span(values).subspan(i * columns, columns));
        }
    });
    return values;
}

}  // namespace karat
