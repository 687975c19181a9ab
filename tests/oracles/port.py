"""PORT-style written down as slowly and plainly as possible, for one pair of texts."""

from __future__ import annotations

import math
from collections import Counter

from tests.oracles import word_order


def counts(hypothesis: str, reference: str, order: int) -> tuple[int, int, int]:
    """Matches, n-grams of the hypothesis, n-grams of the reference."""
    grams = [
        Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))
        for words in (hypothesis.split(), reference.split())
    ]
    return (grams[0] & grams[1]).total(), grams[0].total(), grams[1].total()


def shares(hypothesis: str, reference: str, orders: int, side: int, added: int) -> float:
    """The geometric mean of precision (side 1) or recall (side 2) over the orders that one of the texts has."""
    found = [counts(hypothesis, reference, n) for n in range(1, orders + 1)]
    values = [(c[0] + added) / (c[side] + added) if c[side] + added else 0.0 for c in found if c[1] or c[2]]
    return math.prod(values) ** (1 / len(values)) if values else 0.0


def ordering(hypothesis: str, reference: str) -> float:
    """The harmonic mean of both measures of order."""
    n, _, moves, jumps, *_ = word_order.numbers(hypothesis, reference)
    if n < 2:
        return float(n)
    by_moves, by_jumps = 1 - moves / (n * (n + 1) / 2), 1 - jumps / (n * n - 1)
    return 2 / (1 / by_moves + 1 / by_jumps) if by_moves > 0 and by_jumps > 0 else 0.0


def score(hypothesis: str, reference: str, orders: int = 4, alpha: float = 0.25, added: int = 0) -> float:
    """From 0 to 100."""
    h, r = len(hypothesis.split()), len(reference.split())
    if not h or not r:
        return 0.0
    precision = shares(hypothesis, reference, orders, 1, added) * math.exp(1 - r / min(h, r))
    recall = shares(hypothesis, reference, orders, 2, added) * math.exp(1 - max(h, r) / r)
    overlap, order = math.sqrt((precision**2 + recall**2) / 2), ordering(hypothesis, reference) ** alpha
    return 200 / (1 / overlap + 1 / order) if overlap > 0 and order > 0 else 0.0
