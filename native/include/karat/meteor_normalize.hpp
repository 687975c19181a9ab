// The text rewriting that precedes METEOR: its normaliser, as METEOR 1.5's program has it.
//
// A line is rewritten by substitutions, each over the result of the one before, every match starting behind the last:
//   1. characters that are neither letters, digits nor listed marks stand alone; curly quotes and dashes become ASCII;
//   2. two apostrophes are a quotation mark, and several points stand alone;
//   3. commas stand alone unless digits are on both sides, and two hyphens become one;
//   4. apostrophes are parted from what is beside them, by language;
//   5. hyphens between letters or digits part words;
//   6. points at the end of words: U.S. loses them, an abbreviation keeps its point, others stand alone.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "karat/parallel.hpp"
#include "karat/text_column.hpp"

namespace karat {

/// Where an apostrophe between letters goes: it 's (English), l' homme (French), or it stands alone.
enum class Apostrophes : std::uint8_t { english, french, alone };

using MeteorPrefixes = std::set<std::u32string, std::less<>>;

struct MeteorNormalizeOptions {
    Apostrophes apostrophes = Apostrophes::alone;
    bool punctuation = true;        // false: marks are deleted
    MeteorPrefixes always;          // abbreviations, without their point
    MeteorPrefixes before_numbers;  // those that are such before a digit only
};

/// The abbreviations in a column of strings.
MeteorPrefixes meteor_prefixes(const TextColumn& words);

/// One line, rewritten: words with single spaces between them. Case is left alone. O(bytes x log prefixes).
std::string meteor_normalize(std::string_view line, const MeteorNormalizeOptions& options);

/// Every string of a column, rewritten; the result is the same for every number of threads.
TextColumn meteor_normalize(const TextColumn& text, const MeteorNormalizeOptions& options, unsigned threads,
                            const Interrupted& interrupted);

}  // namespace karat
