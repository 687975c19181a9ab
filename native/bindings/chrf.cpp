#include "karat/chrf.hpp"

#include "binding.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

struct PyChrf {
    std::shared_ptr<const ChrfReferences> references;
};

Matrix<std::int64_t> chrf_rows(const PyChrf& self, const PyText& hypotheses, unsigned threads) {
    const std::shared_ptr<const TextColumn> column = hypotheses.column;
    if (column->size() != self.references->size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    auto values = without_gil([&] { return self.references->rows(*column, threads, python_interrupt()); });
    return as_matrix(std::move(values), column->size(), self.references->columns());
}

}  // namespace

void register_chrf(nb::module_& module) {
    nb::class_<PyChrf>(module, "PreparedChrf", "References made ready for chrF.")
        .def(
            "__init__",
            [](PyChrf* self, const PyText& references, const Offsets& offsets, unsigned char_order, unsigned word_order,
               double beta, bool whitespace, bool eps_smoothing, unsigned threads) {
                auto column = references.column;
                auto starts = checked_offsets(offsets, column->size());
                const ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing};
                auto prepared = without_gil([&] {
                    return std::make_shared<const ChrfReferences>(column, std::move(starts), options, threads,
                                                                  python_interrupt());
                });
                new (self) PyChrf{std::move(prepared)};
            },
            nb::arg("references"), nb::arg("offsets"), nb::arg("char_order"), nb::arg("word_order"), nb::arg("beta"),
            nb::arg("whitespace"), nb::arg("eps_smoothing"), nb::arg("threads") = 0)
        .def("__len__", [](const PyChrf& self) { return self.references->size(); })
        .def("rows", &chrf_rows, nb::arg("hypotheses"), nb::arg("threads") = 0);
}

}  // namespace karat::python
