"""How many pairs of units are of which kind, by group and by cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.kernels import pair_counts
from karat.meta.averages import Totals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]


def pair_totals(points: Points, *, minimum: float = 0.0, epsilon: float = 0.0) -> Totals:
    """Pairs by group, and those that go with each cluster, counted once for all measures.

    The five kinds are: same order, opposite order, tied by the metric alone, tied by people alone, tied by both. People
    tie what differs by less than `minimum`, the metric what differs by no more than `epsilon`.
    """
    key = "pairs", minimum, epsilon
    if key not in points.known_totals:
        points.known_totals[key] = _pair_totals(points, minimum, epsilon)
    return points.known_totals[key]


def _pair_totals(points: Points, minimum: float, epsilon: float) -> Totals:
    """Every pair is counted at both of its units; a cluster has all pairs of its units less those inside it."""
    of_points = pair_counts(points.gold, points.scores, points.offsets, minimum=minimum, epsilon=epsilon)
    rows = of_points.astype(np.float64)
    of_groups = points.sums(rows) / 2
    if points.nested:
        return Totals(of_groups, None)
    return Totals(of_groups, points.sums_by_cluster(rows) - _inside_clusters(points, minimum, epsilon))


def _inside_clusters(points: Points, minimum: float, epsilon: float) -> Floats | float:
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
