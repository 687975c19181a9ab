"""Kendall's correlations a, b and c, and WMT's Kendall-like measure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from karat.meta.averages import Averaged, mean_over_groups, ratio
from karat.meta.measures.base import DEFAULTS, MeasureSettings, register
from karat.meta.measures.pairs import PairMeasure, PairShare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]


@register
class KendallA(PairShare):
    r"""Pairs in the same order less pairs in the opposite order, over all pairs.

    Formula
    -------
    $$\tau_a = \frac{C - D}{n (n - 1) / 2}$$

    Use when
    --------
    Ties are rare on both sides.

    Do not use when
    ---------------
    People tie many pairs: then not even a perfect metric comes near 1.

    What karat does
    ---------------
    Ties count as neither right nor wrong, but in the number of pairs.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> evaluate("kendall-a", [1, 2, 2, 3], [1, 2, 3, 4]).value
    0.8333333333333334
    """

    name = "kendall-a"
    title = "Kendall's tau-a"
    short_title = "Kendall a"
    citation = "kendall-1945-treatment"
    orients_scores = False
    worths = (1, -1, 0, 0, 0)


@register
class KendallB(PairMeasure):
    r"""Kendall's correlation, corrected for ties of either side.

    Formula
    -------
    $$\tau_b = \frac{C - D}{\sqrt{(P - T_x)(P - T_y)}}$$

    Use when
    --------
    Only the order matters, and either side has some ties.

    Do not use when
    ---------------
    People tie many pairs within a segment: groups that are tied throughout drop out, and metrics are not rewarded for
    ties that are right. Take accuracy with ties.

    What karat does
    ---------------
    P counts all pairs, T the pairs that one side ties. A group that one side ties throughout has no value: it is
    counted and left out of the mean. Pairs are counted in O(n log n).

    Example
    -------
    >>> from karat.meta import evaluate
    >>> round(evaluate("kendall-b", [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]).value, 9)
    0.316227766
    """

    name = "kendall-b"
    title = "Kendall's tau-b"
    short_title = "Kendall b"
    citation = "kendall-1945-treatment"
    orients_scores = False

    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:
        """The mean over groups."""
        return mean_over_groups(points, self.totals(points, settings), _tau_b)


@register
class KendallC(PairMeasure):
    r"""Kendall's correlation for scales with few values.

    Formula
    -------
    $$\tau_c = \frac{2 (C - D)}{n^2 (m - 1) / m}$$

    Use when
    --------
    One side has a scale of few values, such as stars, and the other a fine one.

    Do not use when
    ---------------
    Both scales are fine: tau-b is what others report.

    What karat does
    ---------------
    m is the number of different values of the side that has fewer of them, in each group.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> evaluate("kendall-c", [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]).value
    0.32
    """

    name = "kendall-c"
    title = "Stuart's tau-c"
    short_title = "Kendall c"
    citation = "kendall-1945-treatment"
    orients_scores = False

    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:
        """The mean over groups; values are not counted anew where a unit is left out."""
        values = np.array([_fewest_values(points, group) for group in range(points.group_count)])
        return mean_over_groups(points, self.totals(points, settings), partial(_tau_c, values=values))


@register
class KendallLike(PairShare):
    r"""Right less wrong pairs over the pairs that people tell apart (daRR).

    Formula
    -------
    $$\tau = \frac{C - D - T_y}{C + D + T_y}, \qquad |x_i - x_j| \ge t$$

    Use when
    --------
    Results are compared with WMT's metrics tasks up to 2020, at the level of segments.

    Do not use when
    ---------------
    The threshold was not fixed beforehand: it decides which pairs count. Metrics tie often, for every tie is wrong.

    What karat does
    ---------------
    A pair counts if the judgements differ by the threshold or more (25 of raw direct assessment at WMT20; with more
    than 25 other pairs are counted). A tie of the metric is wrong. Pairs are those of one segment where the grouping
    is item, and are pooled over all groups.

    Example
    -------
    >>> from karat.meta import MeasureSettings, evaluate
    >>> evaluate("kendall-like", [10, 11, 100, 150], [2, 1, 4, 3], settings=MeasureSettings(minimum=25)).value
    0.6
    """

    name = "kendall-like"
    title = "WMT's Kendall-like measure"
    short_title = "Kendall-like"
    citation = "mathur-etal-2020-results"
    has_minimum = True
    pooled = True
    worths = (1, -1, -1)


def _tau_b(counts: Floats) -> Floats:
    pairs = counts.sum(axis=-1)
    untied_by_people, untied_by_metric = (
        pairs - counts[..., 3] - counts[..., 4],
        pairs - counts[..., 2] - counts[..., 4],
    )
    untied = np.sqrt(np.maximum(untied_by_people, 0) * np.maximum(untied_by_metric, 0))
    return ratio(counts[..., 0] - counts[..., 1], untied)


def _tau_c(counts: Floats, values: Floats) -> Floats:
    pairs = counts.sum(axis=-1)
    n = (1 + np.sqrt(1 + 8 * pairs)) / 2
    return ratio(2 * (counts[..., 0] - counts[..., 1]) * values, np.where(pairs > 0, n * n * (values - 1), 0.0))


def _fewest_values(points: Points, group: int) -> int:
    members = slice(*points.offsets[group : group + 2])
    return min(len(np.unique(points.gold[members])), len(np.unique(points.scores[members])))
