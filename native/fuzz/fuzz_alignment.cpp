// Any bytes as numbers of eight words: what METEOR and TER-Plus find must be possible, and the same with marks of
// synsets, which only save time, as without.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "karat/meteor.hpp"
#include "karat/meteor_stages.hpp"
#include "karat/paraphrases.hpp"
#include "karat/set_marks.hpp"
#include "karat/terp.hpp"

namespace {

using Ids = std::vector<std::int32_t>;

const std::vector<std::uint8_t> function{0, 0, 1, 0, 0, 0, 1, 0};
const Ids stems{0, 0, 1, 2, 3, 3, 4, 5};
const std::vector<std::int64_t> synset_offsets{0, 1, 2, 2, 4, 6, 7, 9, 9};
const Ids synsets{1, 2, 1, 2, 2, 3, 3, 1, 3};
const std::vector<std::uint64_t> marks = karat::marks_of(synset_offsets, synsets);

const karat::ParaphraseIndex& index() {
    static const karat::ParaphraseIndex made = [] {
        karat::ParaphraseCompiler compiler;
        compiler.add("0.5\na b\nc\n0.25\nc\na b\n1\nd\ne f\n0.125\na b c\nd\n0.5\na\na a\n0\nb\ng\n");
        const auto image = std::make_shared<const std::vector<std::uint64_t>>(compiler.finish());
        const auto table = std::make_shared<const karat::ParaphraseTable>(*image, image);
        std::vector<karat::Token> types;
        for (const std::string_view word : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
            types.push_back({word.data(), 1, karat::hash_bytes(word)});
        }
        return karat::ParaphraseIndex(table, types);
    }();
    return made;
}

void check_matches(std::span<const karat::MeteorMatch> matches, std::size_t hypothesis, std::size_t reference) {
    std::vector<bool> used(hypothesis, false), reference_used(reference, false);
    const auto use = [](std::vector<bool>& words, std::size_t start, std::size_t length) {
        for (std::size_t k = start; k < start + length; ++k) {
            if (k >= words.size() || words[k]) std::abort();
            words[k] = true;
        }
    };
    for (const karat::MeteorMatch& match : matches) {
        use(used, match.start, match.length);
        use(reference_used, match.reference_start, match.reference_length);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3 || size > 120) return 0;
    Ids words(data + 2, data + size);
    for (std::int32_t& word : words) word %= 8;
    const std::size_t split = data[0] % words.size();
    const std::vector<std::int64_t> left{0, static_cast<std::int64_t>(split)};
    const std::vector<std::int64_t> right{0, static_cast<std::int64_t>(words.size() - split)};
    const std::vector<std::int64_t> segments{0, 1};
    const karat::NumberedText hypothesis{std::span(words).first(split), left};
    const karat::NumberedText reference{std::span(words).subspan(split), right};

    karat::WordKnowledge knowledge{function, stems, synset_offsets, synsets, {}, nullptr, {true, true, true, false}};
    const std::size_t beam = 1 + data[1] % 5;
    std::vector<std::int64_t> rows[2];
    std::vector<double> edits[2];
    for (const bool with_marks : {false, true}) {
        knowledge.synset_marks = with_marks ? std::span(marks) : std::span<const std::uint64_t>();
        rows[with_marks] = karat::staged_rows(hypothesis, reference, segments, knowledge, beam, 1, {});
        if (data[1] & 64) {
            knowledge.paraphrases = &index();
            knowledge.used[3] = true;
        }
        const auto search = data[1] & 32 ? karat::MeteorSearch::released : karat::MeteorSearch::published;
        karat::MeteorAligner aligner(knowledge, search, beam);
        check_matches(aligner.align(hypothesis[0], reference[0]), split, words.size() - split);
        const karat::TerpCosts costs{0, 1.5, 0.25, 1.625, 0.5, 0.125, 0.5 * (data[1] % 3), {-0.25, -0.125, 0, 0.25}};
        const karat::TerpOptions options{costs, data[1] & 16 ? 35.0 : 1.0, 1 + data[1] % 7u, data[1] % 11u};
        edits[with_marks] = karat::terp_rows(hypothesis, reference, segments, knowledge, options, 1, {});
        const double most = 0.25 * static_cast<double>(split) + 1.5 * static_cast<double>(words.size() - split);
        if (!(edits[with_marks][0] >= 0 && edits[with_marks][0] <= most + 1e-9)) std::abort();
        knowledge.paraphrases = nullptr;
        knowledge.used[3] = false;
    }
    if (rows[0] != rows[1] || edits[0] != edits[1]) std::abort();
    return 0;
}
