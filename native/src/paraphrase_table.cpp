#include "karat/paraphrase_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "paraphrase_image.hpp"

namespace karat {
namespace {

ParaphraseSizes sizes_in(std::span<const std::uint64_t> image) {
    ParaphraseSizes sizes;
    if (image.size_bytes() < sizeof sizes) throw std::invalid_argument("no table of paraphrases");
    std::memcpy(&sizes, image.data(), sizeof sizes);
    if (!sizes.possible() || ParaphraseLayout(sizes).size() != image.size()) {
        throw std::invalid_argument("the parts of a table of paraphrases are not as long as they should be");
    }
    return sizes;
}

}  // namespace

ParaphraseTable::ParaphraseTable(std::span<const std::uint64_t> image, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)) {
    const ParaphraseLayout layout(sizes_in(image));
    const auto text = part_of<char>(image, layout.text);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : part_of<std::uint32_t>(image, layout.word_ends)) {
        if (end < begin || end > text.size()) throw std::invalid_argument("the words of a table are out of order");
        const std::string_view word(text.data() + begin, end - begin);
        vocabulary_.intern({word.data(), end - begin, hash_bytes(word)});
        begin = end;
    }
    last_words_ = part_of<std::int32_t>(image, layout.last_words);
    children_ = part_of<std::uint32_t>(image, layout.children);
    has_entries_ = part_of<std::uint64_t>(image, layout.has_entries);
    with_entries_ = part_of<std::uint32_t>(image, layout.with_entries);
    entry_starts_ = part_of<std::uint32_t>(image, layout.entry_starts);
    paraphrases_ = part_of<std::int32_t>(image, layout.paraphrases);
    parents_ = part_of<std::int32_t>(image, layout.parents);
    probabilities_ = part_of<float>(image, layout.probabilities);
}

std::int32_t ParaphraseTable::longer(std::int32_t phrase, std::int32_t word) const noexcept {
    const auto begin = last_words_.begin() + static_cast<std::ptrdiff_t>(first_child(phrase));
    const auto end = last_words_.begin() + static_cast<std::ptrdiff_t>(first_child(phrase + 1));
    const auto found = std::lower_bound(begin, end, word);
    return found != end && *found == word ? static_cast<std::int32_t>(found - last_words_.begin()) : -1;
}

std::pair<std::size_t, std::size_t> ParaphraseTable::entries(std::int32_t phrase) const noexcept {
    const auto at = static_cast<std::size_t>(phrase);
    const std::uint64_t bits = has_entries_[at / 64];
    if (!(bits >> (at % 64) & 1)) return {0, 0};
    const std::uint64_t before = bits & ((1ull << (at % 64)) - 1);
    const std::size_t group = with_entries_[at / 64] + static_cast<std::size_t>(std::popcount(before));
    return {entry_starts_[group], entry_starts_[group + 1]};
}

}  // namespace karat
