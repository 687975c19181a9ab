#include "karat/ngram_tally.hpp"

#include <algorithm>
#include <unordered_map>

namespace karat {
namespace {

/// Calls `each(ngram, segment, count in a, count in b)` in ascending order for whatever stands in either column.
template <class Each>
void side_by_side(const NgramColumn& a, const NgramColumn& b, const Each& each) {
    const auto key = [](const NgramColumn& column, std::size_t i) {
        return std::uint64_t{static_cast<std::uint32_t>(column.ngrams[i])} << 32 |
               static_cast<std::uint32_t>(column.segments[i]);
    };
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        const std::uint64_t first = key(a, i), second = key(b, j);
        const NgramColumn& column = first <= second ? a : b;
        const std::size_t place = first <= second ? i : j;
        const std::int32_t more = first <= second ? a.counts[i++] : 0;
        const std::int32_t less = second <= first ? b.counts[j++] : 0;
        each(column.ngrams[place], column.segments[place], more, less);
    }
    for (; i < a.size(); ++i) each(a.ngrams[i], a.segments[i], a.counts[i], 0);
    for (; j < b.size(); ++j) each(b.ngrams[j], b.segments[j], 0, b.counts[j]);
}

/// Numbers pairs of totals; the small ones, which are nearly all, without hashing.
class KindNumbers {
 public:
    std::size_t of(std::int64_t more, std::int64_t less) {
        const bool small = more < side && less < side;
        std::size_t& number = small ? small_[static_cast<std::size_t>(more * side + less)] : large_[more][less];
        if (number == 0) number = ++count_;
        return number - 1;
    }

 private:
    static constexpr std::int64_t side = 64;

    std::size_t count_ = 0;
    std::vector<std::size_t> small_ = std::vector<std::size_t>(side * side);
    std::unordered_map<std::int64_t, std::unordered_map<std::int64_t, std::size_t>> large_;
};

}  // namespace

NgramOccurrences shared_ngrams(const NgramColumn& a, const NgramColumn& b) {
    NgramOccurrences shared;
    side_by_side(a, b, [&](std::int32_t ngram, std::int32_t segment, std::int32_t mine, std::int32_t theirs) {
        if (mine == 0 || theirs == 0) return;
        shared.ngrams.push_back(ngram);
        shared.segments.push_back(segment);
        shared.counts.push_back(std::min(mine, theirs));
    });
    return shared;
}

NgramTally ngram_tally(const NgramColumn& a, const NgramColumn& b, bool apart) {
    NgramTally tally;
    side_by_side(a, b, [&](std::int32_t ngram, std::int32_t segment, std::int32_t more, std::int32_t less) {
        const std::int32_t both = apart ? std::min(more, less) : 0;
        if (apart && more == less) return;
        tally.ngrams.push_back(ngram);
        tally.segments.push_back(segment);
        tally.more.push_back(more - both);
        tally.less.push_back(less - both);
    });
    return tally;
}

NgramKinds ngram_kinds(std::span<const std::int32_t> ngrams, std::span<const std::int32_t> more,
                       std::span<const std::int32_t> less, std::size_t kept) {
    NgramKinds kinds;
    KindNumbers numbers;
    std::vector<std::vector<std::int32_t>> first;
    for (std::size_t i = 0; i < ngrams.size();) {
        const std::int32_t ngram = ngrams[i];
        std::int64_t for_it = 0, against = 0;
        for (; i < ngrams.size() && ngrams[i] == ngram; ++i) for_it += more[i], against += less[i];
        const std::size_t kind = numbers.of(for_it, against);
        if (kind == first.size()) {
            kinds.more.push_back(for_it);
            kinds.less.push_back(against);
            kinds.counts.push_back(0);
            first.emplace_back();
        }
        ++kinds.counts[kind];
        if (first[kind].size() < kept) first[kind].push_back(ngram);
    }
    kinds.starts.push_back(0);
    for (const std::vector<std::int32_t>& of_kind : first) {
        kinds.first.insert(kinds.first.end(), of_kind.begin(), of_kind.end());
        kinds.starts.push_back(static_cast<std::int64_t>(kinds.first.size()));
    }
    return kinds;
}

}  // namespace karat
