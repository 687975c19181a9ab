#include "karat/bleu.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "binding.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

ReferenceLength reference_length_named(const std::string& name) {
    if (name == "closest") return ReferenceLength::closest;
    if (name == "shortest") return ReferenceLength::shortest;
    if (name == "total") return ReferenceLength::total;
    throw nb::value_error(("BLEU knows no reference length " + name).c_str());
}

struct PyBleu {
    std::shared_ptr<const BleuReferences> references;
};

Matrix<std::int64_t> bleu_rows(const PyBleu& self, const PyTokens& hypotheses, unsigned max_order,
                               const std::string& reference_length, unsigned threads) {
    const ReferenceLength which = reference_length_named(reference_length);
    const std::shared_ptr<const Tokens> tokens = hypotheses.tokens;
    if (max_order == 0) throw nb::value_error("the greatest order must be at least 1");
    if (tokens->size() != self.references->size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    auto values =
        without_gil([&] { return self.references->rows(*tokens, max_order, which, threads, python_interrupt()); });
    return as_matrix(std::move(values), tokens->size(), 2 + 2 * std::size_t{max_order});
}

}  // namespace

void register_bleu(nb::module_& module) {
    nb::class_<PyBleu>(module, "PreparedBleu", "References made ready for BLEU.")
        .def(
            "__init__",
            [](PyBleu* self, const PyTokens& references, const Offsets& offsets) {
                auto starts = checked_offsets(offsets, references.tokens->size());
                new (self) PyBleu{std::make_shared<const BleuReferences>(references.tokens, std::move(starts))};
            },
            nb::arg("references"), nb::arg("offsets"))
        .def("__len__", [](const PyBleu& self) { return self.references->size(); })
        .def("rows", &bleu_rows, nb::arg("hypotheses"), nb::arg("max_order"), nb::arg("reference_length"),
             nb::arg("threads") = 0);
}

}  // namespace karat::python
