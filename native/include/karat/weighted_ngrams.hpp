// n-grams that a hypothesis shares with its references, each with a weight: NIST (Doddington 2002), BLEU weighted by
// TF-IDF (Babych and Hartley 2004), and n-grams that recur in several references (Qin and Specia 2015).
//
// Row: hypothesis length; mean and closest length of the references; for each order the matches, then for each order
// the divergence of the references (different n-grams as a share of all), then for each weight and each order its sum.
// O(orders * (hypothesis + references)) expected time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "karat/ngram_counts.hpp"
#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// What a match of an n-gram g of order n counts. M is how many references of the segment have g, or how often they
/// have it all together; k is how many references there are; f and r are frequency and rank of g in the whole set.
enum class NgramWeight : std::uint8_t {
    information,          ///< log2(count of its first n - 1 words / count of g), NIST
    recurrence,           ///< log10(n + M / k)
    share,                ///< M / k
    rank_share,           ///< r f / k
    zipf,                 ///< log10(1 + r f / k)
    rarest_rank_share,    ///< r f / k of the rarest g of its order, for all n-grams of the hypothesis, matched or not
    informed_recurrence,  ///< information times recurrence
    informed_zipf,        ///< information times zipf
    tf_idf,               ///< at least 1: that of its words, taken together
    tf_idf_total,         ///< the same, summed over all n-grams of the hypothesis, matched or not
};

/// How the readings of a weight differ.
struct WeightReading {
    bool occurrences = false;   ///< M is how often the references have the n-gram, not how many of them have it
    bool after_zero = false;    ///< mteval: after the word "0", the words of the set are counted in place of that word
    bool sum_of_words = false;  ///< TF-IDF of an n-gram: the sum of its words, not the greatest of them
};

/// Among which n-grams of the set a rank is one: none are wanted, those of the same order, those of all orders.
enum class Ranking : std::uint8_t { none, by_order, joint };

/// Ranks by frequency; n-grams that are equally frequent share the mean of theirs.
class FrequencyRanks {
 public:
    FrequencyRanks(const NgramCounts& counts, Ranking ranking);

    /// The rank of an n-gram of this order and frequency, which the set must have.
    double of(std::size_t order, std::int64_t frequency) const noexcept;

    /// Rank times frequency of the rarest n-gram among those that this order is ranked with; 0 if there is none.
    double of_rarest(std::size_t order) const noexcept;

 private:
    struct Tie {
        std::int64_t frequency;
        double rank;
    };
    static std::vector<Tie> ties_of(std::vector<std::int64_t> frequencies);

    std::vector<std::vector<Tie>> by_order_;  // each in ascending order of frequency
};

/// The different n-grams of the references of one segment; holds scratch memory, so each thread has its own.
class SegmentNgrams {
 public:
    struct Gram {
        NgramCounts::Node node;
        std::uint32_t order;
        std::uint32_t references;   // how many have it
        std::uint32_t occurrences;  // in all of them together
        std::uint32_t most;         // in one of them
        std::uint32_t hypothesis;   // how often the hypothesis has it
        std::uint32_t prefix;       // the n-gram without its last word, and its last word, by number
        std::uint32_t last;
        std::uint32_t latest;  // the last reference that had it, from 1, and how often that one has it
        std::uint32_t in_latest;

        std::uint32_t matches() const noexcept { return hypothesis < most ? hypothesis : most; }
    };
    static constexpr std::uint32_t missing = 0xFFFFFFFFu;

    /// Takes the references of the next segment: nodes[i * orders + n - 1] is the n-gram of order n at word i.
    void set(std::span<const NgramCounts::Node> nodes, std::span<const std::uint32_t> lengths, std::size_t orders);

    /// Counts the n-grams of a hypothesis.
    void match(std::span<const Token> hypothesis, const NgramCounts& counts);

    std::span<const Gram> grams() const noexcept { return grams_; }

    /// By word of the hypothesis: the number of its unigram, or `missing`.
    std::span<const std::uint32_t> hypothesis_words() const noexcept { return words_found_; }

 private:
    std::size_t slot(NgramCounts::Node node) const noexcept;
    std::uint32_t insert(NgramCounts::Node node);
    void take(std::span<const NgramCounts::Node> nodes, std::size_t length, std::uint32_t reference);

    std::size_t orders_ = 0;
    std::vector<Gram> grams_;
    std::vector<std::uint32_t> slots_;                // open addressing; `missing` is an empty one
    std::vector<std::uint32_t> unigrams_, prefixes_;  // by position of a reference
    std::vector<NgramCounts::Word> words_;            // of the hypothesis
    std::vector<std::uint32_t> words_found_;
};

/// References made ready for weighted matches, and the counts of the set that they are part of. Immutable.
class WeightedReferences {
 public:
    /// The references of segment i are those from offsets[i] to offsets[i + 1]; each segment has at least one. Throws
    /// std::invalid_argument where the counts lack one of their n-grams.
    WeightedReferences(std::shared_ptr<const Tokens> references, std::vector<std::int64_t> offsets,
                       std::shared_ptr<const NgramCounts> counts, Ranking ranking, unsigned threads,
                       const Interrupted& interrupted);

    std::size_t size() const noexcept { return offsets_.size() - 1; }
    std::size_t columns(std::size_t weights) const noexcept { return 3 + (2 + weights) * orders_; }

    /// The rows of one hypothesis per segment; the same for every number of threads.
    std::vector<double> rows(const Tokens& hypotheses, std::span<const NgramWeight> weights,
                             const WeightReading& reading, unsigned threads, const Interrupted& interrupted) const;

    /// By order and by number of references (1 .. most): n-grams that so many references of their segment have, first
    /// the different ones, then all; where there are hypotheses, only those that they share.
    std::vector<std::int64_t> coverage(const Tokens* hypotheses, std::size_t most,
                                       const Interrupted& interrupted) const;

 private:
    struct Worker;

    void set(std::size_t segment, Worker& worker) const;
    void index(std::size_t reference);
    void row(std::size_t segment, std::span<const Token> hypothesis, std::span<const NgramWeight> weights,
             const WeightReading& reading, Worker& worker, std::span<double> out) const;
    void lengths(std::size_t segment, std::size_t hypothesis, std::span<double> out) const;
    double weight(NgramWeight kind, const SegmentNgrams::Gram& gram, double references,
                  const WeightReading& reading) const;
    double information(const SegmentNgrams::Gram& gram, const WeightReading& reading) const;
    double word_weight(const SegmentNgrams::Gram& unigram) const;
    void add_tf_idf(const SegmentNgrams& grams, bool total, bool sum, std::span<double> out) const;

    std::shared_ptr<const Tokens> references_;
    std::vector<std::int64_t> offsets_;
    std::shared_ptr<const NgramCounts> counts_;
    FrequencyRanks ranks_;
    std::size_t orders_;
    NgramCounts::Node zero_;                // the word "0"
    std::vector<std::uint64_t> starts_;     // by reference: where its words start
    std::vector<NgramCounts::Node> nodes_;  // by word and order
};

}  // namespace karat
