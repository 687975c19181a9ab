#include "karat/chrf.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "karat/unicode.hpp"
#include "karat/workers.hpp"

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
    template <class Out>
    void add(std::string_view line, std::vector<Out>& out) {
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
    template <class Out>
    void find(std::string_view line, std::vector<Out>& out) const {
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

    template <class Out, class AsciiSymbol, class OtherSymbol>
    void append(std::string_view line, std::vector<Out>& out, AsciiSymbol ascii_symbol,
                OtherSymbol other_symbol) const {
        const std::size_t before = out.size();
        out.resize(before + line.size() + 1);
        Out* next = out.data() + before;
        const std::uint8_t* const kept = kept_.data();
        for (const char *p = line.data(), *end = p + line.size(); p != end;) {
            const auto byte = static_cast<unsigned char>(*p);
            if (byte < 0x80) {
                *next = static_cast<Out>(ascii_symbol(byte));
                next += kept[byte];
                ++p;
                continue;
            }
            std::size_t length = 1;
            const char32_t c = karat::decode(p, length);
            if (whitespace_ || !is_space(c)) *next++ = static_cast<Out>(other_symbol(c));
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

void add_chrf_words(std::string_view line, std::vector<Token>& words) {
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
    ShortMatcher short_characters;
    CodePoints code_points;
    std::vector<ShortSymbol> short_hypothesis, short_references;  // characters of a segment that is short
    bool is_short = false;
    std::vector<Symbol> hypothesis, references;  // characters of any other
    std::size_t hypothesis_length = 0;           // in characters
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
            add_chrf_words((*references_)[i], words);
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

/// Turns the characters of one segment into symbols; each reference is followed by its end.
template <class Out>
void ChrfReferences::decode_characters(std::size_t segment, std::string_view hypothesis, Worker& worker,
                                       std::vector<Out>& hypothesis_out, std::vector<Out>& references_out) const {
    worker.code_points.clear();
    worker.reference_ends.clear();
    references_out.clear();
    for (auto r = static_cast<std::size_t>(offsets_[segment]); r < static_cast<std::size_t>(offsets_[segment + 1]);
         ++r) {
        worker.code_points.add((*references_)[r], references_out);
        worker.reference_ends.push_back(static_cast<std::uint32_t>(references_out.size()));
        references_out.push_back(static_cast<Out>(end_of_reference));
    }
    references_out.resize(references_out.size() + std::max(symbol_padding, short_padding));
    hypothesis_out.clear();
    worker.code_points.find(hypothesis, hypothesis_out);
    worker.hypothesis_length = hypothesis_out.size();
    hypothesis_out.resize(hypothesis_out.size() + std::max(symbol_padding, short_padding), end_of_hypothesis);
}

bool ChrfReferences::fits_short(std::size_t segment, std::string_view hypothesis) const noexcept {
    bool fits = options_.char_order <= ShortMatcher::most_character_orders && hypothesis.size() <= longest_short;
    for (auto r = static_cast<std::size_t>(offsets_[segment]); r < static_cast<std::size_t>(offsets_[segment + 1]); ++r)
        fits = fits && (*references_)[r].size() <= longest_short;
    return fits;
}

/// Turns one segment into symbols.
void ChrfReferences::decode(std::size_t segment, std::string_view hypothesis, Worker& worker) const {
    worker.is_short = fits_short(segment, hypothesis);
    if (worker.is_short) {
        decode_characters(segment, hypothesis, worker, worker.short_hypothesis, worker.short_references);
        worker.is_short = worker.code_points.alphabet() <= most_short_symbols;
    }
    if (!worker.is_short) decode_characters(segment, hypothesis, worker, worker.hypothesis, worker.references);
    if (!lexicon_) return;
    worker.tokens.clear();
    add_chrf_words(hypothesis, worker.tokens);
    worker.hypothesis_words = lexicon_->look_up(segment, worker.tokens, worker.word_symbols);
    worker.reference_words = lexicon_->references(segment);
}

/// The matches of characters with those of the reference between two places.
void ChrfReferences::match_characters(std::uint32_t begin, std::uint32_t end, Worker& worker,
                                      std::span<std::int64_t> matches) const {
    if (worker.is_short &&
        worker.short_characters.match_characters(std::span(worker.short_hypothesis).first(worker.hypothesis_length),
                                                 std::span(worker.short_references).subspan(begin, end - begin),
                                                 worker.code_points.alphabet(), matches))
        return;
    if (worker.is_short) {  // and full of repetitions
        worker.hypothesis.assign(worker.short_hypothesis.begin(), worker.short_hypothesis.end());
        worker.references.assign(worker.short_references.begin(), worker.short_references.end());
        for (const std::uint32_t place : worker.reference_ends) worker.references[place] = end_of_reference;
    }
    const std::uint32_t length = end - begin;
    worker.characters.match(std::span(worker.hypothesis).first(worker.hypothesis_length),
                            {worker.references.data() + begin, {&length, 1}, worker.code_points.alphabet()}, matches);
}

/// The row against one reference of the segment that was decoded.
void ChrfReferences::compare(std::size_t reference, Worker& worker, std::span<std::int64_t> out) const {
    const auto begin_of = [reference](std::span<const std::uint32_t> ends) {
        return reference == 0 ? 0 : ends[reference - 1] + 1;
    };
    const std::span<std::int64_t> matches(worker.matches);
    const std::uint32_t begin = begin_of(worker.reference_ends), end = worker.reference_ends[reference];
    match_characters(begin, end, worker, matches.first(options_.char_order));
    write_orders(worker.hypothesis_length, end - begin, matches.first(options_.char_order), out.data());
    if (!lexicon_) return;
    const SymbolReferences& all = worker.reference_words;
    const std::uint32_t first_word = begin_of(all.ends), length = all.ends[reference] - first_word;
    worker.words.match(worker.hypothesis_words, {all.symbols + first_word, {&length, 1}, all.alphabet},
                       matches.first(options_.word_order));
    write_orders(worker.hypothesis_words.size(), length, matches.first(options_.word_order),
                 out.data() + 3 * std::size_t{options_.char_order});
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
}

std::vector<std::int64_t> ChrfReferences::rows(const TextColumn& hypotheses, unsigned threads,
                                               const Interrupted& interrupted) const {
    std::vector<std::int64_t> values(size() * columns());
    Workers<Worker> workers;
    parallel_for(size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        const auto lease = workers.take([&] { return std::make_unique<Worker>(*this); });
        Worker& worker = *lease;
        for (std::size_t i = begin; i < end; ++i) {
            row(i, hypotheses[i], worker, std::span(values).subspan(i * columns(), columns()));
        }
    });
    return values;
}

}  // namespace karat
