#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "binding.hpp"
#include "karat/ngram_counts.hpp"
#include "karat/weighted_ngrams.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

template <class Kind, std::size_t size>
using Names = std::array<std::pair<const char*, Kind>, size>;

constexpr Names<NgramWeight, 10> weight_names{{
    {"information", NgramWeight::information},
    {"recurrence", NgramWeight::recurrence},
    {"share", NgramWeight::share},
    {"rank-share", NgramWeight::rank_share},
    {"zipf", NgramWeight::zipf},
    {"rarest-rank-share", NgramWeight::rarest_rank_share},
    {"informed-recurrence", NgramWeight::informed_recurrence},
    {"informed-zipf", NgramWeight::informed_zipf},
    {"tf-idf", NgramWeight::tf_idf},
    {"tf-idf-total", NgramWeight::tf_idf_total},
}};

constexpr Names<Ranking, 3> ranking_names{
    {{"none", Ranking::none}, {"order", Ranking::by_order}, {"all", Ranking::joint}}};

template <class Kind, std::size_t size>
Kind named(const Names<Kind, size>& names, const std::string& name) {
    for (const auto& [known, kind] : names) {
        if (name == known) return kind;
    }
    throw nb::value_error(("the core has nothing named " + name).c_str());
}

struct PyNgramCounts {
    std::shared_ptr<const NgramCounts> counts;
};
struct PyWeighted {
    std::shared_ptr<const WeightedReferences> references;
    std::shared_ptr<const NgramCounts> counts;
};

PyNgramCounts merged(const std::vector<PyNgramCounts>& parts) {
    if (parts.empty()) throw nb::value_error("there are no counts to add up");
    return {without_gil([&] {
        auto sum = std::make_shared<NgramCounts>(*parts.front().counts);
        for (std::size_t i = 1; i < parts.size(); ++i) sum->add(*parts[i].counts);
        return std::shared_ptr<const NgramCounts>(std::move(sum));
    })};
}

template <class Number>
nb::bytes packed(const std::vector<Number>& numbers) {
    return nb::bytes(numbers.data(), numbers.size() * sizeof(Number));
}

template <class Number>
std::vector<Number> unpacked(const nb::bytes& bytes) {
    if (bytes.size() % sizeof(Number) != 0) throw nb::value_error("these counts are cut short");
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), bytes.size());
    return numbers;
}

using Packed =
    std::tuple<unsigned, std::int64_t, nb::bytes, nb::bytes, nb::bytes, nb::bytes, nb::bytes, nb::bytes, nb::bytes>;

Packed packed_counts(const PyNgramCounts& self) {
    const NgramCounts::State state = self.counts->state();
    return {state.orders,
            state.segments,
            nb::bytes(state.letters.data(), state.letters.size()),
            packed(state.word_ends),
            packed(state.word_hashes),
            packed(state.word_segments),
            packed(state.parents),
            packed(state.lasts),
            packed(state.counts)};
}

PyNgramCounts unpacked_counts(const Packed& given) {
    const auto& [orders, segments, letters, ends, hashes, word_segments, parents, lasts, counts] = given;
    const NgramCounts::State state{orders,
                                   segments,
                                   std::string(letters.c_str(), letters.size()),
                                   unpacked<std::uint64_t>(ends),
                                   unpacked<std::uint32_t>(hashes),
                                   unpacked<std::int64_t>(word_segments),
                                   unpacked<NgramCounts::Node>(parents),
                                   unpacked<NgramCounts::Word>(lasts),
                                   unpacked<std::int64_t>(counts)};
    return {std::make_shared<const NgramCounts>(NgramCounts::of(state))};
}

Matrix<std::int64_t> sizes(const PyNgramCounts& self) {
    std::vector<std::int64_t> values;
    for (unsigned order = 1; order <= self.counts->orders(); ++order) {
        values.push_back(self.counts->types(order));
        values.push_back(self.counts->total(order));
    }
    return as_matrix(std::move(values), self.counts->orders(), 2);
}

Matrix<double> weighted_rows(const PyWeighted& self, const PyTokens& hypotheses,
                             const std::vector<std::string>& weights, bool occurrences, bool after_zero,
                             bool sum_of_words, unsigned threads) {
    const std::shared_ptr<const Tokens> tokens = hypotheses.tokens;
    if (tokens->size() != self.references->size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    std::vector<NgramWeight> kinds;
    for (const std::string& name : weights) kinds.push_back(named(weight_names, name));
    const WeightReading reading{occurrences, after_zero, sum_of_words};
    auto values =
        without_gil([&] { return self.references->rows(*tokens, kinds, reading, threads, python_interrupt()); });
    return as_matrix(std::move(values), tokens->size(), self.references->columns(kinds.size()));
}

Matrix<std::int64_t> coverage(const PyWeighted& self, const std::optional<PyTokens>& hypotheses, std::size_t most) {
    if (most == 0) throw nb::value_error("there must be a reference at least");
    if (hypotheses && hypotheses->tokens->size() != self.references->size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    const Tokens* const tokens = hypotheses ? hypotheses->tokens.get() : nullptr;
    auto values = without_gil([&] { return self.references->coverage(tokens, most, python_interrupt()); });
    return as_matrix(std::move(values), self.counts->orders(), 2 * most);
}

}  // namespace

void register_weights(nb::module_& module) {
    nb::class_<PyNgramCounts>(module, "NgramCounts", "How often the references of a set have each n-gram.")
        .def(
            "__init__",
            [](PyNgramCounts* self, const PyTokens& references, const Offsets& offsets, unsigned orders) {
                auto tokens = references.tokens;
                const auto starts = checked_offsets(offsets, tokens->size());
                auto counts = without_gil([&] {
                    auto made = std::make_shared<NgramCounts>(orders);
                    made->add(*tokens, starts, python_interrupt());
                    return std::shared_ptr<const NgramCounts>(std::move(made));
                });
                new (self) PyNgramCounts{std::move(counts)};
            },
            nb::arg("references"), nb::arg("offsets"), nb::arg("orders"))
        .def_static("merged", &merged, nb::arg("parts"))
        .def("__getstate__", &packed_counts)
        .def("__setstate__",
             [](PyNgramCounts* self, const Packed& given) { new (self) PyNgramCounts{unpacked_counts(given)}; })
        .def("digest", [](const PyNgramCounts& self) { return self.counts->digest(); })
        .def("segments", [](const PyNgramCounts& self) { return self.counts->segments(); })
        .def("sizes", &sizes, "By order: different n-grams, and all.");
    nb::class_<PyWeighted>(module, "PreparedWeighted", "References made ready for matches that have weights.")
        .def(
            "__init__",
            [](PyWeighted* self, const PyTokens& references, const Offsets& offsets, const PyNgramCounts& counts,
               const std::string& ranking, unsigned threads) {
                auto tokens = references.tokens;
                auto starts = checked_offsets(offsets, tokens->size());
                const Ranking ranks = named(ranking_names, ranking);
                auto prepared = without_gil([&] {
                    return std::make_shared<const WeightedReferences>(tokens, std::move(starts), counts.counts, ranks,
                                                                      threads, python_interrupt());
                });
                new (self) PyWeighted{std::move(prepared), counts.counts};
            },
            nb::arg("references"), nb::arg("offsets"), nb::arg("counts"), nb::arg("ranking"), nb::arg("threads") = 0)
        .def("rows", &weighted_rows, nb::arg("hypotheses"), nb::arg("weights"), nb::arg("occurrences"),
             nb::arg("after_zero"), nb::arg("sum_of_words"), nb::arg("threads") = 0)
        .def("coverage", &coverage, nb::arg("hypotheses").none(), nb::arg("most"));
}

}  // namespace karat::python
