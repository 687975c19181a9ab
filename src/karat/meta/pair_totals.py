"""How many pairs of units are of which kind, by group and by cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from karat.kernels import pair_counts
from karat.meta.averages import Totals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]
    PairCounter = Callable[[Floats, Floats, NDArray[np.int64]], NDArray[np.int64]]


def pair_totals(points: Points, *, minimum: float = 0.0, epsilon: float = 0.0, threads: int | None = None) -> Totals:
    """Pairs by group, and those that go with each cluster, counted once for all measures.

    The five kinds are: same order, opposite order, tied by the metric alone, tied by people alone, tied by both. People
    tie what differs by less than `minimum`, the metric what differs by no more than `epsilon`.
    """
    key = "pairs", minimum, epsilon
    if key not in points.known_totals:
        count = partial(pair_counts, minimum=minimum, epsilon=epsilon, threads=threads)
        points.known_totals[key] = _pair_totals(points, count)
    return points.known_totals[key]


def _pair_totals(points: Points, count: PairCounter) -> Totals:
    """Every pair is counted at both of its units; a cluster has all pairs of its units less those inside it."""
    of_points = count(points.gold, points.scores, points.offsets)
    rows = of_points.astype(np.float64)
    of_groups = points.sums(rows) / 2
    if points.nested:
        return Totals(of_groups, None)
    return Totals(of_groups, points.sums_by_cluster(rows) - _inside_clusters(points, count))


def _inside_clusters(points: Points, count: PairCounter) -> Floats | float:
    """The pairs of each cluster and group whose both units are in the cluster."""
    cells = points.groups * points.cluster_count + points.clusters
    order = np.argsort(cells, kind="stable")
    sizes = np.unique(cells, return_counts=True)[1]
    if (sizes == 1).all():
        return 0.0
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    counts = count(points.gold[order], points.scores[order], offsets)
    rows = np.empty(counts.shape)
    rows[order] = counts
    return points.sums_by_cluster(rows) / 2
