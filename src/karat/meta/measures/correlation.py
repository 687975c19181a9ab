"""Correlations that are made of sums: Pearson's, its square, Spearman's, that of differences."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.meta.averages import Averaged, mean_over_groups, pooled_over_groups
from karat.meta.measures.base import DEFAULTS, MeasureSettings, PointMeasure, register
from karat.meta.moments import about_mean, correlation, cosine, moments, ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]

FAMILY = "Correlation with people"


class MomentMeasure(PointMeasure):
    """A measure that is a formula of each group's moments; permutations of scores move these by sums."""

    @abstractmethod
    def formula(self, sums: Floats) -> Floats:
        """The value of each group's moments, elementwise over leading axes."""

    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:  # noqa: ARG002
        """The mean over groups."""
        return mean_over_groups(points, moments(points), self.formula)


@register
class Pearson(MomentMeasure):
    r"""How close scores and judgements are to a straight line.

    Formula
    -------
    $$r = \frac{\sum (x - \bar x)(y - \bar y)}{\sqrt{\sum (x - \bar x)^2 \sum (y - \bar y)^2}}$$

    Use when
    --------
    Differences of scores are read as amounts, and there are a dozen systems or more, or many segments.

    Do not use when
    ---------------
    One system is far from the others: it decides the number alone. Segments of different difficulty are pooled and only
    the choice between translations of one source matters: group by item, or count pairs.

    What karat does
    ---------------
    A group in which either side does not vary has no value: it is counted and left out of the mean. The sign is kept
    for metrics of which less is better. The interval is the jackknife's over systems, segments or documents, on
    Fisher's scale.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> people, metric = [[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]
    >>> [round(evaluate("pearson", people, metric, by).value, 3) for by in ("none", "system", "item")]
    [0.776, 0.76, 1.0]
    """

    name = "pearson"
    title = "Pearson's correlation"
    short_title = "Pearson"
    family = FAMILY
    citation = "mathur-etal-2020-results"
    orients_scores = False
    tests_of_correlations = True

    def formula(self, sums: Floats) -> Floats:
        """Pearson's correlation."""
        return correlation(sums)


@register
class ExplainedVariance(MomentMeasure):
    r"""Pearson's correlation squared.

    Formula
    -------
    $$R^2 = r^2$$

    Use when
    --------
    A number is to be compared with publications that report it.

    Do not use when
    ---------------
    Metrics may point the wrong way: the direction is lost in the square.

    What karat does
    ---------------
    Callison-Burch et al. found 0.14 with and 0.87 without one system: karat says when one system drives it.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> round(evaluate("r2", [1, 2, 3, 4], [1, 3, 2, 4]).value, 2)
    0.64
    """

    name = "r2"
    title = "Share of variance explained"
    short_title = "R²"
    family = FAMILY
    citation = "callison-burch-etal-2006-evaluating"
    bounds = (0.0, 1.0)

    def formula(self, sums: Floats) -> Floats:
        """Pearson's correlation squared."""
        squared: Floats = correlation(sums) ** 2
        return squared


@register
class PearsonOfDifferences(PointMeasure):
    r"""Pearson's correlation between the differences of all pairs of a group.

    Formula
    -------
    $$r_\Delta = \frac{\sum_g \sum_{i,j \in g} (x_i - x_j)(y_i - y_j)}
    {\sqrt{\sum_g \sum_{i,j} (x_i - x_j)^2 \sum_g \sum_{i,j} (y_i - y_j)^2}}$$

    Use when
    --------
    It matters whether a metric tells how much better one translation of a source is than another, whatever the source.

    Do not use when
    ---------------
    A few pairs with great differences should not weigh more than the rest: count pairs.

    What karat does
    ---------------
    Pairs of all groups are pooled, each pair in both directions, so that a group with more pairs weighs more. Without
    groups it is Pearson's correlation, and is not listed once more.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> people, metric = [[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]
    >>> [round(evaluate("pearson-difference", people, metric, by).value, 3) for by in ("none", "system", "item")]
    [0.776, 0.766, 0.926]
    """

    name = "pearson-difference"
    title = "Pearson's correlation of differences"
    short_title = "Pearson of differences"
    family = FAMILY
    citation = "freitag-etal-2023-results"
    groupings = ("item", "system")
    orients_scores = False

    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:  # noqa: ARG002
        """One correlation of the pairs of all groups."""
        return pooled_over_groups(points, moments(points), _pair_products, _cosine)


@register
class Spearman(PointMeasure):
    r"""Pearson's correlation of ranks.

    Formula
    -------
    $$\rho = r(\mathrm{rank}\, x, \mathrm{rank}\, y)$$

    Use when
    --------
    Only the order of systems or segments matters, and scales differ in shape.

    Do not use when
    ---------------
    Many units are nearly alike: ranks make small differences as large as great ones. Of few systems, most ranks are
    chance.

    What karat does
    ---------------
    Ties share the mean of their ranks. The interval keeps the ranks when a unit is left out.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> round(evaluate("spearman", [1, 2, 3, 4], [1, 9, 8, 10]).value, 3)
    0.8
    """

    name = "spearman"
    title = "Spearman's rank correlation"
    short_title = "Spearman"
    family = FAMILY
    citation = "callison-burch-etal-2012-findings"
    orients_scores = False

    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:  # noqa: ARG002
        """The mean over groups; ranks are not taken anew where a unit is left out."""
        ranked = replace(points, gold=ranks(points.gold, points), scores=ranks(points.scores, points))
        return mean_over_groups(ranked, moments(ranked), correlation)


def _pair_products(sums: Floats) -> Floats:
    """Sums over all pairs of a group: its size times the sums of products about the mean."""
    return np.stack([sums[..., 0] * part for part in about_mean(sums)], axis=-1)


def _cosine(products: Floats) -> Floats:
    return cosine(products[..., 0], products[..., 1], products[..., 2])
