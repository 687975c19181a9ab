"""BM, BMA, NM and wBLEU written down as slowly and plainly as possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles import bleu, nist
from tests.oracles.bleu import ngrams

Gram = tuple[str, ...]
Segment = tuple[str, Sequence[str]]


@dataclass(frozen=True)
class Reading:
    """How the paper is read."""

    weight: str = "recurrence"
    per: str = "ngram"
    recurrence: str = "references"
    divergence: str = "segment"
    ranks: str = "all"


def divergence(references: Sequence[str], n: int) -> float:
    """Different n-grams as a share of all."""
    found: Counter[Gram] = Counter()
    for line in references:
        found += ngrams(line.split(), n)
    return len(found) / found.total() if found else 0.0


def rank(gram: Gram, known: Counter[Gram], ranks: str) -> float:
    """The place of an n-gram by frequency; those that are equally frequent share the mean of their places."""
    others = [count for other, count in known.items() if other and (ranks == "all" or len(other) == len(gram))]
    higher = sum(count > known[gram] for count in others)
    equal = sum(count == known[gram] for count in others)
    return higher + (equal + 1) / 2


class Weights:
    """R and R' over the segments of a set."""

    def __init__(self, segments: Sequence[Segment], orders: int, reading: Reading) -> None:
        self.segments, self.reading = segments, reading
        self.known = nist.counts([references for _, references in segments], orders)
        self.everything = [line for _, references in segments for line in references]

    def divergence(self, references: Sequence[str], n: int) -> float:
        return divergence(self.everything if self.reading.divergence == "set" else references, n)

    def inside(self, gram: Gram, references: Sequence[str]) -> float:
        """What stands beside the constant in the logarithm."""
        if self.reading.weight == "zipf":
            return rank(gram, self.known, self.reading.ranks) * self.known[gram] / len(references)
        counts = [ngrams(line.split(), len(gram))[gram] for line in references]
        recurring = sum(counts) if self.reading.recurrence == "occurrences" else sum(count > 0 for count in counts)
        return recurring / len(references)

    def of(self, gram: Gram, references: Sequence[str]) -> float:
        """R of an n-gram."""
        inside = self.inside(gram, references)
        if self.reading.weight == "zipf":
            return math.log10(1 + inside)
        return self.divergence(references, len(gram)) * math.log10(len(gram) + inside)

    def rarest(self, n: int) -> float:
        """Rank times frequency of the rarest n-gram, of this order or of all."""
        ranked = [gram for gram in self.known if gram and (self.reading.ranks == "all" or len(gram) == n)]
        if not ranked:
            return 0.0
        gram = min(ranked, key=lambda one: self.known[one])
        return rank(gram, self.known, self.reading.ranks) * self.known[gram]

    def of_order(self, n: int, part: Sequence[Segment]) -> float:
        """R of an order over the matches of some segments."""
        matches = [
            (gram, references)
            for hypothesis, references in part
            for gram, times in nist.clipped(hypothesis, references, n).items()
            for _ in range(times)
        ]
        totals = [max(0, len(hypothesis.split()) - n + 1) for hypothesis, _ in part]
        spread = sum(
            total * self.divergence(references, n) for total, (_, references) in zip(totals, part, strict=True)
        )
        mean_divergence = spread / sum(totals) if sum(totals) else 0.0
        if self.reading.weight == "zipf" and not matches:
            rarest = sum(total * self.rarest(n) / len(lines) for total, (_, lines) in zip(totals, part, strict=True))
            return math.log10(1 + rarest / sum(totals)) if sum(totals) else 0.0
        if self.reading.per == "ngram" and matches:
            return sum(self.of(*match) for match in matches) / len(matches)
        mean = sum(self.inside(*match) for match in matches) / len(matches) if matches else 0.0
        return math.log10(1 + mean) if self.reading.weight == "zipf" else mean_divergence * math.log10(n + mean)


def bleu_sums(part: Sequence[Segment], orders: int) -> list[float]:
    rows = [bleu.row(hypothesis, references, orders) for hypothesis, references in part]
    return [sum(column) for column in zip(*rows, strict=True)]


def weighted_precisions(
    part: Sequence[Segment], weights: Weights, orders: int, smooth: str
) -> tuple[list[float], float]:
    """R times P in percent, and the brevity penalty; nothing where nothing matches."""
    sums = bleu_sums(part, orders)
    correct, total = sums[2 : 2 + orders], sums[2 + orders :]
    if not any(correct):
        return [0.0] * orders, 0.0
    percent, _ = bleu.precisions(correct, total, smooth, 1.0)
    penalty = 1.0 if sums[0] >= sums[1] else math.exp(1 - sums[1] / sums[0])
    return [weights.of_order(n, part) * p for n, p in enumerate(percent, 1)], penalty


def bm(part: Sequence[Segment], weights: Weights, orders: int = 4, smooth: str = "exp") -> float:
    """BM of some segments of a set."""
    precisions, penalty = weighted_precisions(part, weights, orders, smooth)
    if not all(precision > 0 for precision in precisions):
        return 0.0
    return penalty * math.exp(sum(map(math.log, precisions)) / orders)


def bma(part: Sequence[Segment], weights: Weights, orders: int = 4, smooth: str = "exp") -> float:
    """BMA of some segments of a set."""
    precisions, penalty = weighted_precisions(part, weights, orders, smooth)
    return penalty * sum(precisions) / orders


def nm(part: Sequence[Segment], weights: Weights, orders: int = 5) -> float:
    """NM of some segments of a set."""
    total = 0.0
    for n in range(1, orders + 1):
        gain = 0.0
        for hypothesis, references in part:
            for gram, times in nist.clipped(hypothesis, references, n).items():
                by_gram = weights.of(gram, references) if weights.reading.per == "ngram" else 1.0
                gain += times * nist.information(gram, weights.known) * by_gram
        count = sum(max(0, len(hypothesis.split()) - n + 1) for hypothesis, _ in part)
        by_order = weights.of_order(n, part) if weights.reading.per == "order" else 1.0
        total += by_order * gain / count if count else 0.0
    lengths = [sum(len(line.split()) for line in references) / len(references) for _, references in part]
    return total * nist.penalty(sum(len(hypothesis.split()) for hypothesis, _ in part), sum(lengths))


def wbleu_row(segment: Segment, segments: Sequence[Segment], orders: int, words: str) -> list[float]:
    """Lengths, weighted matches and weighted totals of one segment."""
    hypothesis, references = segment
    having: Counter[str] = Counter()
    for _, lines in segments:
        having.update({word for line in lines for word in line.split()})

    def word_weight(word: str) -> float:
        tf = max(line.split().count(word) for line in references)
        return (1 + math.log(tf)) * math.log(len(segments) / having[word]) if tf else 0.0

    def weight(gram: Gram) -> float:
        each = [word_weight(word) for word in gram]
        return max(1.0, max(each) if words == "max" else sum(each))

    correct, total = [], []
    for n in range(1, orders + 1):
        matches = nist.clipped(hypothesis, references, n)
        correct.append(sum(times * weight(gram) for gram, times in matches.items()))
        total.append(sum(times * weight(gram) for gram, times in ngrams(hypothesis.split(), n).items()))
    length = len(hypothesis.split())
    closest = bleu.reference_length(length, [len(line.split()) for line in references], "closest")
    return [length, closest, *correct, *total]
