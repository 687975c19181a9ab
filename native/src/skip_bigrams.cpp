#include "karat/skip_bigrams.hpp"

#include <algorithm>

namespace karat {

void SkipBigramKernel::operator()(const WordPair& pair, std::span<std::int64_t> row) {
    collect_pairs(pair.hypothesis, hypothesis_);
    collect_pairs(pair.reference, reference_);
    row[0] = common();
    row[1] = common_words(pair.hypothesis, pair.reference);
    const auto without_last = [](std::span<const Symbol> words) {
        return words.first(words.empty() ? 0 : words.size() - 1);
    };
    row[2] = common_words(without_last(pair.hypothesis), without_last(pair.reference));
}

/// A word that no reference has matches nothing, so pairs with one are left out.
void SkipBigramKernel::collect_pairs(std::span<const Symbol> words, Keys& keys) const {
    keys.clear();
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == 0) continue;
        const std::size_t last = gap_ < words.size() - 1 - i ? i + 1 + gap_ : words.size() - 1;
        for (std::size_t j = i + 1; j <= last; ++j) {
            if (words[j] != 0) keys.push_back(std::uint64_t{words[i]} << 32 | words[j]);
        }
    }
}

std::int64_t SkipBigramKernel::common_words(std::span<const Symbol> hypothesis, std::span<const Symbol> reference) {
    hypothesis_.assign(hypothesis.begin(), hypothesis.end());
    reference_.assign(reference.begin(), reference.end());
    return common();
}

std::int64_t SkipBigramKernel::common() {
    std::sort(hypothesis_.begin(), hypothesis_.end());
    std::sort(reference_.begin(), reference_.end());
    std::int64_t matches = 0;
    for (auto h = hypothesis_.begin(), r = reference_.begin(); h != hypothesis_.end() && r != reference_.end();) {
        if (*h < *r) {
            ++h;
        } else if (*r < *h) {
            ++r;
        } else {
            ++h, ++r, ++matches;
        }
    }
    return matches;
}

}  // namespace karat
