#include "karat/word_facts.hpp"

#include <nanobind/stl/array.h>

#include <array>

#include "binding.hpp"
#include "karat/atec.hpp"
#include "karat/tesla.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

template <class T>
using Numbers = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> copied(const Numbers<T>& numbers) {
    return {numbers.data(), numbers.data() + numbers.size()};
}

/// A column as Python holds it: numbers of words, and where segments start.
struct PyNumbers {
    Numbers<std::int32_t> ids;
    Numbers<std::int64_t> offsets;

    NumberedWords checked(std::size_t count) const {
        const NumberedWords words{{ids.data(), ids.size()}, {offsets.data(), offsets.size()}};
        words.check(count);
        return words;
    }
};

template <class Kernel>
Matrix<double> rows_of(const WordFacts& facts, const PyNumbers& hypotheses, const PyNumbers& references,
                       const Offsets& starts, std::size_t columns, unsigned threads, const Kernel& kernel) {
    const NumberedWords found = hypotheses.checked(facts.size());
    const NumberedWords wanted = references.checked(facts.size());
    const std::vector<std::int64_t> segments = checked_offsets(starts, wanted.size());
    if (segments.size() != found.size() + 1)
        throw nb::value_error("the number of hypotheses is not the number of segments");
    auto values = without_gil(
        [&] { return numbered_rows({found, wanted, segments}, columns, threads, python_interrupt(), kernel); });
    return as_matrix(std::move(values), wanted.size(), columns);
}

Matrix<double> tesla(const WordFacts& self, const Numbers<std::int32_t>& hypotheses,
                     const Numbers<std::int64_t>& hypothesis_offsets, const Numbers<std::int32_t>& references,
                     const Numbers<std::int64_t>& reference_offsets, const Offsets& starts, std::size_t orders,
                     double synonym, unsigned threads) {
    const TeslaKernel kernel(self, orders, synonym);
    return rows_of(self, {hypotheses, hypothesis_offsets}, {references, reference_offsets}, starts, kernel.columns(),
                   threads, kernel);
}

Matrix<double> atec(const WordFacts& self, const Numbers<std::int32_t>& hypotheses,
                    const Numbers<std::int64_t>& hypothesis_offsets, const Numbers<std::int32_t>& references,
                    const Numbers<std::int64_t>& reference_offsets, const Offsets& starts,
                    const std::array<double, AtecKernel::stages>& worths, unsigned threads) {
    return rows_of(self, {hypotheses, hypothesis_offsets}, {references, reference_offsets}, starts, AtecKernel::columns,
                   threads, AtecKernel(self, worths));
}

}  // namespace

void register_word_facts(nb::module_& module) {
    nb::class_<WordFacts>(module, "WordFacts", "What is known about words, by their number.")
        .def(
            "__init__",
            [](WordFacts* self, const Numbers<std::int32_t>& lemmas, const Numbers<std::int32_t>& sounds,
               const Numbers<std::int64_t>& set_starts, const Numbers<std::int32_t>& sets,
               const Numbers<double>& weights) {
                new (self) WordFacts(copied(lemmas), copied(sounds), copied(set_starts), copied(sets), copied(weights));
            },
            nb::arg("lemmas"), nb::arg("sounds"), nb::arg("set_starts"), nb::arg("sets"), nb::arg("weights"))
        .def("__len__", &WordFacts::size)
        .def("tesla", &tesla, nb::arg("hypotheses"), nb::arg("hypothesis_offsets"), nb::arg("references"),
             nb::arg("reference_offsets"), nb::arg("starts"), nb::arg("orders"), nb::arg("synonym"),
             nb::arg("threads") = 0)
        .def("atec", &atec, nb::arg("hypotheses"), nb::arg("hypothesis_offsets"), nb::arg("references"),
             nb::arg("reference_offsets"), nb::arg("starts"), nb::arg("worths"), nb::arg("threads") = 0);
}

}  // namespace karat::python
