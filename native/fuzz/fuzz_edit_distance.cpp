// Any bytes that are UTF-8, cut into a hypothesis and references at newlines: rows must be made, and agree.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "fuzz_lines.hpp"
#include "karat/character.hpp"
#include "karat/edit_distance.hpp"
#include "karat/eed.hpp"
#include "karat/hyter.hpp"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const karat::fuzz::Lines lines(data, size);
    if (!lines.usable()) return 0;
    const karat::Tokens hypothesis = karat::tokenize(lines.hypothesis(), karat::Tokenizer::character);
    const karat::Tokens references = karat::tokenize(lines.references(), karat::Tokenizer::character);
    const auto chosen_rows = [&](karat::EditRow row, karat::ReferenceChoice choice) {
        return karat::edit_rows(hypothesis, references, lines.offsets(), row, choice, 1, {});
    };
    const auto rows = [&](karat::EditRow row) { return chosen_rows(row, karat::ReferenceChoice::fewest_edits); };
    const auto edits = rows(karat::EditRow::levenshtein);
    const auto operations = rows(karat::EditRow::operations);
    const auto jumps = rows(karat::EditRow::cder);
    const auto bag = rows(karat::EditRow::bag);
    require(operations[1] + operations[2] + operations[3] == edits[0]);
    require(operations[0] + operations[1] + operations[2] == edits[1]);
    require(operations[4] >= 0 && operations[4] <= std::min(operations[2], operations[3]));
    require(jumps[0] <= edits[0] && bag[0] <= edits[0] && bag[0] == std::max(bag[2], bag[3]) - bag[1]);
    const auto characters =
        karat::edit_rows(*lines.hypothesis(), *lines.references(), lines.offsets(), karat::EditRow::levenshtein,
                         karat::ReferenceChoice::fewest_edits, false, 1, {});
    require(characters == edits);
    const double score =
        karat::eed_scores(hypothesis, references, lines.offsets(), {2.0, 0.3, 0.2, 1.0, false}, 1, {})[0];
    require(score >= 0 && score <= 1);
    const double shifted = karat::character_scores(hypothesis, references, lines.offsets(), 1, {})[0];
    require(shifted >= 0 && shifted <= 1);
    // A group of all references is as close as the closest of them.
    std::vector<std::int32_t> steps{karat::open_group};
    for (std::size_t k = 0; k < references.size(); ++k) {
        if (k > 0) steps.push_back(karat::next_alternative);
        steps.push_back(static_cast<std::int32_t>(k));
    }
    steps.push_back(karat::close_group);
    const std::vector<std::int64_t> starts{0, static_cast<std::int64_t>(steps.size())};
    const std::vector<std::int64_t> one{0, 1};
    const auto string = [&](karat::ReferenceChoice choice) {
        return karat::hyter_rows(hypothesis, references, {steps, starts}, one, 1, choice, 1, {});
    };
    const auto closest = string(karat::ReferenceChoice::fewest_edits);
    require(closest[0] == edits[0] && closest[1] >= edits[1]);
    // The best rate is found in the group as it is among the references, and is no higher than that of the closest.
    const auto best = chosen_rows(karat::EditRow::levenshtein, karat::ReferenceChoice::error_rate);
    require(string(karat::ReferenceChoice::error_rate) == best);
    require(edits[1] == 0 || best[1] == 0 || best[0] * edits[1] <= edits[0] * best[1]);
    const auto aligned = chosen_rows(karat::EditRow::operations, karat::ReferenceChoice::error_rate);
    require(aligned[1] + aligned[2] + aligned[3] == best[0] && aligned[0] + aligned[1] + aligned[2] == best[1]);
    return 0;
}
