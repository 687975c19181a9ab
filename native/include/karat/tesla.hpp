// Bags of n-grams whose words need not be equal, only alike, matched in any portions: TESLA-M.
//
// Liu, Dahlmeier and Ng (2010), TESLA: Translation Evaluation of Sentences with Linear-programming-based Analysis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/transport.hpp"
#include "karat/word_facts.hpp"

namespace karat {

/// Writes for each order from 1 on the worth of the best matching of both bags of n-grams, and the weights of both
/// bags. An n-gram weighs the product of its words' weights for each time it occurs. Two n-grams are as alike as their
/// words are in the mean, not at all if one pair of words is not: words of one lemma by 1, words of one set by
/// `synonym`. O(orders x n-grams of both sides) besides the transport.
class TeslaKernel {
 public:
    TeslaKernel(const WordFacts& facts, std::size_t orders, double synonym)
        : facts_(&facts), orders_(orders), synonym_(synonym) {}

    std::size_t columns() const noexcept { return 3 * orders_; }

    void operator()(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                    std::span<double> row);

 private:
    /// The distinct n-grams of one side, numbered as they appear: where each first stands, and what it weighs in all.
    struct Bag {
        std::vector<std::uint32_t> gram_at;  // by place: the number of the n-gram of the last order that starts there
        std::vector<std::uint32_t> firsts;   // by number
        std::vector<double> weights;         // by number

        double total() const;
    };

    void fill(std::span<const std::int32_t> words, std::size_t order, Bag& bag);
    void number_by_place(std::span<const std::int32_t> words, std::size_t order, Bag& bag);
    void compare_words(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference);
    double likeness(std::size_t i, std::size_t j, std::size_t order) const;

    const WordFacts* facts_;
    std::size_t orders_;
    double synonym_;
    Bag hypothesis_, reference_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys_;  // scratch of `fill`: (n-gram, place)
    std::vector<std::uint32_t> numbers_;                         // scratch of `number_by_place`
    std::vector<std::uint32_t> type_at_[2];                      // by place: the number of its word in that text
    std::vector<double> alike_;                                  // distinct words of one text x those of the other
    std::size_t width_ = 0;
    std::vector<Route> routes_;
    Transport transport_;
};

}  // namespace karat
