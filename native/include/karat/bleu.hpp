// BLEU's numbers of each segment (Papineni et al. 2002).
//
// Row: hypothesis length, reference length, correct_1 .. correct_N, total_1 .. total_N.
// O(N * (hypothesis + references)) expected time for any N and any number of references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "karat/ngram.hpp"
#include "karat/parallel.hpp"
#include "karat/tokens.hpp"

namespace karat {

/// Which length of several references counts: the closest to the hypothesis (the shorter of two that are equally
/// close), the shortest, or that of all of them together.
enum class ReferenceLength : std::uint8_t { closest, shortest, total };

/// References made ready for BLEU. Immutable; any number of threads may score against it.
class BleuReferences {
 public:
    /// The references of segment i are those from offsets[i] to offsets[i + 1]; each segment has at least one.
    BleuReferences(std::shared_ptr<const Tokens> references, std::vector<std::int64_t> offsets);

    std::size_t size() const noexcept { return offsets_.size() - 1; }

    /// The rows of one hypothesis per segment, row after row; the same for every number of threads.
    std::vector<std::int64_t> rows(const Tokens& hypotheses, unsigned max_order, ReferenceLength reference_length,
                                   unsigned threads, const Interrupted& interrupted) const;

 private:
    struct Worker;

    void read_references(std::size_t segment, Worker& worker) const;
    bool match_short(std::span<const Token> hypothesis, std::span<const Token> reference, Worker& worker,
                     std::span<std::int64_t> matches) const;
    void match_long(std::span<const Token> hypothesis, Worker& worker, std::span<std::int64_t> matches) const;
    void row(std::size_t segment, std::span<const Token> hypothesis, ReferenceLength reference_length, Worker& worker,
             std::span<std::int64_t> out) const;

    std::shared_ptr<const Tokens> references_;
    std::vector<std::int64_t> offsets_;
};

}  // namespace karat
