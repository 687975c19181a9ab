"""Pairs of units, looked at one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

KINDS = ("concordant", "discordant", "metric tie", "human tie", "both tie")


def kind(gold: tuple[float, float], scores: tuple[float, float], minimum: float, epsilon: float) -> int:
    """Which of the five kinds a pair is of."""
    by_people = gold[0] - gold[1]
    apart = abs(by_people) >= minimum if minimum > 0 else by_people != 0
    tied = abs(scores[0] - scores[1]) <= epsilon
    if not apart:
        return 4 if tied else 3
    if tied:
        return 2
    return 0 if (scores[0] > scores[1]) == (by_people > 0) else 1


def unit_counts(
    gold: Sequence[float], scores: Sequence[float], others: Sequence[float], minimum: float, epsilon: float
) -> list[list[int]]:
    """For each unit how many of the others make a pair of each kind with it."""
    rows = [[0] * 5 for _ in gold]
    for i in range(len(gold)):
        for j in range(len(gold)):
            if i != j:
                rows[i][kind((gold[i], gold[j]), (scores[i], others[j]), minimum, epsilon)] += 1
    return rows


def accuracy(groups: Sequence[tuple[Sequence[float], Sequence[float]]], epsilon: float) -> float:
    """The mean over groups of the share of pairs that are in order or rightly tied."""
    shares = []
    for gold, scores in groups:
        pairs = list(combinations(range(len(gold)), 2))
        if pairs:
            kinds = [kind((gold[i], gold[j]), (scores[i], scores[j]), 0, epsilon) for i, j in pairs]
            shares.append(sum(one in (0, 4) for one in kinds) / len(pairs))
    return sum(shares) / len(shares)


def best_epsilon(groups: Sequence[tuple[Sequence[float], Sequence[float]]]) -> tuple[float, float]:
    """The smallest epsilon of all differences (and 0) that has the greatest accuracy, and that accuracy."""
    candidates = {0.0}
    for _, scores in groups:
        candidates |= {abs(a - b) for a, b in combinations(scores, 2)}
    tried = [(epsilon, accuracy(groups, epsilon)) for epsilon in sorted(candidates)]
    best = max(value for _, value in tried)
    return next((epsilon, value) for epsilon, value in tried if value > best - 1e-9)
