// METEOR: words and phrases of a hypothesis matched with those of a reference, by a beam search.
//
// Denkowski & Lavie (2014), Meteor Universal. The alignment of METEOR 1.5 was found out by running its program; where
// it is not the one that the paper describes, `MeteorSearch::released` is the program's and `published` the paper's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/edit_distance.hpp"
#include "karat/parallel.hpp"
#include "karat/paraphrases.hpp"

namespace karat {

enum class MeteorModule : std::uint8_t { exact, stem, synonym, paraphrase };
constexpr std::size_t meteor_modules = 4;

/// A column of segments as numbers of word types.
struct NumberedText {
    std::span<const std::int32_t> ids;
    std::span<const std::int64_t> offsets;  // where each segment starts, and the end

    std::span<const std::int32_t> operator[](std::size_t segment) const noexcept {
        const auto begin = static_cast<std::size_t>(offsets[segment]);
        return ids.subspan(begin, static_cast<std::size_t>(offsets[segment + 1]) - begin);
    }
};

/// What is known about each word type. What a module does not use may be left empty.
struct WordKnowledge {
    std::span<const std::uint8_t> function;        // 1 for a function word
    std::span<const std::int32_t> stems;           // equal numbers are equal stems
    std::span<const std::int64_t> synset_offsets;  // where the synsets of each type start, and the end
    std::span<const std::int32_t> synsets;         // ascending within a type
    std::span<const std::uint64_t> synset_marks;   // by type, as `marks_of` makes them; may be left empty
    const ParaphraseIndex* paraphrases = nullptr;
    std::array<bool, meteor_modules> used{};  // by module
};

/// `released`: the words of exact matches count in full, those of others as half and rounded down, and the distance of
/// a match is charged to the path that leaves it out. `published`: all matched words count in full, then fewest chunks
/// decide, then the least sum of distances between the positions of the matches.
enum class MeteorSearch : std::uint8_t { released, published };

/// Words from `start` on matched with words of the reference from `reference_start` on.
struct MeteorMatch {
    std::uint32_t start;
    std::uint32_t length;
    std::uint32_t reference_start;
    std::uint32_t reference_length;
    MeteorModule module;
};

/// Aligns one pair after another. Keeps scratch memory, so each thread has its own.
class MeteorAligner {
 public:
    MeteorAligner(const WordKnowledge& knowledge, MeteorSearch search, std::size_t beam)
        : knowledge_(knowledge), search_(search), beam_(beam) {}

    /// The matches chosen, in the order of the reference. O(beam x candidate matches + beam x words^2 / 64).
    std::span<const MeteorMatch> align(std::span<const std::int32_t> hypothesis,
                                       std::span<const std::int32_t> reference);

 private:
    /// An alignment of the reference up to some position.
    struct Path {
        std::int32_t words = 0;  // matched in the hypothesis, as the search counts them
        std::int32_t reference_words = 0;
        std::int32_t chunks = 0;  // that are closed
        std::int32_t distance = 0;
        std::int64_t last_end = -1;  // of the match right before, in the hypothesis; -1 if there is none
        std::uint32_t next = 0;      // first position of the reference that no match covers
        std::int32_t history = -1;   // its last match, in history_

        bool better_than(const Path& other) const noexcept {
            const std::int32_t all = words + reference_words, all_others = other.words + other.reference_words;
            if (all != all_others) return all > all_others;
            return chunks != other.chunks ? chunks < other.chunks : distance < other.distance;
        }
    };
    struct Candidate {
        Path path;
        std::uint32_t parent;  // whose words are used
        std::int64_t match;    // the match that makes it another path than its parent; -1 if none does
    };
    /// How good a candidate is, in two numbers that are quick to sort by: matched words, the most first, and chunks;
    /// distance, and when it was offered, because of two equally good ones the earlier counts as better.
    struct Rank {
        std::uint64_t words_and_chunks;
        std::uint64_t distance_and_ordinal;
        std::uint32_t candidate;

        bool operator<(const Rank& other) const noexcept {
            if (words_and_chunks != other.words_and_chunks) return words_and_chunks < other.words_and_chunks;
            return distance_and_ordinal < other.distance_and_ordinal;
        }
    };
    struct Step {
        std::uint32_t match;
        std::int32_t previous;
    };

    void find_matches(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference);
    void find_words(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference);
    void find_phrases(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference);
    void sort_matches(std::size_t reference_length);
    void find_fixed(std::size_t hypothesis_length, std::size_t reference_length);
    void advance(std::uint32_t position);
    void extend(const Path& path, std::uint32_t parent, std::uint32_t position);
    void offer(const Path& path, std::uint32_t parent, std::int64_t match);
    void keep_best();
    void materialise();

    // What the innermost loop does.
    static Rank rank_of(const Path& path, std::uint32_t ordinal, std::size_t candidate) noexcept {
        const std::uint32_t fewer = ~static_cast<std::uint32_t>(path.words + path.reference_words);
        const std::uint32_t distance = static_cast<std::uint32_t>(path.distance) ^ 0x80000000u;  // negative ones first
        return {std::uint64_t{fewer} << 32 | static_cast<std::uint32_t>(path.chunks),
                std::uint64_t{distance} << 32 | ordinal, static_cast<std::uint32_t>(candidate)};
    }

    std::int32_t counted(std::int32_t before, std::uint32_t length, MeteorModule module) const noexcept {
        const bool in_full = search_ == MeteorSearch::published || module == MeteorModule::exact;
        return before + static_cast<std::int32_t>(in_full ? length : length / 2);
    }

    Path with_match(const Path& path, const MeteorMatch& match) const noexcept {
        Path longer = path;
        longer.words = counted(path.words, match.length, match.module);
        longer.reference_words = counted(path.reference_words, match.reference_length, match.module);
        longer.chunks += path.last_end >= 0 && path.last_end != match.start;
        longer.last_end = match.start + match.length;
        longer.next = match.reference_start + match.reference_length;
        return longer;
    }

    bool is_used(std::uint32_t path, const MeteorMatch& match) const noexcept {
        const std::uint64_t* used = used_.data() + path * blocks_;
        for (std::uint32_t k = match.start; k < match.start + match.length; ++k) {
            if (used[k / 64] >> (k % 64) & 1) return true;
        }
        return false;
    }

    WordKnowledge knowledge_;
    MeteorSearch search_;
    std::size_t beam_;
    std::vector<MeteorMatch> found_, matches_;  // as found, and by position in the reference
    std::vector<std::uint32_t> starts_;         // by position in the reference, into matches_
    std::vector<std::int64_t> fixed_;           // by position in the reference: the only match there, or -1
    std::vector<std::uint32_t> coverage_, reference_coverage_;
    std::vector<PhraseOccurrence> in_hypothesis_, in_reference_;
    PhrasePlaces phrase_places_;
    std::vector<Path> paths_;
    std::vector<Candidate> candidates_;
    std::vector<Rank> ranks_;  // of those candidates that may be kept
    std::uint32_t ordinal_ = 0;
    bool is_bounded_ = false;
    Rank bound_{};                                 // what a further candidate must be better than
    std::size_t blocks_ = 0;                       // of 64 words
    std::vector<std::uint64_t> used_, next_used_;  // words of the hypothesis, by path
    std::vector<Step> history_;
    std::vector<MeteorMatch> chosen_;
};

/// How many matches a pair of segments may have: two texts of 1,700 equal words each have as many.
inline constexpr std::size_t meteor_matches = 3'000'000;

/// How many choices the search for the stages of METEOR 2005 looks at in a pair of segments.
inline constexpr std::uint64_t staged_choices = 50'000'000;

/// What `work` gives; a pair of segments that is too much for it is refused with its number.
template <class Work>
auto of_segment(std::size_t segment, const Work& work) {
    try {
        return work();
    } catch (EditTooMuchWork& error) {
        error.segment = segment;
        throw;
    }
}

/// How many chunks matches in the order of the reference form: runs that have no gap and no jump in either text.
std::int64_t chunk_count(std::span<const MeteorMatch> matches) noexcept;

/// Whether two word types have a synset in common.
bool share_synset(const WordKnowledge& knowledge, std::int32_t a, std::int32_t b) noexcept;

/// Lengths of hypothesis and reference, function words in both; for each module the matched content words of both
/// and the matched function words of both; chunks (0 if the only chunk covers everything), matched words of both.
constexpr std::size_t meteor_columns = 4 + 4 * meteor_modules + 3;

/// One row of `meteor_columns` per reference; segment i has the references from segments[i] to segments[i + 1].
std::vector<std::int64_t> meteor_rows(const NumberedText& hypotheses, const NumberedText& references,
                                      std::span<const std::int64_t> segments, const WordKnowledge& knowledge,
                                      MeteorSearch search, std::size_t beam, unsigned threads,
                                      const Interrupted& interrupted);

}  // namespace karat
