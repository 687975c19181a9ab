#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "binding.hpp"

namespace karat::python {
namespace {

std::shared_ptr<const TextColumn> column_from_list(const nb::list& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    offsets.reserve(nb::len(lines) + 1);
    std::size_t index = 0;
    for (const nb::handle line : lines) {
        Py_ssize_t size = 0;
        const char* bytes = PyUnicode_AsUTF8AndSize(line.ptr(), &size);
        if (!bytes) {
            PyErr_Clear();
            const char* what =
                PyUnicode_Check(line.ptr()) ? "has a lone surrogate, which is not text" : "is not a string";
            throw nb::value_error(("string " + std::to_string(index) + " " + what).c_str());
        }
        arena.append(bytes, static_cast<std::size_t>(size));
        offsets.push_back(arena.size());
        ++index;
    }
    return std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
}

nb::typed<nb::list, nb::str> column_as_list(const PyText& text) {
    nb::list lines;
    for (std::size_t i = 0; i < text.column->size(); ++i) {
        const std::string_view line = (*text.column)[i];
        lines.append(nb::str(line.data(), line.size()));
    }
    return lines;
}

nb::typed<nb::list, nb::typed<nb::list, nb::str>> tokens_as_lists(const PyTokens& tokens) {
    nb::list segments;
    for (std::size_t i = 0; i < tokens.tokens->size(); ++i) {
        nb::list segment;
        for (const Token& token : (*tokens.tokens)[i]) segment.append(nb::str(token.data, token.size));
        segments.append(segment);
    }
    return segments;
}

Tokenizer tokenizer_named(const std::string& name) {
    if (name == "none") return Tokenizer::none;
    if (name == "char") return Tokenizer::character;
    throw nb::value_error(("the core has no tokenizer " + name).c_str());
}

}  // namespace

void register_text(nb::module_& module) {
    nb::class_<PyText>(module, "Text", "An immutable column of strings.")
        .def(
            "__init__",
            [](PyText* self, const nb::typed<nb::list, nb::str>& lines) { new (self) PyText{column_from_list(lines)}; },
            nb::arg("lines"))
        .def("__len__", [](const PyText& self) { return self.column->size(); })
        .def("to_list", &column_as_list)
        .def(
            "arena",
            [](const PyText& self) { return nb::bytes(self.column->arena().data(), self.column->arena().size()); },
            "The UTF-8 bytes of all strings, one after the other.")
        .def(
            "offsets",
            [](const PyText& self) {
                const auto& offsets = self.column->offsets();
                return nb::bytes(reinterpret_cast<const char*>(offsets.data()), offsets.size() * sizeof(offsets[0]));
            },
            "Where each string starts in the arena, and where the last ends, as 64-bit integers.");

    nb::class_<PyTokens>(module, "Tokens", "An immutable column of token sequences.")
        .def("__len__", [](const PyTokens& self) { return self.tokens->size(); })
        .def_prop_ro("token_count", [](const PyTokens& self) { return self.tokens->token_count(); })
        .def("to_lists", &tokens_as_lists);

    module.def(
        "tokenize",
        [](const PyText& text, const std::string& tokenizer, unsigned threads) {
            const Tokenizer kind = tokenizer_named(tokenizer);
            auto column = text.column;
            return without_gil([&] {
                return PyTokens{std::make_shared<const Tokens>(tokenize(column, kind, threads, python_interrupt()))};
            });
        },
        nb::arg("text"), nb::arg("tokenizer"), nb::arg("threads") = 0);
}

}  // namespace karat::python
