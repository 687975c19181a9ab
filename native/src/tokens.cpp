#include "karat/tokens.hpp"

#include "karat/unicode.hpp"

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 256;

/// The tokens of one chunk of segments, before the chunks are joined.
struct Chunk {
    std::vector<Token> tokens;
    std::vector<std::uint64_t> ends;

    void add(const char* begin, const char* end) {
        const std::string_view bytes(begin, static_cast<std::size_t>(end - begin));
        tokens.push_back({begin, static_cast<std::uint32_t>(bytes.size()), hash_bytes(bytes)});
    }
};

/// Calls `add(begin, end)` for every maximal run of bytes without Unicode white space.
template <class Add>
void split(std::string_view line, Add add) {
    const char* const end = line.data() + line.size();
    const char* start = nullptr;
    std::size_t length = 1;
    for (const char* p = line.data(); p < end; p += length) {
        const char32_t c = decode(p, length);
        if (!is_space(c)) {
            if (!start) start = p;
        } else if (start) {
            add(start, p);
            start = nullptr;
        }
    }
    if (start) add(start, end);
}

void split_characters(std::string_view line, Chunk& out) {
    const char* const end = line.data() + line.size();
    std::size_t length = 1;
    for (const char* p = line.data(); p < end; p += length) {
        if (!is_space(decode(p, length))) out.add(p, p + length);
    }
}

void tokenize_line(Tokenizer tokenizer, std::string_view line, Chunk& out) {
    switch (tokenizer) {
        case Tokenizer::none: split(line, [&](const char* b, const char* e) { out.add(b, e); }); break;
        case Tokenizer::character: split_characters(line, out); break;
    }
}

}  // namespace

std::uint32_t hash_bytes(std::string_view bytes) noexcept {
    std::uint64_t h = 0x9E3779B97F4A7C15ull ^ bytes.size();
    const char* p = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; p += 8, left -= 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        h = (h ^ word) * 0xFF51AFD7ED558CCDull;
        h ^= h >> 32;
    }
    std::uint64_t tail = 0;
    for (std::size_t i = 0; i < left; ++i)
        tail |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
    h = (h ^ tail) * 0xFF51AFD7ED558CCDull;
    return static_cast<std::uint32_t>(h ^ (h >> 32));
}

Tokens tokenize(std::shared_ptr<const TextColumn> text, Tokenizer tokenizer, unsigned threads,
                const Interrupted& interrupted) {
    const TextColumn& column = *text;
    const std::size_t count = column.size();
    std::vector<Chunk> chunks((count + segments_per_chunk - 1) / segments_per_chunk);
    parallel_for(count, segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        Chunk& chunk = chunks[begin / segments_per_chunk];
        chunk.ends.reserve(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            tokenize_line(tokenizer, column[i], chunk);
            chunk.ends.push_back(chunk.tokens.size());
        }
    });
    Tokens result;
    result.text_ = std::move(text);
    std::size_t total = 0;
    for (const Chunk& chunk : chunks) total += chunk.tokens.size();
    result.tokens_.reserve(total);
    result.offsets_.reserve(count + 1);
    for (const Chunk& chunk : chunks) {
        const std::uint64_t base = result.tokens_.size();
        result.tokens_.insert(result.tokens_.end(), chunk.tokens.begin(), chunk.tokens.end());
        for (const std::uint64_t end : chunk.ends) result.offsets_.push_back(base + end);
    }
    return result;
}

}  // namespace karat
