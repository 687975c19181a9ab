"""NIST, and the weights of n-grams, written down as slowly and plainly as possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from tests.oracles.bleu import ngrams

Segment = tuple[str, Sequence[str]]

# The example of Qin and Specia (2015, section 3).
GUNMAN = "Gunman is shot dead by police."
GUNMAN_REFERENCES = [
    "The gunman was shot to death by the police.",
    "Police killed the gunman.",
    "The gunman was shot dead by the police.",
    "The gunman was shot to death by the police.",
]


def counts(references: Sequence[Sequence[str]], orders: int) -> Counter[tuple[str, ...]]:
    """How often all references have each n-gram; that without words stands for the number of words."""
    found: Counter[tuple[str, ...]] = Counter()
    for line in (line for lines in references for line in lines):
        words = line.split()
        found[()] += len(words)
        for n in range(1, orders + 1):
            found += ngrams(words, n)
    return found


def information(gram: tuple[str, ...], known: Counter[tuple[str, ...]], *, mteval: bool = False) -> float:
    """How surprising the last word is after the others."""
    before = gram[:-1]
    if mteval and before == ("0",):
        before = ()
    return math.log2(known[before] / known[gram])


def clipped(hypothesis: str, references: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram matches."""
    allowed: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        allowed |= ngrams(reference.split(), n)
    return ngrams(hypothesis.split(), n) & allowed


def penalty(hypothesis: float, reference: float) -> float:
    """1 for output that is long enough."""
    if reference == 0 or hypothesis >= reference:
        return 1.0
    if hypothesis == 0:
        return 0.0
    return math.exp(-math.log(2) / math.log(1.5) ** 2 * math.log(hypothesis / reference) ** 2)


def score(
    segments: Sequence[Segment], known: Counter[tuple[str, ...]], orders: int = 5, *, mteval: bool = False
) -> float:
    """NIST of some segments, given the counts of the whole set."""
    total = 0.0
    for n in range(1, orders + 1):
        gain, count = 0.0, 0
        for hypothesis, references in segments:
            count += max(0, len(hypothesis.split()) - n + 1)
            for gram, times in clipped(hypothesis, references, n).items():
                gain += times * information(gram, known, mteval=mteval)
        total += gain / count if count else 0.0
    lengths = [sum(len(line.split()) for line in references) / len(references) for _, references in segments]
    return total * penalty(sum(len(hypothesis.split()) for hypothesis, _ in segments), sum(lengths))
