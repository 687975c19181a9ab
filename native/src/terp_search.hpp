// The greedy search for shifts inside TER-Plus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "karat/terp.hpp"

namespace karat::terp {

using Words = std::span<const std::int32_t>;

/// A paraphrase of words of the reference from some position on that may occur in the hypothesis.
struct Phrase {
    std::uint32_t reference_length;
    std::vector<std::int32_t> words;
    double cost;
};

/// The paraphrases of a pair. Keeps what they cost from one pair to the next.
class Phrases {
 public:
    explicit Phrases(const ParaphraseIndex* index) : index_(index) {}

    /// Collects those of a reference whose words all stand in the hypothesis; `cost(phrase, paraphrase, p)` says what
    /// one costs.
    template <class Cost>
    void set(Words hypothesis, Words reference, const Cost& cost);

    bool empty() const noexcept { return count_ == 0; }

    std::span<const Phrase> at(std::size_t reference_position) const noexcept { return phrases_[reference_position]; }

 private:
    const ParaphraseIndex* index_;
    std::vector<std::vector<Phrase>> phrases_;  // by position in the reference
    std::size_t count_ = 0;
    std::vector<PhraseOccurrence> found_;
    std::unordered_map<std::uint64_t, double> costs_;
    std::vector<std::int32_t> present_;  // the words of the hypothesis, ascending
    std::vector<std::int32_t> words_;    // of one paraphrase
};

/// Finds what the edits of one pair after the other cost, and keeps its memory between them.
class Searcher {
 public:
    Searcher(const WordKnowledge& knowledge, const TerpOptions& options, bool use_phrases)
        : knowledge_(knowledge), options_(options), phrases_(use_phrases ? knowledge.paraphrases : nullptr) {}

    double edits(Words hypothesis, Words reference);

 private:
    enum class Step : std::uint8_t { none, match, substitute, erase, insert, phrase };
    enum class Relation : std::uint8_t { none, related, same };

    /// Words from `start` to `end`, both included, that go behind word number `target`; -1 is the front.
    struct Shift {
        std::int32_t start;
        std::int32_t end;
        std::int32_t target;

        friend auto operator<=>(const Shift&, const Shift&) = default;
    };
    using Order = std::vector<std::uint32_t>;

    /// What the columns before leave to one of the matrix.
    struct Column {
        std::vector<double> scores;  // by number of reference words; -1 = not reached
        double best;                 // of the steps along the diagonal that came here
        std::size_t first, last;     // rows
    };

    void relate();
    double phrase_cost(Words phrase, Words paraphrase, double probability);
    double distance(const Order& order);
    void fill(const Order& order, double beam);
    double distance_after(const Shift& shift, double most);
    void count_cells(std::uint64_t cells);
    void save_columns();
    bool fill_column(std::size_t j);
    double least_total(std::size_t j) const noexcept;
    void fill_backwards();
    std::uint32_t first_changed(const Shift& shift) const noexcept;
    std::uint32_t behind_changed(const Shift& shift) const noexcept;
    void reach(std::size_t i, std::size_t j, double cost, Step step) noexcept {
        const std::size_t at = cell(i, j);
        if (scores_[at] >= 0 && cost >= scores_[at]) return;
        scores_[at] = cost;
        steps_[at] = step;
    }
    bool stands_at(const Phrase& phrase, const Order& order, std::size_t position) const noexcept;
    void read_trace(const Order& order);
    void count_errors();
    void collect();
    void grow(std::uint32_t start, std::uint32_t reference_start, std::uint32_t length, std::uint32_t reference_length);
    void consider(std::uint32_t start, std::uint32_t end, std::uint32_t reference_start, std::uint32_t reference_end);
    bool may_reach(std::uint32_t position, std::uint32_t reference_position) const noexcept;
    bool best_shift(double before, double& after);
    void apply(const Shift& shift, Order& order) const;

    std::size_t cell(std::size_t i, std::size_t j) const noexcept { return j * (reference_.size() + 1) + i; }
    Relation relation(std::uint32_t word, std::size_t i) const noexcept {
        return relations_[word * reference_.size() + i];
    }

    const WordKnowledge& knowledge_;
    const TerpOptions& options_;
    Phrases phrases_;
    std::unique_ptr<Searcher> between_phrases_;
    Words hypothesis_;
    Words reference_;
    Order order_;                      // the words of the hypothesis, by their first positions
    std::vector<Relation> relations_;  // by first position in the hypothesis, then by position in the reference
    std::vector<double> pair_costs_;   // likewise
    std::vector<double> scores_;       // by number of hypothesis words, then of reference words; -1 = not reached
    std::vector<Step> steps_;          // how each cell was reached
    std::vector<const Phrase*> ways_;  // by which phrase
    Column column_, next_column_;      // of a matrix of which nothing but the end is wanted
    std::vector<Column> columns_;      // of the order before any of the candidates, as each was begun
    std::vector<double> backward_;     // by number of hypothesis words, then of reference words: the cost of the rest
    std::vector<std::uint8_t> hypothesis_error_;
    std::vector<std::uint8_t> reference_error_;
    std::vector<std::int32_t> to_hypothesis_;  // by reference position; -1 = before the first
    std::vector<std::int32_t> to_reference_;
    // How many of the first words are errors, or are not function words.
    std::vector<std::uint32_t> errors_;
    std::vector<std::uint32_t> reference_errors_;
    std::vector<std::uint32_t> contents_;
    std::vector<std::uint32_t> reference_contents_;
    std::vector<std::vector<Shift>> shifts_;  // by length - 1
    Order shifted_;
    Order best_order_;
    std::uint64_t cells_ = 0;
    bool is_filled_ = false;  // whether the matrix is that of `order_`
};

}  // namespace karat::terp
