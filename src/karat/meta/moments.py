"""Sums that correlations are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.meta.averages import Totals, ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]

CONSTANT = 1e-24
"""A variance that is less than this share of the squares is rounding: nothing varies."""


def moments(points: Points) -> Totals:
    """n, x, y, xx, yy, xy by group, about the group's mean so that no digits are lost; and the largest squares."""
    known = points.known_totals
    if ("moments",) not in known:
        known["moments",] = _moments(points)
    return known["moments",]


def correlation(sums: Floats) -> Floats:
    """Pearson's correlation of such sums; NaN where either side does not vary."""
    return cosine(*about_mean(sums))


def cosine(xx: Floats, yy: Floats, xy: Floats) -> Floats:
    """The correlation of sums of squares and products about the mean; NaN where either square is 0."""
    quotient = ratio(xy, np.sqrt(xx * yy))
    return np.where((xx <= 0) | (yy <= 0), np.nan, np.clip(quotient, -1, 1))


def about_mean(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """The sums of squares and products (xx, yy, xy) of deviations from the mean; exactly 0 where nothing varies."""
    n, x, y, xx, yy, xy = (sums[..., i] for i in range(6))
    share = ratio(np.ones_like(n), n)
    xx, yy, xy = xx - x * x * share, yy - y * y * share, xy - x * y * share
    x_varies = (n > 1) & (xx > CONSTANT * n * sums[..., 6])
    y_varies = (n > 1) & (yy > CONSTANT * n * sums[..., 7])
    return np.where(x_varies, xx, 0.0), np.where(y_varies, yy, 0.0), np.where(x_varies & y_varies, xy, 0.0)


def ranks(values: Floats, points: Points) -> Floats:
    """The rank of each point in its group; ties share the mean of theirs."""
    order = np.lexsort((values, points.groups))
    ordered, group = values[order], points.groups[order]
    first = np.ones(len(values), dtype=bool)
    first[1:] = (ordered[1:] != ordered[:-1]) | (group[1:] != group[:-1])
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], len(values))
    shared = (starts + ends - 1) / 2
    ranks_of_points = np.empty(len(values))
    ranks_of_points[order] = shared[np.cumsum(first) - 1]
    return ranks_of_points


def _moments(points: Points) -> Totals:
    x, y = (_centred(values, points) for values in (points.gold, points.scores))
    rows = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y, np.zeros_like(x), np.zeros_like(x)])
    totals = Totals.of(points, rows)
    for column, values in ((6, points.gold), (7, points.scores)):
        np.maximum.at(totals.of_groups[:, column], points.groups, values**2)
    return totals


def _centred(values: Floats, points: Points) -> Floats:
    sizes = np.maximum(np.diff(points.offsets), 1)
    means = np.bincount(points.groups, values, minlength=points.group_count) / sizes
    centred: Floats = values - means[points.groups]
    return centred
