#include "karat/chrf.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "karat/unicode.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 64;

bool is_ascii_punctuation(char c) noexcept {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

inline void add_word(std::string_view bytes, std::vector<Token>& words) {
    words.push_back(
        {bytes.data(), static_cast<std::uint32_t>(bytes.size()), hash_readable(bytes.data(), bytes.size())});
}

/// Cuts off one ASCII punctuation mark: the last character if it is one, else the first.
void add_cut_word(std::string_view word, std::vector<Token>& words) {
    if (word.size() == sequence_length(static_cast<unsigned char>(word[0]))) {
        add_word(word, words);
    } else if (is_ascii_punctuation(word.back())) {
        add_word(word.substr(0, word.size() - 1), words);
        add_word(word.substr(word.size() - 1), words);
    } else if (is_ascii_punctuation(word.front())) {
        add_word(word.substr(0, 1), words);
        add_word(word.substr(1), words);
    } else {
        add_word(word, words);
    }
}

enum class ByteClass : std::uint8_t { other, ascii_space, maybe_space };

/// White space at a glance: beyond ASCII it starts with one of four bytes.
constexpr std::array<ByteClass, 256> byte_classes = [] {
    std::array<ByteClass, 256> classes{};
    for (const unsigned char space : std::string_view(" \t\n\v\f\r\x1c\x1d\x1e\x1f"))
        classes[space] = ByteClass::ascii_space;
    for (const unsigned lead : {0xC2u, 0xE1u, 0xE2u, 0xE3u}) classes[lead] = ByteClass::maybe_space;
    return classes;
}();

/// The length in bytes of the white space at `p`, 0 if there is none.
std::size_t space_length(const char* p) noexcept {
    const ByteClass byte_class = byte_classes[static_cast<unsigned char>(*p)];
    if (byte_class == ByteClass::other) return 0;
    std::size_t length = 1;
    return is_space(decode(p, length)) ? length : 0;
}

void add_words(std::string_view line, std::vector<Token>& words) {
    const char* p = line.data();
    const char* const end = p + line.size();
    while (p < end) {
        if (const std::size_t length = space_length(p)) {
            p += length;
            continue;
        }
        const char* const start = p;
        do {
            ++p;
        } while (p < end && space_length(p) == 0);
        add_cut_word({start, static_cast<std::size_t>(p - start)}, words);
    }
}

/// Whether to keep a character, by its byte in ASCII.
using Kept = std::array<std::uint8_t, 0x80>;
constexpr Kept all_kept = [] {
    Kept kept{};
    kept.fill(1);
    return kept;
}();
constexpr Kept spaces_dropped = [] {
    Kept kept{};
    for (std::size_t byte = 0; byte < kept.size(); ++byte) kept[byte] = byte_classes[byte] == ByteClass::other;
    return kept;
}();

/// The symbols of the code points of one segment: a table for ASCII, and pages of which only those in use exist.
class CodePoints {
 public:
    explicit CodePoints(bool whitespace)
        : whitespace_(whitespace), kept_(whitespace ? all_kept : spaces_dropped), symbols_(page_size) {}

    /// Appends the symbols of all characters, numbering the new ones.
    void add(std::string_view line, std::vector<Symbol>& out) {
        Symbol alphabet = alphabet_;  // in a register
        append(
            line, out,
            [&, ascii = ascii_.data(), kept = kept_.data()](unsigned char c) {
                const Symbol known = ascii[c];
                const Symbol fresh = static_cast<Symbol>(known == 0) & kept[c];
                alphabet += fresh;
                return ascii[c] = known | (alphabet & (0u - fresh));  // whether it is new is anyone's guess
            },
            [&](char32_t c) {
                Symbol& symbol = place(c);
                if (symbol == 0) symbol = ++alphabet;
                return symbol;
            });
        alphabet_ = alphabet;
    }

    /// Appends the symbols of all characters, 0 for unknown ones.
    void find(std::string_view line, std::vector<Symbol>& out) const {
        append(
            line, out, [ascii = ascii_.data()](unsigned char c) { return ascii[c]; },
            [this](char32_t c) { return symbols_[pages_[c / page_size] * page_size + c % page_size]; });
    }

    Symbol alphabet() const noexcept { return alphabet_; }

    void clear() noexcept {
        ascii_.fill(0);
        for (const std::size_t place : touched_) symbols_[place] = 0;
        touched_.clear();
        alphabet_ = 0;
    }

 private:
    static constexpr std::size_t page_size = 256;

    Symbol& place(char32_t c) {
        std::uint16_t& page = pages_[c / page_size];
        if (page == 0) {
            page = static_cast<std::uint16_t>(symbols_.size() / page_size);
            symbols_.resize(symbols_.size() + page_size);
        }
        const std::size_t at = page * page_size + c % page_size;
        if (symbols_[at] == 0) touched_.push_back(at);
        return symbols_[at];
    }

    template <class AsciiSymbol, class OtherSymbol>
    void append(std::string_view line, std::vector<Symbol>& out, AsciiSymbol ascii_symbol,
                OtherSymbol other_symbol) const {
        const std::size_t before = out.size();
        out.resize(before + line.size() + 1);
        Symbol* next = out.data() + before;
        const std::uint8_t* const kept = kept_.data();
        for (const char *p = line.data(), *end = p + line.size(); p != end;) {
            const auto byte = static_cast<unsigned char>(*p);
            if (byte < 0x80) {
                *next = ascii_symbol(byte);
                next += kept[byte];
                ++p;
                continue;
            }
            std::size_t length = 1;
            const char32_t c = karat::decode(p, length);
            if (whitespace_ || !is_space(c)) *next++ = other_symbol(c);
            p += length;
        }
        out.resize(static_cast<std::size_t>(next - out.data()));
    }

    bool whitespace_;
    Kept kept_;
    std::array<Symbol, 0x80> ascii_{};
    std::array<std::uint16_t, 0x110000 / page_size> pages_{};  // page 0 stays empty
    std::vector<Symbol> symbols_;
    std::vector<std::size_t> touched_;  // in `symbols_`
    Symbol alphabet_ = 0;
};

/// Writes (hypothesis, reference, match) for each order, given the lengths in symbols.
void write_orders(std::size_t hypothesis, std::size_t reference, std::span<const std::int64_t> matches,
                  std::int64_t* out) {
    for (std::size_t n = 0; n < matches.size(); ++n, out += 3) {
        const auto count = [n](std::size_t length) { return static_cast<std::int64_t>(length > n ? length - n : 0); };
        out[1] = count(reference);
        out[0] = out[1] == 0 ? 0 : count(hypothesis);
        out[2] = matches[n];
    }
}

/// F of the means of precision and recall over the orders that both sides have.
double score_of_means(std::span<const std::int64_t> row, double factor) {
    double precision = 0;
    double recall = 0;
    int orders = 0;
    for (std::size_t i = 0; i < row.size(); i += 3) {
        if (row[i] == 0 || row[i + 1] == 0) continue;
        precision += static_cast<double>(row[i + 2]) / static_cast<double>(row[i]);
        recall += static_cast<double>(row[i + 2]) / static_cast<double>(row[i + 1]);
        ++orders;
    }
    if (orders == 0 || precision + recall == 0) return 0;
    precision /= orders;
    recall /= orders;
    return (1 + factor) * precision * recall / (factor * precision + recall);
}

/// The mean of F over all orders, where what is missing has a tiny value.
double mean_of_scores(std::span<const std::int64_t> row, double factor) {
    constexpr double tiny = 1e-16;
    double total = 0;
    for (std::size_t i = 0; i < row.size(); i += 3) {
        const auto match = static_cast<double>(row[i + 2]);
        const double precision = row[i] > 0 ? match / static_cast<double>(row[i]) : tiny;
        const double recall = row[i + 1] > 0 ? match / static_cast<double>(row[i + 1]) : tiny;
        const double denominator = factor * precision + recall;
        total += denominator > 0 ? (1 + factor) * precision * recall / denominator : tiny;
    }
    return total / (static_cast<double>(row.size()) / 3);
}

}  // namespace

double chrf_score(std::span<const std::int64_t> row, const ChrfOptions& options) {
    const double factor = options.beta * options.beta;
    return options.eps_smoothing ? mean_of_scores(row, factor) : score_of_means(row, factor);
}

/// What one thread needs for one segment after the other.
struct ChrfReferences::Worker {
    explicit Worker(const ChrfReferences& prepared)
        : code_points(prepared.options_.whitespace),
          matches(std::max(prepared.options_.char_order, prepared.options_.word_order)),
          candidate(prepared.columns()) {}

    NgramMatcher characters, words;
    CodePoints code_points;
    std::vector<Symbol> hypothesis, references;  // characters
    std::vector<std::uint32_t> reference_ends;
    std::vector<Token> tokens;
    std::vector<Symbol> word_symbols;
    std::span<const Symbol> hypothesis_words;
    SymbolReferences reference_words;
    std::vector<std::int64_t> matches, candidate;
};

ChrfReferences::ChrfReferences(std::shared_ptr<const TextColumn> references, std::vector<std::int64_t> offsets,
                               const ChrfOptions& options, unsigned threads, const Interrupted& interrupted)
    : references_(std::move(references)), offsets_(std::move(offsets)), options_(options) {
    if (options_.word_order == 0) return;
    lexicon_.emplace(split_words(threads, interrupted), offsets_, threads, interrupted);
}

/// Fills `words_`; returns the words of each reference.
std::vector<std::span<const Token>> ChrfReferences::split_words(unsigned threads, const Interrupted& interrupted) {
    const std::size_t count = references_->size();
    words_.resize((count + segments_per_chunk - 1) / segments_per_chunk);
    std::vector<std::span<const Token>> references(count);
    parallel_for(count, segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        std::vector<Token>& words = words_[begin / segments_per_chunk];
        std::vector<std::size_t> ends;
        for (std::size_t i = begin; i < end; ++i) {
            add_words((*references_)[i], words);
            ends.push_back(words.size());
        }
        std::size_t start = 0;
        for (std::size_t i = begin; i < end; ++i) {
            references[i] = std::span(words).subspan(start, ends[i - begin] - start);
            start = ends[i - begin];
        }
    });
    return references;
}

/// Turns one segment into symbols.
void ChrfReferences::decode(std::size_t segment, std::string_view hypothesis, Worker& worker) const {
    worker.references.clear();
    worker.reference_ends.clear();
    for (auto r = static_cast<std::size_t>(offsets_[segment]); r < static_cast<std::size_t>(offsets_[segment + 1]);
         ++r) {
        worker.code_points.add((*references_)[r], worker.references);
        worker.reference_ends.push_back(static_cast<std::uint32_t>(worker.references.size()));
        worker.references.push_back(end_of_reference);
    }
    worker.references.resize(worker.references.size() + symbol_padding);
    worker.hypothesis.clear();
    worker.code_points.find(hypothesis, worker.hypothesis);
    worker.hypothesis.resize(worker.hypothesis.size() + symbol_padding, end_of_hypothesis);
    if (!lexicon_) return;
    worker.tokens.clear();
    add_words(hypothesis, worker.tokens);
    worker.hypothesis_words = lexicon_->look_up(segment, worker.tokens, worker.word_symbols);
    worker.reference_words = lexicon_->references(segment);
}

/// The row against one reference of the segment that was decoded.
void ChrfReferences::compare(std::size_t reference, Worker& worker, std::span<std::int64_t> out) const {
    const auto match = [&](NgramMatcher& matcher, std::span<const Symbol> hypothesis, const SymbolReferences& all,
                           std::span<std::int64_t> matches, std::int64_t* row) {
        const std::uint32_t begin = reference == 0 ? 0 : all.ends[reference - 1] + 1;
        const std::uint32_t end = all.ends[reference] - begin;
        matcher.match(hypothesis, {all.symbols + begin, {&end, 1}, all.alphabet}, matches);
        write_orders(hypothesis.size(), end, matches, row);
    };
    const std::span<std::int64_t> matches(worker.matches);
    const SymbolReferences characters{worker.references.data(), worker.reference_ends, worker.code_points.alphabet()};
    match(worker.characters, std::span(worker.hypothesis).first(worker.hypothesis.size() - symbol_padding), characters,
          matches.first(options_.char_order), out.data());
    if (lexicon_) {
        match(worker.words, worker.hypothesis_words, worker.reference_words, matches.first(options_.word_order),
              out.data() + 3 * std::size_t{options_.char_order});
    }
}

void ChrfReferences::row(std::size_t segment, std::string_view hypothesis, Worker& worker,
                         std::span<std::int64_t> out) const {
    decode(segment, hypothesis, worker);
    const std::size_t count = worker.reference_ends.size();
    compare(0, worker, out);
    double best = count > 1 ? chrf_score(out, options_) : 0;
    for (std::size_t r = 1; r < count; ++r) {
        compare(r, worker, worker.candidate);
        const double score = chrf_score(worker.candidate, options_);
        if (score <= best) continue;
        best = score;
        std::copy(worker.candidate.begin(), worker.candidate.end(), out.begin());
    }
    worker.code_points.clear();
}

std::vector<std::int64_t> ChrfReferences::rows(const TextColumn& hypotheses, unsigned threads,
                                               const Interrupted& interrupted) const {
    std::vector<std::int64_t> values(size() * columns());
    parallel_for(size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Worker worker(*this);
        for (std::size_t i = begin; i < end; ++i) {
            row(i, hypotheses[i], worker, std::span(values).subspan(i * columns(), columns()));
        }
    });
    return values;
}

}  // namespace karat
