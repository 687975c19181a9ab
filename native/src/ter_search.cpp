#include "karat/ter_search.hpp"

#include <algorithm>
#include <tuple>

namespace karat::ter {
namespace {

constexpr std::uint32_t longest_shift = 10;
constexpr std::uint32_t farthest_shift = 50;
constexpr std::uint64_t sacrebleu_budget = 1000;

}  // namespace

/// Numbers the words of the reference, and gives those of the hypothesis the numbers of the words they equal.
void Searcher::number(std::span<const Token> hypothesis, std::span<const Token> reference) {
    // A number less 1 is an id: where there is none, that of the unknown word.
    static_assert(unknown_word == Id{0} - 1);
    const auto write_to = [](std::vector<Id>& ids, std::size_t size) {
        ids.resize(size);
        return [next = ids.data()](std::uint32_t number) mutable { *next++ = number - 1; };
    };
    lexicon_.start(reference.size());
    lexicon_.add(reference, write_to(reference_, reference.size()));
    lexicon_.find(hypothesis, write_to(hypothesis_, hypothesis.size()));
}

std::uint64_t Searcher::edits(std::span<const Token> hypothesis, std::span<const Token> reference,
                              TerAlignment* details) {
    number(hypothesis, reference);
    looked_at_ = 0;
    if (hypothesis.empty() || reference.empty()) {
        if (details) details->operations.assign(hypothesis.size(), 'D').append(reference.size(), 'I');
        return hypothesis.size() + reference.size();
    }
    if (reference_.size() <= bits64_.longest) return with_bits(bits64_, details);
    if (reference_.size() <= bits128_.longest) return with_bits(bits128_, details);
    band_.set(hypothesis_.size(), reference_.size());
    banded_.set(hypothesis_, reference_, band_);
    return greedy(banded_, details);
}

/// Bit vectors alone where no path that leaves the band is as short as theirs, with the banded matrix elsewhere.
template <std::size_t Words>
std::uint64_t Searcher::with_bits(BitDistance<Words>& bits, TerAlignment* details) {
    bits.set(hypothesis_, reference_, lexicon_.size());
    if (reference_.size() < half_width) return greedy(bits, details);  // the band is the whole matrix
    band_.set(hypothesis_.size(), reference_.size());
    if (bits.distance() < band_.shortest_outside(hypothesis_.size(), reference_.size())) return greedy(bits, details);
    banded_.set(hypothesis_, reference_, band_);
    FilteredDistance<Words> filtered(bits, banded_);
    return greedy(filtered, details);
}

/// No order of the hypothesis words has fewer edits, since shifts leave the words what they are.
std::size_t Searcher::fewest_possible() {
    auto& left = occurrence_starts_;  // free until the reference is indexed
    left.assign(lexicon_.size(), 0);
    for (const Id word : reference_) ++left[word];
    std::size_t shared = 0;
    for (const Id word : hypothesis_) {
        if (word != unknown_word && left[word] > 0) --left[word], ++shared;
    }
    return std::max(hypothesis_.size(), reference_.size()) - shared;
}

/// Shifts, one after the other, for as long as the best one gains something.
template <class Distance>
std::uint64_t Searcher::greedy(Distance& distance, TerAlignment* details) {
    const std::size_t bound = fewest_possible();
    std::uint64_t shifts = 0;
    bool indexed = false;
    while (distance.distance() > bound) {
        if (!indexed) index_reference();
        indexed = true;
        read_trace(distance);
        if (!collect()) break;
        const Candidate* const best = best_shift(distance, distance.distance() - bound);
        if (!best) break;
        const Rotation r = rotation(*best);
        if (details) {
            const bool left = best->target < best->start;
            details->shifts.push_back({best->start, best->length, left ? best->target : r.end - best->length});
        }
        std::rotate(hypothesis_.begin() + r.begin, hypothesis_.begin() + r.middle, hypothesis_.begin() + r.end);
        distance.apply(r);
        ++shifts;
    }
    if (details) {
        distance.trace([details](char operation, std::size_t, std::size_t) { details->operations += operation; });
        std::reverse(details->operations.begin(), details->operations.end());
    }
    return shifts + distance.distance();
}

/// Two blocks change places: the one that moves, and the words it moves past.
Rotation Searcher::rotation(const Candidate& c) const noexcept {
    const std::uint32_t end = c.start + c.length;
    if (c.target < c.start) return {c.target, c.start, end};
    if (c.target > end) return {c.start, end, c.target};
    // A target inside or right behind the block counts from the end of the block.
    return {c.start, end, std::min(c.target + c.length, static_cast<std::uint32_t>(hypothesis_.size()))};
}

/// The shift of greatest (gain, length, -start, -target), or none if nothing gains. sacreBLEU goes on to compare the
/// words, but these four decide what the shifted words are.
template <class Distance>
const Searcher::Candidate* Searcher::best_shift(Distance& distance, std::size_t most_gain) {
    const std::size_t before = distance.distance();
    const Candidate* best = nullptr;
    std::size_t gain = 1;
    for (const Candidate& c : candidates_) {
        const Rotation r = rotation(c);
        std::size_t limit = most_gain;
        // The shorter block could as well be deleted and inserted again.
        if constexpr (Distance::obeys_triangle_inequality)
            limit = std::min<std::size_t>(limit, 2 * std::min(r.middle - r.begin, r.end - r.middle));
        const bool wins_ties =
            !best || std::tuple(c.length, best->start, best->target) > std::tuple(best->length, c.start, c.target);
        const std::size_t needed = wins_ties ? gain : gain + 1;
        if (limit < needed) continue;
        const std::size_t after = distance.after(r, before - needed);
        if (after + needed > before) continue;
        gain = before - after;
        best = &c;
    }
    return best;
}

template <class Distance>
void Searcher::read_trace(const Distance& distance) {
    hypothesis_error_.resize(hypothesis_.size());
    reference_error_.resize(reference_.size());
    aligned_.resize(reference_.size());
    distance.trace([this](char operation, std::size_t i, std::size_t j) {
        const bool error = operation != '=';
        if (operation != 'I') hypothesis_error_[i - 1] = error;
        if (operation == 'D') return;
        reference_error_[j - 1] = error;
        aligned_[j - 1] = static_cast<std::uint32_t>(i);
    });
}

void Searcher::index_reference() {
    occurrence_starts_.assign(lexicon_.size() + 1, 0);
    for (const Id word : reference_) ++occurrence_starts_[word + 1];
    for (std::size_t id = 0; id < lexicon_.size(); ++id) occurrence_starts_[id + 1] += occurrence_starts_[id];
    occurrences_.resize(reference_.size());
    for (std::uint32_t j = static_cast<std::uint32_t>(reference_.size()); j-- > 0;)
        occurrences_[--occurrence_starts_[reference_[j] + 1]] = j;
    // Filling from the back has moved every start to where the word before it starts: shift them into place.
    for (std::size_t id = 0; id < lexicon_.size(); ++id) occurrence_starts_[id] = occurrence_starts_[id + 1];
    occurrence_starts_[lexicon_.size()] = static_cast<std::uint32_t>(reference_.size());
}

/// All candidates of this round; false when the budget is spent, in which case even the best of them counts for
/// nothing.
bool Searcher::collect() {
    candidates_.clear();
    const auto size = static_cast<std::uint32_t>(hypothesis_.size());
    std::uint32_t next_error = 0;
    for (std::uint32_t start = 0; start < size; ++start) {
        next_error = std::max(next_error, start);
        while (next_error < size && !hypothesis_error_[next_error]) ++next_error;
        if (hypothesis_[start] == unknown_word || next_error - start >= longest_shift) continue;
        const auto* first = occurrences_.data() + occurrence_starts_[hypothesis_[start]];
        const auto* const last = occurrences_.data() + occurrence_starts_[hypothesis_[start] + 1];
        if (start > farthest_shift) first = std::lower_bound(first, last, start - farthest_shift);
        for (; first != last && *first <= start + farthest_shift; ++first) {
            if (aligned_[*first] == start + 1) continue;  // it is its own place
            if (!collect_from(start, *first)) return false;
        }
    }
    return true;
}

bool Searcher::collect_from(std::uint32_t start, std::uint32_t reference_start) {
    const std::size_t most =
        std::min<std::size_t>({longest_shift, hypothesis_.size() - start, reference_.size() - reference_start});
    std::uint32_t targets[longest_shift + 1];
    std::size_t count = 0;
    targets[count++] = reference_start == 0 ? 0 : aligned_[reference_start - 1];
    bool hypothesis_wrong = false;
    bool reference_wrong = false;
    const std::uint32_t mapped = aligned_[reference_start];  // one past a hypothesis position
    for (std::uint32_t k = 0; k < most && hypothesis_[start + k] == reference_[reference_start + k]; ++k) {
        if (mapped > start && mapped <= start + k + 1) break;  // the block already covers its own place
        hypothesis_wrong |= hypothesis_error_[start + k] != 0;
        reference_wrong |= reference_error_[reference_start + k] != 0;
        const std::uint32_t target = aligned_[reference_start + k];
        if (target != targets[count - 1]) targets[count++] = target;
        if (!hypothesis_wrong || !reference_wrong) continue;
        for (std::size_t t = 0; t < count; ++t) candidates_.push_back({start, k + 1, targets[t]});
        looked_at_ += count;
    }
    if (search_ == TerSearch::sacrebleu) return looked_at_ < sacrebleu_budget;
    if (looked_at_ > ter_full_candidates) throw TerTooMuchWork(hypothesis_.size(), reference_.size());
    return true;
}

}  // namespace karat::ter
