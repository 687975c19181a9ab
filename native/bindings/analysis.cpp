#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "binding.hpp"
#include "karat/ngram_table.hpp"
#include "karat/ngram_tally.hpp"
#include "karat/phrase_runs.hpp"
#include "karat/word_errors.hpp"
#include "karat/word_facts.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

template <class T>
using Numbers = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int32_t> span_of(const Numbers<std::int32_t>& ids) { return {ids.data(), ids.size()}; }

NumberedWords checked(const Numbers<std::int32_t>& ids, const Numbers<std::int64_t>& offsets) {
    const NumberedWords words{span_of(ids), {offsets.data(), offsets.size()}};
    words.check(std::size_t{1} << 31);
    return words;
}

nb::tuple errors_of(const Numbers<std::int32_t>& hypotheses, const Numbers<std::int64_t>& hypothesis_offsets,
                    const Numbers<std::int32_t>& references, const Numbers<std::int64_t>& reference_offsets,
                    const Offsets& starts, const Numbers<std::int32_t>& hypothesis_bases,
                    const Numbers<std::int32_t>& reference_bases, unsigned threads) {
    const NumberedWords found = checked(hypotheses, hypothesis_offsets);
    const NumberedWords wanted = checked(references, reference_offsets);
    const std::vector<std::int64_t> segments = checked_offsets(starts, wanted.size());
    if (segments.size() != found.size() + 1)
        throw nb::value_error("the number of hypotheses is not the number of segments");
    if (hypothesis_bases.size() != hypotheses.size() || reference_bases.size() != references.size())
        throw nb::value_error("there must be one base form for every word");
    WordErrorMarks marks = without_gil([&] {
        return word_errors({found, wanted, segments}, span_of(hypothesis_bases), span_of(reference_bases), threads,
                           python_interrupt());
    });
    return nb::make_tuple(as_vector(std::move(marks.chosen)), as_vector(std::move(marks.hypotheses)),
                          as_vector(std::move(marks.references)));
}

nb::tuple as_tuple(NgramOccurrences&& column) {
    return nb::make_tuple(as_vector(std::move(column.ngrams)), as_vector(std::move(column.segments)),
                          as_vector(std::move(column.counts)));
}

nb::tuple table_of(const std::vector<std::pair<Numbers<std::int32_t>, Numbers<std::int64_t>>>& columns,
                   std::size_t orders, unsigned threads) {
    std::vector<NumberedWords> words;
    for (const auto& [ids, offsets] : columns) words.push_back(checked(ids, offsets));
    NgramTable table = without_gil([&] { return ngram_table(words, orders, threads, python_interrupt()); });
    nb::list occurrences;
    for (NgramOccurrences& column : table.columns) occurrences.append(as_tuple(std::move(column)));
    return nb::make_tuple(as_vector(std::move(table.previous)), as_vector(std::move(table.last)), occurrences);
}

/// A column as Python holds it.
using PyColumn = std::tuple<Numbers<std::int32_t>, Numbers<std::int32_t>, Numbers<std::int32_t>>;

NgramColumn checked(const PyColumn& column) {
    const auto& [ngrams, segments, counts] = column;
    if (segments.size() != ngrams.size() || counts.size() != ngrams.size())
        throw nb::value_error("there must be one segment and one count for every n-gram");
    return {span_of(ngrams), span_of(segments), span_of(counts)};
}

nb::tuple shared_by(const PyColumn& a, const PyColumn& b) {
    const NgramColumn first = checked(a), second = checked(b);
    return as_tuple(without_gil([&] { return shared_ngrams(first, second); }));
}

nb::tuple tally_of(const PyColumn& a, const PyColumn& b, bool apart) {
    const NgramColumn first = checked(a), second = checked(b);
    NgramTally tally = without_gil([&] { return ngram_tally(first, second, apart); });
    return nb::make_tuple(as_vector(std::move(tally.ngrams)), as_vector(std::move(tally.segments)),
                          as_vector(std::move(tally.more)), as_vector(std::move(tally.less)));
}

nb::tuple kinds_of(const Numbers<std::int32_t>& ngrams, const Numbers<std::int32_t>& more,
                   const Numbers<std::int32_t>& less, std::size_t kept) {
    const NgramColumn tally = checked({ngrams, more, less});
    NgramKinds kinds = without_gil([&] { return ngram_kinds(tally.ngrams, tally.segments, tally.counts, kept); });
    return nb::make_tuple(as_vector(std::move(kinds.more)), as_vector(std::move(kinds.less)),
                          as_vector(std::move(kinds.counts)), as_vector(std::move(kinds.starts)),
                          as_vector(std::move(kinds.first)));
}

nb::tuple runs_of(const PyTokens& tokens, std::size_t longest, std::size_t times, std::size_t times_alone) {
    if (times < 2 || times_alone < 2) throw nb::value_error("what is said once is not said over and over");
    const std::shared_ptr<const Tokens> all = tokens.tokens;
    PhraseRuns runs = without_gil([&] { return phrase_runs(*all, longest, times, times_alone, python_interrupt()); });
    return nb::make_tuple(as_vector(std::move(runs.segments)), as_vector(std::move(runs.starts)),
                          as_vector(std::move(runs.lengths)));
}

}  // namespace

void register_analysis(nb::module_& module) {
    module.def("word_errors", &errors_of, nb::arg("hypotheses"), nb::arg("hypothesis_offsets"), nb::arg("references"),
               nb::arg("reference_offsets"), nb::arg("starts"), nb::arg("hypothesis_bases"), nb::arg("reference_bases"),
               nb::arg("threads") = 0,
               nb::sig("def word_errors(hypotheses: NDArray[numpy.int32], hypothesis_offsets: NDArray[numpy.int64], "
                       "references: NDArray[numpy.int32], reference_offsets: NDArray[numpy.int64], "
                       "starts: NDArray[numpy.int64], hypothesis_bases: NDArray[numpy.int32], "
                       "reference_bases: NDArray[numpy.int32], threads: int = 0) -> "
                       "tuple[NDArray[numpy.int64], NDArray[numpy.uint8], NDArray[numpy.uint8]]"),
               "The reference that counts of each segment; a mark for each word of hypotheses and references.");
    module.def("ngram_table", &table_of, nb::arg("columns"), nb::arg("orders"), nb::arg("threads") = 0,
               nb::sig("def ngram_table(columns: Sequence[tuple[NDArray[numpy.int32], NDArray[numpy.int64]]], "
                       "orders: int, threads: int = 0) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], "
                       "list[tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]]]"),
               "N-grams as the one before their last word, and that word; by column n-gram, segment and count.");
    module.def("phrase_runs", &runs_of, nb::arg("tokens"), nb::arg("longest"), nb::arg("times"), nb::arg("times_alone"),
               nb::sig("def phrase_runs(tokens: Tokens, longest: int, times: int, times_alone: int) -> "
                       "tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]"),
               "Segment, start and length of phrases that are said over and over.");
    module.def("shared_ngrams", &shared_by, nb::arg("a"), nb::arg("b"),
               nb::sig("def shared_ngrams(a: tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]], "
                       "b: tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]) -> "
                       "tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]"),
               "How often two columns of a table share an n-gram in a segment.");
    module.def("ngram_tally", &tally_of, nb::arg("a"), nb::arg("b"), nb::arg("apart"),
               nb::sig("def ngram_tally(a: tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]], "
                       "b: tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]], apart: bool) -> "
                       "tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]"),
               "N-gram, segment, and how often each of two columns has it, or only by how much one has it more often.");
    module.def("ngram_kinds", &kinds_of, nb::arg("ngrams"), nb::arg("more"), nb::arg("less"), nb::arg("kept"),
               nb::sig("def ngram_kinds(ngrams: NDArray[numpy.int32], more: NDArray[numpy.int32], "
                       "less: NDArray[numpy.int32], kept: int) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], "
                       "NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int32]]"),
               "N-grams by how often they count for and against: both, how many of them, and the first ones.");
}

}  // namespace karat::python
