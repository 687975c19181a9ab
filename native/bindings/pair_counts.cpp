#include "karat/pair_counts.hpp"

#include <nanobind/stl/pair.h>

#include "binding.hpp"

namespace karat::python {
namespace {

using Numbers = nb::ndarray<const double, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Starts = nb::ndarray<const std::int64_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Array>
auto as_span(const Array& array) {
    return std::span(array.data(), array.size());
}

}  // namespace

void register_pair_counts(nb::module_& module) {
    module.def(
        "pair_counts",
        [](const Numbers& gold, const Numbers& scores, const Numbers& others, const Starts& offsets, double minimum,
           double epsilon, unsigned threads) {
            const PairData data{as_span(gold), as_span(scores), as_span(others), as_span(offsets)};
            auto rows = without_gil([&] { return pair_counts(data, minimum, epsilon, threads, python_interrupt()); });
            return as_matrix(std::move(rows), gold.size(), 5);
        },
        nb::arg("gold"), nb::arg("scores"), nb::arg("others"), nb::arg("offsets"), nb::arg("minimum"),
        nb::arg("epsilon"), nb::arg("threads") = 0);
    module.def(
        "calibrate_ties",
        [](const Numbers& gold, const Numbers& scores, const Starts& offsets) {
            const TieCalibration found = without_gil(
                [&] { return calibrate_ties(as_span(gold), as_span(scores), as_span(offsets), python_interrupt()); });
            return std::pair(found.epsilon, found.accuracy);
        },
        nb::arg("gold"), nb::arg("scores"), nb::arg("offsets"));
}

}  // namespace karat::python
