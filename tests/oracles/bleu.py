"""BLEU written down as slowly and plainly as possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

LOG_OF_ZERO = -9999999999.0


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram occurs."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def reference_length(hypothesis: int, references: Sequence[int], which: str) -> float:
    """The length of several references that counts."""
    if which == "average":
        return sum(references) / len(references)
    if which == "shortest":
        return min(references)
    return min(references, key=lambda length: (abs(length - hypothesis), length))


def row(hypothesis: str, references: Sequence[str], max_order: int = 4, which: str = "closest") -> list[float]:
    """Lengths, matches and totals of one segment that is tokenised already."""
    tokens = hypothesis.split()
    reference_tokens = [reference.split() for reference in references]
    correct, total = [], []
    for n in range(1, max_order + 1):
        allowed: Counter[tuple[str, ...]] = Counter()
        for reference in reference_tokens:
            allowed |= ngrams(reference, n)
        found = ngrams(tokens, n)
        correct.append((found & allowed).total())
        total.append(found.total())
    length = reference_length(len(tokens), [len(reference) for reference in reference_tokens], which)
    return [len(tokens), length, *correct, *total]


def precisions(correct: list[float], total: list[float], smooth: str, value: float) -> tuple[list[float], int]:
    """The precision of each order in percent, and how many orders there are before a total of 0."""
    result, halved = [0.0] * len(correct), 1.0
    for n, (matches, count) in enumerate(zip(correct, total, strict=True)):
        if smooth == "add-k" and n > 0:
            matches, count = matches + value, count + value
        if count == 0:
            return result, n
        if matches > 0:
            result[n] = 100 * matches / count
        elif smooth == "exp":
            halved *= 2
            result[n] = 100 / (halved * count)
        elif smooth == "floor":
            result[n] = 100 * value / count
    return result, len(correct)


def score(
    sums: Sequence[float],
    smooth: str = "exp",
    value: float | None = None,
    effective_order: bool = False,
    weights: Sequence[float] | None = None,
) -> float:
    """BLEU of one summed row."""
    orders = (len(sums) - 2) // 2
    hypothesis, reference = sums[:2]
    correct, total = list(sums[2 : 2 + orders]), list(sums[2 + orders :])
    if not any(correct):
        return 0.0
    default = {"floor": 0.1, "add-k": 1.0}.get(smooth, 0.0)
    percent, reached = precisions(correct, total, smooth, default if value is None else value)
    counted = reached if effective_order else orders
    chosen = list(weights or [1.0] * orders)[:counted]
    if sum(chosen) == 0:
        return 0.0
    logs = [math.log(p) if p > 0 else LOG_OF_ZERO for p in percent[:counted]]
    mean = sum(weight * log for weight, log in zip(chosen, logs, strict=True)) / sum(chosen)
    penalty = 1.0 if hypothesis >= reference else math.exp(1 - reference / hypothesis)
    return penalty * math.exp(mean)
