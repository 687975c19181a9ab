// How a compiled table of paraphrases lies in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace karat {

/// What an image begins with.
struct ParaphraseSizes {
    std::uint64_t words;
    std::uint64_t word_bytes;
    std::uint64_t phrases;
    std::uint64_t phrases_with_entries;
    std::uint64_t entries;

    /// Whether each is small enough for the numbers that are used for it.
    bool possible() const noexcept {
        const std::uint64_t most = 1ull << 32;
        return words < phrases && phrases < most / 2 && word_bytes < most && phrases_with_entries <= phrases &&
               entries < most;
    }
};

/// Some numbers of one type in an image.
struct ParaphrasePart {
    std::size_t begin;  // in units of eight bytes, as everything here
    std::size_t count;
};

/// Where the parts of an image stand, each from a full unit on.
class ParaphraseLayout {
 public:
    explicit ParaphraseLayout(const ParaphraseSizes& sizes)
        : word_ends(next<std::uint32_t>(sizes.words)),
          text(next<char>(sizes.word_bytes)),
          last_words(next<std::int32_t>(sizes.phrases)),
          children(next<std::uint32_t>(sizes.phrases + 1)),
          has_entries(next<std::uint64_t>(sizes.phrases / 64 + 1)),
          with_entries(next<std::uint32_t>(sizes.phrases / 64 + 1)),
          entry_starts(next<std::uint32_t>(sizes.phrases_with_entries + 1)),
          paraphrases(next<std::int32_t>(sizes.entries)),
          parents(next<std::int32_t>(sizes.phrases)),
          probabilities(next<float>(sizes.entries)) {}

    std::size_t size() const noexcept { return size_; }

 private:
    std::size_t size_ = (sizeof(ParaphraseSizes) + 7) / 8;

    template <class T>
    ParaphrasePart next(std::uint64_t count) noexcept {
        const ParaphrasePart part{size_, static_cast<std::size_t>(count)};
        size_ += (part.count * sizeof(T) + 7) / 8;
        return part;
    }

 public:
    ParaphrasePart word_ends, text;  // of the words, by number
    ParaphrasePart last_words, children, has_entries, with_entries, entry_starts, paraphrases, parents, probabilities;
};

/// The numbers of a part; they can be written where the memory can.
template <class T, class Unit>
auto part_of(std::span<Unit> memory, const ParaphrasePart& part) noexcept {
    using Number = std::conditional_t<std::is_const_v<Unit>, const T, T>;
    return std::span<Number>(reinterpret_cast<Number*>(memory.data() + part.begin), part.count);
}

}  // namespace karat
