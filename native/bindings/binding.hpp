// What the binding files share: each kernel has one register function, called once by the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "karat/edit_distance.hpp"
#include "karat/parallel.hpp"
#include "karat/text_column.hpp"
#include "karat/tokens.hpp"

namespace nb = nanobind;

namespace karat::python {

void register_analysis(nb::module_& module);
void register_bleu(nb::module_& module);
void register_chrf(nb::module_& module);
void register_crossing(nb::module_& module);
void register_edit_distance(nb::module_& module);
void register_exits(nb::module_& module);
void register_matching(nb::module_& module);
void register_pair_counts(nb::module_& module);
void register_meteor(nb::module_& module);
void register_text(nb::module_& module);
void register_ter(nb::module_& module);
void register_terp(nb::module_& module);
void register_weights(nb::module_& module);
void register_word_facts(nb::module_& module);
void register_word_types(nb::module_& module);

/// Python sees columns and tokens by these two names; both are immutable and shared.
struct PyText {
    std::shared_ptr<const TextColumn> column;
};
struct PyTokens {
    std::shared_ptr<const Tokens> tokens;
};

/// Lets Ctrl-C through while the GIL is released: true when a signal handler raised.
Interrupted python_interrupt();

/// Runs native work without the GIL; a cancelled run raises what the signal handler raised.
template <class Work>
auto without_gil(Work work) {
    try {
        nb::gil_scoped_release release;
        return work();
    } catch (const Cancelled&) {
        throw nb::python_error();
    }
}

/// What to say about a pair of segments that would take too long.
inline std::string refusal(const EditTooMuchWork& error) {
    return "segment " + std::to_string(error.segment + 1) + " is too long to align (" +
           std::to_string(error.hypothesis_length) + " and " + std::to_string(error.reference_length) +
           " words or characters of hypothesis and reference): split it into sentences";
}

/// The same as `without_gil`, where a refused pair becomes a ValueError.
template <class Work>
auto without_gil_or_refused(Work work) {
    try {
        return without_gil(work);
    } catch (const EditTooMuchWork& error) {
        throw nb::value_error(refusal(error).c_str());
    }
}

template <class T>
using Matrix = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;

/// A NumPy matrix that owns `values`, row after row.
template <class T>
Matrix<T> as_matrix(std::vector<T>&& values, std::size_t rows, std::size_t columns) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Matrix<T>(owned->data(), {rows, columns}, owner);
}

template <class T>
using Vector = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

/// A NumPy array that owns `values`.
template <class T>
Vector<T> as_vector(std::vector<T>&& values) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Vector<T>(owned->data(), {owned->size()}, owner);
}

}  // namespace karat::python
