#include <nanobind/stl/string.h>

#include <string>

#include "binding.hpp"
#include "karat/beer.hpp"
#include "karat/gtm.hpp"
#include "karat/lcs.hpp"
#include "karat/lepor.hpp"
#include "karat/overlap.hpp"
#include "karat/ribes.hpp"
#include "karat/skip_bigrams.hpp"
#include "karat/word_order.hpp"
#include "karat/word_pairs.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

struct PyWords {
    std::shared_ptr<const WordReferences> references;
};

std::shared_ptr<const Tokens> checked(const PyWords& self, const PyTokens& hypotheses) {
    if (hypotheses.tokens->size() != self.references->size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    return hypotheses.tokens;
}

LeporAlignment alignment_named(const std::string& name) {
    if (name == "published") return LeporAlignment::published;
    if (name == "hlepor-0.0.4") return LeporAlignment::hlepor;
    if (name == "perl") return LeporAlignment::perl;
    throw nb::value_error(("LEPOR has no alignment " + name).c_str());
}

Matrix<double> joined_gtm(const PyWords& self, const PyTokens& hypotheses, double exponent, unsigned threads) {
    const std::shared_ptr<const Tokens> tokens = checked(self, hypotheses);
    auto values = without_gil_or_refused(
        [&] { return gtm_rows(*self.references, *tokens, exponent, threads, python_interrupt()); });
    return as_matrix(std::move(values), tokens->size(), 3);
}

/// `references` and `hypotheses` say where the sentences of each text start; the prepared words are sentences.
Matrix<std::int64_t> summary_lcs(const PyWords& self, const PyTokens& words, const Offsets& offsets,
                                 const Offsets& references, const Offsets& hypotheses, unsigned threads) {
    const auto reference_starts = checked_offsets(references, self.references->reference_count());
    const auto segments = checked_offsets(offsets, reference_starts.size() - 1);
    const auto hypothesis_starts = checked_offsets(hypotheses, words.tokens->size());
    if (hypothesis_starts.size() != segments.size() || self.references->size() != segments.size() - 1)
        throw nb::value_error("the number of hypotheses is not the number of segments");
    for (std::size_t i = 0; i < self.references->size(); ++i) {
        if (reference_starts[static_cast<std::size_t>(segments[i])] !=
            static_cast<std::int64_t>(self.references->first(i)))
            throw nb::value_error("the sentences were prepared for other segments");
    }
    auto values = without_gil([&] {
        return summary_lcs_rows(*self.references, segments, reference_starts, *words.tokens, hypothesis_starts, threads,
                                python_interrupt());
    });
    return as_matrix(std::move(values), reference_starts.size() - 1, 4);
}

/// What a kernel finds for every pair of a hypothesis and a reference.
template <class Value, class Kernel>
Matrix<Value> rows_of_pairs(const PyWords& self, const PyTokens& hypotheses, std::size_t columns, unsigned threads,
                            const Kernel& kernel) {
    const std::shared_ptr<const Tokens> tokens = checked(self, hypotheses);
    auto values = without_gil(
        [&] { return pair_rows<Value>(*self.references, *tokens, columns, threads, python_interrupt(), kernel); });
    return as_matrix(std::move(values), self.references->reference_count(), 2 + columns);
}

}  // namespace

void register_matching(nb::module_& module) {
    nb::class_<PyWords>(module, "PreparedWords", "References made ready to be compared with hypotheses pair by pair.")
        .def(
            "__init__",
            [](PyWords* self, const PyTokens& references, const Offsets& offsets, unsigned threads) {
                auto tokens = references.tokens;
                const auto starts = checked_offsets(offsets, tokens->size());
                auto prepared = without_gil([&] {
                    return std::make_shared<const WordReferences>(tokens, starts, threads, python_interrupt());
                });
                new (self) PyWords{std::move(prepared)};
            },
            nb::arg("references"), nb::arg("offsets"), nb::arg("threads") = 0)
        .def("__len__", [](const PyWords& self) { return self.references->size(); })
        .def(
            "ribes",
            [](const PyWords& self, const PyTokens& hypotheses, bool right_first, unsigned threads) {
                const RibesKernel kernel(right_first);
                return rows_of_pairs<std::int64_t>(self, hypotheses, RibesKernel::columns, threads, kernel);
            },
            nb::arg("hypotheses"), nb::arg("right_first"), nb::arg("threads") = 0)
        .def(
            "lepor",
            [](const PyWords& self, const PyTokens& hypotheses, std::size_t window, const std::string& alignment,
               unsigned threads) {
                const LeporKernel kernel(window, alignment_named(alignment));
                return rows_of_pairs<double>(self, hypotheses, LeporKernel::columns, threads, kernel);
            },
            nb::arg("hypotheses"), nb::arg("window"), nb::arg("alignment"), nb::arg("threads") = 0)
        .def(
            "order",
            [](const PyWords& self, const PyTokens& hypotheses, unsigned threads) {
                return rows_of_pairs<std::int64_t>(self, hypotheses, WordOrderKernel::columns, threads,
                                                   WordOrderKernel{});
            },
            nb::arg("hypotheses"), nb::arg("threads") = 0)
        .def(
            "overlap",
            [](const PyWords& self, const PyTokens& hypotheses, unsigned orders, unsigned threads) {
                if (orders == 0) throw nb::value_error("the greatest order must be at least 1");
                return rows_of_pairs<std::int64_t>(self, hypotheses, orders, threads, OverlapKernel{});
            },
            nb::arg("hypotheses"), nb::arg("orders"), nb::arg("threads") = 0)
        .def(
            "beer",
            [](const PyWords& self, const PyTokens& hypotheses, unsigned threads) {
                return rows_of_pairs<std::int64_t>(self, hypotheses, BeerKernel::columns, threads, BeerKernel{});
            },
            nb::arg("hypotheses"), nb::arg("threads") = 0)
        .def(
            "lcs",
            [](const PyWords& self, const PyTokens& hypotheses, unsigned threads) {
                return rows_of_pairs<std::int64_t>(self, hypotheses, LcsKernel::columns, threads, LcsKernel{});
            },
            nb::arg("hypotheses"), nb::arg("threads") = 0)
        .def("summary_lcs", &summary_lcs, nb::arg("hypotheses"), nb::arg("offsets"), nb::arg("reference_starts"),
             nb::arg("hypothesis_starts"), nb::arg("threads") = 0)
        .def(
            "weighted_lcs",
            [](const PyWords& self, const PyTokens& hypotheses, double weight, unsigned threads) {
                const WeightedLcsKernel kernel(weight);
                return rows_of_pairs<double>(self, hypotheses, WeightedLcsKernel::columns, threads, kernel);
            },
            nb::arg("hypotheses"), nb::arg("weight"), nb::arg("threads") = 0)
        .def(
            "skip_bigrams",
            [](const PyWords& self, const PyTokens& hypotheses, std::size_t gap, unsigned threads) {
                const SkipBigramKernel kernel(gap);
                return rows_of_pairs<std::int64_t>(self, hypotheses, SkipBigramKernel::columns, threads, kernel);
            },
            nb::arg("hypotheses"), nb::arg("gap"), nb::arg("threads") = 0)
        .def(
            "gtm",
            [](const PyWords& self, const PyTokens& hypotheses, double exponent, unsigned threads) {
                return rows_of_pairs<double>(self, hypotheses, GtmKernel::columns, threads, GtmKernel(exponent));
            },
            nb::arg("hypotheses"), nb::arg("exponent"), nb::arg("threads") = 0)
        .def("joined_gtm", &joined_gtm, nb::arg("hypotheses"), nb::arg("exponent"), nb::arg("threads") = 0);
}

}  // namespace karat::python
