#include "karat/lcs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace karat {

void PositionBits::set(std::span<const Symbol> symbols, Symbol alphabet) {
    constexpr std::size_t always_kept = std::size_t{1} << 14;  // words of memory: fits into the nearest caches
    blocks_ = (symbols.size() + 63) / 64;
    all_ = (std::size_t{alphabet} + 1) * blocks_ <= always_kept;
    bits_.assign(all_ ? (std::size_t{alphabet} + 1) * blocks_ : blocks_, 0);
    shown_ = 0;
    if (!all_) return positions_.set(symbols, alphabet);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        bits_[symbols[i] * blocks_ + i / 64] |= std::uint64_t{1} << (i % 64);
    }
}

const std::uint64_t* PositionBits::of(Symbol symbol) {
    if (all_) return bits_.data() + symbol * blocks_;
    for (const std::uint32_t place : positions_.of(shown_)) bits_[place / 64] = 0;
    for (const std::uint32_t place : positions_.of(symbol)) bits_[place / 64] |= std::uint64_t{1} << (place % 64);
    shown_ = symbol;
    return bits_.data();
}

void LcsLine::advance(const std::uint64_t* matches) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t b = 0; b < bits_.size(); ++b) {
        const std::uint64_t line = bits_[b];
        const std::uint64_t both = line & matches[b];
        const std::uint64_t half = line + carry;
        const std::uint64_t sum = half + both;
        carry = static_cast<std::uint64_t>(half < carry) | static_cast<std::uint64_t>(sum < both);
        bits_[b] = sum | (line & ~matches[b]);
    }
}

void LcsKernel::operator()(const WordPair& pair, std::span<std::int64_t> row) {
    places_.set(pair.reference, pair.alphabet);
    line_.start(places_.blocks());
    for (const Symbol word : pair.hypothesis) {
        if (word != 0) line_.advance(places_.of(word));
    }
    row[0] = 0;
    // Beyond the last word of the reference nothing ever matches, so bits stay 1 there.
    for (const std::uint64_t block : line_.bits()) row[0] += std::popcount(~block);
}

void WeightedLcsKernel::operator()(const WordPair& pair, std::span<double> row) {
    while (powers_.size() < pair.hypothesis.size() + 2) {
        powers_.push_back(std::pow(static_cast<double>(powers_.size()), weight_));
    }
    cells_.assign(pair.reference.size() + 1, Cell{0, 0});
    for (const Symbol word : pair.hypothesis) {
        Cell diagonal{0, 0};
        for (std::size_t j = 0; j < pair.reference.size(); ++j) {
            const Cell above = cells_[j + 1];
            if (word == pair.reference[j]) {
                const double gain = powers_[diagonal.run + 1] - powers_[diagonal.run];
                cells_[j + 1] = {diagonal.weight + gain, diagonal.run + 1};
            } else {
                cells_[j + 1] = {std::max(above.weight, cells_[j].weight), 0};
            }
            diagonal = above;
        }
    }
    row[0] = cells_.back().weight;
}

namespace {

using Words = std::span<const Symbol>;

/// Finds the hits of one reference after the other, and keeps its memory from one to the next.
class SummaryLcs {
 public:
    /// The words of every sentence of a hypothesis; 0 is a word that no reference has.
    void set_hypothesis(const WordReferences& references, std::size_t segment, const Tokens& words, std::size_t first,
                        std::size_t last) {
        segment_ = segment;
        symbols_.clear();
        ends_.clear();
        for (std::size_t sentence = first; sentence < last; ++sentence) {
            const Words found = references.lexicon().look_up(segment, words[sentence], looked_up_);
            symbols_.insert(symbols_.end(), found.begin(), found.end());
            ends_.push_back(symbols_.size());
        }
    }

    std::size_t hypothesis_length() const noexcept { return symbols_.size(); }

    void start_reference(Symbol alphabet) {
        alphabet_ = alphabet;
        left_.assign(std::size_t{alphabet} + 1, 0);
        for (const Symbol symbol : symbols_) ++left_[symbol];
        left_[0] = 0;
    }

    /// Adds the united words and the hits of one sentence of the reference; hits use up words of the hypothesis.
    void count(Words reference, std::int64_t& united, std::int64_t& hits) {
        places_.set(reference, alphabet_);
        united_.assign(reference.size(), 0);
        std::size_t begin = 0;
        for (const std::size_t end : ends_) {
            unite(reference, Words(symbols_).subspan(begin, end - begin));
            begin = end;
        }
        for (std::size_t i = 0; i < reference.size(); ++i) {
            if (!united_[i]) continue;
            ++united;
            if (left_[reference[i]] == 0) continue;
            --left_[reference[i]];
            ++hits;
        }
    }

 private:
    /// Marks the words of the reference on a longest common subsequence.
    void unite(Words reference, Words hypothesis) {
        const std::size_t blocks = places_.blocks();
        if (blocks != 0 && hypothesis.size() > summary_lcs_blocks / blocks) refuse(reference.size(), hypothesis.size());
        lines_.clear();
        line_.start(blocks);
        for (const Symbol word : hypothesis) {
            if (word != 0) line_.advance(places_.of(word));
            lines_.insert(lines_.end(), line_.bits().begin(), line_.bits().end());
        }
        const auto grows = [&](std::size_t i, std::size_t j) {
            return (lines_[j * blocks + i / 64] >> (i % 64) & 1) == 0;
        };
        for (std::size_t i = reference.size(), j = hypothesis.size(); i > 0 && j > 0;) {
            if (reference[i - 1] == hypothesis[j - 1]) {
                united_[--i] = 1;
                --j;
            } else if (grows(i - 1, j - 1)) {
                --j;
            } else {
                --i;
            }
        }
    }

    [[noreturn]] void refuse(std::size_t reference, std::size_t hypothesis) const {
        throw std::invalid_argument("segment " + std::to_string(segment_ + 1) + " has sentences of " +
                                    std::to_string(hypothesis) + " and " + std::to_string(reference) +
                                    " words, which are too long to compare: split them with newlines");
    }

    std::size_t segment_ = 0;
    Symbol alphabet_ = 0;
    std::vector<Symbol> looked_up_;
    std::vector<Symbol> symbols_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> left_;   // by symbol: how often the hypothesis still has it
    std::vector<std::uint8_t> united_;  // by place in the sentence of the reference
    PositionBits places_;
    LcsLine line_;
    std::vector<std::uint64_t> lines_;  // of all words of the hypothesis
};

}  // namespace

std::vector<std::int64_t> summary_lcs_rows(const WordReferences& sentences, std::span<const std::int64_t> offsets,
                                           SentenceStarts references, const Tokens& words, SentenceStarts hypotheses,
                                           unsigned threads, const Interrupted& interrupted) {
    constexpr std::size_t segments_per_chunk = 16;
    std::vector<std::int64_t> rows(4 * (references.size() - 1));
    const auto at = [](std::span<const std::int64_t> starts, std::size_t i) {
        return static_cast<std::size_t>(starts[i]);
    };
    parallel_for(sentences.size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        SummaryLcs kernel;
        for (std::size_t i = begin; i < end; ++i) {
            kernel.set_hypothesis(sentences, i, words, at(hypotheses, i), at(hypotheses, i + 1));
            const SymbolReferences all = sentences.lexicon().references(i);
            std::size_t sentence = 0;
            std::size_t start = 0;
            for (std::size_t r = at(offsets, i); r < at(offsets, i + 1); ++r) {
                std::int64_t* const row = rows.data() + 4 * r;
                row[0] = static_cast<std::int64_t>(kernel.hypothesis_length());
                kernel.start_reference(all.alphabet);
                for (std::size_t count = at(references, r + 1) - at(references, r); count > 0; --count) {
                    const Words reference{all.symbols + start, all.ends[sentence] - start};
                    row[1] += static_cast<std::int64_t>(reference.size());
                    kernel.count(reference, row[2], row[3]);
                    start = all.ends[sentence++] + 1;
                }
            }
        }
    });
    return rows;
}

}  // namespace karat
