#include "karat/atec.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace karat {

void AtecKernel::operator()(Words hypothesis, Words reference, std::span<double> row) {
    partners_.assign(hypothesis.size(), static_cast<std::uint32_t>(reference.size()));
    stage_of_.assign(hypothesis.size(), 0);
    used_.assign(reference.size(), 0);
    for (std::size_t stage = 0; stage < stages; ++stage) {
        if (worths_[stage] > 0) align(stage, hypothesis, reference);
    }
    const auto weigh = [this](double sum, std::int32_t word) { return sum + facts_->weight(word); };
    const auto hypothesis_length = static_cast<double>(hypothesis.size());
    const auto reference_length = static_cast<double>(reference.size());
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
        const std::size_t j = partners_[i];
        if (j == reference.size()) continue;
        const double worth = worths_[stage_of_[i]];
        row[0] += worth * facts_->weight(hypothesis[i]);
        row[1] += worth * facts_->weight(reference[j]);
        row[4] += 1;
        row[5] += std::abs(static_cast<double>(i) / hypothesis_length - static_cast<double>(j) / reference_length);
    }
    row[2] = std::accumulate(hypothesis.begin(), hypothesis.end(), 0.0, weigh);
    row[3] = std::accumulate(reference.begin(), reference.end(), 0.0, weigh);
    row[6] = static_cast<double>(ordered_pairs(reference.size()));
}

bool AtecKernel::related(std::size_t stage, std::int32_t a, std::int32_t b) const noexcept {
    switch (stage) {
        case 0: return a == b;
        case 1: return facts_->same_lemma(a, b);
        case 2: return facts_->same_sound(a, b);
        default: return facts_->share_set(a, b);
    }
}

void AtecKernel::align(std::size_t stage, Words hypothesis, Words reference) {
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
        if (partners_[i] < reference.size()) continue;
        std::size_t nearest = reference.size();
        std::size_t distance = hypothesis.size() + reference.size();
        for (std::size_t j = 0; j < reference.size(); ++j) {
            const std::size_t away = i < j ? j - i : i - j;
            if (used_[j] || away >= distance || !related(stage, hypothesis[i], reference[j])) continue;
            nearest = j;
            distance = away;
        }
        if (nearest == reference.size()) continue;
        partners_[i] = static_cast<std::uint32_t>(nearest);
        stage_of_[i] = static_cast<std::uint8_t>(stage);
        used_[nearest] = 1;
    }
}

std::int64_t AtecKernel::ordered_pairs(std::size_t reference_length) {
    tree_.assign(reference_length + 1, 0);
    std::int64_t pairs = 0;
    for (const std::size_t place : partners_) {
        if (place == reference_length) continue;
        for (std::size_t node = place; node > 0; node &= node - 1) pairs += tree_[node];
        for (std::size_t node = place + 1; node <= reference_length; node += node & (~node + 1)) ++tree_[node];
    }
    return pairs;
}

}  // namespace karat
