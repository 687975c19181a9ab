#include "karat/terp.hpp"

#include <algorithm>

#include "karat/edit_distance.hpp"
#include "terp_search.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 1;  // a long segment takes so long that Ctrl-C would wait for several

}  // namespace

std::vector<double> terp_rows(const NumberedText& hypotheses, const NumberedText& references,
                              std::span<const std::int64_t> offsets, const WordKnowledge& knowledge,
                              const TerpOptions& options, unsigned threads, const Interrupted& interrupted) {
    const std::size_t count = offsets.size() - 1;
    std::vector<double> rows(2 * count);
    parallel_for(count, segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        terp::Searcher searcher(knowledge, options, true);
        for (std::size_t i = begin; i < end; ++i) {
            const auto first = static_cast<std::size_t>(offsets[i]);
            const auto last = static_cast<std::size_t>(offsets[i + 1]);
            std::size_t length = 0;
            try {
                for (std::size_t k = first; k < last; ++k) {
                    const double edits = searcher.edits(hypotheses[i], references[k]);
                    rows[2 * i] = k == first ? edits : std::min(rows[2 * i], edits);
                    length += references[k].size();
                }
            } catch (EditTooMuchWork& error) {
                error.segment = i;
                throw;
            }
            rows[2 * i + 1] = static_cast<double>(length) / static_cast<double>(last - first);
        }
    });
    return rows;
}

}  // namespace karat
