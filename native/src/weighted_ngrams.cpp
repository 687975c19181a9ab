#include "karat/weighted_ngrams.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 64;
constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;

NgramCounts::Node unigram_of(const NgramCounts& counts, std::string_view word) {
    const Token token{word.data(), static_cast<std::uint32_t>(word.size()), hash_bytes(word)};
    const NgramCounts::Word known = counts.find_word(token);
    return known == NgramCounts::unknown ? NgramCounts::none : counts.find(NgramCounts::root, known);
}

}  // namespace

FrequencyRanks::FrequencyRanks(const NgramCounts& counts, Ranking ranking) {
    if (ranking == Ranking::none) return;
    std::vector<std::int64_t> all;
    for (unsigned order = 1; order <= counts.orders(); ++order) {
        auto frequencies = counts.counts_of(order);
        if (ranking == Ranking::joint) all.insert(all.end(), frequencies.begin(), frequencies.end());
        if (ranking == Ranking::by_order) by_order_.push_back(ties_of(std::move(frequencies)));
    }
    if (ranking == Ranking::joint) by_order_.assign(counts.orders(), ties_of(std::move(all)));
}

std::vector<FrequencyRanks::Tie> FrequencyRanks::ties_of(std::vector<std::int64_t> frequencies) {
    std::sort(frequencies.begin(), frequencies.end());
    std::vector<Tie> ties;
    for (std::size_t begin = 0, end = 0; begin < frequencies.size(); begin = end) {
        while (end < frequencies.size() && frequencies[end] == frequencies[begin]) ++end;
        const auto above = static_cast<double>(frequencies.size() - end);
        ties.push_back({frequencies[begin], above + (static_cast<double>(end - begin) + 1) / 2});
    }
    return ties;
}

double FrequencyRanks::of(std::size_t order, std::int64_t frequency) const noexcept {
    const auto& ties = by_order_[order - 1];
    const auto at = std::lower_bound(ties.begin(), ties.end(), frequency,
                                     [](const Tie& tie, std::int64_t wanted) { return tie.frequency < wanted; });
    return at->rank;
}

double FrequencyRanks::of_rarest(std::size_t order) const noexcept {
    const auto& ties = by_order_[order - 1];
    return ties.empty() ? 0 : ties.front().rank * static_cast<double>(ties.front().frequency);
}

std::size_t SegmentNgrams::slot(NgramCounts::Node node) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    auto at = static_cast<std::size_t>((node * golden) >> 32) & mask;
    while (slots_[at] != missing && grams_[slots_[at]].node != node) at = (at + 1) & mask;
    return at;
}

std::uint32_t SegmentNgrams::insert(NgramCounts::Node node) {
    std::uint32_t& number = slots_[slot(node)];
    if (number == missing) {
        number = static_cast<std::uint32_t>(grams_.size());
        grams_.push_back({node, 0, 0, 0, 0, 0, missing, missing, 0, 0});
    }
    return number;
}

void SegmentNgrams::take(std::span<const NgramCounts::Node> nodes, std::size_t length, std::uint32_t reference) {
    unigrams_.resize(length);
    prefixes_.assign(length, missing);
    for (std::size_t i = 0; i < length; ++i) unigrams_[i] = insert(nodes[i * orders_]);
    for (std::size_t n = 1; n <= orders_ && n <= length; ++n) {
        for (std::size_t i = 0; i + n <= length; ++i) {
            const std::uint32_t number = insert(nodes[i * orders_ + n - 1]);
            Gram& gram = grams_[number];
            gram.order = static_cast<std::uint32_t>(n);
            gram.prefix = prefixes_[i];
            gram.last = unigrams_[i + n - 1];
            if (gram.latest != reference) {
                gram.latest = reference;
                gram.in_latest = 0;
                ++gram.references;
            }
            ++gram.occurrences;
            gram.most = std::max(gram.most, ++gram.in_latest);
            prefixes_[i] = number;
        }
    }
}

void SegmentNgrams::set(std::span<const NgramCounts::Node> nodes, std::span<const std::uint32_t> lengths,
                        std::size_t orders) {
    orders_ = orders;
    grams_.clear();
    slots_.assign(std::bit_ceil(2 * nodes.size() + 2), missing);
    std::size_t start = 0;
    for (std::size_t r = 0; r < lengths.size(); ++r) {
        take(nodes.subspan(start * orders), lengths[r], static_cast<std::uint32_t>(r + 1));
        start += lengths[r];
    }
}

void SegmentNgrams::match(std::span<const Token> hypothesis, const NgramCounts& counts) {
    words_.clear();
    for (const Token& token : hypothesis) words_.push_back(counts.find_word(token));
    words_found_.assign(words_.size(), missing);
    for (std::size_t i = 0; i < words_.size(); ++i) {
        NgramCounts::Node node = NgramCounts::root;
        const std::size_t longest = std::min(orders_, words_.size() - i);
        for (std::size_t n = 0; n < longest && words_[i + n] != NgramCounts::unknown; ++n) {
            node = counts.find(node, words_[i + n]);
            const std::uint32_t number = node == NgramCounts::none ? missing : slots_[slot(node)];
            if (number == missing) break;
            ++grams_[number].hypothesis;
            if (n == 0) words_found_[i] = number;
        }
    }
}

struct WeightedReferences::Worker {
    SegmentNgrams grams;
    std::vector<std::uint32_t> lengths;
};

WeightedReferences::WeightedReferences(std::shared_ptr<const Tokens> references, std::vector<std::int64_t> offsets,
                                       std::shared_ptr<const NgramCounts> counts, Ranking ranking, unsigned threads,
                                       const Interrupted& interrupted)
    : references_(std::move(references)),
      offsets_(std::move(offsets)),
      counts_(std::move(counts)),
      ranks_(*counts_, ranking),
      orders_(counts_->orders()),
      zero_(unigram_of(*counts_, "0")),
      starts_{0} {
    for (std::size_t r = 0; r < references_->size(); ++r) starts_.push_back(starts_.back() + (*references_)[r].size());
    nodes_.assign(starts_.back() * orders_, NgramCounts::none);
    parallel_for(references_->size(), segments_per_chunk, threads, interrupted,
                 [&](std::size_t begin, std::size_t end) {
                     for (std::size_t r = begin; r < end; ++r) index(r);
                 });
}

void WeightedReferences::index(std::size_t reference) {
    const std::span<const Token> tokens = (*references_)[reference];
    std::vector<NgramCounts::Word> words;
    for (const Token& token : tokens) words.push_back(counts_->find_word(token));
    for (std::size_t i = 0; i < words.size(); ++i) {
        NgramCounts::Node node = NgramCounts::root;
        for (std::size_t n = 0; n < std::min(orders_, words.size() - i); ++n) {
            node = words[i + n] == NgramCounts::unknown ? NgramCounts::none : counts_->find(node, words[i + n]);
            if (node == NgramCounts::none)
                throw std::invalid_argument("the counts are of other references: they lack n-grams of these");
            nodes_[(starts_[reference] + i) * orders_ + n] = node;
        }
    }
}

void WeightedReferences::set(std::size_t segment, Worker& worker) const {
    const auto first = static_cast<std::size_t>(offsets_[segment]);
    const auto last = static_cast<std::size_t>(offsets_[segment + 1]);
    worker.lengths.clear();
    for (std::size_t r = first; r < last; ++r)
        worker.lengths.push_back(static_cast<std::uint32_t>(starts_[r + 1] - starts_[r]));
    const auto nodes = std::span(nodes_).subspan(starts_[first] * orders_, (starts_[last] - starts_[first]) * orders_);
    worker.grams.set(nodes, worker.lengths, orders_);
}

void WeightedReferences::lengths(std::size_t segment, std::size_t hypothesis, std::span<double> out) const {
    const auto first = static_cast<std::size_t>(offsets_[segment]);
    const auto last = static_cast<std::size_t>(offsets_[segment + 1]);
    const auto wanted = static_cast<std::int64_t>(hypothesis);
    std::int64_t best = -1;
    for (std::size_t r = first; r < last; ++r) {
        const auto length = static_cast<std::int64_t>(starts_[r + 1] - starts_[r]);
        const std::int64_t gap = best < 0 ? -1 : std::abs(length - wanted) - std::abs(best - wanted);
        if (gap < 0 || (gap == 0 && length < best)) best = length;
    }
    out[0] = static_cast<double>(hypothesis);
    out[1] = static_cast<double>(starts_[last] - starts_[first]) / static_cast<double>(last - first);
    out[2] = static_cast<double>(best);
}

double WeightedReferences::information(const SegmentNgrams::Gram& gram, const WeightReading& reading) const {
    NgramCounts::Node before = counts_->parent(gram.node);
    if (reading.after_zero && gram.order == 2 && before == zero_) before = NgramCounts::root;
    return std::log2(static_cast<double>(counts_->count(before)) / static_cast<double>(counts_->count(gram.node)));
}

double WeightedReferences::word_weight(const SegmentNgrams::Gram& unigram) const {
    const auto with = static_cast<double>(counts_->segments_with(counts_->last_word(unigram.node)));
    return (1 + std::log(static_cast<double>(unigram.most))) *
           std::log(static_cast<double>(counts_->segments()) / with);
}

double WeightedReferences::weight(NgramWeight kind, const SegmentNgrams::Gram& gram, double references,
                                  const WeightReading& reading) const {
    const double share = (reading.occurrences ? gram.occurrences : gram.references) / references;
    const auto rank_share = [&] {
        const std::int64_t frequency = counts_->count(gram.node);
        return ranks_.of(gram.order, frequency) * static_cast<double>(frequency) / references;
    };
    switch (kind) {
        case NgramWeight::information: return information(gram, reading);
        case NgramWeight::recurrence: return std::log10(gram.order + share);
        case NgramWeight::share: return share;
        case NgramWeight::rank_share: return rank_share();
        case NgramWeight::zipf: return std::log10(1 + rank_share());
        case NgramWeight::informed_recurrence: return information(gram, reading) * std::log10(gram.order + share);
        case NgramWeight::informed_zipf: return information(gram, reading) * std::log10(1 + rank_share());
        default: return 0;
    }
}

/// The weight of an n-gram is that of its words taken together, and 1 where that is less.
void WeightedReferences::add_tf_idf(const SegmentNgrams& grams, bool total, bool sum, std::span<double> out) const {
    const auto joined = [sum](double a, double b) { return sum ? a + b : std::max(a, b); };
    const auto all = grams.grams();
    if (total) {
        const auto words = grams.hypothesis_words();
        std::vector<double> weights;
        for (const std::uint32_t word : words)
            weights.push_back(word == SegmentNgrams::missing ? 0 : word_weight(all[word]));
        for (std::size_t i = 0; i < words.size(); ++i) {
            double together = 0;
            for (std::size_t n = 0; n < std::min(orders_, words.size() - i); ++n) {
                together = joined(together, weights[i + n]);
                out[n] += std::max(1.0, together);
            }
        }
        return;
    }
    std::vector<double> weights;
    for (const SegmentNgrams::Gram& gram : all) {
        const double own = word_weight(all[gram.last]);
        weights.push_back(gram.order == 1 ? own : joined(weights[gram.prefix], own));
        out[gram.order - 1] += gram.matches() * std::max(1.0, weights.back());
    }
}

void WeightedReferences::row(std::size_t segment, std::span<const Token> hypothesis,
                             std::span<const NgramWeight> weights, const WeightReading& reading, Worker& worker,
                             std::span<double> out) const {
    set(segment, worker);
    worker.grams.match(hypothesis, *counts_);
    lengths(segment, hypothesis.size(), out);
    const auto references = static_cast<double>(worker.lengths.size());
    const auto matches = out.subspan(3, orders_);
    const auto types = out.subspan(3 + orders_, orders_);
    for (const SegmentNgrams::Gram& gram : worker.grams.grams()) {
        types[gram.order - 1] += 1;
        matches[gram.order - 1] += gram.matches();
    }
    for (std::size_t w = 0; w < weights.size(); ++w) {
        const auto sums = out.subspan(3 + (2 + w) * orders_, orders_);
        if (weights[w] == NgramWeight::tf_idf || weights[w] == NgramWeight::tf_idf_total) {
            add_tf_idf(worker.grams, weights[w] == NgramWeight::tf_idf_total, reading.sum_of_words, sums);
            continue;
        }
        if (weights[w] == NgramWeight::rarest_rank_share) {
            for (std::size_t n = 0; n < std::min(orders_, hypothesis.size()); ++n)
                sums[n] = static_cast<double>(hypothesis.size() - n) * ranks_.of_rarest(n + 1) / references;
            continue;
        }
        for (const SegmentNgrams::Gram& gram : worker.grams.grams()) {
            if (gram.hypothesis > 0)
                sums[gram.order - 1] += gram.matches() * weight(weights[w], gram, references, reading);
        }
    }
    for (std::size_t n = 0; n < orders_; ++n) {
        double all = 0;
        for (const std::uint32_t length : worker.lengths) all += length > n ? static_cast<double>(length - n) : 0;
        types[n] = all > 0 ? types[n] / all : 0;
    }
}

std::vector<double> WeightedReferences::rows(const Tokens& hypotheses, std::span<const NgramWeight> weights,
                                             const WeightReading& reading, unsigned threads,
                                             const Interrupted& interrupted) const {
    const std::size_t width = columns(weights.size());
    std::vector<double> values(size() * width);
    parallel_for(size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Worker worker;
        for (std::size_t i = begin; i < end; ++i)
            row(i, hypotheses[i], weights, reading, worker, std::span(values).subspan(i * width, width));
    });
    return values;
}

std::vector<std::int64_t> WeightedReferences::coverage(const Tokens* hypotheses, std::size_t most,
                                                       const Interrupted& interrupted) const {
    std::vector<std::int64_t> counts(orders_ * most * 2);
    Worker worker;
    parallel_for(size(), segments_per_chunk, 1, interrupted, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            set(i, worker);
            if (hypotheses) worker.grams.match((*hypotheses)[i], *counts_);
            for (const SegmentNgrams::Gram& gram : worker.grams.grams()) {
                const std::uint32_t all = hypotheses ? gram.matches() : gram.occurrences;
                const std::size_t at = 2 * ((gram.order - 1) * most + std::min<std::size_t>(gram.references, most) - 1);
                counts[at] += all > 0;
                counts[at + 1] += all;
            }
        }
    });
    return counts;
}

}  // namespace karat
