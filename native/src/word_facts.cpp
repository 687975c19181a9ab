#include "karat/word_facts.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "karat/set_marks.hpp"

namespace karat {
namespace {

bool ascend(std::span<const std::int64_t> offsets, std::size_t count) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(count)) return false;
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        if (offsets[i] < offsets[i - 1]) return false;
    }
    return true;
}

}  // namespace

WordFacts::WordFacts(std::vector<std::int32_t> lemmas, std::vector<std::int32_t> sounds,
                     std::vector<std::int64_t> set_starts, std::vector<std::int32_t> sets, std::vector<double> weights)
    : lemmas_(std::move(lemmas)),
      sounds_(std::move(sounds)),
      set_starts_(std::move(set_starts)),
      sets_(std::move(sets)),
      weights_(std::move(weights)) {
    const std::size_t count = lemmas_.size();
    if (sounds_.size() != count || weights_.size() != count || set_starts_.size() != count + 1) {
        throw std::invalid_argument("there must be one fact of each kind for every word");
    }
    if (!ascend(set_starts_, sets_.size())) throw std::invalid_argument("the sets of words must stand in order");
    set_marks_ = marks_of(set_starts_, sets_);
    for (const double weight : weights_) {
        if (!(weight >= 0) || std::isinf(weight)) throw std::invalid_argument("weights of words must not be negative");
    }
}

bool WordFacts::find_common_set(std::int32_t a, std::int32_t b) const noexcept {
    auto i = static_cast<std::size_t>(set_starts_[static_cast<std::size_t>(a)]);
    auto j = static_cast<std::size_t>(set_starts_[static_cast<std::size_t>(b)]);
    const auto last_i = static_cast<std::size_t>(set_starts_[static_cast<std::size_t>(a) + 1]);
    const auto last_j = static_cast<std::size_t>(set_starts_[static_cast<std::size_t>(b) + 1]);
    while (i < last_i && j < last_j) {
        if (sets_[i] == sets_[j]) return true;
        sets_[i] < sets_[j] ? ++i : ++j;
    }
    return false;
}

void check_length(std::size_t hypothesis, std::size_t reference, std::size_t segment) {
    if (reference > 0 && hypothesis > numbered_word_pairs / reference) {
        throw std::invalid_argument("segment " + std::to_string(segment + 1) + " (a text file's line " +
                                    std::to_string(segment + 1) + ") is too long to compare all its words (" +
                                    std::to_string(hypothesis) + " and " + std::to_string(reference) +
                                    " of hypothesis and reference): split it into sentences");
    }
}

void NumberedWords::check(std::size_t count) const {
    if (!ascend(offsets, ids.size())) throw std::invalid_argument("the offsets must ascend to the number of words");
    for (const std::int32_t id : ids) {
        if (id < 0 || static_cast<std::size_t>(id) >= count) {
            throw std::invalid_argument("there is no word " + std::to_string(id));
        }
    }
}

}  // namespace karat
