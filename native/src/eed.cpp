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

/// The cheapest cell of a row, the first of several.
struct Least {
    double cost;
    std::size_t place;
};

// A row is made in passes that a compiler can vectorise, for the cells of a row wait for each other only in the last.

/// What the cells of a row cost that are not reached from the cell before them: a pair of characters, or an insertion.
void price_cells(const char32_t* __restrict hypothesis, std::size_t width, char32_t c, const double* __restrict above,
                 double insertion, double* __restrict cells) noexcept {
    cells[0] = above[0] + 1.0;
    for (std::size_t i = 1; i <= width; ++i) {
        const double pair = above[i - 1] + static_cast<double>(static_cast<int>(hypothesis[i - 1] != c));
        const double up = above[i] + insertion;
        cells[i] = up < pair ? up : pair;
    }
}

/// The least of some cells: four at a time, for as many as there are fours.
double least_of(const double* cells, std::size_t count) noexcept {
    constexpr std::size_t lanes = 4;
    std::size_t i = 0;
    double least[lanes] = {cells[0], cells[0], cells[0], cells[0]};
    for (; i + lanes <= count; i += lanes) {
        for (std::size_t k = 0; k < lanes; ++k) least[k] = cells[i + k] < least[k] ? cells[i + k] : least[k];
    }
    for (; i < count; ++i) least[0] = cells[i] < least[0] ? cells[i] : least[0];
    return std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
}

/// The cheapest cell. A cell reached from the one before it costs no less than that one, so it is never the first.
Least cheapest(const std::vector<double>& cells) noexcept {
    constexpr std::size_t block = 32;
    Least least{cells[0], 0};
    for (std::size_t begin = 0; begin < cells.size(); begin += block) {
        const double cost = least_of(cells.data() + begin, std::min(block, cells.size() - begin));
        if (cost < least.cost) least = {cost, begin};
    }
    while (cells[least.place] != least.cost) ++least.place;
    return least;
}

/// Lets every cell be reached from the one before it, which is one chain of waiting cells. So it is cut into parts that
/// are done side by side as if nothing came from before; afterwards what does come is carried over, as far as it goes.
void pass_over(double* cells, std::size_t width, double deletion) noexcept {
    constexpr std::size_t parts = 4;
    const std::size_t length = width / parts;
    double last[parts];
    for (std::size_t part = 0; part < parts; ++part) last[part] = cells[part * length];
    const auto step = [deletion](double& before, double& cell) {
        const double passed = before + deletion;
        before = cell = passed < cell ? passed : cell;
    };
    for (std::size_t i = 1; i < length; ++i) {
        for (std::size_t part = 0; part < parts; ++part) step(last[part], cells[part * length + i]);
    }
    for (std::size_t i = parts * length; i < width; ++i) step(last[parts - 1], cells[i]);
    for (std::size_t i = length; i != 0 && i < parts * length; i += length) {
        double passed = cells[i - 1] + deletion;
        for (std::size_t at = i; at < width && passed < cells[at]; ++at, passed += deletion) cells[at] = passed;
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
        for (const char32_t c : reference) advance(hypothesis, c);
        const double coverage = options_.coverage * static_cast<double>(miscovered());
        const double length = static_cast<double>(reference.size());
        return std::min(1.0, (row_.back() + coverage) / (length + coverage));
    }

 private:
    void advance(const Characters& hypothesis, char32_t c) noexcept {
        price_cells(hypothesis.data(), hypothesis.size(), c, row_.data(), options_.insertion, next_.data());
        const Least least = cheapest(next_);
        ++visits_[least.place];
        pass_over(next_.data(), next_.size(), options_.deletion);
        row_.swap(next_);
        if (c != U' ') return;
        const double jump = options_.jump + least.cost;
        for (double& cell : row_) cell = jump < cell ? jump : cell;
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
