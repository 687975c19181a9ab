#include "karat/ter.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "binding.hpp"
#include "karat/tercom.hpp"

namespace karat::python {
namespace {

using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Shift = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
using Alignment = std::tuple<std::uint64_t, std::vector<Shift>, std::string>;

TerSearch search_of(bool full) { return full ? TerSearch::full : TerSearch::sacrebleu; }

std::string refusal(const TerTooMuchWork& error) {
    return "segment " + std::to_string(error.segment + 1) + " has more than " + std::to_string(ter_full_candidates) +
           " candidates for a shift (" + std::to_string(error.hypothesis_length) + " hypothesis and " +
           std::to_string(error.reference_length) +
           " reference tokens): split it into sentences, or use search=sacrebleu";
}

/// Runs a search without the GIL; a refused segment becomes a ValueError.
template <class Work>
auto search_without_gil(Work work) {
    try {
        return without_gil(work);
    } catch (const TerTooMuchWork& error) {
        throw nb::value_error(refusal(error).c_str());
    }
}

Matrix<double> rows(const PyTokens& hypotheses, const PyTokens& references, const Offsets& offsets, bool full,
                    unsigned threads) {
    const std::size_t count = hypotheses.tokens->size();
    if (offsets.shape(0) != count + 1) throw nb::value_error("one offset more than there are hypotheses is needed");
    const std::span<const std::int64_t> starts(offsets.data(), count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        if (starts[i] < 0 || starts[i + 1] <= starts[i])
            throw nb::value_error(("segment " + std::to_string(i + 1) + " has no reference").c_str());
    }
    if (static_cast<std::uint64_t>(starts[count]) > references.tokens->size())
        throw nb::value_error("the offsets point beyond the last reference");
    auto values = search_without_gil([&] {
        return ter_rows(*hypotheses.tokens, *references.tokens, starts, search_of(full), threads, python_interrupt());
    });
    return as_matrix(std::move(values), count, 2);
}

Alignment alignment(const PyTokens& hypotheses, const PyTokens& references, std::size_t hypothesis,
                    std::size_t reference, bool full) {
    if (hypothesis >= hypotheses.tokens->size()) throw nb::index_error("there is no such hypothesis");
    if (reference >= references.tokens->size()) throw nb::index_error("there is no such reference");
    const TerAlignment found = search_without_gil([&] {
        try {
            return ter_align((*hypotheses.tokens)[hypothesis], (*references.tokens)[reference], search_of(full));
        } catch (TerTooMuchWork& error) {
            error.segment = hypothesis;
            throw;
        }
    });
    std::vector<Shift> shifts;
    for (const TerShift& shift : found.shifts) shifts.emplace_back(shift.start, shift.length, shift.target);
    return {found.edits, std::move(shifts), found.operations};
}

}  // namespace

void register_ter(nb::module_& module) {
    module.def("ter_rows", &rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("offsets"), nb::arg("full"),
               nb::arg("threads"));
    module.def("ter_alignment", &alignment, nb::arg("hypotheses"), nb::arg("references"), nb::arg("hypothesis"),
               nb::arg("reference"), nb::arg("full"));
    module.def(
        "tercom_normalize",
        [](const PyText& text, bool normalized, bool no_punct, bool asian_support, unsigned threads) {
            const TercomOptions options{normalized, no_punct, asian_support};
            return without_gil([&] {
                return PyText{std::make_shared<const TextColumn>(
                    tercom_normalize(*text.column, options, threads, python_interrupt()))};
            });
        },
        nb::arg("text"), nb::arg("normalized"), nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("threads"));
}

}  // namespace karat::python
