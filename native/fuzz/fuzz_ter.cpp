// Bytes become two token sequences; whatever they are, TER has to keep its promises.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "karat/ter.hpp"
#include "karat/tercom.hpp"

namespace {

using Words = std::vector<std::string>;

void require(bool condition) {
    if (!condition) std::abort();
}

karat::Tokens tokens_of(const Words& hypothesis, const Words& reference) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const Words* side : {&hypothesis, &reference}) {
        for (const std::string& word : *side) arena += word + ' ';
        offsets.push_back(arena.size());
    }
    auto column = std::make_shared<const karat::TextColumn>(std::move(arena), std::move(offsets));
    return karat::tokenize(column, karat::Tokenizer::none);
}

std::size_t shared_words(Words a, Words b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    Words both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both.size();
}

void check_alignment(Words words, const Words& reference, const karat::TerAlignment& found) {
    for (const auto& [start, length, target] : found.shifts) {
        require(length >= 1 && length <= 10 && start + length <= words.size() && target + length <= words.size());
        const Words block(words.begin() + start, words.begin() + start + length);
        words.erase(words.begin() + start, words.begin() + start + length);
        words.insert(words.begin() + target, block.begin(), block.end());
    }
    std::size_t i = 0;
    std::size_t j = 0;
    std::size_t errors = 0;
    for (const char operation : found.operations) {
        if (operation == '=' || operation == 'S') {
            require(i < words.size() && j < reference.size());
            require((words[i] == reference[j]) == (operation == '='));
        }
        i += operation != 'I';
        j += operation != 'D';
        errors += operation != '=';
    }
    require(i == words.size() && j == reference.size());
    require(found.edits == found.shifts.size() + errors);
}

}  // namespace

/// The first byte sets the size of the vocabulary, the second where the hypothesis ends, the third how far words
/// repeat.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const unsigned vocabulary = 1 + data[0];
    const std::size_t copies = 1 + data[2] % 3;
    Words words;
    for (std::size_t copy = 0; copy < copies; ++copy)
        for (std::size_t i = 3; i < size; ++i) words.push_back(std::to_string((data[i] + 7 * copy) % vocabulary));
    const auto cut = words.begin() + static_cast<std::ptrdiff_t>(words.size() * data[1] / 255);
    const Words hypothesis(words.begin(), cut);
    const Words reference(cut, words.end());
    const karat::Tokens tokens = tokens_of(hypothesis, reference);
    const std::size_t longer = std::max(hypothesis.size(), reference.size());
    for (const auto search : {karat::TerSearch::sacrebleu, karat::TerSearch::full}) {
        if (search == karat::TerSearch::full && words.size() > 160) continue;  // too slow to learn much from
        try {
            const karat::TerAlignment found = karat::ter_align(tokens[0], tokens[1], search);
            require(found.edits <= longer);
            require(found.edits >= longer - shared_words(hypothesis, reference));
            check_alignment(hypothesis, reference, found);
        } catch (const karat::TerTooMuchWork& error) {
            require(search == karat::TerSearch::full && error.hypothesis_length == hypothesis.size());
        }
    }
    std::string ascii(reinterpret_cast<const char*>(data), size);
    for (char& c : ascii) c = static_cast<char>(c & 0x7F);
    for (unsigned options = 0; options < 8; ++options) {
        const karat::TercomOptions chosen{(options & 1) != 0, (options & 2) != 0, (options & 4) != 0};
        const std::string once = karat::tercom_normalize(ascii, chosen);
        require(once.empty() || (once.front() != ' ' && once.back() != ' '));
        require(once.find("  ") == std::string::npos);
    }
    return 0;
}
