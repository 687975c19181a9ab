#include "karat/meteor.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>

#include "binding.hpp"
#include "offsets.hpp"

namespace karat::python {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Array<T>& array) {
    return {array.data(), array.size()};
}

template <class T>
std::vector<T> copy(const Array<T>& array) {
    return {array.data(), array.data() + array.size()};
}

struct PyParaphraseTable {
    std::shared_ptr<const ParaphraseTable> table;
};

struct PyParaphraseIndex {
    std::shared_ptr<const ParaphraseIndex> index;
};

/// Knowledge about word types that owns what the core only looks at.
class PyKnowledge {
 public:
    PyKnowledge(const Array<std::uint8_t>& function, const std::optional<Array<std::int32_t>>& stems,
                const std::optional<Array<std::int64_t>>& synset_offsets,
                const std::optional<Array<std::int32_t>>& synsets, const PyParaphraseIndex* paraphrases, bool exact)
        : function_(copy(function)) {
        knowledge_.used = {exact, stems.has_value(), synsets.has_value(), paraphrases != nullptr};
        if (stems) stems_ = copy(*stems);
        if (synset_offsets) synset_offsets_ = copy(*synset_offsets);
        if (synsets) synsets_ = copy(*synsets);
        if (paraphrases) paraphrases_ = paraphrases->index;
        check();
        knowledge_.function = function_;
        knowledge_.stems = stems_;
        knowledge_.synset_offsets = synset_offsets_;
        knowledge_.synsets = synsets_;
        knowledge_.paraphrases = paraphrases_.get();
    }
    PyKnowledge(const PyKnowledge&) = delete;
    PyKnowledge& operator=(const PyKnowledge&) = delete;

    const WordKnowledge& get() const noexcept { return knowledge_; }

    /// The column, after a look at whether its words are known.
    NumberedText checked(const Array<std::int32_t>& ids, const Array<std::int64_t>& offsets) const {
        const NumberedText text{view(ids), view(offsets)};
        if (text.offsets.empty() || text.offsets.front() != 0 ||
            !std::is_sorted(text.offsets.begin(), text.offsets.end()) ||
            text.offsets.back() != static_cast<std::int64_t>(text.ids.size())) {
            throw nb::value_error("the offsets of segments must ascend from 0 to the number of words");
        }
        for (const std::int32_t id : text.ids) {
            if (id < 0 || static_cast<std::size_t>(id) >= function_.size()) throw nb::value_error("a word of no type");
        }
        return text;
    }

 private:
    void check() const {
        const std::size_t types = function_.size();
        if (knowledge_.used[1] && stems_.size() != types) throw nb::value_error("each type needs one stem");
        if (!knowledge_.used[2]) return;
        if (synset_offsets_.size() != types + 1 || synset_offsets_.front() != 0 ||
            !std::is_sorted(synset_offsets_.begin(), synset_offsets_.end()) ||
            synset_offsets_.back() != static_cast<std::int64_t>(synsets_.size())) {
            throw nb::value_error("the offsets of synsets must ascend, one for each type and the end");
        }
    }

    std::vector<std::uint8_t> function_;
    std::vector<std::int32_t> stems_;
    std::vector<std::int64_t> synset_offsets_;
    std::vector<std::int32_t> synsets_;
    std::shared_ptr<const ParaphraseIndex> paraphrases_;
    WordKnowledge knowledge_;
};

PyParaphraseTable read_table(const nb::bytes& data) {
    const std::string_view text(data.c_str(), data.size());
    return without_gil([&] { return PyParaphraseTable{std::make_shared<const ParaphraseTable>(text)}; });
}

PyParaphraseIndex make_index(const PyParaphraseTable& table, const PyText& types) {
    const auto column = types.column;
    return without_gil([&] {
        std::vector<Token> tokens;
        for (std::size_t t = 0; t < column->size(); ++t) {
            const std::string_view word = (*column)[t];
            tokens.push_back({word.data(), static_cast<std::uint32_t>(word.size()), hash_bytes(word)});
        }
        return PyParaphraseIndex{std::make_shared<const ParaphraseIndex>(*table.table, tokens)};
    });
}

/// Word numbers of all phrases and of all paraphrases with their offsets, and the probabilities.
nb::tuple entries_of(const PyParaphraseIndex& self) {
    std::vector<std::int32_t> words[2];
    std::vector<std::int64_t> offsets[2] = {{0}, {0}};
    std::vector<double> probabilities;
    const auto add = [&](std::size_t side, std::int32_t phrase) {
        for (const std::int32_t word : self.index->words(phrase)) words[side].push_back(word);
        offsets[side].push_back(static_cast<std::int64_t>(words[side].size()));
    };
    for (std::size_t p = 0; p < self.index->phrase_count(); ++p) {
        for (const ParaphraseIndex::Paraphrase& one : self.index->paraphrases(static_cast<std::int32_t>(p))) {
            add(0, static_cast<std::int32_t>(p));
            add(1, one.phrase);
            probabilities.push_back(one.probability);
        }
    }
    return nb::make_tuple(as_vector(std::move(words[0])), as_vector(std::move(offsets[0])),
                          as_vector(std::move(words[1])), as_vector(std::move(offsets[1])),
                          as_vector(std::move(probabilities)));
}

MeteorSearch search_named(const std::string& name) {
    if (name == "released") return MeteorSearch::released;
    if (name == "published") return MeteorSearch::published;
    throw nb::value_error(("METEOR has no search " + name).c_str());
}

Matrix<std::int64_t> rows_of(const PyKnowledge& knowledge, const Array<std::int32_t>& hypothesis_ids,
                             const Array<std::int64_t>& hypothesis_offsets, const Array<std::int32_t>& reference_ids,
                             const Array<std::int64_t>& reference_offsets, const Offsets& segments,
                             const std::string& search, std::size_t beam, unsigned threads) {
    const NumberedText hypotheses = knowledge.checked(hypothesis_ids, hypothesis_offsets);
    const NumberedText references = knowledge.checked(reference_ids, reference_offsets);
    const auto starts = checked_offsets(segments, references.offsets.size() - 1);
    if (hypotheses.offsets.size() != starts.size())
        throw nb::value_error("the number of hypotheses is not the number of segments");
    if (beam == 0) throw nb::value_error("the beam must be at least 1");
    const MeteorSearch kind = search_named(search);
    auto rows = without_gil([&] {
        return meteor_rows(hypotheses, references, starts, knowledge.get(), kind, beam, threads, python_interrupt());
    });
    return as_matrix(std::move(rows), references.offsets.size() - 1, meteor_columns);
}

Vector<std::int32_t> partners_of(const PyKnowledge& knowledge, const Array<std::int32_t>& hypothesis_ids,
                                 const Array<std::int64_t>& hypothesis_offsets,
                                 const Array<std::int32_t>& reference_ids, const Array<std::int64_t>& reference_offsets,
                                 const std::string& search, std::size_t beam, unsigned threads) {
    const NumberedText hypotheses = knowledge.checked(hypothesis_ids, hypothesis_offsets);
    const NumberedText references = knowledge.checked(reference_ids, reference_offsets);
    if (hypotheses.offsets.size() != references.offsets.size())
        throw nb::value_error("each hypothesis needs one reference");
    if (beam == 0) throw nb::value_error("the beam must be at least 1");
    const MeteorSearch kind = search_named(search);
    return as_vector(without_gil([&] {
        return meteor_partners(hypotheses, references, knowledge.get(), kind, beam, threads, python_interrupt());
    }));
}

}  // namespace

void register_meteor(nb::module_& module) {
    nb::class_<PyParaphraseTable>(module, "ParaphraseTable", "A table of paraphrases, words as numbers.")
        .def(
            "__init__",
            [](PyParaphraseTable* self, const nb::bytes& data) { new (self) PyParaphraseTable(read_table(data)); },
            nb::arg("data"))
        .def("__len__", [](const PyParaphraseTable& self) { return self.table->size(); });
    nb::class_<PyParaphraseIndex>(module, "ParaphraseIndex", "The paraphrases all of whose words are among some types.")
        .def(
            "__init__",
            [](PyParaphraseIndex* self, const PyParaphraseTable& table, const PyText& types) {
                new (self) PyParaphraseIndex(make_index(table, types));
            },
            nb::arg("table"), nb::arg("types"))
        .def("__len__", [](const PyParaphraseIndex& self) { return self.index->size(); })
        .def("entries", &entries_of,
             nb::sig("def entries(self) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64], NDArray[numpy.int32], "
                     "NDArray[numpy.int64], NDArray[numpy.float64]]"),
             "Words of the phrases, where each starts, words of the paraphrases, where each starts, probabilities.");
    nb::class_<PyKnowledge>(module, "WordKnowledge", "What is known about each word type.")
        .def(nb::init<const Array<std::uint8_t>&, const std::optional<Array<std::int32_t>>&,
                      const std::optional<Array<std::int64_t>>&, const std::optional<Array<std::int32_t>>&,
                      const PyParaphraseIndex*, bool>(),
             nb::arg("function"), nb::arg("stems").none(), nb::arg("synset_offsets").none(), nb::arg("synsets").none(),
             nb::arg("paraphrases").none(), nb::arg("exact") = true);
    module.def("meteor_rows", &rows_of, nb::arg("knowledge"), nb::arg("hypothesis_ids"), nb::arg("hypothesis_offsets"),
               nb::arg("reference_ids"), nb::arg("reference_offsets"), nb::arg("segments"), nb::arg("search"),
               nb::arg("beam"), nb::arg("threads") = 0);
    module.def("meteor_partners", &partners_of, nb::arg("knowledge"), nb::arg("hypothesis_ids"),
               nb::arg("hypothesis_offsets"), nb::arg("reference_ids"), nb::arg("reference_offsets"), nb::arg("search"),
               nb::arg("beam"), nb::arg("threads") = 0);
}

}  // namespace karat::python
