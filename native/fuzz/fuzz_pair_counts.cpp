// Any scores in any groups: pairs of all kinds add up to all pairs, and calibrated ties are no worse than none.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "karat/pair_counts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<double> gold, scores;
    std::vector<std::int64_t> offsets{0};
    for (std::size_t i = 0; i + 2 < size && gold.size() < 300; i += 3) {
        gold.push_back(data[i] % 16);
        scores.push_back(data[i + 1] / 8.0);
        if (data[i + 2] % 32 == 0) offsets.push_back(static_cast<std::int64_t>(gold.size()));
    }
    offsets.push_back(static_cast<std::int64_t>(gold.size()));
    if (size == 0) return 0;
    const auto best = karat::calibrate_ties(gold, scores, offsets, {});
    for (const double epsilon : {0.0, best.epsilon}) {
        const auto rows = karat::pair_counts({gold, scores, scores, offsets}, data[0] % 3, epsilon, 1, {});
        for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
            for (auto i = static_cast<std::size_t>(offsets[g]); i < static_cast<std::size_t>(offsets[g + 1]); ++i) {
                std::int64_t sum = 0;
                for (std::size_t kind = 0; kind < 5; ++kind) {
                    if (rows[5 * i + kind] < 0) std::abort();
                    sum += rows[5 * i + kind];
                }
                if (sum != offsets[g + 1] - offsets[g] - 1) std::abort();
            }
        }
    }
    if (!(best.accuracy >= 0 && best.accuracy <= 1 + 1e-9)) std::abort();
    return 0;
}
