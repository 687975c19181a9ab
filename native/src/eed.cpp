#include "karat/eed.hpp"

#include <algorithm>

#include "karat/edit_distance.hpp"
#include "karat/unicode.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 8;

using Characters = std::vector<char32_t>;

/// The words with a blank before each and one at the end.
void spaced_characters(std::span<const Token> words, Characters& into) {
    into.assign(1, U' ');
    for (const Token& word : words) {
        const std::string_view bytes = word.view();
        for (std::size_t at = 0, length = 0; at < bytes.size(); at += length) {
            into.push_back(decode(bytes.data() + at, length));
        }
        into.push_back(U' ');
    }
}

/// Scores one pair after the other, and keeps its memory from one to the next.
class Scorer {
 public:
    explicit Scorer(const EedOptions& options) : options_(options) {}

    double score(const Characters& hypothesis, const Characters& reference) {
        if (hypothesis.size() > eed_cells / reference.size()) {
            throw EditTooMuchWork(hypothesis.size(), reference.size());
        }
        row_.assign(hypothesis.size() + 1, 1.0);
        row_[0] = 0;
        next_.resize(row_.size());
        visits_.assign(row_.size(), 0);
        for (const char32_t c : reference) {
            advance(hypothesis, c);
            const auto least = std::min_element(next_.begin(), next_.end());
            ++visits_[static_cast<std::size_t>(least - next_.begin())];
            if (c == U' ') {
                const double jump = options_.jump + *least;
                for (double& cell : next_) cell = std::min(cell, jump);
            }
            row_.swap(next_);
        }
        const double coverage = options_.coverage * static_cast<double>(miscovered());
        const double length = static_cast<double>(reference.size());
        return std::min(1.0, (row_.back() + coverage) / (length + coverage));
    }

 private:
    void advance(const Characters& hypothesis, char32_t c) noexcept {
        next_[0] = row_[0] + 1.0;
        for (std::size_t i = 1; i < row_.size(); ++i) {
            const double pair = row_[i - 1] + (hypothesis[i - 1] == c ? 0.0 : 1.0);
            next_[i] = std::min({next_[i - 1] + options_.deletion, pair, row_[i] + options_.insertion});
        }
    }

    /// Characters that were never visited, and visits after the first.
    std::uint64_t miscovered() const noexcept {
        std::uint64_t sum = 0;
        for (std::size_t i = options_.count_start ? 0 : 1; i < visits_.size(); ++i) {
            sum += visits_[i] == 0 ? 1 : visits_[i] - 1;
        }
        return sum;
    }

    EedOptions options_;
    std::vector<double> row_;
    std::vector<double> next_;
    std::vector<std::uint64_t> visits_;
};

}  // namespace

std::vector<double> eed_scores(const Tokens& hypotheses, const Tokens& references,
                               std::span<const std::int64_t> offsets, const EedOptions& options, unsigned threads,
                               const Interrupted& interrupted) {
    std::vector<double> scores(hypotheses.size(), 1.0);
    parallel_for(scores.size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Scorer scorer(options);
        Characters hypothesis;
        Characters reference;
        for (std::size_t i = begin; i < end; ++i) {
            spaced_characters(hypotheses[i], hypothesis);
            try {
                for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
                    spaced_characters(references[k], reference);
                    scores[i] = std::min(scores[i], scorer.score(hypothesis, reference));
                }
            } catch (EditTooMuchWork& error) {
                error.segment = i;
                throw;
            }
        }
    });
    return scores;
}

}  // namespace karat
