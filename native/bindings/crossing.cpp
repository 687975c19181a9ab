#include "karat/crossing.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "binding.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

using Corners = nb::ndarray<const std::int64_t, nb::numpy, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct PyCrossing {
    std::shared_ptr<const Crossing> strings;
    std::shared_ptr<const NgramCrossing> averaged;  // the same, where references can be averaged
};

std::vector<Rectangle> checked_rectangles(const PyCrossing& self, const Corners& corners) {
    std::vector<Rectangle> rectangles;
    for (std::size_t i = 0; i < corners.shape(0); ++i) {
        const std::int64_t* of = corners.data() + 4 * i;
        if (*std::min_element(of, of + 4) < 0) throw nb::value_error("strings are counted from 0 on");
        const auto at = [of](std::size_t k) { return static_cast<std::size_t>(of[k]); };
        rectangles.push_back({at(0), at(1), at(2), at(3)});
    }
    check_rectangles(rectangles, self.strings->groups());
    return rectangles;
}

Matrix<double> as_columns(const PyCrossing& self, std::vector<double>&& values) {
    const std::size_t columns = self.strings->columns(), rows = values.size() / columns;
    return as_matrix(std::move(values), columns, rows);
}

std::string refusal(const TerTooMuchWork& error) {
    return "a hypothesis of " + std::to_string(error.hypothesis_length) + " words has more than " +
           std::to_string(ter_full_candidates) + " candidates for a shift against a reference of " +
           std::to_string(error.reference_length) + ": split texts into sentences, or use search=sacrebleu";
}

Matrix<double> rows(const PyCrossing& self, const Corners& corners, unsigned threads) {
    const std::vector<Rectangle> rectangles = checked_rectangles(self, corners);
    try {
        return as_columns(self,
                          without_gil([&] { return self.strings->rows(rectangles, threads, python_interrupt()); }));
    } catch (const TerTooMuchWork& error) {
        throw nb::value_error(refusal(error).c_str());
    }
}

Matrix<double> mean_rows(const PyCrossing& self, const Corners& corners, const Weights& weights, unsigned threads) {
    const std::vector<Rectangle> rectangles = checked_rectangles(self, corners);
    if (!self.averaged) throw nb::value_error("the references of this metric cannot be averaged");
    std::size_t references = 0;
    for (const Rectangle& one : rectangles) references += one.references();
    if (weights.size() != references) throw nb::value_error("one weight for each reference is wanted");
    const std::span<const double> given(weights.data(), weights.size());
    return as_columns(
        self, without_gil([&] { return self.averaged->mean_rows(rectangles, given, threads, python_interrupt()); }));
}

PyCrossing crossing_of(std::shared_ptr<const NgramCrossing> made) { return {made, made}; }

}  // namespace

void register_crossing(nb::module_& module) {
    nb::class_<PyCrossing>(module, "Crossing", "Strings made ready to be compared all with all.")
        .def("rows", &rows, nb::arg("rectangles"), nb::arg("threads") = 0)
        .def("mean_rows", &mean_rows, nb::arg("rectangles"), nb::arg("weights"), nb::arg("threads") = 0);
    module.def(
        "bleu_crossing",
        [](const PyTokens& tokens, const Offsets& groups, unsigned max_order, unsigned threads) {
            auto starts = checked_offsets(groups, tokens.tokens->size());
            if (max_order == 0) throw nb::value_error("the greatest order must be at least 1");
            return crossing_of(without_gil([&] {
                return bleu_crossing(*tokens.tokens, std::move(starts), max_order, threads, python_interrupt());
            }));
        },
        nb::arg("tokens"), nb::arg("groups"), nb::arg("max_order"), nb::arg("threads") = 0);
    module.def(
        "chrf_crossing",
        [](const PyText& text, const Offsets& groups, unsigned char_order, unsigned word_order, bool whitespace,
           unsigned threads) {
            auto starts = checked_offsets(groups, text.column->size());
            const ChrfOptions options{.char_order = char_order, .word_order = word_order, .whitespace = whitespace};
            return crossing_of(without_gil(
                [&] { return chrf_crossing(*text.column, std::move(starts), options, threads, python_interrupt()); }));
        },
        nb::arg("text"), nb::arg("groups"), nb::arg("char_order"), nb::arg("word_order"), nb::arg("whitespace"),
        nb::arg("threads") = 0);
    module.def(
        "ter_crossing",
        [](const PyTokens& hypotheses, const PyTokens& references, const Offsets& groups, bool full) {
            auto starts = checked_offsets(groups, references.tokens->size());
            if (hypotheses.tokens->size() != references.tokens->size())
                throw nb::value_error("each string must be there as a hypothesis and as a reference");
            const TerSearch search = full ? TerSearch::full : TerSearch::sacrebleu;
            return PyCrossing{ter_crossing(hypotheses.tokens, references.tokens, std::move(starts), search), nullptr};
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("groups"), nb::arg("full"));
}

}  // namespace karat::python
