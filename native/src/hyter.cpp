#include "karat/hyter.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "edit_rate.hpp"
#include "karat/word_types.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 8;

using Cost = std::int64_t;
constexpr Cost unreachable = std::numeric_limits<Cost>::max() / 2;

/// A string of a network, as the hypothesis sees it.
struct Found {
    std::int64_t edits;
    std::int64_t words;

    edit::Rate rate() const noexcept { return edit::Rate::of(edits, words); }

    bool beats(const Found& other, ReferenceChoice choice) const noexcept {
        if (choice == ReferenceChoice::fewest_edits) {
            return edits != other.edits ? edits < other.edits : words > other.words;
        }
        const auto order = rate() <=> other.rate();
        return order != 0 ? order < 0 : words > other.words;
    }
};

/// What an edit and a word of the string cost: `length` x edits - `errors` x words of the string, which is below 0 for
/// strings with a lower rate than errors / length; of equal costs the longest string has the least.
class Prices {
 public:
    /// Those by which the fewest edits cost least.
    static Prices of_edits() noexcept { return Prices({0, 1}); }

    /// Those by which a string with a lower rate costs less than nothing.
    static Prices against(edit::Rate rate) noexcept {
        const std::int64_t divisor = std::gcd(rate.errors, rate.length);
        return Prices({rate.errors / divisor, rate.length / divisor});
    }

    Cost edit() const noexcept { return rate_.length * scale; }
    Cost word() const noexcept { return -rate_.errors * scale - 1; }

    Found found(Cost cost) const noexcept {
        const std::int64_t words = -cost & (scale - 1);
        return {((cost + words) / scale + rate_.errors * words) / rate_.length, words};
    }

 private:
    explicit Prices(edit::Rate rate) noexcept : rate_(rate) {}

    static constexpr Cost scale = static_cast<Cost>(longest_hyter_text) + 1;
    static_assert((scale & (scale - 1)) == 0 && 2 * scale <= unreachable / scale / scale);

    edit::Rate rate_;
};

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
    void advance(const Row& row, std::int32_t word, const Prices& prices, Row& next) const {
        const Cost hit = prices.word();
        const Cost miss = hit + prices.edit();
        for (std::size_t s = 0; s < states_; ++s) next[s] = row[s] + miss;
        if (window_ > 1) {
            for (const Step& step : steps_) {
                const Cost cost = row[step.from] + (step.word == word ? hit : miss);
                next[step.to] = std::min(next[step.to], cost);
            }
        } else {
            for (std::size_t j = 0; j < ids_.size(); ++j) {
                const Cost cost = row[j] + (ids_[j] == word ? hit : miss);
                next[j + 1] = std::min(next[j + 1], cost);
            }
        }
        insert_words(next, prices);
    }

    /// Words that only the hypothesis has.
    void insert_words(Row& row, const Prices& prices) const {
        const Cost edit = prices.edit();
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

/// Finds the best string of the networks of one segment after the other, and keeps its memory between them.
class Searcher {
 public:
    Searcher(const Tokens& pieces, const Networks& networks, unsigned window, ReferenceChoice choice)
        : pieces_(pieces), networks_(networks), window_(window), choice_(choice) {}

    /// The best string of the networks from `begin` to `end`, one at least.
    Found best(std::span<const Token> hypothesis, std::size_t begin, std::size_t end) {
        reading_.set(hypothesis, window_);
        best_.reset();
        for (std::size_t k = begin; k < end; ++k) {
            const auto first = static_cast<std::size_t>(networks_.starts[k]);
            const auto steps =
                networks_.steps.subspan(first, static_cast<std::size_t>(networks_.starts[k + 1]) - first);
            refuse_too_much(steps);
            improve(steps);
        }
        return *best_;
    }

 private:
    /// A group that has been opened: the way in, and the best way out so far.
    struct Group {
        Row entry;
        Row exit;
    };

    using Steps = std::span<const std::int32_t>;

    /// Makes the best string of a network the best one so far, if it is.
    void improve(Steps steps) {
        const bool by_edits = choice_ == ReferenceChoice::fewest_edits || !best_;
        bool improved = offer(cheapest(steps, by_edits ? Prices::of_edits() : Prices::against(best_->rate())));
        if (choice_ == ReferenceChoice::fewest_edits) return;
        // The rate of the empty string is a convention that costs do not know.
        if (holds_empty_string(steps)) improved |= offer({static_cast<std::int64_t>(reading_.size()), 0});
        if (std::ranges::find(steps, open_group) == steps.end()) return;
        while (improved && best_->edits > 0) improved = offer(cheapest(steps, Prices::against(best_->rate())));
    }

    bool offer(Found candidate) {
        if (best_ && !candidate.beats(*best_, choice_)) return false;
        best_ = candidate;
        return true;
    }

    Found cheapest(Steps steps, const Prices& prices) {
        row_.assign(reading_.states(), unreachable);
        row_[0] = 0;
        reading_.insert_words(row_, prices);
        depth_ = 0;
        for (const std::int32_t step : steps) take(step, prices);
        if (depth_ != 0) throw std::invalid_argument("a group of alternatives is not closed");
        return prices.found(row_.back());
    }

    /// Of steps that are a network.
    bool holds_empty_string(Steps steps) const {
        struct Way {
            bool entry;
            bool exit;
        };
        std::vector<Way> ways;
        bool empty = true;
        for (const std::int32_t step : steps) {
            if (step >= 0) {
                empty = empty && pieces_[static_cast<std::size_t>(step)].empty();
            } else if (step == open_group) {
                ways.push_back({empty, false});
            } else {
                ways.back().exit |= empty;
                empty = step == next_alternative ? ways.back().entry : ways.back().exit;
                if (step == close_group) ways.pop_back();
            }
        }
        return empty;
    }

    void refuse_too_much(Steps steps) const {
        std::uint64_t words = 1;
        for (const std::int32_t step : steps) {
            if (step >= static_cast<std::int64_t>(pieces_.size())) {
                throw std::invalid_argument("a network has more pieces than there are");
            }
            if (step >= 0) words += pieces_[static_cast<std::size_t>(step)].size();
        }
        const bool too_long = std::max<std::uint64_t>(words - 1, reading_.size()) > longest_hyter_text;
        if (too_long || reading_.states() + reading_.step_count() > hyter_cells / words) {
            throw EditTooMuchWork(reading_.size(), words - 1);
        }
    }

    void take(std::int32_t step, const Prices& prices) {
        if (step >= 0) return read(static_cast<std::size_t>(step), prices);
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

    void read(std::size_t piece, const Prices& prices) {
        for (const Token& word : pieces_[piece]) {
            next_.resize(row_.size());
            reading_.advance(row_, reading_.number(word), prices, next_);
            row_.swap(next_);
        }
    }

    const Tokens& pieces_;
    const Networks& networks_;
    unsigned window_;
    ReferenceChoice choice_;
    Reading reading_;
    std::optional<Found> best_;
    Row row_;
    Row next_;
    std::vector<Group> groups_;
    std::size_t depth_ = 0;
};

}  // namespace

std::vector<std::int64_t> hyter_rows(const Tokens& hypotheses, const Tokens& pieces, const Networks& networks,
                                     std::span<const std::int64_t> offsets, unsigned window, ReferenceChoice choice,
                                     unsigned threads, const Interrupted& interrupted) {
    if (window < 1 || window > widest_hyter_window) throw std::invalid_argument("the window is from 1 to 8 words");
    if (choice != ReferenceChoice::fewest_edits && choice != ReferenceChoice::error_rate) {
        throw std::invalid_argument("strings of a network are chosen by edits or by their rate");
    }
    std::vector<std::int64_t> rows(2 * hypotheses.size());
    parallel_for(hypotheses.size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Searcher searcher(pieces, networks, window, choice);
        for (std::size_t i = begin; i < end; ++i) {
            try {
                const Found best = searcher.best(hypotheses[i], static_cast<std::size_t>(offsets[i]),
                                                 static_cast<std::size_t>(offsets[i + 1]));
                rows[2 * i] = best.edits;
                rows[2 * i + 1] = best.words;
            } catch (EditTooMuchWork& error) {
                error.segment = i;
                throw;
            }
        }
    });
    return rows;
}

}  // namespace karat
