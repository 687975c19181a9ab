"""Slow, obvious versions of the significance tests: every resample is scored anew, in loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import comb

import numpy as np

from karat.identity import Identity
from karat.rows import Rows

Row = Sequence[float]


def score_of(rows: Rows, chosen: Iterable[Row]) -> float:
    """The score of some rows, added up one after the other."""
    total = [0.0] * len(rows.columns)
    for row in chosen:
        total = [a + float(b) for a, b in zip(total, row, strict=True)]
    return float(rows.aggregate(np.array(total)))


def resampled(rows: Rows, counts: Sequence[float]) -> float:
    """The score when each unit is taken so many times."""
    return score_of(rows, (row for row, count in zip(rows.values, counts, strict=True) for _ in range(int(count))))


def swapped_difference(first: Rows, second: Rows, mask: Sequence[float]) -> float:
    """The second system's score minus the first's after the masked units have changed places."""
    ours, theirs = [], []
    for a, b, swap in zip(first.values, second.values, mask, strict=True):
        ours.append(b if swap else a)
        theirs.append(a if swap else b)
    return score_of(first, theirs) - score_of(first, ours)


def exact_randomization(first: Rows, second: Rows) -> float:
    """The share of all swaps whose difference is at least as large as the observed one."""
    observed = abs(swapped_difference(first, second, [0] * len(first)))
    masks = list(product((0, 1), repeat=len(first)))
    return sum(abs(swapped_difference(first, second, mask)) >= observed - 1e-9 for mask in masks) / len(masks)


def exact_signs(differences: Sequence[float]) -> float:
    """The share of all signs whose sum is at least as far from 0 as the observed one."""
    observed = abs(sum(differences))
    signs = list(product((1, -1), repeat=len(differences)))
    far = [abs(sum(s * d for s, d in zip(sign, differences, strict=True))) >= observed - 1e-9 for sign in signs]
    return sum(far) / len(far)


def exact_wilcoxon(differences: Sequence[float]) -> float:
    """Two-sided signed-rank p over all signs; equal scores left out, ties share the mean rank."""
    kept = [d for d in differences if d != 0]
    sizes = sorted(abs(d) for d in kept)
    ranks = [np.mean([i + 1 for i, size in enumerate(sizes) if size == abs(d)]) for d in kept]
    positive = sum(rank for rank, d in zip(ranks, kept, strict=True) if d > 0)
    sums = [sum(r for r, s in zip(ranks, signs, strict=True) if s) for signs in product((0, 1), repeat=len(kept))]
    low = sum(s <= positive + 1e-9 for s in sums) / len(sums)
    high = sum(s >= positive - 1e-9 for s in sums) / len(sums)
    return min(1.0, 2 * min(low, high))


def holm(p: Sequence[float]) -> list[float]:
    """Holm's adjusted p by its definition: the largest of the stepwise products up to a rank."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    return [
        min(1.0, max(p[j] * (len(p) - rank) for rank, j in enumerate(order[: order.index(i) + 1])))
        for i in range(len(p))
    ]


def ratio_rows(values: Sequence[tuple[int, int]], spec: str = "ratio", *, higher_is_better: bool = True) -> Rows:
    """Rows of a metric that is no mean: matches over lengths, with a bend in it."""
    identity = Identity.of_scores(spec, higher_is_better=higher_is_better)
    return Rows(np.array(values, dtype=np.int64).reshape(-1, 2), ("match", "length"), bent_ratio, identity)


def bent_ratio(sums: np.ndarray) -> np.ndarray:
    """100 times the square root of matches over lengths."""
    match, length = sums[..., 0], sums[..., 1]
    return 100 * np.sqrt(np.divide(match, length, out=np.zeros_like(match, dtype=float), where=length > 0))


def stratified_difference(runs: Sequence[Rows], pick: Callable[[int, int], int], per_system: int) -> float:
    """The difference of mean scores when pseudo-run `r` takes row `pick(r, unit)` of a unit; baselines come first."""
    scores = [
        score_of(runs[0], (runs[pick(r, unit)].values[unit] for unit in range(len(runs[0])))) for r in range(len(runs))
    ]
    return float(np.mean(scores[per_system:]) - np.mean(scores[:per_system]))


def splits(first: int, second: int) -> int:
    """In how many ways the runs can be dealt to two systems."""
    return comb(first + second, first)
