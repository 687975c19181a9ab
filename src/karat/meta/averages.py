"""One value of many groups: their mean, or one formula over all of them; and what it is without each cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]

Formula = Callable[["Floats"], "Floats"]
"""Elementwise over leading axes: the totals of a group become its value, NaN where that is not defined."""


@dataclass(frozen=True, eq=False)
class Averaged:
    """A value, its values without one cluster each, and how many groups it is of; `undefined` groups had none."""

    value: float
    left_out: Floats
    groups: int
    undefined: int


@dataclass(frozen=True, eq=False)
class Totals:
    """Additive numbers by group, and what each cluster adds to each of them (None where groups are nested)."""

    of_groups: Floats
    of_clusters: Floats | None

    @classmethod
    def of(cls, points: Points, rows: Floats) -> Totals:
        """The sums of one row of numbers per point."""
        return cls(points.sums(rows), None if points.nested else points.sums_by_cluster(rows))


def mean_over_groups(points: Points, totals: Totals, formula: Formula) -> Averaged:
    """The mean of the groups' values; groups in which the formula is not defined are counted and left out."""
    values = formula(totals.of_groups)
    defined = np.isfinite(values)
    value = _mean(np.where(defined, values, 0.0).sum(), defined.sum())
    if totals.of_clusters is None:
        sums, counts = _by_cluster(points, np.where(defined, values, 0.0)), _by_cluster(points, defined.astype(float))
        left_out = _mean(sums.sum() - sums, counts.sum() - counts)
    else:
        without = formula(totals.of_groups[np.newaxis] - totals.of_clusters)
        still_defined = np.isfinite(without)
        left_out = _mean(np.where(still_defined, without, 0.0).sum(axis=1), still_defined.sum(axis=1))
    return Averaged(float(value), left_out, len(values), int((~defined).sum()))


def pooled_over_groups(points: Points, totals: Totals, terms: Formula, formula: Formula) -> Averaged:
    """One formula on the sum of the groups' terms; a group without any term counts as undefined.

    Where the sum has no value, no group has one.
    """
    of_groups = terms(totals.of_groups)
    value = formula(of_groups.sum(axis=0))
    if totals.of_clusters is None:
        lost = np.stack([_by_cluster(points, column) for column in of_groups.T], axis=-1)
        left_out = formula(of_groups.sum(axis=0) - lost)
    else:
        left_out = formula(terms(totals.of_groups[np.newaxis] - totals.of_clusters).sum(axis=1))
    undefined = int((~of_groups.any(axis=-1)).sum()) if np.isfinite(value) else len(of_groups)
    return Averaged(float(value), left_out, len(of_groups), undefined)


def ratio(part: Floats, whole: Floats) -> Floats:
    """One number over another, NaN where there is nothing to divide by."""
    quotient: Floats = np.divide(part, whole, out=np.full(np.broadcast(part, whole).shape, np.nan), where=whole != 0)
    return quotient


def _mean(total: Floats, count: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Floats = np.asarray(total, dtype=float) / np.asarray(count, dtype=float)
    return mean


def _by_cluster(points: Points, of_groups: Floats) -> Floats:
    clusters = points.cluster_of_group
    filled = clusters >= 0
    sums: Floats = np.bincount(clusters[filled], of_groups[filled], minlength=points.cluster_count).astype(float)
    return sums
