// What metrics know about words, as Python hands it over once for several of them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "binding.hpp"
#include "karat/meteor.hpp"
#include "karat/set_marks.hpp"

namespace karat::python {

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
        synset_marks_ = marks_of(synset_offsets_, synsets_);
        knowledge_.synset_marks = synset_marks_;
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
    std::vector<std::uint64_t> synset_marks_;
    std::shared_ptr<const ParaphraseIndex> paraphrases_;
    WordKnowledge knowledge_;
};

}  // namespace karat::python
