#include "karat/crossing.hpp"

#include <algorithm>
#include <utility>

#include "karat/segment_lexicon.hpp"
#include "karat/ter_search.hpp"
#include "karat/unicode.hpp"

namespace karat {
namespace {

/// Reads words, numbered within their group; `words_of` gives those of a string.
template <class WordsOf>
void read_words(std::size_t begin, std::size_t end, WordsOf words_of, SymbolStrings& out) {
    std::vector<Token> words;
    for (std::size_t i = begin; i < end; ++i) {
        words_of(i, words);
        out.ends.push_back(words.size());
    }
    SegmentLexicon lexicon;
    lexicon.start(words.size());
    lexicon.add(words, [&out](std::uint32_t word) { out.symbols.push_back(word); });
}

void read_characters(const TextColumn& text, bool whitespace, std::size_t begin, std::size_t end, SymbolStrings& out) {
    for (std::size_t i = begin; i < end; ++i) {
        const std::string_view line = text[i];
        for (std::size_t at = 0, length = 1; at < line.size(); at += length) {
            const char32_t c = decode(line.data() + at, length);
            if (whitespace || !is_space(c)) out.symbols.push_back(static_cast<Symbol>(c));
        }
        out.ends.push_back(out.symbols.size());
    }
}

class BleuCrossing final : public NgramCrossing {
 public:
    BleuCrossing(const Tokens& tokens, std::vector<std::int64_t> groups, unsigned orders, unsigned threads,
                 const Interrupted& interrupted)
        : groups_(std::move(groups)), orders_(orders) {
        const auto words_of = [&tokens](std::size_t string, std::vector<Token>& words) {
            const std::span<const Token> of = tokens[string];
            words.insert(words.end(), of.begin(), of.end());
        };
        const auto read = [&](std::size_t begin, std::size_t end, SymbolStrings& out) {
            read_words(begin, end, words_of, out);
        };
        std::vector<std::size_t> matches;
        for (unsigned n = 0; n < orders; ++n) matches.push_back(2 + n);
        parts_.push_back({CrossedNgrams(groups_, orders, read, threads, interrupted), std::move(matches)});
    }

    std::span<const std::int64_t> groups() const noexcept override { return groups_; }
    std::size_t columns() const noexcept override { return 2 + 2 * std::size_t{orders_}; }

 private:
    std::span<const Part> parts() const noexcept override { return parts_; }

    void write_counts(const PairCounts& counts, double* out, std::size_t stride) const noexcept override {
        out[0] = counts.hypothesis[0];
        out[stride] = counts.reference[0];
        for (unsigned n = 0; n < orders_; ++n) out[(2 + orders_ + n) * stride] = counts.hypothesis[n];
    }

    std::vector<std::int64_t> groups_;
    unsigned orders_;
    std::vector<Part> parts_;
};

class ChrfCrossing final : public NgramCrossing {
 public:
    ChrfCrossing(const TextColumn& text, std::vector<std::int64_t> groups, const ChrfOptions& options, unsigned threads,
                 const Interrupted& interrupted)
        : groups_(std::move(groups)), orders_(std::size_t{options.char_order} + options.word_order) {
        const auto add_part = [&](std::size_t first, unsigned orders, const ReadGroup& read) {
            if (orders == 0) return;
            std::vector<std::size_t> matches;
            for (std::size_t n = 0; n < orders; ++n) matches.push_back(3 * (first + n) + 2);
            parts_.push_back({CrossedNgrams(groups_, orders, read, threads, interrupted), std::move(matches)});
        };
        add_part(0, options.char_order, [&](std::size_t begin, std::size_t end, SymbolStrings& out) {
            read_characters(text, options.whitespace, begin, end, out);
        });
        const auto words_of = [&text](std::size_t string, std::vector<Token>& words) {
            add_chrf_words(text[string], words);
        };
        add_part(options.char_order, options.word_order, [&](std::size_t begin, std::size_t end, SymbolStrings& out) {
            read_words(begin, end, words_of, out);
        });
    }

    std::span<const std::int64_t> groups() const noexcept override { return groups_; }
    std::size_t columns() const noexcept override { return 3 * orders_; }

 private:
    std::span<const Part> parts() const noexcept override { return parts_; }

    void write_counts(const PairCounts& counts, double* out, std::size_t stride) const noexcept override {
        for (std::size_t n = 0; n < orders_; ++n) {
            out[3 * n * stride] = counts.reference[n] > 0 ? counts.hypothesis[n] : 0;
            out[(3 * n + 1) * stride] = counts.reference[n];
        }
    }

    std::vector<std::int64_t> groups_;
    std::size_t orders_;
    std::vector<Part> parts_;
};

class TerCrossing final : public Crossing {
 public:
    TerCrossing(std::shared_ptr<const Tokens> hypotheses, std::shared_ptr<const Tokens> references,
                std::vector<std::int64_t> groups, TerSearch search)
        : hypotheses_(std::move(hypotheses)),
          references_(std::move(references)),
          groups_(std::move(groups)),
          search_(search) {}

    std::span<const std::int64_t> groups() const noexcept override { return groups_; }
    std::size_t columns() const noexcept override { return 2; }

    std::vector<double> rows(std::span<const Rectangle> rectangles, unsigned threads,
                             const Interrupted& interrupted) const override {
        struct Line {
            const Rectangle* rectangle;
            std::size_t hypothesis, first;
        };
        std::vector<Line> lines;
        std::size_t pairs = 0;
        for (const Rectangle& one : rectangles) {
            for (std::size_t h = one.hypotheses_begin; h < one.hypotheses_end; ++h) {
                lines.push_back({&one, h, pairs});
                pairs += one.references();
            }
        }
        std::vector<double> values(2 * pairs);
        parallel_for(lines.size(), 1, threads, interrupted, [&](std::size_t begin, std::size_t end) {
            ter::Searcher searcher(search_);
            for (std::size_t i = begin; i < end; ++i) {
                const Rectangle& one = *lines[i].rectangle;
                const std::span<const Token> hypothesis = (*hypotheses_)[lines[i].hypothesis];
                double* out = values.data() + lines[i].first;
                for (std::size_t r = one.references_begin; r < one.references_end; ++r, ++out) {
                    const std::span<const Token> reference = (*references_)[r];
                    out[0] = static_cast<double>(searcher.edits(hypothesis, reference, nullptr));
                    out[pairs] = static_cast<double>(reference.size());
                }
            }
        });
        return values;
    }

 private:
    std::shared_ptr<const Tokens> hypotheses_, references_;
    std::vector<std::int64_t> groups_;
    TerSearch search_;
};

}  // namespace

std::vector<double> NgramCrossing::counts_of(std::size_t string) const {
    std::vector<double> counts;
    for (const Part& part : parts()) {
        for (unsigned n = 1; n <= part.ngrams.orders(); ++n)
            counts.push_back(static_cast<double>(part.ngrams.count(string, n)));
    }
    return counts;
}

std::vector<double> NgramCrossing::mean_counts(const Rectangle& rectangle, std::span<const double> weights) const {
    std::vector<double> means;
    double total = 0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
        const std::vector<double> counts = counts_of(rectangle.references_begin + r);
        means.resize(counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i) means[i] += weights[r] * counts[i];
        total += weights[r];
    }
    for (double& mean : means) mean /= total;
    return means;
}

std::vector<double*> NgramCrossing::match_columns(const Part& part, std::vector<double>& values,
                                                  std::size_t stride) const {
    std::vector<double*> columns;
    for (const std::size_t column : part.match_columns) columns.push_back(values.data() + column * stride);
    return columns;
}

std::vector<double> NgramCrossing::rows(std::span<const Rectangle> rectangles, unsigned threads,
                                        const Interrupted& interrupted) const {
    std::size_t pairs = 0;
    for (const Rectangle& one : rectangles) pairs += one.pairs();
    std::vector<double> values(columns() * pairs);
    for (const Part& part : parts())
        part.ngrams.match(rectangles, match_columns(part, values, pairs), threads, interrupted);
    std::size_t at = 0;
    for (const Rectangle& one : rectangles) {
        std::vector<std::vector<double>> references;
        for (std::size_t r = one.references_begin; r < one.references_end; ++r) references.push_back(counts_of(r));
        for (std::size_t h = one.hypotheses_begin; h < one.hypotheses_end; ++h) {
            const std::vector<double> hypothesis = counts_of(h);
            for (const std::vector<double>& reference : references)
                write_counts({hypothesis, reference}, values.data() + at++, pairs);
        }
    }
    return values;
}

std::vector<double> NgramCrossing::mean_rows(std::span<const Rectangle> rectangles, std::span<const double> weights,
                                             unsigned threads, const Interrupted& interrupted) const {
    std::size_t hypotheses = 0;
    for (const Rectangle& one : rectangles) hypotheses += one.hypotheses();
    std::vector<double> values(columns() * hypotheses);
    for (const Part& part : parts())
        part.ngrams.match_mean(rectangles, weights, match_columns(part, values, hypotheses), threads, interrupted);
    std::size_t at = 0, used = 0;
    for (const Rectangle& one : rectangles) {
        const std::vector<double> reference = mean_counts(one, weights.subspan(used, one.references()));
        used += one.references();
        for (std::size_t h = one.hypotheses_begin; h < one.hypotheses_end; ++h)
            write_counts({counts_of(h), reference}, values.data() + at++, hypotheses);
    }
    return values;
}

std::unique_ptr<const NgramCrossing> bleu_crossing(const Tokens& tokens, std::vector<std::int64_t> groups,
                                                   unsigned max_order, unsigned threads,
                                                   const Interrupted& interrupted) {
    return std::make_unique<const BleuCrossing>(tokens, std::move(groups), max_order, threads, interrupted);
}

std::unique_ptr<const NgramCrossing> chrf_crossing(const TextColumn& text, std::vector<std::int64_t> groups,
                                                   const ChrfOptions& options, unsigned threads,
                                                   const Interrupted& interrupted) {
    return std::make_unique<const ChrfCrossing>(text, std::move(groups), options, threads, interrupted);
}

std::unique_ptr<const Crossing> ter_crossing(std::shared_ptr<const Tokens> hypotheses,
                                             std::shared_ptr<const Tokens> references, std::vector<std::int64_t> groups,
                                             TerSearch search) {
    return std::make_unique<const TerCrossing>(std::move(hypotheses), std::move(references), std::move(groups), search);
}

}  // namespace karat
