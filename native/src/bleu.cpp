#include "karat/bleu.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "karat/placed_ngrams.hpp"
#include "karat/segment_lexicon.hpp"
#include "karat/workers.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 64;

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

/// What one thread needs for one segment after the other.
struct BleuReferences::Worker {
    SegmentLexicon lexicon;
    NgramMatcher matcher;
    std::array<Places, most_places + 1> places{};  // by number of a word
    std::vector<Places> hypothesis_places;
    std::vector<Symbol> hypothesis, references;
    std::vector<std::uint32_t> ends;  // of the references, as `SymbolReferences` has them
};

BleuReferences::BleuReferences(std::shared_ptr<const Tokens> references, std::vector<std::int64_t> offsets)
    : references_(std::move(references)), offsets_(std::move(offsets)) {}

/// Numbers the words of the references of a segment.
void BleuReferences::read_references(std::size_t segment, Worker& worker) const {
    const auto first = static_cast<std::size_t>(offsets_[segment]);
    const auto last = static_cast<std::size_t>(offsets_[segment + 1]);
    std::size_t words = 0;
    worker.ends.clear();
    for (std::size_t r = first; r < last; ++r) {
        words += (*references_)[r].size();
        worker.ends.push_back(static_cast<std::uint32_t>(words + r - first));
    }
    worker.lexicon.start(words);
    worker.references.resize(words + (last - first) + symbol_padding);
    Symbol* next = worker.references.data();
    for (std::size_t r = first; r < last; ++r) {
        worker.lexicon.add((*references_)[r], [&next](std::uint32_t word) { *next++ = word; });
        *next++ = end_of_reference;
    }
}

/// Matches with one reference, if that is short; false if not.
bool BleuReferences::match_short(std::span<const Token> hypothesis, std::span<const Token> reference, Worker& worker,
                                 std::span<std::int64_t> matches) const {
    if (matches.size() > most_placed_orders || reference.size() > most_places) return false;
    worker.lexicon.start(reference.size());
    std::fill_n(worker.places.begin(), reference.size() + 1, Places{0});
    worker.lexicon.add(reference, [places = worker.places.data(), place = Places{1}](std::uint32_t word) mutable {
        places[word] |= place;
        place <<= 1;
    });
    worker.hypothesis_places.resize(hypothesis.size());
    worker.lexicon.find(hypothesis, [places = worker.places.data(), next = worker.hypothesis_places.data()](
                                        std::uint32_t word) mutable { *next++ = places[word]; });
    match_places(worker.hypothesis_places, matches);
    return true;
}

/// Matches with any references; they have been read.
void BleuReferences::match_long(std::span<const Token> hypothesis, Worker& worker,
                                std::span<std::int64_t> matches) const {
    worker.hypothesis.resize(hypothesis.size() + symbol_padding);
    worker.lexicon.find(hypothesis, [next = worker.hypothesis.data()](std::uint32_t word) mutable { *next++ = word; });
    worker.hypothesis[hypothesis.size()] = end_of_hypothesis;
    worker.matcher.match(std::span(worker.hypothesis).first(hypothesis.size()),
                         {worker.references.data(), worker.ends, static_cast<Symbol>(worker.lexicon.size())}, matches);
}

void BleuReferences::row(std::size_t segment, std::span<const Token> hypothesis, ReferenceLength reference_length,
                         Worker& worker, std::span<std::int64_t> out) const {
    const std::size_t orders = (out.size() - 2) / 2;
    const auto length = static_cast<std::int64_t>(hypothesis.size());
    const auto first = static_cast<std::size_t>(offsets_[segment]);
    const bool single = offsets_[segment + 1] == offsets_[segment] + 1;
    out[0] = length;
    if (single && match_short(hypothesis, (*references_)[first], worker, out.subspan(2, orders))) {
        out[1] = static_cast<std::int64_t>((*references_)[first].size());
    } else {
        read_references(segment, worker);
        out[1] = length_of(worker.ends, length, reference_length);
        match_long(hypothesis, worker, out.subspan(2, orders));
    }
    for (std::size_t n = 0; n < orders; ++n) {
        out[2 + orders + n] = std::max<std::int64_t>(0, length - static_cast<std::int64_t>(n));
    }
}

std::vector<std::int64_t> BleuReferences::rows(const Tokens& hypotheses, unsigned max_order,
                                               ReferenceLength reference_length, unsigned threads,
                                               const Interrupted& interrupted) const {
    const std::size_t columns = 2 + 2 * std::size_t{max_order};
    std::vector<std::int64_t> values(size() * columns);
    Workers<Worker> workers;
    parallel_for(size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        const auto lease = workers.take();
        for (std::size_t i = begin; i < end; ++i) {
            row(i, hypotheses[i], reference_length, *lease, std::span(values).subspan(i * columns, columns));
        }
    });
    return values;
}

}  // namespace karat
