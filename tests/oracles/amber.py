"""AMBER-style written down as slowly and plainly as possible, for one pair of texts."""

from __future__ import annotations

import math

from tests.oracles import word_order
from tests.oracles.port import counts

from karat.resources import stemmer


def f(precision: float, recall: float) -> float:
    """The F-measure that favours recall."""
    return precision * recall / (0.9 * precision + 0.1 * recall) if precision and recall else 0.0


def overlap(hypothesis: str, reference: str, orders: int) -> float:
    """0.3 of geometric precision, 0.5 of F of means, 0.2 of the mean of F."""
    found = [counts(hypothesis, reference, n) for n in range(1, orders + 1)]
    shares = [(m / h if h else 0.0, m / r if r else 0.0) for m, h, r in found if h or r]
    if not shares:
        return 0.0
    precisions = [precision for precision, _ in shares]
    geometric = math.prod(precisions) ** (1 / len(precisions))
    mean = sum(precisions) / len(precisions)
    return 0.3 * geometric + 0.5 * f(mean, shares[0][1]) + 0.2 * sum(f(p, r) for p, r in shares) / len(shares)


def order(hypothesis: str, reference: str) -> float:
    """Chunks, Spearman's and Kendall's correlation."""
    n, chunks, _, _, squares, ascending = word_order.numbers(hypothesis, reference)
    if n < 2:
        return float(n)
    spearman = (2 - 6 * squares / (n * (n * n - 1))) / 2
    kendall = ascending / (n * (n - 1) / 2)
    return float((1 - 0.5 * ((chunks - 1) / (n - 1)) ** 3) * spearman**0.5 * kendall**2)


def lengths(hypothesis: str, reference: str) -> float:
    """The six penalties of words and characters."""
    h, r = hypothesis.split(), reference.split()
    if not h or not r:
        return 0.0
    product = 1.0
    for units, brevity, redundancy in (([h, r], 0.3, 0.1), (["".join(h), "".join(r)], 0.15, 0.05)):
        ours, theirs = map(len, units)
        product *= math.exp(1 - theirs / min(ours, theirs)) ** brevity
        product *= math.exp(1 - max(ours, theirs) / theirs) ** redundancy
    short, wanted = (sum(len(word) <= 3 for word in words) for words in (h, r))
    product *= math.exp(-abs(short - wanted) / len(r)) ** 0.1
    return float(product * math.exp(-abs((len(h) - short) - (len(r) - wanted)) / len(r)) ** 0.2)


def score(hypothesis: str, reference: str, orders: int = 4) -> float:
    """From 0 to 100, for words, prefixes of four letters, and English stems."""
    spellings = [
        lambda word: word,
        lambda word: word[:4],
        lambda word: stemmer("en").stems([word.lower()])[0],
    ]
    total = 0.0
    for spelling in spellings:
        spelled = [" ".join(map(spelling, text.split())) for text in (hypothesis, reference)]
        total += overlap(*spelled, orders) * order(*spelled)
    return 100 * lengths(hypothesis, reference) * total / len(spellings)
