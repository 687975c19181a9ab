#include "karat/meteor.hpp"

#include <algorithm>
#include <cstdlib>

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 32;
constexpr std::size_t more_candidates = 64;  // than are kept, before the worst of them are dropped

std::uint32_t distance(const MeteorMatch& match) noexcept {
    return match.start > match.reference_start ? match.start - match.reference_start
                                               : match.reference_start - match.start;
}

/// Sums wrap around, as those of the released program do.
std::int32_t wrapping_sum(std::int32_t a, std::uint32_t b) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + b);
}

void write_row(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
               std::span<const MeteorMatch> matches, std::span<const std::uint8_t> function,
               std::span<std::int64_t> row) {
    const auto is_function = [&](std::int32_t type) {
        return !function.empty() && function[static_cast<std::size_t>(type)] != 0;
    };
    const auto length = static_cast<std::int64_t>(hypothesis.size());
    const auto reference_length = static_cast<std::int64_t>(reference.size());
    row[0] = length;
    row[1] = reference_length;
    row[2] = std::count_if(hypothesis.begin(), hypothesis.end(), is_function);
    row[3] = std::count_if(reference.begin(), reference.end(), is_function);
    const auto totals = row.subspan(4 + 4 * meteor_modules);
    for (const MeteorMatch& match : matches) {
        const auto counts = row.subspan(4 + 4 * static_cast<std::size_t>(match.module), 4);
        for (const std::int32_t type : hypothesis.subspan(match.start, match.length)) {
            ++counts[is_function(type) ? 2 : 0];
        }
        for (const std::int32_t type : reference.subspan(match.reference_start, match.reference_length)) {
            ++counts[is_function(type) ? 3 : 1];
        }
        totals[1] += match.length;
        totals[2] += match.reference_length;
    }
    totals[0] = chunk_count(matches);
    if (totals[0] == 1 && totals[1] == length && totals[2] == reference_length) totals[0] = 0;
}

}  // namespace

std::int64_t chunk_count(std::span<const MeteorMatch> matches) noexcept {
    std::int64_t chunks = 0;
    for (std::size_t k = 0; k < matches.size(); ++k) {
        chunks += k == 0 || matches[k - 1].start + matches[k - 1].length != matches[k].start ||
                  matches[k - 1].reference_start + matches[k - 1].reference_length != matches[k].reference_start;
    }
    return chunks;
}

bool share_synset(const WordKnowledge& knowledge, std::int32_t a, std::int32_t b) noexcept {
    const auto marks = knowledge.synset_marks;
    if (!marks.empty() && (marks[static_cast<std::size_t>(a)] & marks[static_cast<std::size_t>(b)]) == 0) return false;
    const auto synsets_of = [&](std::int32_t type) {
        const auto begin = static_cast<std::size_t>(knowledge.synset_offsets[static_cast<std::size_t>(type)]);
        const auto end = static_cast<std::size_t>(knowledge.synset_offsets[static_cast<std::size_t>(type) + 1]);
        return knowledge.synsets.subspan(begin, end - begin);
    };
    const auto left = synsets_of(a), right = synsets_of(b);
    for (std::size_t x = 0, y = 0; x < left.size() && y < right.size();) {
        if (left[x] == right[y]) return true;
        ++(left[x] < right[y] ? x : y);
    }
    return false;
}

std::span<const MeteorMatch> MeteorAligner::align(std::span<const std::int32_t> hypothesis,
                                                  std::span<const std::int32_t> reference) {
    find_matches(hypothesis, reference);
    find_fixed(hypothesis.size(), reference.size());
    blocks_ = (hypothesis.size() + 63) / 64;
    history_.clear();
    paths_.assign(1, Path{});
    used_.assign(blocks_, 0);
    for (std::uint32_t position = 0; position < reference.size(); ++position) advance(position);
    for (Path& path : paths_) path.chunks += path.last_end >= 0;
    const auto best =
        std::min_element(paths_.begin(), paths_.end(), [](const Path& a, const Path& b) { return a.better_than(b); });
    chosen_.clear();
    for (std::int32_t step = best->history; step >= 0; step = history_[static_cast<std::size_t>(step)].previous) {
        chosen_.push_back(matches_[history_[static_cast<std::size_t>(step)].match]);
    }
    std::reverse(chosen_.begin(), chosen_.end());
    return chosen_;
}

void MeteorAligner::find_matches(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    found_.clear();
    find_words(hypothesis, reference);
    if (knowledge_.used[static_cast<std::size_t>(MeteorModule::paraphrase)]) find_phrases(hypothesis, reference);
    sort_matches(reference.size());
}

void MeteorAligner::find_words(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    const auto add_all = [&](MeteorModule module, const auto& matched) {
        if (!knowledge_.used[static_cast<std::size_t>(module)]) return;
        for (std::uint32_t i = 0; i < reference.size(); ++i) {
            for (std::uint32_t j = 0; j < hypothesis.size(); ++j) {
                if (matched(hypothesis[j], reference[i])) found_.push_back({j, 1, i, 1, module});
            }
            if (found_.size() > meteor_matches) throw EditTooMuchWork(hypothesis.size(), reference.size());
            keep_going(hypothesis.size());
        }
    };
    add_all(MeteorModule::exact, [](std::int32_t a, std::int32_t b) { return a == b; });
    add_all(MeteorModule::stem, [&](std::int32_t a, std::int32_t b) {
        return knowledge_.stems[static_cast<std::size_t>(a)] == knowledge_.stems[static_cast<std::size_t>(b)] && a != b;
    });
    add_all(MeteorModule::synonym,
            [&](std::int32_t a, std::int32_t b) { return a != b && share_synset(knowledge_, a, b); });
}

void MeteorAligner::find_phrases(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    in_hypothesis_.clear();
    in_reference_.clear();
    knowledge_.paraphrases->find(hypothesis, in_hypothesis_);
    knowledge_.paraphrases->find(reference, in_reference_);
    const ParaphraseTable& table = knowledge_.paraphrases->table();
    // The table goes one way: a match is found from either side, and twice where the table has both ways.
    const auto find_from = [&](std::span<const PhraseOccurrence> here, std::span<const PhraseOccurrence> there,
                               const auto& match_of) {
        phrase_places_.set(there);
        for (const PhraseOccurrence& one : here) {
            const auto [first, last] = table.entries(one.phrase);
            for (std::size_t entry = first; entry < last; ++entry) {
                for (const PhraseOccurrence& other : phrase_places_.of(table.paraphrase(entry))) {
                    found_.push_back(match_of(one, other));
                }
            }
            if (found_.size() > meteor_matches) throw EditTooMuchWork(hypothesis.size(), reference.size());
            keep_going(last - first);
        }
    };
    find_from(in_reference_, in_hypothesis_, [](const PhraseOccurrence& r, const PhraseOccurrence& h) {
        return MeteorMatch{h.start, h.length, r.start, r.length, MeteorModule::paraphrase};
    });
    find_from(in_hypothesis_, in_reference_, [](const PhraseOccurrence& h, const PhraseOccurrence& r) {
        return MeteorMatch{h.start, h.length, r.start, r.length, MeteorModule::paraphrase};
    });
}

void MeteorAligner::sort_matches(std::size_t reference_length) {
    starts_.assign(reference_length + 2, 0);
    for (const MeteorMatch& match : found_) ++starts_[match.reference_start + 2];
    for (std::size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    matches_.resize(found_.size());
    // starts_[i + 1] is where the next match at i goes, and ends up as where those at i + 1 begin.
    for (const MeteorMatch& match : found_) matches_[starts_[match.reference_start + 1]++] = match;
}

/// A match that shares no word with any other is taken whatever else happens.
void MeteorAligner::find_fixed(std::size_t hypothesis_length, std::size_t reference_length) {
    coverage_.assign(hypothesis_length, 0);
    reference_coverage_.assign(reference_length, 0);
    for (const MeteorMatch& match : matches_) {
        for (std::uint32_t k = 0; k < match.length; ++k) ++coverage_[match.start + k];
        for (std::uint32_t k = 0; k < match.reference_length; ++k) ++reference_coverage_[match.reference_start + k];
    }
    fixed_.assign(reference_length, -1);
    const auto is_one = [](std::uint32_t count) { return count == 1; };
    for (std::size_t m = 0; m < matches_.size(); ++m) {
        const MeteorMatch& match = matches_[m];
        const auto words = std::span(coverage_).subspan(match.start, match.length);
        const auto reference = std::span(reference_coverage_).subspan(match.reference_start, match.reference_length);
        if (std::all_of(words.begin(), words.end(), is_one) &&
            std::all_of(reference.begin(), reference.end(), is_one)) {
            fixed_[match.reference_start] = static_cast<std::int64_t>(m);
        }
    }
}

/// Replaces all paths by the best of those that also decide about one more word of the reference.
void MeteorAligner::advance(std::uint32_t position) {
    keep_going(paths_.size() * (starts_[position + 1] - starts_[position] + blocks_));
    candidates_.clear();
    ranks_.clear();
    ordinal_ = 0;
    is_bounded_ = false;
    for (std::uint32_t p = 0; p < paths_.size(); ++p) {
        const Path& path = paths_[p];
        if (position < path.next) {
            offer(path, p, -1);
        } else if (fixed_[position] >= 0) {
            offer(with_match(path, matches_[static_cast<std::size_t>(fixed_[position])]), p, fixed_[position]);
        } else {
            extend(path, p, position);
        }
    }
    keep_best();
    // Words without a match leave the order as it is.
    if (!std::is_sorted(ranks_.begin(), ranks_.end())) std::sort(ranks_.begin(), ranks_.end());
    materialise();
}

void MeteorAligner::extend(const Path& path, std::uint32_t parent, std::uint32_t position) {
    Path without = path;
    for (std::uint32_t m = starts_[position]; m < starts_[position + 1]; ++m) {
        const MeteorMatch& match = matches_[m];
        if (is_used(parent, match)) continue;
        Path with = with_match(without, match);
        if (search_ == MeteorSearch::released) {
            without.distance = wrapping_sum(without.distance, distance(match));
        } else {
            with.distance = wrapping_sum(with.distance, distance(match));
        }
        offer(with, parent, m);
    }
    without.chunks += without.last_end >= 0;
    without.last_end = -1;
    without.next = position + 1;
    offer(without, parent, -1);
}

void MeteorAligner::offer(const Path& path, std::uint32_t parent, std::int64_t match) {
    const Rank rank = rank_of(path, ordinal_++, candidates_.size());
    if (is_bounded_ && !(rank < bound_)) return;
    candidates_.push_back({path, parent, match});
    ranks_.push_back(rank);
    if (ranks_.size() == more_candidates + beam_) keep_best();
}

void MeteorAligner::keep_best() {
    if (ranks_.size() <= beam_) return;
    const auto last = ranks_.begin() + static_cast<std::ptrdiff_t>(beam_) - 1;
    std::nth_element(ranks_.begin(), last, ranks_.end());
    bound_ = *last;
    is_bounded_ = true;
    ranks_.resize(beam_);
}

/// Makes paths of the best candidates.
void MeteorAligner::materialise() {
    paths_.clear();
    next_used_.resize(ranks_.size() * blocks_);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
        const Candidate& candidate = candidates_[ranks_[r].candidate];
        const auto own = std::span(next_used_).subspan(r * blocks_, blocks_);
        std::copy_n(used_.begin() + static_cast<std::ptrdiff_t>(candidate.parent * blocks_), blocks_, own.begin());
        paths_.push_back(candidate.path);
        if (candidate.match < 0) continue;
        const auto number = static_cast<std::uint32_t>(candidate.match);
        const MeteorMatch& match = matches_[number];
        for (std::uint32_t k = match.start; k < match.start + match.length; ++k) own[k / 64] |= 1ull << (k % 64);
        paths_.back().history = static_cast<std::int32_t>(history_.size());
        history_.push_back({number, candidate.path.history});
    }
    used_.swap(next_used_);
}

std::vector<std::int64_t> meteor_rows(const NumberedText& hypotheses, const NumberedText& references,
                                      std::span<const std::int64_t> segments, const WordKnowledge& knowledge,
                                      MeteorSearch search, std::size_t beam, unsigned threads,
                                      const Interrupted& interrupted) {
    const auto pairs = static_cast<std::size_t>(segments.back());
    std::vector<std::int64_t> rows(pairs * meteor_columns);
    const auto work = [&](std::size_t begin, std::size_t end) {
        MeteorAligner aligner(knowledge, search, beam);
        for (std::size_t i = begin; i < end; ++i) {
            for (auto r = static_cast<std::size_t>(segments[i]); r < static_cast<std::size_t>(segments[i + 1]); ++r) {
                const auto matches = of_segment(i, [&] { return aligner.align(hypotheses[i], references[r]); });
                const auto row = std::span(rows).subspan(r * meteor_columns, meteor_columns);
                write_row(hypotheses[i], references[r], matches, knowledge.function, row);
            }
        }
    };
    parallel_for(segments.size() - 1, segments_per_chunk, threads, interrupted, work);
    return rows;
}

}  // namespace karat
