#include "karat/edit_distance.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "binding.hpp"
#include "karat/character.hpp"
#include "karat/eed.hpp"
#include "karat/hyter.hpp"
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

ReferenceChoice choice_named(const std::string& name) {
    if (name == "fewest-edits") return ReferenceChoice::fewest_edits;
    if (name == "error-rate") return ReferenceChoice::error_rate;
    if (name == "match-error-rate") return ReferenceChoice::match_error_rate;
    if (name == "information-lost") return ReferenceChoice::information_lost;
    if (name == "error-rate-with-moves") return ReferenceChoice::error_rate_with_moves;
    throw nb::value_error(("references are not chosen by " + name).c_str());
}

/// `work(starts)` gives the rows of `count` segments; a refused one becomes a ValueError.
template <class Work>
auto checked_rows(std::size_t count, const Offsets& offsets, std::size_t references, std::size_t width, Work work) {
    const std::vector<std::int64_t> starts = checked_offsets(offsets, references);
    if (starts.size() != count + 1) throw nb::value_error("the number of hypotheses is not the number of segments");
    return as_matrix(without_gil_or_refused([&] { return work(starts); }), count, width);
}

using Starts = std::vector<std::int64_t>;

Matrix<std::int64_t> word_rows(const PyTokens& hypotheses, const PyTokens& references, const Offsets& offsets,
                               const std::string& kind, const std::string& choice, unsigned threads) {
    const EditRow row = row_named(kind);
    const ReferenceChoice chosen = choice_named(choice);
    return checked_rows(
        hypotheses.tokens->size(), offsets, references.tokens->size(), edit_row_width(row), [&](const Starts& starts) {
            return edit_rows(*hypotheses.tokens, *references.tokens, starts, row, chosen, threads, python_interrupt());
        });
}

Matrix<std::int64_t> character_rows(const PyText& hypotheses, const PyText& references, const Offsets& offsets,
                                    const std::string& kind, const std::string& choice, bool spaces, unsigned threads) {
    const EditRow row = row_named(kind);
    const ReferenceChoice chosen = choice_named(choice);
    return checked_rows(hypotheses.column->size(), offsets, references.column->size(), edit_row_width(row),
                        [&](const Starts& starts) {
                            return edit_rows(*hypotheses.column, *references.column, starts, row, chosen, spaces,
                                             threads, python_interrupt());
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

Matrix<double> character_ter_scores(const PyTokens& hypotheses, const PyTokens& references, const Offsets& offsets,
                                    unsigned threads) {
    return checked_rows(hypotheses.tokens->size(), offsets, references.tokens->size(), 1, [&](const Starts& starts) {
        return character_scores(*hypotheses.tokens, *references.tokens, starts, threads, python_interrupt());
    });
}

using Steps = nb::ndarray<const std::int32_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Matrix<std::int64_t> network_rows(const PyTokens& hypotheses, const PyTokens& pieces, const Steps& steps,
                                  const Offsets& network_starts, const Offsets& offsets, unsigned window,
                                  const std::string& choice, unsigned threads) {
    if (network_starts.size() == 0) throw nb::value_error("the networks must have a start");
    const Networks networks{{steps.data(), steps.size()}, {network_starts.data(), network_starts.size()}};
    std::int64_t last = 0;
    for (const std::int64_t start : networks.starts) {
        if (start < last || start > static_cast<std::int64_t>(steps.size()))
            throw nb::value_error("the starts of the networks must ascend and end within the steps");
        last = start;
    }
    const std::size_t references = networks.starts.size() - 1;
    const ReferenceChoice chosen = choice_named(choice);
    return checked_rows(hypotheses.tokens->size(), offsets, references, 2, [&](const Starts& starts) {
        return hyter_rows(*hypotheses.tokens, *pieces.tokens, networks, starts, window, chosen, threads,
                          python_interrupt());
    });
}

}  // namespace

void register_edit_distance(nb::module_& module) {
    module.def("edit_word_rows", &word_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"),
               nb::arg("kind"), nb::arg("choice"), nb::arg("threads"));
    module.def("edit_character_rows", &character_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"),
               nb::arg("kind"), nb::arg("choice"), nb::arg("spaces"), nb::arg("threads"));
    module.def("eed_scores", &extended_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"),
               nb::arg("jump"), nb::arg("coverage"), nb::arg("deletion"), nb::arg("insertion"), nb::arg("count_start"),
               nb::arg("threads"));
    module.def("character_scores", &character_ter_scores, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("offsets"), nb::arg("threads"));
    module.def("hyter_rows", &network_rows, nb::arg("hypotheses"), nb::arg("pieces"), nb::arg("steps"),
               nb::arg("network_starts"), nb::arg("offsets"), nb::arg("window"), nb::arg("choice"), nb::arg("threads"));
}

}  // namespace karat::python
