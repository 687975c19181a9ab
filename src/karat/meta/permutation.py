"""PERM-BOTH: is one metric better than another, or might they change places?

Deutsch, Dror and Roth (2021), A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods. The
scores of both metrics are put on one scale (z), then swapped unit by unit at random.

The difference of a measure that is a mean over pairs of units is linear in the swaps. Let s be +1 for a unit whose
scores stay and -1 for one whose scores are swapped, and T(x, y) be what a pair adds with these scores. Then unit i adds
s_i / 2 times the sum over all j of T(a_i, a_j) - T(b_i, b_j) + T(a_i, b_j) - T(b_i, a_j), and a thousand permutations
are one product of matrices. Correlations are made of sums that are linear in the swaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from karat.kernels import pair_counts
from karat.meta.measures.correlation import MomentMeasure
from karat.meta.measures.pairs import PairShare
from karat.significance.draws import Draws

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.averages import Averaged
    from karat.meta.measures import MeasureSettings, PointMeasure
    from karat.meta.points import Points

    Floats = NDArray[np.float64]
    Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Contest:
    """Several metrics on the same units under one measure; of all metrics higher scores are better."""

    measure: PointMeasure
    points_of_metrics: tuple[Points, ...]
    settings: MeasureSettings

    @property
    def points(self) -> Points:
        """The units, with the scores of the first metric."""
        return self.points_of_metrics[0]

    @cached_property
    def scores(self) -> Floats:
        """Metrics by units."""
        return np.array([points.scores for points in self.points_of_metrics])

    @cached_property
    def averaged(self) -> tuple[Averaged, ...]:
        """What the measure says of each metric."""
        return tuple(self.measure.averaged(points, self.settings) for points in self.points_of_metrics)

    @cached_property
    def values(self) -> Floats:
        """The value of each metric."""
        return np.array([averaged.value for averaged in self.averaged])

    @cached_property
    def deviations(self) -> Floats:
        """The standard deviation of each metric over all units, 1 for a metric that does not vary."""
        deviations = self.scores.std(axis=1)
        return np.where(deviations > 0, deviations, 1.0)

    @cached_property
    def standardized(self) -> Floats:
        """Scores as z over all units; a metric that does not vary is 0 throughout."""
        centred = self.scores - self.scores.mean(axis=1, keepdims=True)
        return np.asarray(centred / self.deviations[:, np.newaxis])


def permutation_p(contest: Contest, pairs: Pairs, *, n: int, seed: int) -> Floats:
    """For each pair of metrics the p of the first being no better than the second: one-sided, the data counted in."""
    draws = Draws("swap", n, len(contest.points), seed)
    differences = _differences(contest, pairs)
    reached = np.zeros(len(pairs))
    observed = differences(np.zeros((1, len(contest.points))))[0]
    tolerance = 1e-9 * np.maximum(np.abs(observed), 1e-3)
    for block in range(len(draws)):
        reached += (differences(draws.block(block)) >= observed - tolerance).sum(axis=0)
    return (reached + 1) / (n + 1)


def _differences(contest: Contest, pairs: Pairs) -> Callable[[Floats], Floats]:
    """A function from swaps (draws by units) to differences of the measure (draws by pairs of metrics)."""
    if isinstance(contest.measure, PairShare):
        weights = _unit_weights(contest, contest.measure, pairs)
        return lambda swaps: (1 - 2 * swaps) @ weights
    if isinstance(contest.measure, MomentMeasure):
        return _moment_differences(contest, contest.measure, pairs)
    return _differences_anew(contest, pairs)


def _unit_weights(contest: Contest, measure: PairShare, pairs: Pairs) -> Floats:
    """What each unit adds to the difference of each pair of metrics as long as its scores stay."""
    points, scores = contest.points, contest.standardized
    minimum = measure.minimum(contest.settings) or 0.0
    count = partial(pair_counts, minimum=minimum, threads=contest.settings.threads)
    epsilons = [measure.epsilon(of_metric, contest.settings) or 0.0 for of_metric in contest.points_of_metrics]
    scaled_epsilons = np.array(epsilons) / contest.deviations

    def worth(first: int, second: int) -> Floats:
        # Between two metrics, scores tie that differ by no more than the mean of both epsilons.
        epsilon = float(scaled_epsilons[first] + scaled_epsilons[second]) / 2
        counts = count(points.gold, scores[first], points.offsets, others=scores[second], epsilon=epsilon)
        worths: Floats = counts[:, : len(measure.worths)] @ np.array(measure.worths, dtype=float)
        return worths

    counts = count(points.gold, points.scores, points.offsets)[:, : len(measure.worths)]
    share = _share_of_pair(points, measure, counts)
    alone = {metric: worth(metric, metric) for pair in pairs for metric in pair}
    columns = [
        (alone[metric] - alone[other] + worth(metric, other) - worth(other, metric)) * share / 2
        for metric, other in pairs
    ]
    return np.column_stack(columns)


def _share_of_pair(points: Points, measure: PairShare, counts: NDArray[np.int64]) -> Floats:
    """By how much one pair of a unit's group counts in the mean over groups, or over all pairs."""
    totals = points.sums(counts.astype(float)).sum(axis=1) / 2
    if measure.pooled:
        return np.full(len(points), 1 / max(totals.sum(), 1))
    defined = totals > 0
    shares = np.divide(1.0, totals, out=np.zeros_like(totals), where=defined) / max(int(defined.sum()), 1)
    of_points: Floats = shares[points.groups]
    return of_points


def _moment_differences(contest: Contest, measure: MomentMeasure, pairs: Pairs) -> Callable[[Floats], Floats]:
    """The measure by group from the sums of what stays and what is swapped."""
    points, scores = contest.points, contest.standardized
    gold = points.gold - points.gold.mean()
    features = np.stack([scores, scores**2, scores * gold], axis=-1)
    flat_features = features.transpose(1, 0, 2).reshape(len(points), -1)
    groups = [slice(start, stop) for start, stop in pairwise(points.offsets.tolist()) if stop - start > 1]
    fixed = np.array([[group.stop - group.start, gold[group].sum(), (gold[group] ** 2).sum()] for group in groups])
    totals = np.stack([features[:, group].sum(axis=1) for group in groups])

    def differences(swaps: Floats) -> Floats:
        swapped = np.stack([swaps[:, group] @ flat_features[group] for group in groups], axis=1)
        swapped = swapped.reshape(len(swaps), len(groups), len(scores), 3)
        columns = []
        for metric, other in pairs:
            moved = swapped[:, :, other] - swapped[:, :, metric]
            first, second = totals[:, metric] + moved, totals[:, other] - moved
            columns.append(_mean_of_moments(measure, fixed, first) - _mean_of_moments(measure, fixed, second))
        return np.stack(columns, axis=-1)

    return differences


def _mean_of_moments(measure: MomentMeasure, fixed: Floats, sums: Floats) -> Floats:
    """The mean over groups where the sums of scores, of their squares and of products with judgements are known."""
    count, gold, squares = (np.broadcast_to(fixed[:, column], sums.shape[:-1]) for column in range(3))
    largest = np.ones_like(count)
    rows = [count, gold, sums[..., 0], squares, sums[..., 1], sums[..., 2], largest, largest]
    values = measure.formula(np.stack(rows, axis=-1))
    defined = np.isfinite(values)
    mean: Floats = np.where(defined, values, 0.0).sum(axis=-1) / np.maximum(defined.sum(axis=-1), 1)
    return mean


def _differences_anew(contest: Contest, pairs: Pairs) -> Callable[[Floats], Floats]:
    """Any other measure, computed anew for every permutation: slow, and honest."""
    scores = contest.standardized

    def value(permuted: Floats) -> float:
        return contest.measure.averaged(contest.points.with_scores(permuted), contest.settings).value

    def differences(swaps: Floats) -> Floats:
        table = np.empty((len(swaps), len(pairs)))
        for draw, swap in enumerate(swaps > 0):
            for column, (metric, other) in enumerate(pairs):
                first = np.where(swap, scores[other], scores[metric])
                second = np.where(swap, scores[metric], scores[other])
                table[draw, column] = value(first) - value(second)
        return table

    return differences
