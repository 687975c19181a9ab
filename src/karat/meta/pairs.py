"""Measures that count pairs of units: Kendall's, WMT's, and accuracies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from karat.kernels import calibrate_ties, pair_counts
from karat.meta.averages import Averaged, Formula, Totals, mean_over_groups, pooled_over_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]


def kendall_a(points: Points) -> Averaged:
    """(concordant - discordant) over all pairs."""
    return _averaged(points, lambda c: _ratio(c[..., 0] - c[..., 1], c.sum(axis=-1)))


def kendall_b(points: Points) -> Averaged:
    """The same, corrected for ties of either side."""
    return _averaged(points, _tau_b)


def kendall_c(points: Points) -> Averaged:
    """Stuart's version, corrected for scales with few values."""
    values = np.array([_fewest_values(points, group) for group in range(points.group_count)])
    return _averaged(points, partial(_tau_c, values=values))


def kendall_like(points: Points, minimum: float = 0.0) -> Averaged:
    """WMT's measure: over the pairs that people tell apart, of all groups together; ties of the metric are wrong."""
    totals = _totals(points, minimum=minimum)
    return pooled_over_groups(points, totals, lambda c: c[..., :3], _like)


def accuracy(points: Points) -> Averaged:
    """The share of pairs in the right order, of those that people tell apart."""
    return _averaged(points, lambda c: _ratio(c[..., 0], c[..., :3].sum(axis=-1)))


def accuracy_with_ties(points: Points, epsilon: float = 0.0) -> Averaged:
    """The share of pairs in the right order or rightly tied, of all pairs."""
    return mean_over_groups(points, _totals(points, epsilon=epsilon), _right)


def kendall_with_ties(points: Points, epsilon: float = 0.0) -> Averaged:
    """The same from -1 to 1: right less wrong pairs, over all pairs."""
    return mean_over_groups(points, _totals(points, epsilon=epsilon), lambda c: 2 * _right(c) - 1)


def best_epsilon(points: Points) -> float:
    """The smallest epsilon, one for all groups, that makes accuracy with ties the greatest."""
    return calibrate_ties(points.gold, points.scores, points.offsets)[0]


def pair_total(points: Points, minimum: float = 0.0) -> int:
    """How many pairs of a group there are, or how many that differ by the minimum."""
    counts = pair_counts(points.gold, points.scores, points.offsets, minimum=minimum).sum(axis=0)
    return int(counts[:3].sum() if minimum else counts.sum()) // 2


def _averaged(points: Points, formula: Formula) -> Averaged:
    return mean_over_groups(points, _totals(points), formula)


def _totals(points: Points, *, minimum: float = 0.0, epsilon: float = 0.0) -> Totals:
    """Pairs of the five kinds by group, and those that go with each cluster: all of its units' less those inside it."""
    of_points = pair_counts(points.gold, points.scores, points.offsets, minimum=minimum, epsilon=epsilon)
    rows = of_points.astype(np.float64)
    of_groups = points.sums(rows) / 2
    if points.nested:
        return Totals(of_groups, None)
    return Totals(of_groups, points.sums_by_cluster(rows) - _inside(points, minimum, epsilon))


def _inside(points: Points, minimum: float, epsilon: float) -> Floats | float:
    """The pairs of each cluster and group whose both units are in the cluster."""
    cells = points.groups * points.cluster_count + points.clusters
    order = np.argsort(cells, kind="stable")
    sizes = np.unique(cells, return_counts=True)[1]
    if (sizes == 1).all():
        return 0.0
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    counts = pair_counts(points.gold[order], points.scores[order], offsets, minimum=minimum, epsilon=epsilon)
    rows = np.empty(counts.shape)
    rows[order] = counts
    return points.sums_by_cluster(rows) / 2


def _right(counts: Floats) -> Floats:
    return _ratio(counts[..., 0] + counts[..., 4], counts.sum(axis=-1))


def _like(counts: Floats) -> Floats:
    return _ratio(counts[..., 0] - counts[..., 1] - counts[..., 2], counts.sum(axis=-1))


def _tau_b(counts: Floats) -> Floats:
    pairs = counts.sum(axis=-1)
    by_people, by_metric = pairs - counts[..., 3] - counts[..., 4], pairs - counts[..., 2] - counts[..., 4]
    return _ratio(counts[..., 0] - counts[..., 1], np.sqrt(np.maximum(by_people, 0) * np.maximum(by_metric, 0)))


def _tau_c(counts: Floats, values: Floats) -> Floats:
    pairs = counts.sum(axis=-1)
    n = (1 + np.sqrt(1 + 8 * pairs)) / 2
    return _ratio(2 * (counts[..., 0] - counts[..., 1]) * values, np.where(pairs > 0, n * n * (values - 1), 0.0))


def _fewest_values(points: Points, group: int) -> int:
    where = slice(*points.offsets[group : group + 2])
    return min(len(np.unique(points.gold[where])), len(np.unique(points.scores[where])))


def _ratio(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.divide(part, whole, out=np.full(np.broadcast(part, whole).shape, np.nan), where=whole != 0)
    return found
