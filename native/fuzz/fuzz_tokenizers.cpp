// Arbitrary bytes become lines or are refused; whatever is a line goes through every tokenizer.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "karat/columns.hpp"
#include "karat/tokens.hpp"
#include "karat/unicode.hpp"

namespace {

using karat::Token;
using karat::Tokenizer;

void require(bool condition) {
    if (!condition) std::abort();
}

std::string without_space(std::string_view line) {
    std::string kept;
    std::size_t length;
    for (std::size_t i = 0; i < line.size(); i += length) {
        if (!karat::is_space(karat::decode(line.data() + i, length))) kept.append(line.substr(i, length));
    }
    return kept;
}

void check(const karat::SharedColumn& column, Tokenizer tokenizer) {
    const karat::Tokens tokens = karat::tokenize(column, tokenizer);
    require(tokens.size() == column->size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::string joined;
        for (const Token& token : tokens[i]) {
            require(token.size > 0 && token.hash == karat::hash_bytes(token.view()));
            require(without_space(token.view()) == token.view());
            joined.append(token.view());
        }
        require(karat::valid_utf8_prefix(joined) == joined.size());
        // 13a drops and rewrites some text; all others only put spaces in.
        if (tokenizer != Tokenizer::v13a) require(joined == without_space((*column)[i]));
    }
}

void check_all(const karat::SharedColumn& column) {
    for (const Tokenizer tokenizer : {Tokenizer::none, Tokenizer::character, Tokenizer::v13a, Tokenizer::international,
                                      Tokenizer::chinese, Tokenizer::chinese_fixed})
        check(column, tokenizer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try {
        check_all(std::make_shared<const karat::TextColumn>(karat::split_lines(bytes)));
        // As one string, so that tokenizers meet newlines as well.
        check_all(std::make_shared<const karat::TextColumn>(std::string(bytes), std::vector<std::uint64_t>{0, size}));
    } catch (const karat::InvalidUtf8& error) {
        require(error.offset < size && error.line >= 1);
        require(karat::valid_utf8_prefix(bytes.substr(0, error.offset)) == error.offset);
    }
    return 0;
}
