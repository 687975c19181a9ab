#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "karat/ter.hpp"
#include "karat/ter_distance.hpp"

using namespace karat;

namespace {

Tokens tokens_of(const std::vector<std::string>& lines) {
    std::string arena;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& line : lines) {
        arena += line;
        offsets.push_back(arena.size());
    }
    auto column = std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
    return tokenize(column, Tokenizer::none);
}

std::string repeat(const std::string& word, std::size_t count) {
    std::string line;
    for (std::size_t i = 0; i < count; ++i) line += word + ' ';
    return line;
}

std::string numbers(std::size_t begin, std::size_t end) {
    std::string line;
    for (std::size_t i = begin; i < end; ++i) line += std::to_string(i) + ' ';
    return line;
}

std::uint64_t edits(const std::string& hypothesis, const std::string& reference,
                    TerSearch search = TerSearch::sacrebleu) {
    const Tokens tokens = tokens_of({hypothesis, reference});
    return ter_align(tokens[0], tokens[1], search).edits;
}

}  // namespace

TEST(ter_of_empty_sides) {
    CHECK(edits("", "") == 0);
    CHECK(edits("a b", "") == 2);
    CHECK(edits("", "a b c") == 3);
}

TEST(ter_counts_a_shift_as_one_edit) {
    const Tokens tokens = tokens_of({"on the mat the cat sat", "the cat sat on the mat"});
    const TerAlignment found = ter_align(tokens[0], tokens[1], TerSearch::sacrebleu);
    CHECK(found.edits == 1);
    CHECK(found.shifts.size() == 1);
    CHECK(found.operations == "======");
}

TEST(ter_rows_take_the_nearest_reference_and_the_mean_length) {
    const Tokens hypotheses = tokens_of({"a b x", "c"});
    const Tokens references = tokens_of({"a b c d", "a b x", "c d"});
    const std::vector<std::int64_t> offsets{0, 2, 3};
    for (const unsigned threads : {1u, 3u}) {
        const auto rows = ter_rows(hypotheses, references, offsets, TerSearch::sacrebleu, threads, {});
        CHECK((rows == std::vector<double>{0, 3.5, 1, 2}));
    }
}

TEST(ter_of_pathological_segments_ends) {
    for (const TerSearch search : {TerSearch::sacrebleu, TerSearch::full}) {
        CHECK(edits(repeat("a", 10000), repeat("a", 10000), search) == 0);
        CHECK(edits(repeat("a", 10000), "a", search) == 9999);
        CHECK(edits("a", repeat("a", 10000), search) == 9999);
        CHECK(edits(numbers(0, 30000), numbers(0, 30000), search) == 0);
        CHECK(edits(numbers(9, 12) + numbers(0, 9) + numbers(12, 20000), numbers(0, 20000), search) == 1);
        CHECK(edits(numbers(0, 50000), repeat("x", 3), search) == 50000);
        CHECK(edits(numbers(20, 40) + numbers(0, 20), numbers(0, 40), search) == (search == TerSearch::full ? 2 : 40));
    }
}

TEST(ter_refuses_what_the_full_search_cannot_finish) {
    std::mt19937 random(7);
    std::string sides[2];
    for (auto& side : sides)
        for (int i = 0; i < 60000; ++i) side += random() % 2 ? "a " : "b ";
    bool refused = false;
    try {
        const std::vector<std::int64_t> offsets{0, 1, 2};
        ter_rows(tokens_of({"x", sides[0]}), tokens_of({"x", sides[1]}), offsets, TerSearch::full, 1, {});
    } catch (const TerTooMuchWork& error) {
        refused = error.segment == 1 && error.hypothesis_length == 60000 && error.reference_length == 60000;
    }
    CHECK(refused);
}

/// The operations, and where each of them ends.
template <class Distance>
std::string path_of(const Distance& distance) {
    std::string path;
    distance.trace([&](char operation, std::size_t i, std::size_t j) {
        path += operation + std::to_string(i) + "," + std::to_string(j) + " ";
    });
    return path;
}

// Both kernels on the same words, wherever the bit vectors claim to apply: distance, trace and every rotation.
template <class Bits>
void compare_kernels(std::size_t longest, unsigned vocabulary, unsigned seed) {
    std::mt19937 random(seed);
    const auto words = [&] {
        std::vector<ter::Id> ids(1 + random() % longest);
        for (auto& id : ids) id = random() % (vocabulary + 1);
        return ids;
    };
    auto hypothesis = words();
    auto reference = words();
    for (auto& id : hypothesis) id = id == vocabulary ? ter::unknown_word : id;
    for (auto& id : reference) id = std::min(id, vocabulary - 1);
    ter::Band band;
    band.set(hypothesis.size(), reference.size());
    Bits bits;
    bits.set(hypothesis, reference, vocabulary);
    if (bits.distance() >= band.shortest_outside(hypothesis.size(), reference.size())) return;
    ter::BandDistance cells;
    cells.set(hypothesis, reference, band);
    for (int round = 0; round < 4; ++round) {
        CHECK(path_of(bits) == path_of(cells));
        CHECK(bits.distance() == cells.distance());
        ter::Rotation best{0, 0, 0};
        std::size_t least = bits.distance();
        for (int i = 0; i < 20; ++i) {
            std::uint32_t cuts[3];
            for (auto& cut : cuts) cut = static_cast<std::uint32_t>(random() % (hypothesis.size() + 1));
            std::sort(std::begin(cuts), std::end(cuts));
            const ter::Rotation rotation{cuts[0], cuts[1], cuts[2]};
            const std::size_t before = bits.distance();
            const std::size_t after = bits.after(rotation, before);
            CHECK(after > before ? cells.after(rotation, before) > before : cells.after(rotation, before) == after);
            if (after < least) least = after, best = rotation;
        }
        if (best.end == 0) break;
        bits.apply(best);
        cells.apply(best);
        CHECK(bits.distance() == least);
    }
}

TEST(ter_kernels_agree) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        compare_kernels<ter::BitDistance<1>>(1 + seed % 64, 1 + seed % 17, seed);
        compare_kernels<ter::BitDistance<2>>(1 + seed % 128, 1 + seed % 29, seed);
    }
}

TEST(ter_band_is_whole_for_short_references_and_narrow_for_long_ones) {
    ter::Band band;
    band.set(100, 24);
    CHECK(band.shortest_outside(100, 24) > 124);
    band.set(1000, 1000);
    CHECK(band.low(500) == 475 && band.high(500) == 525);
    CHECK(band.low(1000) == 975 && band.high(1000) == 1001);
    CHECK(band.shortest_outside(1000, 1000) == 50);
    band.set(1, 200);
    CHECK(band.low(1) == 75 && band.high(1) == 201);
}
