// METEOR of 2005: words matched one to one in stages, each with as few crossings as a bounded search can find.
//
// Banerjee & Lavie (2005), METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with Human
// Judgments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "karat/meteor.hpp"

namespace karat {

/// Aligns one pair after another: first equal words, then words of one stem among the rest, then synonyms among what is
/// left. A stage matches as many words as it can and then lets as few pairs of its matches cross as possible; of
/// equally good alignments the one with fewer chunks. Keeps scratch memory, so each thread has its own.
class StagedAligner {
 public:
    StagedAligner(const WordKnowledge& knowledge, std::size_t beam) : knowledge_(knowledge), beam_(beam) {}

    /// The matches of all stages, in the order of the reference. Equal words and stems fall into classes, of which a
    /// largest matching in order leaves few choices: O(beam x choices x words) for them.
    std::span<const MeteorMatch> align(std::span<const std::int32_t> hypothesis,
                                       std::span<const std::int32_t> reference);

    /// How many pairs of matches cross within their stage, in the last alignment.
    std::int64_t crossings() const noexcept { return crossings_; }

 private:
    /// A choice of matches for the reference up to some position.
    struct Path {
        std::int32_t words = 0;
        std::int64_t crossings = 0;
        std::int32_t chunks = 0;
        std::int64_t last = -2;     // the partner of the position right before; -2 if it has none
        std::int32_t history = -1;  // its last match, in history_
        std::uint32_t parent = 0;   // whose words are used
        std::int64_t partner = -1;  // the word that makes it another path than its parent; -1 if none does

        bool better_than(const Path& other) const noexcept;
    };
    struct Step {
        std::uint32_t position;
        std::uint32_t partner;
        std::int32_t previous;
    };

    void run_stage(MeteorModule module, std::span<const std::int32_t> hypothesis,
                   std::span<const std::int32_t> reference);
    void find_classes(MeteorModule module, std::span<const std::int32_t> hypothesis,
                      std::span<const std::int32_t> reference);
    void extend_in_class(const Path& path, std::uint32_t parent, std::uint32_t position);
    void extend_by_synonyms(const Path& path, std::uint32_t parent, std::span<const std::int32_t> hypothesis,
                            std::int32_t word);
    Path with_match(const Path& path, std::uint32_t parent, std::uint32_t partner) const noexcept;
    static Path without_match(const Path& path, std::uint32_t parent) noexcept;
    void keep_best(std::uint32_t position);
    void count_used();
    bool is_used(std::uint32_t path, std::uint32_t word) const noexcept;
    std::int64_t used_after(std::uint32_t path, std::uint32_t word) const noexcept;

    WordKnowledge knowledge_;
    std::size_t beam_;
    std::vector<bool> taken_, reference_taken_;       // by earlier stages
    std::vector<std::vector<std::uint32_t>> places_;  // by class: where it stands in the hypothesis
    std::vector<std::int32_t> class_of_;              // by position in the reference; -1 if in none
    std::vector<std::uint32_t> rank_, count_;         // by position: how many of its class before it, and in all
    std::vector<Path> paths_, next_paths_;
    std::size_t blocks_ = 0;                       // of 64 words
    std::vector<std::uint64_t> used_, next_used_;  // words of the hypothesis used in this stage, by path
    std::vector<std::int32_t> used_beyond_;        // by path and block: how many words are used in later blocks
    std::vector<Step> history_;
    std::vector<MeteorMatch> chosen_;
    std::int64_t crossings_ = 0;
    std::uint64_t choices_ = 0;
};

/// Length of hypothesis and reference, matched words, chunks, and crossings: one row per reference.
constexpr std::size_t staged_columns = 5;

/// Segment i has the references from segments[i] to segments[i + 1].
std::vector<std::int64_t> staged_rows(const NumberedText& hypotheses, const NumberedText& references,
                                      std::span<const std::int64_t> segments, const WordKnowledge& knowledge,
                                      std::size_t beam, unsigned threads, const Interrupted& interrupted);

/// For each word of hypothesis i the position in reference i of the word it is matched with, -1 where there is none.
std::vector<std::int32_t> staged_partners(const NumberedText& hypotheses, const NumberedText& references,
                                          const WordKnowledge& knowledge, std::size_t beam, unsigned threads,
                                          const Interrupted& interrupted);

}  // namespace karat
