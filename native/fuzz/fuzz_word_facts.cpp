// Any bytes as numbers of eight words with facts: matchings must be possible, and worth no more than what they match.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "karat/atec.hpp"
#include "karat/tesla.hpp"
#include "karat/word_facts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2 || size > 400) return 0;
    static const karat::WordFacts facts({0, 0, 0, 1, 2, 2, -1, -1}, {0, 1, 1, 2, -1, 0, 2, -1},
                                        {0, 1, 2, 2, 4, 6, 7, 9, 9}, {1, 2, 1, 2, 2, 3, 3, 1, 3},
                                        {1, 0.1, 0.5, 1, 0.3, 1, 0, 0.7});
    std::vector<std::int32_t> words(data + 1, data + size);
    for (std::int32_t& word : words) word %= 8;
    const std::size_t split = data[0] % words.size();
    const std::span<const std::int32_t> all(words);
    const auto hypothesis = all.first(split);
    const auto reference = all.subspan(split);

    constexpr std::size_t orders = 3;
    std::vector<double> tesla(3 * orders);
    karat::TeslaKernel(facts, orders, 0.6)(hypothesis, reference, tesla);
    for (std::size_t n = 0; n < orders; ++n) {
        const double most = std::min(tesla[3 * n + 1], tesla[3 * n + 2]);
        if (!(tesla[3 * n] >= 0 && tesla[3 * n] <= most + 1e-9)) std::abort();
    }
    std::vector<double> atec(karat::AtecKernel::columns);
    karat::AtecKernel(facts, {1, 0.9, 0.5, 0.7})(hypothesis, reference, atec);
    if (atec[0] > atec[2] + 1e-9 || atec[1] > atec[3] + 1e-9) std::abort();
    if (2 * atec[6] > atec[4] * (atec[4] - 1)) std::abort();
    return 0;
}
