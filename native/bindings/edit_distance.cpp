#include "karat/edit_distance.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "binding.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

EditRow row_named(const std::string& name) {
    if (name == "levenshtein") return EditRow::levenshtein;
    if (name == "operations") return EditRow::operations;
    if (name == "cder") return EditRow::cder;
    if (name == "bag") return EditRow::bag;
    throw nb::value_error(("there is no edit distance " + name).c_str());
}

std::string refusal(const EditTooMuchWork& error) {
    return "segment " + std::to_string(error.segment + 1) + " is too long to align (" +
           std::to_string(error.hypothesis_length) + " and " + std::to_string(error.reference_length) +
           " words or characters of hypothesis and reference): split it into sentences";
}

/// `work(starts, row)` gives the rows of `count` segments; a refused one becomes a ValueError.
template <class Work>
Matrix<std::int64_t> checked_rows(std::size_t count, const Offsets& offsets, std::size_t references,
                                  const std::string& kind, Work work) {
    const EditRow row = row_named(kind);
    const std::vector<std::int64_t> starts = checked_offsets(offsets, references);
    if (starts.size() != count + 1) throw nb::value_error("the number of hypotheses is not the number of segments");
    try {
        return as_matrix(without_gil([&] { return work(starts, row); }), count, edit_row_width(row));
    } catch (const EditTooMuchWork& error) {
        throw nb::value_error(refusal(error).c_str());
    }
}

Matrix<std::int64_t> word_rows(const PyTokens& hypotheses, const PyTokens& references, const Offsets& offsets,
                               const std::string& kind, unsigned threads) {
    return checked_rows(hypotheses.tokens->size(), offsets, references.tokens->size(), kind,
                        [&](const std::vector<std::int64_t>& starts, EditRow row) {
                            return edit_rows(*hypotheses.tokens, *references.tokens, starts, row, threads,
                                             python_interrupt());
                        });
}

Matrix<std::int64_t> character_rows(const PyText& hypotheses, const PyText& references, const Offsets& offsets,
                                    const std::string& kind, bool spaces, unsigned threads) {
    return checked_rows(hypotheses.column->size(), offsets, references.column->size(), kind,
                        [&](const std::vector<std::int64_t>& starts, EditRow row) {
                            return edit_rows(*hypotheses.column, *references.column, starts, row, spaces, threads,
                                             python_interrupt());
                        });
}

}  // namespace

void register_edit_distance(nb::module_& module) {
    module.def("edit_word_rows", &word_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"),
               nb::arg("kind"), nb::arg("threads"));
    module.def("edit_character_rows", &character_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"),
               nb::arg("kind"), nb::arg("spaces"), nb::arg("threads"));
}

}  // namespace karat::python
