#include "karat/meteor_stages.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace karat {
namespace {

constexpr std::size_t segments_per_chunk = 32;

}  // namespace

bool StagedAligner::Path::better_than(const Path& other) const noexcept {
    if (words != other.words) return words > other.words;
    if (crossings != other.crossings) return crossings < other.crossings;
    if (chunks != other.chunks) return chunks < other.chunks;
    // Among equals the one that was made first; a path without a match is the last of its parent's.
    if (parent != other.parent) return parent < other.parent;
    return static_cast<std::uint64_t>(partner) < static_cast<std::uint64_t>(other.partner);
}

std::span<const MeteorMatch> StagedAligner::align(std::span<const std::int32_t> hypothesis,
                                                  std::span<const std::int32_t> reference) {
    taken_.assign(hypothesis.size(), false);
    reference_taken_.assign(reference.size(), false);
    blocks_ = (hypothesis.size() + 63) / 64;
    chosen_.clear();
    crossings_ = 0;
    choices_ = 0;
    for (const MeteorModule module : {MeteorModule::exact, MeteorModule::stem, MeteorModule::synonym}) {
        if (knowledge_.used[static_cast<std::size_t>(module)]) run_stage(module, hypothesis, reference);
    }
    std::sort(chosen_.begin(), chosen_.end(),
              [](const MeteorMatch& a, const MeteorMatch& b) { return a.reference_start < b.reference_start; });
    return chosen_;
}

void StagedAligner::run_stage(MeteorModule module, std::span<const std::int32_t> hypothesis,
                              std::span<const std::int32_t> reference) {
    const bool by_synonyms = module == MeteorModule::synonym;
    if (!by_synonyms) find_classes(module, hypothesis, reference);
    history_.clear();
    paths_.assign(1, Path{});
    used_.assign(blocks_, 0);
    count_used();
    for (std::uint32_t position = 0; position < reference.size(); ++position) {
        next_paths_.clear();
        for (std::uint32_t p = 0; p < paths_.size(); ++p) {
            if (reference_taken_[position] || (!by_synonyms && class_of_[position] < 0)) {
                next_paths_.push_back(without_match(paths_[p], p));
            } else if (by_synonyms) {
                extend_by_synonyms(paths_[p], p, hypothesis, reference[position]);
            } else {
                extend_in_class(paths_[p], p, position);
            }
        }
        choices_ += next_paths_.size();
        if (choices_ > staged_choices) throw EditTooMuchWork(hypothesis.size(), reference.size());
        keep_going(paths_.size() * (blocks_ + 1) + 4 * next_paths_.size());
        keep_best(position);
    }
    const Path& best = paths_.front();  // they are sorted
    crossings_ += best.crossings;
    for (std::int32_t step = best.history; step >= 0; step = history_[static_cast<std::size_t>(step)].previous) {
        const Step& match = history_[static_cast<std::size_t>(step)];
        chosen_.push_back({match.partner, 1, match.position, 1, module});
        taken_[match.partner] = true;
        reference_taken_[match.position] = true;
    }
}

/// Words that are equal, or have one stem, and that no earlier stage has taken.
void StagedAligner::find_classes(MeteorModule module, std::span<const std::int32_t> hypothesis,
                                 std::span<const std::int32_t> reference) {
    const auto key = [&](std::int32_t type) {
        return module == MeteorModule::exact ? type : knowledge_.stems[static_cast<std::size_t>(type)];
    };
    std::unordered_map<std::int32_t, std::int32_t> numbers;
    places_.clear();
    for (std::uint32_t j = 0; j < hypothesis.size(); ++j) {
        if (taken_[j]) continue;
        const auto [found, is_new] = numbers.try_emplace(key(hypothesis[j]), static_cast<std::int32_t>(places_.size()));
        if (is_new) places_.emplace_back();
        places_[static_cast<std::size_t>(found->second)].push_back(j);
    }
    class_of_.assign(reference.size(), -1);
    rank_.assign(reference.size(), 0);
    count_.assign(places_.size(), 0);
    for (std::uint32_t i = 0; i < reference.size(); ++i) {
        const auto found = numbers.find(key(reference[i]));
        if (reference_taken_[i] || found == numbers.end()) continue;
        class_of_[i] = found->second;
        rank_[i] = count_[static_cast<std::size_t>(found->second)]++;
    }
}

/// A largest matching of a class in order: where the hypothesis has fewer of its words, the next of them or none, as
/// long as enough words of the reference are left; where it has more, one of those that leave enough for the rest.
void StagedAligner::extend_in_class(const Path& path, std::uint32_t parent, std::uint32_t position) {
    const auto number = static_cast<std::size_t>(class_of_[position]);
    const std::vector<std::uint32_t>& places = places_[number];
    const std::size_t in_all = count_[number], rank = rank_[position];
    if (places.size() <= in_all) {
        // Its words are taken one after the other, so those that are used stand first.
        const auto is_taken = [&](std::uint32_t place) { return is_used(parent, place); };
        const auto free = std::partition_point(places.begin(), places.end(), is_taken);
        const auto matched = static_cast<std::size_t>(free - places.begin());
        if (free != places.end()) next_paths_.push_back(with_match(path, parent, *free));
        if (rank - matched < in_all - places.size()) next_paths_.push_back(without_match(path, parent));
    } else {
        const std::size_t end = places.size() - (in_all - rank) + 1;
        std::size_t next = end;
        while (next > 0 && !is_used(parent, places[next - 1])) --next;
        for (std::size_t k = next; k < end; ++k) next_paths_.push_back(with_match(path, parent, places[k]));
    }
}

void StagedAligner::extend_by_synonyms(const Path& path, std::uint32_t parent, std::span<const std::int32_t> hypothesis,
                                       std::int32_t word) {
    for (std::uint32_t j = 0; j < hypothesis.size(); ++j) {
        if (taken_[j] || is_used(parent, j) || !share_synset(knowledge_, hypothesis[j], word)) continue;
        next_paths_.push_back(with_match(path, parent, j));
    }
    next_paths_.push_back(without_match(path, parent));
}

StagedAligner::Path StagedAligner::with_match(const Path& path, std::uint32_t parent,
                                              std::uint32_t partner) const noexcept {
    Path longer = path;
    ++longer.words;
    longer.crossings += used_after(parent, partner);
    longer.chunks += path.last + 1 != static_cast<std::int64_t>(partner);
    longer.last = partner;
    longer.parent = parent;
    longer.partner = partner;
    return longer;
}

StagedAligner::Path StagedAligner::without_match(const Path& path, std::uint32_t parent) noexcept {
    Path same = path;
    same.last = -2;
    same.parent = parent;
    same.partner = -1;
    return same;
}

void StagedAligner::keep_best(std::uint32_t position) {
    // Equal words make thousands of paths, of which the beam keeps few: the others need no order.
    const std::size_t kept = std::min(beam_, next_paths_.size());
    std::partial_sort(next_paths_.begin(), next_paths_.begin() + static_cast<std::ptrdiff_t>(kept), next_paths_.end(),
                      [](const Path& a, const Path& b) { return a.better_than(b); });
    next_paths_.resize(kept);
    next_used_.resize(next_paths_.size() * blocks_);
    for (std::size_t p = 0; p < next_paths_.size(); ++p) {
        Path& path = next_paths_[p];
        const auto own = std::span(next_used_).subspan(p * blocks_, blocks_);
        std::copy_n(used_.begin() + static_cast<std::ptrdiff_t>(path.parent * blocks_), blocks_, own.begin());
        if (path.partner < 0) continue;
        const auto partner = static_cast<std::uint32_t>(path.partner);
        own[partner / 64] |= 1ull << (partner % 64);
        history_.push_back({position, partner, path.history});
        path.history = static_cast<std::int32_t>(history_.size()) - 1;
    }
    paths_.swap(next_paths_);
    used_.swap(next_used_);
    count_used();
}

/// A path may have as many choices as there are words, so what lies beyond each block is counted once for all of them.
void StagedAligner::count_used() {
    used_beyond_.resize(used_.size());
    for (std::size_t first = 0; first < used_.size(); first += blocks_) {
        std::int32_t beyond = 0;
        for (std::size_t block = first + blocks_; block-- > first;) {
            used_beyond_[block] = beyond;
            beyond += std::popcount(used_[block]);
        }
    }
}

bool StagedAligner::is_used(std::uint32_t path, std::uint32_t word) const noexcept {
    return used_[path * blocks_ + word / 64] >> (word % 64) & 1;
}

std::int64_t StagedAligner::used_after(std::uint32_t path, std::uint32_t word) const noexcept {
    const std::size_t block = path * blocks_ + word / 64;
    return used_beyond_[block] + std::popcount(used_[block] >> (word % 64));
}

std::vector<std::int64_t> staged_rows(const NumberedText& hypotheses, const NumberedText& references,
                                      std::span<const std::int64_t> segments, const WordKnowledge& knowledge,
                                      std::size_t beam, unsigned threads, const Interrupted& interrupted) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(segments.back()) * staged_columns);
    const auto work = [&](std::size_t begin, std::size_t end) {
        StagedAligner aligner(knowledge, beam);
        for (std::size_t i = begin; i < end; ++i) {
            for (auto r = static_cast<std::size_t>(segments[i]); r < static_cast<std::size_t>(segments[i + 1]); ++r) {
                const auto matches = of_segment(i, [&] { return aligner.align(hypotheses[i], references[r]); });
                const auto row = std::span(rows).subspan(r * staged_columns, staged_columns);
                row[0] = static_cast<std::int64_t>(hypotheses[i].size());
                row[1] = static_cast<std::int64_t>(references[r].size());
                row[2] = static_cast<std::int64_t>(matches.size());
                row[3] = chunk_count(matches);
                row[4] = aligner.crossings();
            }
        }
    };
    parallel_for(segments.size() - 1, segments_per_chunk, threads, interrupted, work);
    return rows;
}

std::vector<std::int32_t> staged_partners(const NumberedText& hypotheses, const NumberedText& references,
                                          const WordKnowledge& knowledge, std::size_t beam, unsigned threads,
                                          const Interrupted& interrupted) {
    std::vector<std::int32_t> partners(hypotheses.ids.size(), -1);
    const auto work = [&](std::size_t begin, std::size_t end) {
        StagedAligner aligner(knowledge, beam);
        for (std::size_t i = begin; i < end; ++i) {
            const auto own = std::span(partners).subspan(static_cast<std::size_t>(hypotheses.offsets[i]));
            for (const MeteorMatch& match :
                 of_segment(i, [&] { return aligner.align(hypotheses[i], references[i]); })) {
                own[match.start] = static_cast<std::int32_t>(match.reference_start);
            }
        }
    };
    parallel_for(hypotheses.offsets.size() - 1, segments_per_chunk, threads, interrupted, work);
    return partners;
}

}  // namespace karat
