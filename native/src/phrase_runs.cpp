#include "karat/phrase_runs.hpp"

#include <span>

namespace karat {
namespace {

/// Calls `found` with the start of each run of at least `least` tokens that equal those at a distance.
template <class Found>
void runs_at(std::span<const Token> tokens, std::size_t distance, std::size_t least, const Found& found) {
    std::size_t length = 0;
    for (std::size_t i = 0; i + distance < tokens.size(); ++i) {
        length = tokens[i] == tokens[i + distance] ? length + 1 : 0;
        if (length == least) found(i + 1 - least);
    }
}

}  // namespace

PhraseRuns phrase_runs(const Tokens& tokens, std::size_t longest, std::size_t times, std::size_t times_alone,
                       const Interrupted& interrupted) {
    PhraseRuns runs;
    // Runs are few and go into one list, so one thread; the call through parallel_for lets Ctrl-C in.
    parallel_for(1, 1, 1, interrupted, [&](std::size_t, std::size_t) {
        for (std::size_t segment = 0; segment < tokens.size(); ++segment) {
            for (std::size_t length = 1; length <= longest; ++length) {
                const std::size_t least = ((length == 1 ? times_alone : times) - 1) * length;
                runs_at(tokens[segment], length, least, [&](std::size_t start) {
                    runs.segments.push_back(static_cast<std::int32_t>(segment));
                    runs.starts.push_back(static_cast<std::int32_t>(start));
                    runs.lengths.push_back(static_cast<std::int32_t>(length));
                });
            }
            keep_going(tokens[segment].size() * longest);
        }
    });
    return runs;
}

}  // namespace karat
