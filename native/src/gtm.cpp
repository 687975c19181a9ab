#include "karat/gtm.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "karat/edit_distance.hpp"

namespace karat {
namespace {

/// Runs that are held at once; only lines that repeat themselves have more.
constexpr std::size_t most_runs = 16'000'000;

}  // namespace

bool GtmKernel::later(const Run& a, const Run& b) noexcept {
    return std::tuple(b.length, a.hypothesis, a.reference) > std::tuple(a.length, b.hypothesis, b.reference);
}

void GtmKernel::add(const Run& run) {
    heap_.push_back(run);
    std::push_heap(heap_.begin(), heap_.end(), later);
}

/// All runs that cannot be made longer.
void GtmKernel::collect(std::span<const Symbol> hypothesis, std::span<const Symbol> reference) {
    auto& [previous, current] = lengths_;
    previous.assign(reference.size() + 1, 0);
    current.assign(reference.size() + 1, 0);
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
        for (std::size_t j = 0; j < reference.size(); ++j) {
            current[j + 1] = hypothesis[i] == reference[j] ? previous[j] + 1 : 0;
            const bool ends =
                i + 1 == hypothesis.size() || j + 1 == reference.size() || hypothesis[i + 1] != reference[j + 1];
            if (const std::uint32_t length = current[j + 1]; length > 0 && ends) {
                add({length, static_cast<std::uint32_t>(i + 1) - length, static_cast<std::uint32_t>(j + 1) - length});
            }
        }
        if (heap_.size() > most_runs) throw EditTooMuchWork(hypothesis.size(), reference.size());
        std::swap(previous, current);
    }
}

bool GtmKernel::is_free(const Run& run, std::uint32_t place) const noexcept {
    return !used_hypothesis_[run.hypothesis + place] && !used_reference_[run.reference + place];
}

void GtmKernel::take(const Run& run) {
    std::fill_n(used_hypothesis_.begin() + run.hypothesis, run.length, std::uint8_t{1});
    std::fill_n(used_reference_.begin() + run.reference, run.length, std::uint8_t{1});
}

void GtmKernel::add_free_parts(const Run& run) {
    for (std::uint32_t begin = 0; begin < run.length; ++begin) {
        std::uint32_t end = begin;
        while (end < run.length && is_free(run, end)) ++end;
        if (end > begin) add({end - begin, run.hypothesis + begin, run.reference + begin});
        begin = end;
    }
}

double GtmKernel::size(std::span<const Symbol> hypothesis, std::span<const Symbol> reference) {
    heap_.clear();
    used_hypothesis_.assign(hypothesis.size(), 0);
    used_reference_.assign(reference.size(), 0);
    collect(hypothesis, reference);
    double total = 0;
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const Run run = heap_.back();
        heap_.pop_back();
        std::uint32_t free = 0;
        while (free < run.length && is_free(run, free)) ++free;
        if (free == run.length) {
            take(run);
            total += std::pow(static_cast<double>(run.length), exponent_);
        } else {
            add_free_parts(run);
        }
    }
    return std::pow(total, 1 / exponent_);
}

std::vector<double> gtm_rows(const WordReferences& references, const Tokens& hypotheses, double exponent,
                             unsigned threads, const Interrupted& interrupted) {
    constexpr std::size_t segments_per_chunk = 64;
    std::vector<double> rows(3 * references.size());
    parallel_for(references.size(), segments_per_chunk, threads, interrupted, [&](std::size_t begin, std::size_t end) {
        GtmKernel kernel(exponent);
        std::vector<Symbol> symbols;
        for (std::size_t i = begin; i < end; ++i) {
            const auto hypothesis = references.lexicon().look_up(i, hypotheses[i], symbols);
            const SymbolReferences all = references.lexicon().references(i);
            const auto count = static_cast<double>(all.ends.size());
            rows[3 * i] = static_cast<double>(hypothesis.size());
            rows[3 * i + 1] = (static_cast<double>(all.ends.back()) + 1 - count) / count;
            try {
                rows[3 * i + 2] = kernel.size(hypothesis, {all.symbols, all.ends.back()});
            } catch (EditTooMuchWork& error) {
                error.segment = i;
                throw;
            }
        }
    });
    return rows;
}

}  // namespace karat
