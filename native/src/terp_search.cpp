#include "terp_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "karat/edit_distance.hpp"
#include "karat/parallel.hpp"

namespace karat::terp {
namespace {

constexpr double nothing_yet = 999'999.0;

}  // namespace

template <class Cost>
void Phrases::set(Words hypothesis, Words reference, const Cost& cost) {
    count_ = 0;
    if (index_ == nullptr) return;
    phrases_.resize(std::max(phrases_.size(), reference.size()));
    for (auto& phrases : phrases_) phrases.clear();
    present_.assign(hypothesis.begin(), hypothesis.end());
    std::ranges::sort(present_);
    const auto is_present = [&](std::int32_t word) { return std::ranges::binary_search(present_, word); };
    found_.clear();
    index_->find(reference, found_);
    const ParaphraseTable& table = index_->table();
    for (const PhraseOccurrence& one : found_) {
        const auto [first, last] = table.entries(one.phrase);
        for (std::size_t entry = first; entry < last; ++entry) {
            const float probability = table.probability(entry);
            if (!(probability > 0) || !index_->spell(table.paraphrase(entry), words_)) continue;
            if (!std::ranges::all_of(words_, is_present)) continue;
            const std::uint64_t key =
                static_cast<std::uint64_t>(one.phrase) << 32 | static_cast<std::uint32_t>(table.paraphrase(entry));
            const auto [known, is_new] = costs_.try_emplace(key, 0.0);
            if (is_new) known->second = cost(reference.subspan(one.start, one.length), words_, probability);
            phrases_[one.start].push_back({one.length, words_, known->second});
            ++count_;
        }
    }
}

double Searcher::edits(Words hypothesis, Words reference) {
    if (hypothesis.empty()) return static_cast<double>(reference.size()) * options_.costs.deletion;
    if (reference.empty()) return static_cast<double>(hypothesis.size()) * options_.costs.insertion;
    if (hypothesis.size() > terp_word_pairs / reference.size()) {
        throw EditTooMuchWork(hypothesis.size(), reference.size());
    }
    hypothesis_ = hypothesis;
    reference_ = reference;
    cells_ = 0;
    relate();
    phrases_.set(hypothesis, reference, [this](Words phrase, Words paraphrase, double probability) {
        return phrase_cost(phrase, paraphrase, probability);
    });
    order_.resize(hypothesis.size());
    std::iota(order_.begin(), order_.end(), 0u);
    double left = distance(order_);
    is_filled_ = true;
    double moves = 0;
    for (double after = 0; best_shift(left, after); left = after) {
        order_ = best_order_;
        moves += options_.costs.shift;
    }
    return left + moves;
}

/// What it costs to take one word for another, and whether a block may move over it.
void Searcher::relate() {
    relations_.assign(hypothesis_.size() * reference_.size(), Relation::none);
    pair_costs_.assign(relations_.size(), options_.costs.substitution);
    std::size_t at = 0;
    for (const std::int32_t word : hypothesis_) {
        for (const std::int32_t other : reference_) {
            double& cost = pair_costs_[at];
            Relation& relation = relations_[at++];
            if (word == other) {
                relation = Relation::same;
                cost = options_.costs.match;
                continue;
            }
            if (!knowledge_.stems.empty() &&
                knowledge_.stems[static_cast<std::size_t>(word)] == knowledge_.stems[static_cast<std::size_t>(other)]) {
                relation = Relation::related;
                cost = std::min(cost, options_.costs.stem);
            }
            if (!knowledge_.synset_offsets.empty() && share_synset(knowledge_, word, other)) {
                relation = Relation::related;
                cost = std::min(cost, options_.costs.synonym);
            }
        }
    }
}

double Searcher::phrase_cost(Words phrase, Words paraphrase, double probability) {
    if (!between_phrases_) between_phrases_ = std::make_unique<Searcher>(knowledge_, options_, false);
    const double apart = between_phrases_->edits(paraphrase, phrase);
    const auto& [a, b, c, d] = options_.costs.phrase;
    return std::max(0.0, a + b * std::log10(probability) * apart + c * probability * apart + d * apart);
}

double Searcher::distance(const Order& order) {
    fill(order, options_.beam);
    // A beam that is narrow for the costs can cut all ways to the end off.
    if (scores_[cell(reference_.size(), order.size())] < 0) fill(order, nothing_yet);
    return scores_[cell(reference_.size(), order.size())];
}

bool Searcher::stands_at(const Phrase& phrase, const Order& order, std::size_t position) const noexcept {
    if (phrase.words.size() > order.size() - position) return false;
    for (std::size_t k = 0; k < phrase.words.size(); ++k) {
        if (hypothesis_[order[position + k]] != phrase.words[k]) return false;
    }
    return true;
}

/// Fills the matrix column by column. Within a column, rows before the first and behind the last that went on in the
/// column before are left out, and cells that cost more than the best step along the diagonal did, plus the beam.
void Searcher::fill(const Order& order, double beam) {
    const std::size_t rows = reference_.size();
    const std::size_t columns = order.size();
    count_cells((rows + 1) * (columns + 1));
    scores_.assign((rows + 1) * (columns + 1), -1.0);
    steps_.assign(scores_.size(), Step::none);
    if (!phrases_.empty()) ways_.assign(scores_.size(), nullptr);
    scores_[0] = 0;
    double best = nothing_yet;
    std::size_t first = 0;
    std::size_t last = 0;
    for (std::size_t j = 0; j <= columns; ++j) {
        const double worst = best + beam;
        best = nothing_yet;
        std::size_t next_last = 0;
        bool any = false;
        std::size_t next_first = 0;
        for (std::size_t i = first; i <= rows && (j == columns || i <= last); ++i) {
            const double score = scores_[cell(i, j)];
            if (score < 0 || (j < columns && score > worst)) continue;
            if (!any) next_first = i;
            any = true;
            next_last = i + 1;
            if (j < columns && i < rows) {
                const double cost = score + pair_costs_[order[j] * rows + i];
                const bool same = relation(order[j], i) == Relation::same;
                const double before = scores_[cell(i + 1, j + 1)];
                reach(i + 1, j + 1, cost, same ? Step::match : Step::substitute);
                if (same || before < 0 || cost < before) best = std::min(best, cost);
            }
            if (!phrases_.empty() && i < rows && j < columns) {
                for (const Phrase& phrase : phrases_.at(i)) {
                    if (!stands_at(phrase, order, j)) continue;
                    const std::size_t to = cell(i + phrase.reference_length, j + phrase.words.size());
                    if (scores_[to] >= 0 && score + phrase.cost >= scores_[to]) continue;
                    scores_[to] = score + phrase.cost;
                    steps_[to] = Step::phrase;
                    ways_[to] = &phrase;
                }
            }
            if (j < columns) reach(i, j + 1, score + options_.costs.insertion, Step::insert);
            if (i < rows) {
                const double cost = score + options_.costs.deletion;
                const double before = scores_[cell(i + 1, j)];
                reach(i + 1, j, cost, Step::erase);
                if ((before < 0 || cost < before) && i >= last) last = i + 1;
            }
        }
        first = next_first;
        last = next_last;
    }
}

/// Goes on from column j, which is `column_`, to the next: what `fill` does where there are no paraphrases, but for the
/// trace. False if this was the last.
bool Searcher::fill_column(std::size_t j) {
    const std::size_t rows = reference_.size();
    const bool is_last = j == shifted_.size();
    const double worst = column_.best + options_.beam;
    std::vector<double>& here = column_.scores;
    std::vector<double>& next = next_column_.scores;
    next.assign(rows + 1, -1.0);
    next_column_.best = nothing_yet;
    next_column_.first = next_column_.last = 0;
    bool any = false;
    for (std::size_t i = column_.first; i <= rows && (is_last || i <= column_.last); ++i) {
        const double score = here[i];
        if (score < 0 || (!is_last && score > worst)) continue;
        if (!any) next_column_.first = i;
        any = true;
        next_column_.last = i + 1;
        if (!is_last && i < rows) {
            const double cost = score + pair_costs_[shifted_[j] * rows + i];
            const bool is_better = next[i + 1] < 0 || cost < next[i + 1];
            if (is_better) next[i + 1] = cost;
            if (is_better || relation(shifted_[j], i) == Relation::same) {
                next_column_.best = std::min(next_column_.best, cost);
            }
        }
        if (!is_last) {
            const double cost = score + options_.costs.insertion;
            if (next[i] < 0 || cost < next[i]) next[i] = cost;
        }
        if (i < rows) {
            const double cost = score + options_.costs.deletion;
            if (here[i + 1] < 0 || cost < here[i + 1]) {
                here[i + 1] = cost;
                if (i >= column_.last) column_.last = i + 1;
            }
        }
    }
    if (!is_last) std::swap(column_, next_column_);
    return !is_last;
}

/// Keeps every column of the matrix of `order_`, so that the matrix of another order need not be begun anew.
void Searcher::save_columns() {
    shifted_ = order_;
    columns_.resize(std::max(columns_.size(), order_.size() + 1));
    column_.scores.assign(reference_.size() + 1, -1.0);
    column_.scores[0] = 0;
    column_.best = nothing_yet;
    column_.first = column_.last = 0;
    std::size_t j = 0;
    do {
        columns_[j] = column_;
    } while (fill_column(j++));
}

/// What the rest costs from each cell of the matrix of `order_`, if no beam leaves anything out.
void Searcher::fill_backwards() {
    const std::size_t rows = reference_.size();
    backward_.resize((rows + 1) * (order_.size() + 1));
    for (std::size_t j = order_.size() + 1; j-- > 0;) {
        for (std::size_t i = rows + 1; i-- > 0;) {
            double& cost = backward_[cell(i, j)];
            cost = j == order_.size() && i == rows ? 0 : nothing_yet;
            if (i < rows) cost = backward_[cell(i + 1, j)] + options_.costs.deletion;
            if (j == order_.size()) continue;
            cost = std::min(i < rows ? cost : nothing_yet, backward_[cell(i, j + 1)] + options_.costs.insertion);
            if (i < rows) cost = std::min(cost, backward_[cell(i + 1, j + 1)] + pair_costs_[order_[j] * rows + i]);
        }
    }
}

/// What all costs that goes through `column_`, which is column j, if the words from there on are those of `order_`.
double Searcher::least_total(std::size_t j) const noexcept {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i <= reference_.size(); ++i) {
        if (column_.scores[i] >= 0) least = std::min(least, column_.scores[i] + backward_[cell(i, j)]);
    }
    return least;
}

/// The first place where a shift puts another word.
std::uint32_t Searcher::first_changed(const Shift& shift) const noexcept {
    return static_cast<std::uint32_t>(std::min(shift.start, shift.target + 1));
}

/// The first place behind all those where it does.
std::uint32_t Searcher::behind_changed(const Shift& shift) const noexcept {
    const std::int32_t behind = shift.end + 1;
    if (shift.target < shift.start) return static_cast<std::uint32_t>(behind);
    const std::int32_t last = shift.target >= behind ? shift.target + 1 : behind + (shift.target - shift.start);
    return static_cast<std::uint32_t>(std::min(last, static_cast<std::int32_t>(order_.size())));
}

/// `distance` of the order that a shift makes, which is `shifted_`; infinite as soon as it must be more than `most`.
double Searcher::distance_after(const Shift& shift, double most) {
    if (!phrases_.empty()) return distance(shifted_);
    const std::size_t same_until = first_changed(shift);
    const std::size_t same_from = behind_changed(shift);
    const std::size_t rows = reference_.size();
    column_ = columns_[same_until];
    for (std::size_t j = same_until; j < same_from; ++j) fill_column(j);
    count_cells((rows + 1) * (same_from - same_until + 1));
    // Sums in another order round otherwise: by no more than this.
    const double least = least_total(same_from);
    const double slack = 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(rows + order_.size()) *
                         (least + std::abs(most));
    if (least > most + slack) return std::numeric_limits<double>::infinity();
    count_cells((rows + 1) * (order_.size() - same_from));
    std::size_t j = same_from;
    while (fill_column(j)) ++j;
    const double left = column_.scores[rows];
    return left < 0 ? distance(shifted_) : left;
}

/// Notes the cells that are about to be filled; more than can be waited for are refused, and Ctrl-C is heard.
void Searcher::count_cells(std::uint64_t cells) {
    cells_ += cells;
    if (cells_ > terp_cells) throw EditTooMuchWork(order_.size(), reference_.size());
    keep_going(4 * cells);
}

/// Which words are errors, and what stands opposite each.
void Searcher::read_trace(const Order& order) {
    hypothesis_error_.assign(order.size(), 1);
    reference_error_.assign(reference_.size(), 1);
    to_hypothesis_.assign(reference_.size(), 0);
    to_reference_.assign(order.size(), 0);
    std::size_t i = reference_.size();
    std::size_t j = order.size();
    while (i > 0 || j > 0) {
        const std::size_t here = cell(i, j);
        std::size_t rows = 1;
        std::size_t columns = 1;
        if (steps_[here] == Step::erase) columns = 0;
        if (steps_[here] == Step::insert) rows = 0;
        if (steps_[here] == Step::phrase) rows = ways_[here]->reference_length, columns = ways_[here]->words.size();
        i -= rows;
        j -= columns;
        if (steps_[here] == Step::match) hypothesis_error_[j] = reference_error_[i] = 0;
        // What has no partner stands opposite the word before its place, words of a phrase opposite the first.
        const auto opposite = [](std::size_t at, std::size_t width) {
            return static_cast<std::int32_t>(at) - (width == 0 ? 1 : 0);
        };
        for (std::size_t k = 0; k < rows; ++k) to_hypothesis_[i + k] = opposite(j, columns);
        for (std::size_t k = 0; k < columns; ++k) to_reference_[j + k] = opposite(i, rows);
    }
}

void Searcher::count_errors() {
    const auto count = [](std::size_t size, std::vector<std::uint32_t>& sums, const auto& counts) {
        sums.assign(size + 1, 0);
        for (std::size_t k = 0; k < size; ++k) sums[k + 1] = sums[k] + (counts(k) ? 1 : 0);
    };
    const auto is_content = [&](std::int32_t word) { return !knowledge_.function[static_cast<std::size_t>(word)]; };
    count(order_.size(), errors_, [&](std::size_t k) { return hypothesis_error_[k] != 0; });
    count(reference_.size(), reference_errors_, [&](std::size_t k) { return reference_error_[k] != 0; });
    count(order_.size(), contents_, [&](std::size_t k) { return is_content(hypothesis_[order_[k]]); });
    count(reference_.size(), reference_contents_, [&](std::size_t k) { return is_content(reference_[k]); });
}

/// All shifts that are worth a try, by the length of the longer of block and place.
void Searcher::collect() {
    shifts_.resize(options_.shift_size + 1);
    for (auto& shifts : shifts_) shifts.clear();
    for (std::uint32_t i = 0; i < reference_.size(); ++i) {
        for (std::uint32_t j = 0; j < order_.size(); ++j) grow(j, i, 0, 0);
    }
    for (auto& shifts : shifts_) {
        std::ranges::sort(shifts);
        shifts.erase(std::unique(shifts.begin(), shifts.end()), shifts.end());
    }
}

/// Lengthens a block for as long as its words match those of the place, one by one or as paraphrases.
void Searcher::grow(std::uint32_t start, std::uint32_t reference_start, std::uint32_t length,
                    std::uint32_t reference_length) {
    for (; length < options_.shift_size; ++length, ++reference_length) {
        const std::uint32_t j = start + length;
        const std::uint32_t i = reference_start + reference_length;
        if (j >= order_.size() || i >= reference_.size()) return;
        if (!phrases_.empty() && may_reach(j, i)) {
            for (const Phrase& phrase : phrases_.at(i)) {
                if (!stands_at(phrase, order_, j)) continue;
                grow(start, reference_start, length + static_cast<std::uint32_t>(phrase.words.size()),
                     reference_length + phrase.reference_length);
            }
        }
        if (relation(order_[j], i) == Relation::none) return;
        consider(start, j, reference_start, i);
    }
}

/// Whether a paraphrase is near enough to be looked at for a shift.
bool Searcher::may_reach(std::uint32_t position, std::uint32_t reference_position) const noexcept {
    const std::size_t last = order_.size() - 1;
    const std::size_t low = position > options_.shift_distance ? position - options_.shift_distance : 0;
    const std::size_t high = std::min<std::size_t>(position + options_.shift_distance, last);
    const auto at = static_cast<std::int32_t>(reference_position);
    return to_reference_[low] <= at && at <= to_reference_[high];
}

void Searcher::consider(std::uint32_t start, std::uint32_t end, std::uint32_t reference_start,
                        std::uint32_t reference_end) {
    const auto none = [](const std::vector<std::uint32_t>& sums, std::uint32_t from, std::uint32_t to) {
        return sums[to + 1] == sums[from];
    };
    if (none(errors_, start, end) || none(reference_errors_, reference_start, reference_end)) return;
    if (none(contents_, start, end) || none(reference_contents_, reference_start, reference_end)) return;
    const auto from = static_cast<std::int32_t>(start);
    const auto to = static_cast<std::int32_t>(end);
    const std::int32_t place = to_hypothesis_[reference_start];
    const auto farthest = static_cast<std::int32_t>(options_.shift_distance);
    if ((place >= from && place <= to) || place - from > farthest || from - place > farthest) return;
    const std::size_t longer = std::max(end - start, reference_end - reference_start) + 1;
    auto& shifts = shifts_[std::min<std::size_t>(longer, shifts_.size()) - 1];
    if (reference_start == 0)
        shifts.push_back({from, to, -1});
    else if (to_hypothesis_[reference_start - 1] != from && to_hypothesis_[reference_start - 1] != place)
        shifts.push_back({from, to, to_hypothesis_[reference_start - 1]});
    for (std::size_t i = reference_start; i <= reference_start + (end - start) && i < reference_.size(); ++i) {
        const std::int32_t target = to_hypothesis_[i];
        if (target != from && (i == reference_start || target != place)) shifts.push_back({from, to, target});
    }
}

void Searcher::apply(const Shift& shift, Order& order) const {
    const auto at = [&](std::int64_t place) { return order.begin() + place; };
    const std::int64_t start = shift.start;
    const std::int64_t behind = shift.end + 1;
    const std::int64_t target = shift.target;
    if (target < start) {
        std::rotate(at(target + 1), at(start), at(behind));
    } else if (target >= behind) {
        std::rotate(at(start), at(behind), at(target + 1));
    } else {  // a target inside the block counts from its end
        const auto size = static_cast<std::int64_t>(order.size());
        std::rotate(at(start), at(behind), at(std::min(size, behind + (target - start))));
    }
}

/// The shift that lowers the cost most, the longest and then the first of several; false if none lowers it. One that
/// only pays for itself is taken where nothing better has been found.
bool Searcher::best_shift(double before, double& after) {
    const double price = options_.costs.shift;
    if (before == 0 || before < price) return false;
    if (!is_filled_) distance(order_);
    is_filled_ = false;
    read_trace(order_);
    count_errors();
    collect();
    const auto is_empty = [](const std::vector<Shift>& shifts) { return shifts.empty(); };
    if (phrases_.empty() && !std::ranges::all_of(shifts_, is_empty)) {
        save_columns();
        fill_backwards();
    }
    double best = before;
    bool found = false;
    for (std::size_t length = shifts_.size(); length > 0; --length) {
        for (const Shift& shift : shifts_[length - 1]) {
            // No more than two edits for each word can be saved, if these cost 1.
            const double saved = before - best;
            const auto most = static_cast<double>(2 * length);
            if (saved > most || (found && price > 0 && saved == most)) return found;
            shifted_ = order_;
            apply(shift, shifted_);
            const double left = distance_after(shift, best - price);
            const double gain = best - (left + price);
            if (!(gain > 0 || (!found && price > 0 && gain == 0))) continue;
            found = true;
            best = left + price;
            after = left;
            best_order_ = shifted_;
        }
    }
    return found;
}

}  // namespace karat::terp
