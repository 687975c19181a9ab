"""Correlations that are made of sums: Pearson's, Spearman's, that of differences; and the errors of predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.meta.averages import Averaged, Totals, mean_over_groups, pooled_over_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]

CONSTANT = 1e-24
"""A variance that is less than this share of the squares is rounding: nothing varies."""


def pearson(points: Points) -> Averaged:
    """Pearson's correlation in each group, averaged."""
    return mean_over_groups(points, _moments(points), correlation)


def r_squared(points: Points) -> Averaged:
    """The share of variance explained in each group, averaged."""
    return mean_over_groups(points, _moments(points), lambda sums: correlation(sums) ** 2)


def spearman(points: Points) -> Averaged:
    """Pearson's correlation of ranks; ranks are not taken anew where a unit is left out."""
    ranked = type(points)(
        _ranks(points.gold, points), _ranks(points.scores, points), points.offsets, points.clusters, points.grouping
    )
    return pearson(ranked)


def pearson_of_differences(points: Points) -> Averaged:
    """The correlation of the differences of all pairs of a group, the pairs of all groups together.

    The sum of products over all pairs of a group is its size times its sum of products about the mean.
    """
    return pooled_over_groups(points, _moments(points), _pair_products, _cosine)


def mean_absolute_error(points: Points) -> Averaged:
    """How far the scores are from the judgements, on their scale."""
    return mean_over_groups(points, _errors(points), lambda sums: _ratio(sums[..., 1], sums[..., 0]))


def root_mean_squared_error(points: Points) -> Averaged:
    """The same, with large errors weighing more."""
    return mean_over_groups(points, _errors(points), lambda sums: np.sqrt(_ratio(sums[..., 2], sums[..., 0])))


def correlation(sums: Floats) -> Floats:
    """Pearson's correlation of the sums n, x, y, xx, yy, xy; NaN where either does not vary."""
    n, xx, yy, xy = sums[..., 0], *_about_mean(sums)
    found = _ratio(xy, np.sqrt(np.maximum(xx, 0) * np.maximum(yy, 0)))
    flat = (n < 2) | (xx <= CONSTANT * n * sums[..., 6]) | (yy <= CONSTANT * n * sums[..., 7])
    return np.where(flat, np.nan, np.clip(found, -1, 1))


def _about_mean(sums: Floats) -> tuple[Floats, Floats, Floats]:
    n, x, y, xx, yy, xy = (sums[..., i] for i in range(6))
    share = _ratio(np.ones_like(n), n)
    return xx - x * x * share, yy - y * y * share, xy - x * y * share


def _pair_products(sums: Floats) -> Floats:
    n = np.maximum(sums[..., 0], 1)
    terms = np.stack([n * part for part in _about_mean(sums)], axis=-1)
    return np.where(sums[..., :1] > 1, terms, 0.0)


def _cosine(products: Floats) -> Floats:
    xx, yy, xy = products[..., 0], products[..., 1], products[..., 2]
    return np.where((xx <= 0) | (yy <= 0), np.nan, _ratio(xy, np.sqrt(np.maximum(xx, 0) * np.maximum(yy, 0))))


def _ratio(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.divide(part, whole, out=np.full(np.broadcast(part, whole).shape, np.nan), where=whole != 0)
    return found


def _moments(points: Points) -> Totals:
    """n, x, y, xx, yy, xy by group, about the group's mean so that no digits are lost; and the largest squares."""
    x, y = (_centred(values, points) for values in (points.gold, points.scores))
    rows = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y, np.zeros_like(x), np.zeros_like(x)])
    of_groups = points.sums(rows)
    for column, values in ((6, points.gold), (7, points.scores)):
        np.maximum.at(of_groups[:, column], points.groups, values**2)
    return Totals(of_groups, None if points.nested else points.sums_by_cluster(rows))


def _centred(values: Floats, points: Points) -> Floats:
    sizes = np.maximum(np.diff(points.offsets), 1)
    means = np.bincount(points.groups, values, minlength=points.group_count) / sizes
    centred: Floats = values - means[points.groups]
    return centred


def _errors(points: Points) -> Totals:
    error = points.scores - points.gold
    rows = np.column_stack([np.ones_like(error), np.abs(error), error**2])
    return Totals(points.sums(rows), None if points.nested else points.sums_by_cluster(rows))


def _ranks(values: Floats, points: Points) -> Floats:
    """The rank of each point in its group; ties share the mean of theirs."""
    order = np.lexsort((values, points.groups))
    ordered, group = values[order], points.groups[order]
    first = np.ones(len(values), dtype=bool)
    first[1:] = (ordered[1:] != ordered[:-1]) | (group[1:] != group[:-1])
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], len(values))
    shared = (starts + ends - 1) / 2
    ranks = np.empty(len(values))
    ranks[order] = shared[np.cumsum(first) - 1]
    return ranks
