// Any bytes as a table of paraphrases: it is refused, or every entry can be spelled, and comes out as it went in.
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "karat/paraphrases.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t cut = data[0] % size;
    std::vector<std::uint64_t> image;
    try {
        karat::ParaphraseCompiler compiler;
        compiler.add(text.substr(0, cut));
        compiler.add(text.substr(cut));
        image = compiler.finish();
    } catch (const std::invalid_argument&) {
        return 0;
    }
    const auto table = std::make_shared<const karat::ParaphraseTable>(image, nullptr);
    std::vector<karat::Token> types;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n\r", begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        if (!word.empty()) {
            const karat::Token token{word.data(), static_cast<std::uint32_t>(word.size()), karat::hash_bytes(word)};
            if (types.size() < table->word_count() && table->find(token) >= 0) types.push_back(token);
        }
        begin = end + 1;
    }
    const karat::ParaphraseIndex index(table, types);
    std::size_t entries = 0;
    std::vector<std::int32_t> words;
    std::vector<karat::PhraseOccurrence> found;
    for (std::int32_t phrase = 0; phrase < static_cast<std::int32_t>(table->phrase_count()); ++phrase) {
        const auto [first, last] = table->entries(phrase);
        entries += last - first;
        for (std::size_t entry = first; entry < last; ++entry) {
            if (!(table->probability(entry) >= 0) || !table->is_phrase(table->paraphrase(entry))) std::abort();
        }
        if (!table->is_phrase(phrase) || !index.spell(phrase, words)) continue;
        // What was spelled is found again.
        found.clear();
        index.find(words, found);
        bool is_found = false;
        for (const karat::PhraseOccurrence& one : found) is_found = is_found || one.phrase == phrase;
        if (!is_found) std::abort();
    }
    if (entries != table->size()) std::abort();
    return 0;
}
