#include "karat/lcs.hpp"

#include <algorithm>
#include <cmath>

namespace karat {

void LcsKernel::operator()(const WordPair& pair, std::span<std::int64_t> row) {
    lengths_.assign(pair.reference.size() + 1, 0);
    for (const Symbol word : pair.hypothesis) {
        std::uint32_t diagonal = 0;
        for (std::size_t j = 0; j < pair.reference.size(); ++j) {
            const std::uint32_t above = lengths_[j + 1];
            lengths_[j + 1] = word == pair.reference[j] ? diagonal + 1 : std::max(above, lengths_[j]);
            diagonal = above;
        }
    }
    row[0] = lengths_.back();
}

void WeightedLcsKernel::operator()(const WordPair& pair, std::span<double> row) {
    while (powers_.size() < pair.hypothesis.size() + 2) {
        powers_.push_back(std::pow(static_cast<double>(powers_.size()), weight_));
    }
    cells_.assign(pair.reference.size() + 1, Cell{0, 0});
    for (const Symbol word : pair.hypothesis) {
        Cell diagonal{0, 0};
        for (std::size_t j = 0; j < pair.reference.size(); ++j) {
            const Cell above = cells_[j + 1];
            if (word == pair.reference[j]) {
                const double gain = powers_[diagonal.run + 1] - powers_[diagonal.run];
                cells_[j + 1] = {diagonal.weight + gain, diagonal.run + 1};
            } else {
                cells_[j + 1] = {std::max(above.weight, cells_[j].weight), 0};
            }
            diagonal = above;
        }
    }
    row[0] = cells_.back().weight;
}

}  // namespace karat
