#include "karat/word_types.hpp"

#include <nanobind/stl/vector.h>

#include "binding.hpp"

namespace karat::python {
namespace {

template <class T>
nb::list arrays(std::vector<std::vector<T>>&& columns) {
    nb::list all;
    for (std::vector<T>& column : columns) all.append(as_vector(std::move(column)));
    return all;
}

nb::tuple types_of(const std::vector<PyTokens>& columns, unsigned threads) {
    std::vector<std::shared_ptr<const Tokens>> tokens;
    for (const PyTokens& column : columns) tokens.push_back(column.tokens);
    WordTypes found = without_gil([&] { return word_types(tokens, threads, python_interrupt()); });
    nb::list types;
    for (const Token& type : found.types) types.append(nb::str(type.data, type.size));
    return nb::make_tuple(types, arrays(std::move(found.ids)), arrays(std::move(found.offsets)));
}

}  // namespace

void register_word_types(nb::module_& module) {
    module.def("word_types", &types_of, nb::arg("columns"), nb::arg("threads") = 0,
               nb::sig("def word_types(columns: Sequence[Tokens], threads: int = 0) -> "
                       "tuple[list[str], list[NDArray[numpy.int32]], list[NDArray[numpy.int64]]]"),
               "Distinct words by first appearance; by column, the number of each token and where segments start.");
}

}  // namespace karat::python
