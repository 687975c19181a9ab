#include "karat/hyter.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "karat/edit_distance.hpp"
#include "karat/word_types.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 8;

// Edits in the upper half, minus the words of the string in the lower: the least is the closest, then the longest.
using Cost = std::int64_t;
constexpr Cost edit = Cost{1} << 32;
constexpr Cost word_of_string = -1;
constexpr Cost unreachable = std::numeric_limits<Cost>::max() / 2;

using Row = std::vector<Cost>;

/// The orders that a hypothesis may be read in: states, and steps from one to another that read a word.
class Reading {
 public:
    void set(std::span<const Token> words, unsigned window) {
        WordTable table;
        words_ = words;
        ids_.clear();
        for (const Token& word : words) ids_.push_back(table.intern(word));
        table_ = std::move(table);
        window_ = window;
        steps_.clear();
        states_ = words.size() + 1;
        if (window > 1) permute();
    }

    std::size_t states() const noexcept { return states_; }

    /// How many ways there are to read a word, over all states.
    std::size_t step_count() const noexcept { return window_ > 1 ? steps_.size() : ids_.size(); }

    std::size_t size() const noexcept { return words_.size(); }

    std::int32_t number(const Token& word) const noexcept { return table_.find(word); }

    /// From `row`, one word of the network further.
    void advance(const Row& row, std::int32_t word, Row& next) const {
        for (std::size_t s = 0; s < states_; ++s) next[s] = row[s] + edit + word_of_string;
        if (window_ > 1) {
            for (const Step& step : steps_) {
                const Cost cost = row[step.from] + (step.word == word ? 0 : edit) + word_of_string;
                next[step.to] = std::min(next[step.to], cost);
            }
        } else {
            for (std::size_t j = 0; j < ids_.size(); ++j) {
                const Cost cost = row[j] + (ids_[j] == word ? 0 : edit) + word_of_string;
                next[j + 1] = std::min(next[j + 1], cost);
            }
        }
        insert_words(next);
    }

    /// Words that only the hypothesis has.
    void insert_words(Row& row) const {
        if (window_ > 1) {
            for (const Step& step : steps_) row[step.to] = std::min(row[step.to], row[step.from] + edit);
        } else {
            for (std::size_t j = 1; j < row.size(); ++j) row[j] = std::min(row[j], row[j - 1] + edit);
        }
    }

 private:
    struct Step {
        std::uint32_t from;
        std::uint32_t to;
        std::int32_t word;
    };
    /// How many words from the left are read without a gap, and which of those that follow.
    using Coverage = std::pair<std::uint32_t, std::uint32_t>;

    static Coverage covered(Coverage state, unsigned ahead) noexcept {
        state.second |= 1u << ahead;
        while (state.second & 1u) state.second >>= 1, ++state.first;
        return state;
    }

    /// States by number of words read, so that steps lead to later ones only.
    void permute() {
        std::size_t count = 1;
        std::map<Coverage, std::uint32_t> numbers{{{0, 0}, 0}};
        std::vector<Coverage> layer{{0, 0}};
        for (std::size_t read = 0; read < ids_.size(); ++read) {
            std::map<Coverage, std::uint32_t> next;
            std::vector<Coverage> next_layer;
            for (const Coverage& state : layer) {
                for (unsigned ahead = 0; ahead < window_ && state.first + ahead < ids_.size(); ++ahead) {
                    if (state.second >> ahead & 1u) continue;
                    const Coverage to = covered(state, ahead);
                    const auto number = static_cast<std::uint32_t>(count + next.size());
                    const auto [place, is_new] = next.try_emplace(to, number);
                    if (is_new) next_layer.push_back(to);
                    steps_.push_back({numbers[state], place->second, ids_[state.first + ahead]});
                }
            }
            count += next.size();
            numbers = std::move(next);
            layer = std::move(next_layer);
        }
        states_ = count;
    }

    std::span<const Token> words_;
    WordTable table_;
    std::vector<std::int32_t> ids_;
    unsigned window_ = 1;
    std::size_t states_ = 0;
    std::vector<Step> steps_;
};

/// Finds the closest string of one network after the other, and keeps its memory between them.
class Searcher {
 public:
    Searcher(const Tokens& pieces, const Networks& networks, unsigned window)
        : pieces_(pieces), networks_(networks), window_(window) {}

    void set(std::span<const Token> hypothesis) { reading_.set(hypothesis, window_); }

    Cost closest(std::size_t reference) {
        row_.assign(reading_.states(), unreachable);
        row_[0] = 0;
        reading_.insert_words(row_);
        depth_ = 0;
        const auto begin = static_cast<std::size_t>(networks_.starts[reference]);
        const auto end = static_cast<std::size_t>(networks_.starts[reference + 1]);
        const auto steps = networks_.steps.subspan(begin, end - begin);
        refuse_too_much(steps);
        for (const std::int32_t step : steps) take(step);
        if (depth_ != 0) throw std::invalid_argument("a group of alternatives is not closed");
        return row_.back();
    }

 private:
    /// A group that has been opened: the way in, and the best way out so far.
    struct Group {
        Row entry;
        Row exit;
    };

    void refuse_too_much(std::span<const std::int32_t> steps) const {
        std::uint64_t words = 1;
        for (const std::int32_t step : steps) {
            if (step >= static_cast<std::int64_t>(pieces_.size())) {
                throw std::invalid_argument("a network has more pieces than there are");
            }
            if (step >= 0) words += pieces_[static_cast<std::size_t>(step)].size();
        }
        if (reading_.states() + reading_.step_count() > hyter_cells / words) {
            throw EditTooMuchWork(reading_.size(), words - 1);
        }
    }

    void take(std::int32_t step) {
        if (step >= 0) return read(static_cast<std::size_t>(step));
        if (step == open_group) return open();
        if (depth_ == 0 || (step != next_alternative && step != close_group)) {
            throw std::invalid_argument("a group of alternatives was never opened");
        }
        Group& group = groups_[depth_ - 1];
        for (std::size_t s = 0; s < row_.size(); ++s) group.exit[s] = std::min(group.exit[s], row_[s]);
        if (step == next_alternative) {
            row_ = group.entry;
        } else {
            row_.swap(group.exit);
            --depth_;
        }
    }

    void open() {
        if (depth_ == groups_.size()) groups_.emplace_back();
        groups_[depth_].entry = row_;
        groups_[depth_].exit.assign(row_.size(), unreachable);
        ++depth_;
    }

    void read(std::size_t piece) {
        for (const Token& word : pieces_[piece]) {
            next_.resize(row_.size());
            reading_.advance(row_, reading_.number(word), next_);
            row_.swap(next_);
        }
    }

    const Tokens& pieces_;
    const Networks& networks_;
    unsigned window_;
    Reading reading_;
    Row row_;
    Row next_;
    std::vector<Group> groups_;
    std::size_t depth_ = 0;
};

}  // namespace

std::vector<std::int64_t> hyter_rows(const Tokens& hypotheses, const Tokens& pieces, const Networks& networks,
                                     std::span<const std::int64_t> offsets, unsigned window, unsigned threads,
                                     const Interrupted& interrupted) {
    if (window < 1 || window > widest_hyter_window) throw std::invalid_argument("the window is from 1 to 8 words");
    std::vector<std::int64_t> rows(2 * hypotheses.size());
    parallel_for(hypotheses.size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Searcher searcher(pieces, networks, window);
        for (std::size_t i = begin; i < end; ++i) {
            try {
                searcher.set(hypotheses[i]);
                Cost least = unreachable;
                for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
                    least = std::min(least, searcher.closest(k));
                }
                rows[2 * i] = (least + edit - 1) >> 32;
                rows[2 * i + 1] = rows[2 * i] * edit - least;
            } catch (EditTooMuchWork& error) {
                error.segment = i;
                throw;
            }
        }
    });
    return rows;
}

}  // namespace karat
