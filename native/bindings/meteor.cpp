#include "karat/meteor.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>

#include "binding.hpp"
#include "karat/meteor_normalize.hpp"
#include "karat/meteor_stages.hpp"
#include "knowledge.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

/// English and French have rules of their own for apostrophes.
Apostrophes apostrophes_of(const std::string& language) {
    if (language == "en") return Apostrophes::english;
    return language == "fr" ? Apostrophes::french : Apostrophes::alone;
}

PyText normalized(const PyText& text, const std::string& language, bool punctuation, const PyText& always,
                  const PyText& before_numbers, unsigned threads) {
    return without_gil([&] {
        const MeteorNormalizeOptions options{apostrophes_of(language), punctuation, meteor_prefixes(*always.column),
                                             meteor_prefixes(*before_numbers.column)};
        return PyText{
            std::make_shared<const TextColumn>(meteor_normalize(*text.column, options, threads, python_interrupt()))};
    });
}

Vector<std::uint64_t> finished(ParaphraseCompiler& compiler) {
    return as_vector(without_gil([&] { return compiler.finish(); }));
}

/// The table keeps the array that it looks at, and lets it go in whatever thread comes last.
PyParaphraseTable table_in(const Array<std::uint64_t>& image) {
    const std::shared_ptr<const Array<std::uint64_t>> owner(new Array<std::uint64_t>(image),
                                                            [](const Array<std::uint64_t>* kept) {
                                                                const nb::gil_scoped_acquire gil;
                                                                delete kept;
                                                            });
    return {std::make_shared<const ParaphraseTable>(view(image), owner)};
}

PyParaphraseIndex make_index(const PyParaphraseTable& table, const PyText& types) {
    const auto column = types.column;
    return without_gil([&] {
        std::vector<Token> tokens;
        for (std::size_t t = 0; t < column->size(); ++t) {
            const std::string_view word = (*column)[t];
            tokens.push_back({word.data(), static_cast<std::uint32_t>(word.size()), hash_bytes(word)});
        }
        return PyParaphraseIndex{std::make_shared<const ParaphraseIndex>(table.table, tokens)};
    });
}

MeteorSearch search_named(const std::string& name) {
    if (name == "released") return MeteorSearch::released;
    if (name == "published") return MeteorSearch::published;
    throw nb::value_error(("METEOR has no search " + name).c_str());
}

Matrix<std::int64_t> rows_of(const PyKnowledge& knowledge, const Array<std::int32_t>& hypothesis_ids,
                             const Array<std::int64_t>& hypothesis_offsets, const Array<std::int32_t>& reference_ids,
                             const Array<std::int64_t>& reference_offsets, const Offsets& segments,
                             const std::string& search, std::size_t beam, unsigned threads) {
    const NumberedText hypotheses = knowledge.checked(hypothesis_ids, hypothesis_offsets);
    const NumberedText references = knowledge.checked(reference_ids, reference_offsets);
    const auto starts = checked_offsets(segments, references.offsets.size() - 1);
    if (hypotheses.offsets.size() != starts.size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    if (beam == 0) throw nb::value_error("the beam must be at least 1");
    const MeteorSearch kind = search_named(search);
    auto rows = without_gil_or_refused([&] {
        return meteor_rows(hypotheses, references, starts, knowledge.get(), kind, beam, threads, python_interrupt());
    });
    return as_matrix(std::move(rows), references.offsets.size() - 1, meteor_columns);
}

Matrix<std::int64_t> staged_rows_of(const PyKnowledge& knowledge, const Array<std::int32_t>& hypothesis_ids,
                                    const Array<std::int64_t>& hypothesis_offsets,
                                    const Array<std::int32_t>& reference_ids,
                                    const Array<std::int64_t>& reference_offsets, const Offsets& segments,
                                    std::size_t beam, unsigned threads) {
    const NumberedText hypotheses = knowledge.checked(hypothesis_ids, hypothesis_offsets);
    const NumberedText references = knowledge.checked(reference_ids, reference_offsets);
    const auto starts = checked_offsets(segments, references.offsets.size() - 1);
    if (hypotheses.offsets.size() != starts.size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    if (beam == 0) throw nb::value_error("the beam must be at least 1");
    auto rows = without_gil_or_refused([&] {
        return staged_rows(hypotheses, references, starts, knowledge.get(), beam, threads, python_interrupt());
    });
    return as_matrix(std::move(rows), references.offsets.size() - 1, staged_columns);
}

Vector<std::int32_t> partners_of(const PyKnowledge& knowledge, const Array<std::int32_t>& hypothesis_ids,
                                 const Array<std::int64_t>& hypothesis_offsets,
                                 const Array<std::int32_t>& reference_ids, const Array<std::int64_t>& reference_offsets,
                                 std::size_t beam, unsigned threads) {
    const NumberedText hypotheses = knowledge.checked(hypothesis_ids, hypothesis_offsets);
    const NumberedText references = knowledge.checked(reference_ids, reference_offsets);
    if (hypotheses.offsets.size() != references.offsets.size())
        throw nb::value_error("each hypothesis needs one reference");
    if (beam == 0) throw nb::value_error("the beam must be at least 1");
    return as_vector(without_gil_or_refused(
        [&] { return staged_partners(hypotheses, references, knowledge.get(), beam, threads, python_interrupt()); }));
}

}  // namespace

void register_meteor(nb::module_& module) {
    module.attr("PARAPHRASE_LAYOUT") = paraphrase_layout;
    nb::class_<ParaphraseCompiler>(module, "ParaphraseCompiler", "Makes an image of a table of paraphrases.")
        .def(nb::init<>())
        .def(
            "add",
            [](ParaphraseCompiler& self, const nb::bytes& data) {
                const std::string_view bytes(data.c_str(), data.size());
                without_gil([&] { self.add(bytes); });
            },
            nb::arg("data"), "The next bytes of the table, cut anywhere.")
        .def("finish", &finished, "The image of all that was added.");
    nb::class_<PyParaphraseTable>(module, "ParaphraseTable", "A compiled table of paraphrases, read where it lies.")
        .def(
            "__init__",
            [](PyParaphraseTable* self, const Array<std::uint64_t>& image) {
                new (self) PyParaphraseTable(table_in(image));
            },
            nb::arg("image"))
        .def("__len__", [](const PyParaphraseTable& self) { return self.table->size(); });
    nb::class_<PyParaphraseIndex>(module, "ParaphraseIndex",
                                  "A table of paraphrases seen from the types of some texts.")
        .def(
            "__init__",
            [](PyParaphraseIndex* self, const PyParaphraseTable& table, const PyText& types) {
                new (self) PyParaphraseIndex(make_index(table, types));
            },
            nb::arg("table"), nb::arg("types"));
    nb::class_<PyKnowledge>(module, "WordKnowledge", "What is known about each word type.")
        .def(nb::init<const Array<std::uint8_t>&, const std::optional<Array<std::int32_t>>&,
                      const std::optional<Array<std::int64_t>>&, const std::optional<Array<std::int32_t>>&,
                      const PyParaphraseIndex*, bool>(),
             nb::arg("function"), nb::arg("stems").none(), nb::arg("synset_offsets").none(), nb::arg("synsets").none(),
             nb::arg("paraphrases").none(), nb::arg("exact") = true);
    module.def("meteor_normalize", &normalized, nb::arg("text"), nb::arg("language"), nb::arg("punctuation"),
               nb::arg("always"), nb::arg("before_numbers"), nb::arg("threads") = 0);
    module.def("meteor_rows", &rows_of, nb::arg("knowledge"), nb::arg("hypothesis_ids"), nb::arg("hypothesis_offsets"),
               nb::arg("reference_ids"), nb::arg("reference_offsets"), nb::arg("segments"), nb::arg("search"),
               nb::arg("beam"), nb::arg("threads") = 0);
    module.def("staged_rows", &staged_rows_of, nb::arg("knowledge"), nb::arg("hypothesis_ids"),
               nb::arg("hypothesis_offsets"), nb::arg("reference_ids"), nb::arg("reference_offsets"),
               nb::arg("segments"), nb::arg("beam"), nb::arg("threads") = 0);
    module.def("staged_partners", &partners_of, nb::arg("knowledge"), nb::arg("hypothesis_ids"),
               nb::arg("hypothesis_offsets"), nb::arg("reference_ids"), nb::arg("reference_offsets"), nb::arg("beam"),
               nb::arg("threads") = 0);
}

}  // namespace karat::python
