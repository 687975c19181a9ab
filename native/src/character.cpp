#include "karat/character.hpp"

#include <algorithm>
#include <numeric>

#include "karat/edit_distance.hpp"
#include "karat/ter_distance.hpp"
#include "karat/unicode.hpp"
#include "karat/word_types.hpp"

namespace karat {
namespace {

using ter::BitDistance;
using ter::Id;
using ter::Rotation;
using Characters = std::vector<char32_t>;

constexpr std::size_t segments_per_chunk = 8;

std::size_t count_characters(const Token& word) noexcept {
    const auto starts_one = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
    return static_cast<std::size_t>(std::ranges::count_if(word.view(), starts_one));
}

void append_word(const Token& word, Characters& into) {
    const std::string_view bytes = word.view();
    for (std::size_t at = 0, length = 0; at < bytes.size(); at += length) {
        into.push_back(decode(bytes.data() + at, length));
    }
}

/// Scores one pair after the other, and keeps its memory from one to the next.
class Scorer {
 public:
    double score(std::span<const Token> hypothesis, std::span<const Token> reference) {
        if (hypothesis.empty()) return reference.empty() ? 0.0 : 1.0;
        if (reference.size() > character_reference_words) {
            throw EditTooMuchWork(hypothesis.size(), reference.size());
        }
        number_words(hypothesis, reference);
        order_.resize(hypothesis.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        shift_all();
        join(hypothesis, order_, characters_);
        reference_order_.resize(reference.size());
        std::iota(reference_order_.begin(), reference_order_.end(), std::size_t{0});
        join(reference, reference_order_, reference_characters_);
        const auto edits = static_cast<double>(edit_distance(characters_, reference_characters_));
        return std::min(1.0, (edits + shift_cost(hypothesis)) / static_cast<double>(characters_.size()));
    }

 private:
    /// Reference words by number; hypothesis words likewise, unknown ones alike, and by their rank among themselves.
    void number_words(std::span<const Token> hypothesis, std::span<const Token> reference) {
        WordTable table;
        reference_.clear();
        for (const Token& word : reference) reference_.push_back(static_cast<Id>(table.intern(word)));
        ids_ = table.words().size();
        hypothesis_.clear();
        for (const Token& word : hypothesis) {
            const std::int32_t found = table.find(word);
            hypothesis_.push_back(found < 0 ? ter::unknown_word : static_cast<Id>(found));
        }
        rank_words(hypothesis);
    }

    void rank_words(std::span<const Token> words) {
        by_rank_.resize(words.size());
        std::iota(by_rank_.begin(), by_rank_.end(), std::size_t{0});
        std::ranges::sort(by_rank_, {}, [&](std::size_t i) { return words[i].view(); });
        ranks_.resize(words.size());
        std::uint32_t rank = 0;
        for (std::size_t k = 0; k < by_rank_.size(); ++k) {
            if (k > 0 && !(words[by_rank_[k]] == words[by_rank_[k - 1]])) ++rank;
            ranks_[by_rank_[k]] = rank;
        }
    }

    void shift_all() {
        const std::size_t size = reference_.size();
        if (size <= BitDistance<1>::longest) return shift_with(bits1_);
        if (size <= BitDistance<2>::longest) return shift_with(bits2_);
        if (size <= BitDistance<8>::longest) return shift_with(bits8_);
        if (size <= BitDistance<32>::longest) return shift_with(bits32_);
        shift_with(bits128_);
    }

    /// Shifts, one after the other, for as long as the best one lowers the distance.
    template <std::size_t Words>
    void shift_with(BitDistance<Words>& distance) {
        distance.set(hypothesis_, reference_, ids_);
        const std::size_t least = fewest_possible();
        std::uint64_t steps = 0;
        while (distance.distance() > least) {
            Rotation best{};
            if (!best_shift(distance, best, steps)) break;
            distance.apply(best);
            const auto rotate = [&](auto& sequence) {
                std::rotate(sequence.begin() + best.begin, sequence.begin() + best.middle, sequence.begin() + best.end);
            };
            rotate(hypothesis_);
            rotate(order_);
        }
    }

    /// No order of the words has fewer edits.
    std::size_t fewest_possible() {
        left_.assign(ids_, 0);
        for (const Id word : reference_) ++left_[word];
        std::size_t shared = 0;
        for (const Id word : hypothesis_) {
            if (word != ter::unknown_word && left_[word] > 0) --left_[word], ++shared;
        }
        return std::max(hypothesis_.size(), reference_.size()) - shared;
    }

    /// The shift to the least distance, and of several the one with the greatest words from left to right.
    template <std::size_t Words>
    bool best_shift(const BitDistance<Words>& distance, Rotation& best, std::uint64_t& steps) {
        const std::size_t before = distance.distance();
        std::size_t least = before - 1;
        bool found = false;
        runs_.assign(reference_.size() + 1, 0);
        for (std::size_t start = hypothesis_.size(); start-- > 0;) {
            // runs_[j]: how long hypothesis from `start` and reference from j are the same.
            for (std::size_t j = 0; j < reference_.size(); ++j) {
                runs_[j] = hypothesis_[start] == reference_[j] ? runs_[j + 1] + 1 : 0;
                if (runs_[j] == 0 || j == start) continue;
                const Rotation r = rotation(start, runs_[j], j);
                if (r.begin == r.middle || r.middle == r.end) continue;  // it already stands at the end
                // The shorter block could as well be deleted and inserted again.
                if (before - std::min<std::size_t>(before, 2 * std::min(r.middle - r.begin, r.end - r.middle)) > least)
                    continue;
                steps += Words * (hypothesis_.size() - r.begin);
                if (steps > character_shift_steps) throw EditTooMuchWork(hypothesis_.size(), reference_.size());
                const std::size_t after = distance.after(r, least);
                if (after > least || (after == least && found && !greater(r, best))) continue;
                found = true;
                least = after;
                best = r;
            }
        }
        return found;
    }

    /// Takes `length` words from `start` out and puts them where the first is number `target`, or last.
    Rotation rotation(std::size_t start, std::size_t length, std::size_t target) const noexcept {
        const auto at = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
        const std::size_t place = std::min(target, hypothesis_.size() - length);
        if (place < start) return {at(place), at(start), at(start + length)};
        return {at(start), at(start + length), at(place + length)};
    }

    /// Whether the words come later in the dictionary after one shift than after another.
    bool greater(const Rotation& a, const Rotation& b) const noexcept {
        const auto word = [&](const Rotation& r, std::size_t i) {
            if (i < r.begin || i >= r.end) return ranks_[order_[i]];
            const std::size_t moved = r.begin + (r.end - r.middle);  // where the first block starts afterwards
            return ranks_[order_[i < moved ? i - r.begin + r.middle : i - moved + r.begin]];
        };
        for (std::size_t i = std::min(a.begin, b.begin); i < std::max(a.end, b.end); ++i) {
            if (word(a, i) != word(b, i)) return word(a, i) > word(b, i);
        }
        return false;
    }

    /// For each block that stands elsewhere than before, the mean length of its words.
    double shift_cost(std::span<const Token> words) const {
        const auto shifted = [&](std::size_t i) { return ranks_[order_[i]]; };
        const std::size_t size = words.size();
        double cost = 0;
        for (std::size_t start = 0; start < size; ++start) {
            if (ranks_[start] == shifted(start)) continue;
            std::size_t place = start + 1;
            while (place < size && ranks_[start] != shifted(place)) ++place;
            if (place == size) continue;
            std::size_t length = 1;
            while (place + length < size && ranks_[start + length] == shifted(place + length)) ++length;
            std::size_t characters = 0;
            for (std::size_t i = start; i < start + length; ++i) characters += count_characters(words[i]);
            cost += static_cast<double>(characters) / static_cast<double>(length);
            start += length - 1;
        }
        return cost;
    }

    static void join(std::span<const Token> words, std::span<const std::size_t> order, Characters& into) {
        into.clear();
        for (const std::size_t i : order) {
            if (!into.empty()) into.push_back(U' ');
            append_word(words[i], into);
        }
    }

    std::vector<Id> hypothesis_;  // in its present order
    std::vector<Id> reference_;
    std::size_t ids_ = 0;
    std::vector<std::uint32_t> ranks_;  // of the hypothesis words in their first order
    std::vector<std::size_t> by_rank_;
    std::vector<std::size_t> order_;  // where each word stood at first
    std::vector<std::size_t> reference_order_;
    std::vector<std::uint32_t> left_;
    std::vector<std::uint32_t> runs_;
    Characters characters_;
    Characters reference_characters_;
    BitDistance<1> bits1_;
    BitDistance<2> bits2_;
    BitDistance<8> bits8_;
    BitDistance<32> bits32_;
    BitDistance<128> bits128_;
};

}  // namespace

std::vector<double> character_scores(const Tokens& hypotheses, const Tokens& references,
                                     std::span<const std::int64_t> offsets, unsigned threads,
                                     const Interrupted& interrupted) {
    std::vector<double> scores(hypotheses.size(), 1.0);
    parallel_for(scores.size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Scorer scorer;
        for (std::size_t i = begin; i < end; ++i) {
            try {
                for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
                    scores[i] = std::min(scores[i], scorer.score(hypotheses[i], references[k]));
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
