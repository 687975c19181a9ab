#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <tuple>

#include "binding.hpp"
#include "karat/columns.hpp"
#include "karat/unicode_class.hpp"

namespace karat::python {
namespace {

std::shared_ptr<const TextColumn> column_from_list(const nb::list& lines) {
    Arena arena;
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
            throw nb::value_error(("string " + std::to_string(index + 1) + " " + what).c_str());
        }
        arena.append(bytes, static_cast<std::size_t>(size));
        offsets.push_back(arena.size());
        ++index;
    }
    return std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
}

nb::str string_at(const PyText& text, std::size_t index) {
    const std::string_view line = (*text.column)[index];
    return nb::str(line.data(), line.size());
}

nb::str get_item(const PyText& text, Py_ssize_t index) {
    const auto size = static_cast<Py_ssize_t>(text.column->size());
    if (index < 0) index += size;
    if (index < 0 || index >= size) throw nb::index_error("there is no string of that number");
    return string_at(text, static_cast<std::size_t>(index));
}

nb::typed<nb::list, nb::str> column_as_list(const PyText& text) {
    nb::list lines;
    for (std::size_t i = 0; i < text.column->size(); ++i) lines.append(string_at(text, i));
    return lines;
}

/// Makes a column without the GIL.
template <class Make>
PyText make_text(Make make) {
    return without_gil([&] { return PyText{std::make_shared<const TextColumn>(make())}; });
}

PyText slice_of(const PyText& text, std::size_t start, std::size_t stop) {
    if (start > stop || stop > text.column->size()) throw nb::index_error("the slice does not lie in the column");
    return make_text([&] { return slice(*text.column, start, stop); });
}

template <TextColumn (*join)(std::span<const SharedColumn>)>
PyText joined(const std::vector<PyText>& texts) {
    std::vector<SharedColumn> columns;
    for (const PyText& text : texts) columns.push_back(text.column);
    return make_text([&] { return join(columns); });
}

using CodePointTable = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::tuple<PyText, std::vector<std::int64_t>> lowered_text(const PyText& text, const CodePointTable& table) {
    std::vector<std::int64_t> left_out;
    const std::span<const std::uint32_t> points(table.data(), table.shape(0));
    PyText result = make_text([&] { return lowered(*text.column, points, left_out); });
    return {std::move(result), std::move(left_out)};
}

template <class T>
using Buffer = nb::ndarray<nb::memview, const T, nb::ndim<1>>;

/// A read-only view of memory that a column owns and keeps.
template <class T>
Buffer<T> view_of(const PyText& text, const T* data, std::size_t size) {
    auto* owner = new SharedColumn(text.column);
    nb::capsule capsule(owner, [](void* p) noexcept { delete static_cast<SharedColumn*>(p); });
    return Buffer<T>(data, {size}, capsule);
}

Buffer<std::uint8_t> arena_of(const PyText& text) {
    const std::string_view arena = text.column->arena();
    return view_of(text, reinterpret_cast<const std::uint8_t*>(arena.data()), arena.size());
}

Buffer<std::uint64_t> offsets_of(const PyText& text) {
    return view_of(text, text.column->offsets().data(), text.column->offsets().size());
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
    constexpr std::pair<const char*, Tokenizer> known[] = {
        {"none", Tokenizer::none},          {"char", Tokenizer::character}, {"13a", Tokenizer::v13a},
        {"intl", Tokenizer::international}, {"zh", Tokenizer::chinese},     {"zh-fixed", Tokenizer::chinese_fixed}};
    for (const auto& [its_name, tokenizer] : known) {
        if (name == its_name) return tokenizer;
    }
    throw nb::value_error(("the core has no tokenizer " + name).c_str());
}

nb::bytes unicode_classes() {
    std::string classes(0x110000, ' ');
    for (char32_t c = 0; c < classes.size(); ++c) classes[c] = "-NPS"[static_cast<int>(unicode_class(c))];
    return nb::bytes(classes.data(), classes.size());
}

/// InvalidUtf8 in Python: a ValueError whose arguments are the offset and the line.
void register_invalid_utf8(nb::module_& module) {
    static PyObject* type = nullptr;
    type = PyErr_NewExceptionWithDoc("karat._native.InvalidUtf8", "Bytes that are not UTF-8: offset, line.",
                                     PyExc_ValueError, nullptr);
    if (!type) throw nb::python_error();
    module.attr("InvalidUtf8") = nb::handle(type);
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const InvalidUtf8& invalid) {
            PyErr_SetObject(type, nb::make_tuple(invalid.offset, invalid.line).ptr());
        }
    });
}

}  // namespace

void register_text(nb::module_& module) {
    register_invalid_utf8(module);
    module.attr("UNICODE_VERSION") = tables::unicode_version;
    module.def("unicode_classes", &unicode_classes,
               "N, P, S or - for every code point: the classes that the intl tokenizer knows.");

    nb::class_<PyText>(module, "Text", "An immutable column of strings.")
        .def(
            "__init__",
            [](PyText* self, const nb::typed<nb::list, nb::str>& lines) { new (self) PyText{column_from_list(lines)}; },
            nb::arg("lines"))
        .def("__len__", [](const PyText& self) { return self.column->size(); })
        .def("__getitem__", &get_item, nb::arg("index"))
        .def_static(
            "from_lines",
            [](const nb::bytes& data) {
                const std::string_view bytes(data.c_str(), data.size());
                return make_text([bytes] { return split_lines(bytes); });
            },
            nb::arg("data"), "The lines of a file, split at \\n or \\r\\n only. Raises InvalidUtf8(offset, line).")
        .def("to_list", &column_as_list)
        .def("slice", &slice_of, nb::arg("start"), nb::arg("stop"), "The strings from start to before stop.")
        .def("lowered", &lowered_text, nb::arg("table"),
             "In lower case by a table of code points, and the numbers of the strings that it is not enough for.")
        .def(
            "translate",
            [](const PyText& self, const nb::bytes& table) {
                const std::string_view bytes(table.c_str(), table.size());
                return make_text([&] { return translate(*self.column, bytes); });
            },
            nb::arg("table"), "The same strings with every byte replaced by that of a table of 256 ASCII characters.")
        .def_static("concat", &joined<concatenate>, nb::arg("texts"), "All strings of one text after another.")
        .def_static("interleave", &joined<interleave>, nb::arg("texts"),
                    "The first strings of all texts, then the second ones: a1, b1, a2, b2, ...")
        .def(
            "equal_rows",
            [](const PyText& self, const PyText& other) {
                return without_gil([&] { return equal_rows(*self.column, *other.column); });
            },
            nb::arg("other"), "At how many positions both texts have the same string.")
        .def(
            "empty_count", [](const PyText& self) { return without_gil([&] { return empty_count(*self.column); }); },
            "How many strings hold nothing but white space.")
        .def("arena", &arena_of, "The UTF-8 bytes of all strings, one after the other, without a copy.")
        .def("offsets", &offsets_of,
             "Where each string starts in the arena, and where the last ends, as 64-bit integers, without a copy.");

    nb::class_<PyTokens>(module, "Tokens", "An immutable column of token sequences.")
        .def("__len__", [](const PyTokens& self) { return self.tokens->size(); })
        .def_prop_ro("token_count", [](const PyTokens& self) { return self.tokens->token_count(); })
        .def("to_lists", &tokens_as_lists);

    module.def(
        "tokenize",
        [](const PyText& text, const std::string& tokenizer) {
            const Tokenizer kind = tokenizer_named(tokenizer);
            return without_gil([&] { return PyTokens{std::make_shared<const Tokens>(tokenize(text.column, kind))}; });
        },
        nb::arg("text"), nb::arg("tokenizer"), "Text that is cut into tokens by whoever first asks for them.");
}

}  // namespace karat::python
