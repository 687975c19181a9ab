#include "karat/tesla.hpp"

#include <algorithm>
#include <numeric>

namespace karat {

double TeslaKernel::Bag::total() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

void TeslaKernel::operator()(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                             std::span<double> row) {
    for (std::size_t order = 1; order <= orders_; ++order) {
        fill(hypothesis, order, hypothesis_);
        fill(reference, order, reference_);
        if (order == 1) compare_words(hypothesis, reference);
        routes_.clear();
        for (std::uint32_t h = 0; h < hypothesis_.firsts.size(); ++h) {
            const double* const first_words = alike_.data() + type_at_[0][hypothesis_.firsts[h]] * width_;
            for (std::uint32_t r = 0; r < reference_.firsts.size(); ++r) {
                if (first_words[type_at_[1][reference_.firsts[r]]] <= 0) continue;
                const double alike = likeness(hypothesis_.firsts[h], reference_.firsts[r], order);
                if (alike > 0) routes_.push_back({h, r, alike});
            }
        }
        const auto numbers = row.subspan(3 * (order - 1), 3);
        numbers[0] = transport_.best(hypothesis_.weights, reference_.weights, routes_);
        numbers[1] = hypothesis_.total();
        numbers[2] = reference_.total();
    }
}

/// Numbers the n-grams of an order from those of the order before, by the pair of that n-gram and the next word.
void TeslaKernel::fill(std::span<const std::int32_t> words, std::size_t order, Bag& bag) {
    const std::size_t count = words.size() >= order ? words.size() - order + 1 : 0;
    keys_.clear();
    for (std::uint32_t place = 0; place < count; ++place) {
        const std::uint64_t before = order == 1 ? 0 : bag.gram_at[place];
        const auto last = static_cast<std::uint32_t>(words[place + order - 1]);
        keys_.emplace_back(before << 32 | last, place);
    }
    std::sort(keys_.begin(), keys_.end());
    bag.gram_at.resize(count);
    std::uint32_t groups = 0;
    for (std::size_t k = 0; k < count; ++k) {
        groups += k > 0 && keys_[k].first != keys_[k - 1].first;
        bag.gram_at[keys_[k].second] = groups;
    }
    number_by_place(words, order, bag);
}

/// The numbers so far follow those of words, which other segments have a hand in; sums must not, lest they round
/// otherwise in other company.
void TeslaKernel::number_by_place(std::span<const std::int32_t> words, std::size_t order, Bag& bag) {
    constexpr std::uint32_t unseen = 0xFFFFFFFFu;
    numbers_.assign(bag.gram_at.size(), unseen);
    bag.firsts.clear();
    bag.weights.clear();
    for (std::uint32_t place = 0; place < bag.gram_at.size(); ++place) {
        std::uint32_t& number = numbers_[bag.gram_at[place]];
        if (number == unseen) {
            number = static_cast<std::uint32_t>(bag.firsts.size());
            bag.firsts.push_back(place);
            bag.weights.push_back(0.0);
        }
        bag.gram_at[place] = number;
        double weight = 1;
        for (const std::int32_t word : words.subspan(place, order)) weight *= facts_->weight(word);
        bag.weights[number] += weight;
    }
}

/// Once for each pair of distinct words, with the bags of single words at hand.
void TeslaKernel::compare_words(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    type_at_[0] = hypothesis_.gram_at;
    type_at_[1] = reference_.gram_at;
    width_ = reference_.firsts.size();
    alike_.resize(hypothesis_.firsts.size() * width_);
    for (std::size_t h = 0; h < hypothesis_.firsts.size(); ++h) {
        for (std::size_t r = 0; r < width_; ++r) {
            const std::int32_t a = hypothesis[hypothesis_.firsts[h]];
            const std::int32_t b = reference[reference_.firsts[r]];
            alike_[h * width_ + r] = facts_->same_lemma(a, b) ? 1.0 : facts_->share_set(a, b) ? synonym_ : 0.0;
        }
    }
}

double TeslaKernel::likeness(std::size_t i, std::size_t j, std::size_t order) const {
    double sum = 0;
    for (std::size_t k = 0; k < order; ++k) {
        const double alike = alike_[type_at_[0][i + k] * width_ + type_at_[1][j + k]];
        if (alike <= 0) return 0;
        sum += alike;
    }
    return sum / static_cast<double>(order);
}

}  // namespace karat
