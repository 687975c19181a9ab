#include "karat/edit_distance.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "binding.hpp"
#include "karat/eed.hpp"
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

/// `work(starts)` gives the rows of `count` segments; a refused one becomes a ValueError.
template <class Work>
auto checked_rows(std::size_t count, const Offsets& offsets, std::size_t references, std::size_t width, Work work) {
    const std::vector<std::int64_t> starts = checked_offsets(offsets, references);
    if (starts.size() != count + 1) throw nb::value_error("the number of hypotheses is not the number of segments");
    try {
        return as_matrix(without_gil([&] { return work(starts); }), count, width);
    } catch (const EditTooMuchWork& error) {
        throw nb::value_error(refusal(error).c_str());
    }
}

using Starts = std::vector<std::int64_t>;

Matrix<std::int64_t> word_rows(const PyTokens& hypotheses, const PyTokens& references, const Offsets& offsets,
                               const std::string& kind, unsigned threads) {
    const EditRow row = row_named(kind);
    return checked_rows(
        hypotheses.tokens->size(), offsets, references.tokens->size(), edit_row_width(row), [&](const Starts& starts) {
            return edit_rows(*hypotheses.tokens, *references.tokens, starts, row, threads, python_interrupt());
        });
}

Matrix<std::int64_t> character_rows(const PyText& hypotheses, const PyText& references, const Offsets& offsets,
                                    const std::string& kind, bool spaces, unsigned threads) {
    const EditRow row = row_named(kind);
    return checked_rows(
        hypotheses.column->size(), offsets, references.column->size(), edit_row_width(row), [&](const Starts& starts) {
            return edit_rows(*hypotheses.column, *references.column, starts, row, spaces, threads, python_interrupt());
        });
}

Matrix<double> extended_rows(const PyTokens& hypotheses, const PyTokens& references, const Offsets& offsets,
                             double jump, double coverage, double deletion, double insertion, bool count_start,
                             unsigned threads) {
    const EedOptions options{jump, coverage, deletion, insertion, count_start};
    return checked_rows(hypotheses.tokens->size(), offsets, references.tokens->size(), 1, [&](const Starts& starts) {
        return eed_scores(*hypotheses.tokens, *references.tokens, starts, options, threads, python_interrupt());
    });
}

}  // namespace

void register_edit_distance(nb::module_& module) {
    module.def("edit_word_rows", &word_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"),
               nb::arg("kind"), nb::arg("threads"));
    module.def("edit_character_rows", &character_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"),
               nb::arg("kind"), nb::arg("spaces"), nb::arg("threads"));
    module.def("eed_scores", &extended_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"),
               nb::arg("jump"), nb::arg("coverage"), nb::arg("deletion"), nb::arg("insertion"), nb::arg("count_start"),
               nb::arg("threads"));
}

}  // namespace karat::python
