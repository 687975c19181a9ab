#include "karat/terp.hpp"

#include <nanobind/stl/array.h>

#include <string>

#include "binding.hpp"
#include "karat/edit_distance.hpp"
#include "knowledge.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

using Costs = std::array<double, 11>;

TerpOptions options_of(const Costs& costs, double beam, std::uint32_t shift_size, std::uint32_t shift_distance) {
    const auto& [match, deletion, insertion, substitution, stem, synonym, shift, a, b, c, d] = costs;
    const TerpCosts all{match, deletion, insertion, substitution, stem, synonym, shift, {a, b, c, d}};
    return {all, beam, shift_size, shift_distance};
}

Matrix<double> rows_of(const PyKnowledge& knowledge, const Array<std::int32_t>& hypothesis_ids,
                       const Array<std::int64_t>& hypothesis_offsets, const Array<std::int32_t>& reference_ids,
                       const Array<std::int64_t>& reference_offsets, const Offsets& segments, const Costs& costs,
                       double beam, std::uint32_t shift_size, std::uint32_t shift_distance, unsigned threads) {
    const NumberedText hypotheses = knowledge.checked(hypothesis_ids, hypothesis_offsets);
    const NumberedText references = knowledge.checked(reference_ids, reference_offsets);
    const auto starts = checked_offsets(segments, references.offsets.size() - 1);
    if (hypotheses.offsets.size() != starts.size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    const TerpOptions options = options_of(costs, beam, shift_size, shift_distance);
    auto rows = without_gil_or_refused([&] {
        return terp_rows(hypotheses, references, starts, knowledge.get(), options, threads, python_interrupt());
    });
    return as_matrix(std::move(rows), starts.size() - 1, 2);
}

}  // namespace

void register_terp(nb::module_& module) {
    module.def("terp_rows", &rows_of, nb::arg("knowledge"), nb::arg("hypothesis_ids"), nb::arg("hypothesis_offsets"),
               nb::arg("reference_ids"), nb::arg("reference_offsets"), nb::arg("segments"), nb::arg("costs"),
               nb::arg("beam"), nb::arg("shift_size"), nb::arg("shift_distance"), nb::arg("threads"));
}

}  // namespace karat::python
