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

template <class T>
using Numbers = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

PyTokens spelled(const PyText& words, const Numbers<std::int32_t>& ids, const Numbers<std::int64_t>& offsets) {
    const std::span<const std::int32_t> numbers(ids.data(), ids.size());
    const std::span<const std::int64_t> starts(offsets.data(), offsets.size());
    return without_gil(
        [&] { return PyTokens{std::make_shared<const Tokens>(spell_words(words.column, numbers, starts))}; });
}

}  // namespace

void register_word_types(nb::module_& module) {
    module.def("word_types", &types_of, nb::arg("columns"), nb::arg("threads") = 0,
               nb::sig("def word_types(columns: Sequence[Tokens], threads: int = 0) -> "
                       "tuple[list[str], list[NDArray[numpy.int32]], list[NDArray[numpy.int64]]]"),
               "Distinct words by first appearance; by column, the number of each token and where segments start.");
    module.def("spell_words", &spelled, nb::arg("words"), nb::arg("ids"), nb::arg("offsets"),
               "Segments of words that are known by number.");
}

}  // namespace karat::python
