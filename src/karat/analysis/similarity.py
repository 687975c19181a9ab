"""What a matrix of scores tells: how alike strings are, how different systems, and which strings nearly are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.base import Metric

NEAREST_KEPT = 1000
"""Pairs that are nearly the same of which more is kept than their number."""
NEAR_SHARE = 0.8
NEAR_ERROR = 20.0


def usual_nearness(metric: Metric) -> float:
    """The score from which on strings are nearly the same: four fifths of the scale, or an error rate of 20.

    >>> from karat.registry import metric
    >>> usual_nearness(metric("chrf")), usual_nearness(metric("ter"))
    (80.0, 20.0)
    """
    low, high = metric.bounds or (np.nan, np.nan)
    if metric.higher_is_better and np.isfinite(high) and np.isfinite(low):
        return float(low + NEAR_SHARE * (high - low))
    if metric.higher_is_better and high == 100:
        return 100 * NEAR_SHARE
    if not metric.higher_is_better and low == 0:
        return NEAR_ERROR
    raise InputError(f"which scores of {metric.name} are near is not known, for its scale is not: say it with near")


@dataclass(frozen=True)
class Extremes:
    """The mean, the lowest and the highest of some scores."""

    pairs: int
    mean: float
    lowest: float
    highest: float


@dataclass
class PairSummary:
    """Takes in a matrix block by block; `own` says that a list is measured against itself, pairs of one string aside.

    Of a list, a pair counts as near once: the later string as hypothesis, the earlier one as reference.
    """

    near: float
    higher_is_better: bool
    hypotheses: int
    own: bool
    pairs: int = 0
    total: float = 0.0
    lowest: float = np.inf
    highest: float = -np.inf
    near_pairs: int = 0
    has_near: NDArray[np.bool_] = field(init=False)
    best: NDArray[np.float64] = field(init=False)
    _kept: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.has_near = np.zeros(self.hypotheses, dtype=bool)
        self.best = np.full(self.hypotheses, -np.inf)
        self._kept = np.empty((0, 3))

    def add(self, first: int, first_reference: int, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Take in a block; the result says which of its pairs are near."""
        rows = np.arange(first, first + scores.shape[0])
        columns = np.arange(first_reference, first_reference + scores.shape[1])
        counted = rows[:, np.newaxis] != columns if self.own else np.ones(scores.shape, dtype=bool)
        self._count(scores[counted])
        signed = np.where(counted, scores if self.higher_is_better else -scores, -np.inf)
        self.best[rows] = np.maximum(self.best[rows], signed.max(axis=1))
        is_near = signed >= (self.near if self.higher_is_better else -self.near)
        if self.own:
            is_near &= rows[:, np.newaxis] > columns
        self._keep(rows, columns, signed, is_near)
        return is_near

    def _count(self, scores: NDArray[np.float64]) -> None:
        if len(scores):
            self.pairs += len(scores)
            self.total += float(scores.sum())
            self.lowest, self.highest = min(self.lowest, scores.min()), max(self.highest, scores.max())

    def _keep(
        self,
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
        signed: NDArray[np.float64],
        is_near: NDArray[np.bool_],
    ) -> None:
        row, column = np.nonzero(is_near)
        self.near_pairs += len(row)
        self.has_near[rows[row]] = True
        fresh = np.column_stack([-signed[row, column], rows[row], columns[column]])
        kept = np.concatenate([self._kept, fresh])
        order = np.lexsort((kept[:, 2], kept[:, 1], kept[:, 0]))[:NEAREST_KEPT]
        self._kept = kept[order]

    def extremes(self) -> Extremes | None:
        """The mean and the bounds; None where there is no pair."""
        if not self.pairs:
            return None
        return Extremes(self.pairs, self.total / self.pairs, float(self.lowest), float(self.highest))

    def mean_of_closest(self) -> float | None:
        """The mean over hypotheses of the score of the reference that is closest to each."""
        known = self.best[np.isfinite(self.best)]
        return float(known.mean()) * (1.0 if self.higher_is_better else -1.0) if len(known) else None

    def nearest(self) -> list[tuple[int, int, float]]:
        """Hypothesis, reference and score of the nearest of all near pairs, the nearest first."""
        sign = -1.0 if self.higher_is_better else 1.0
        return [(int(row), int(column), sign * value) for value, row, column in self._kept.tolist()]
