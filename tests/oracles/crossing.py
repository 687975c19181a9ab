"""Expected utilities, mean references and pruning, by loops over counters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

Words = Sequence[str]


def grams(symbols: Words, order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of one order is there."""
    return Counter(tuple(symbols[i : i + order]) for i in range(len(symbols) - order + 1))


def mean_grams(references: Sequence[Words], weights: Sequence[float], order: int) -> dict[tuple[str, ...], float]:
    """The weighted mean of the counts of all references."""
    means: dict[tuple[str, ...], float] = {}
    for words, weight in zip(references, weights, strict=True):
        for gram, count in grams(words, order).items():
            means[gram] = means.get(gram, 0.0) + weight * count / sum(weights)
    return means


def matches(hypothesis: Words, means: dict[tuple[str, ...], float], order: int) -> float:
    """The smaller of the hypothesis' count and the mean count, summed."""
    return sum(min(count, means.get(gram, 0.0)) for gram, count in grams(hypothesis, order).items())


def mean_chrf(hypothesis: str, references: Sequence[str], weights: Sequence[float], orders: int = 6) -> float:
    """chrF2 against mean counts, 0 to 100, characters without white space."""
    precisions, recalls = [], []
    texts = ["".join(text.split()) for text in references]
    own = "".join(hypothesis.split())
    for order in range(1, orders + 1):
        means = mean_grams(texts, weights, order)
        total, there = sum(grams(own, order).values()), sum(means.values())
        if total and there:
            matched = matches(own, means, order)
            precisions.append(matched / total)
            recalls.append(matched / there)
    if not precisions or not sum(precisions):
        return 0.0
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 100 * 5 * p * r / (4 * p + r)


def mean_bleu(hypothesis: str, references: Sequence[str], weights: Sequence[float]) -> float:
    """BLEU with effective order and exponential smoothing against mean counts, words between spaces."""
    own, others = hypothesis.split(), [text.split() for text in references]
    length = sum(w * len(words) for w, words in zip(weights, others, strict=True)) / sum(weights)
    matched = [matches(own, mean_grams(others, weights, order), order) for order in range(1, 5)]
    if not any(matched):
        return 0.0
    logs, halving = [], 1.0
    for order, match in enumerate(matched, 1):
        total = len(own) - order + 1
        if total <= 0:
            break
        halving *= 1 if match else 2
        logs.append(math.log(match / total if match else 1 / (halving * total)))
    penalty = 1.0 if len(own) >= length else math.exp(1 - length / len(own))
    return 100 * penalty * math.exp(sum(logs) / len(logs))


def expected(utilities: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """The weighted mean of each row."""
    return [sum(w * u for w, u in zip(weights, row, strict=True)) / sum(weights) for row in utilities]


def model_weights(texts: Sequence[str], log_probabilities: Sequence[float]) -> dict[str, float]:
    """The share that each different text has of the probability of all of them."""
    known: dict[str, float] = {}
    for text, value in zip(texts, log_probabilities, strict=True):
        known[text] = max(known.get(text, -math.inf), value)
    greatest = max(known.values())
    total = sum(math.exp(value - greatest) for value in known.values())
    return {text: math.exp(value - greatest) / total for text, value in known.items()}


def pruned(
    utility: Callable[[int, int], float],
    hypotheses: int,
    references: int,
    draw: Callable[[int], Sequence[Sequence[int]]],
    order: Sequence[int],
    alpha: float,
) -> list[int]:
    """Which hypotheses are left by confidence-based pruning (Cheng and Vlachos 2023, algorithm 1).

    `order` is that in which references are taken; draw(t) gives resamples of t of them.
    """
    left = list(range(hypotheses))
    taken = 8
    while taken < references and len(left) > 1:
        sample = order[:taken]
        means = [np.mean([utility(h, r) for r in sample]) for h in left]
        leader = left[int(np.argmax(means))]
        wins = dict.fromkeys(left, 0)
        resamples = draw(taken)
        for resample in resamples:
            best = np.mean([utility(leader, sample[i]) for i in resample])
            for h in left:
                wins[h] += bool(np.mean([utility(h, sample[i]) for i in resample]) >= best - 1e-9)
        left = [h for h in left if wins[h] / len(resamples) > 1 - alpha]
        taken *= 2
    return left
