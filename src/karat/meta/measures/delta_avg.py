"""How well predicted quality ranks segments: DeltaAvg."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.meta.jackknife import jackknife_interval
from karat.meta.measures.base import AgreementMeasure, MeasuredAgreement, MeasureSettings, register

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from karat.meta.points import Grouping, JudgedScores, Points

    Floats = NDArray[np.float64]

FEWEST_POINTS = 4
MOST_BLOCKS = 100
"""The value is computed anew without each block of clusters, so there are no more of these."""


@register
class DeltaAvg(AgreementMeasure):
    r"""How much better than the whole set those segments are that were predicted to be good.

    Formula
    -------
    $$\Delta[n] = \frac{1}{n - 1} \sum_{k=1}^{n-1} V(S_{1,k}) - V(S), \qquad
    \Delta = \frac{1}{N - 1} \sum_{n=2}^{N} \Delta[n]$$

    Use when
    --------
    Predicted quality decides which segments are published or post-edited first.

    Do not use when
    ---------------
    Judgements of different scales are compared: it is on the scale of the judgements, and has no bounds.

    What karat does
    ---------------
    Parts have as many segments as the set divided by n, rounded down; N is half the number of segments; segments that
    are predicted alike keep their order. All units are ranked together, whatever system they are of.

    Example
    -------
    >>> from karat.meta import delta_avg
    >>> delta_avg([5, 4, 3, 2, 1, 0], [6, 5, 4, 3, 2, 1], 2)
    1.5
    """

    name = "delta-avg"
    title = "DeltaAvg"
    short_title = "DeltaAvg"
    family = "Predictions"
    citation = "callison-burch-etal-2012-findings"
    bounds = (-np.inf, np.inf)
    standard = False
    groupings = ("none",)

    def why_undefined(self, settings: MeasureSettings) -> str:  # noqa: ARG002
        """What cannot be cut."""
        return f"of fewer than {FEWEST_POINTS} units"

    def evaluate(self, judged: JudgedScores, grouping: Grouping, settings: MeasureSettings) -> MeasuredAgreement:  # noqa: ARG002
        """The value of all points together, NaN where they are too few to be cut."""
        points = judged.points("none", oriented=self.orients_scores)
        value, left_out = float("nan"), np.zeros(0)
        if len(points) >= FEWEST_POINTS:
            value, left_out = delta_avg(points.gold, points.scores), _left_out(points)
        return MeasuredAgreement(
            measure=self.name,
            grouping="none",
            value=value,
            n=len(points),
            groups=1,
            groups_undefined=int(np.isnan(value)),
            interval=jackknife_interval(value, left_out, settings.confidence, bounds=self.bounds),
            units=points.cluster_count,
        )


def delta_avg(gold: ArrayLike, predicted: ArrayLike, quantiles: int | None = None) -> float:
    """How much better than the whole set its upper parts are, when it is sorted by prediction, best first.

    With `quantiles`, DeltaAvg[n]; else the mean over all n from 2 to half the number of segments. Parts are as long as
    the number of segments divided by n, rounded down; segments that are predicted alike keep their order.

    >>> delta_avg([5, 4, 3, 2, 1, 0], [6, 5, 4, 3, 2, 1], 2)
    1.5
    >>> delta_avg([5, 4, 3, 2, 1, 0], [6, 5, 4, 3, 2, 1])
    1.5
    """
    values, predictions = np.asarray(gold, dtype=float), np.asarray(predicted, dtype=float)
    if values.shape != predictions.shape or values.ndim != 1:
        raise InputError(
            f"there are {values.size} judgements and {predictions.size} predictions: give one for each segment"
        )
    if len(values) < FEWEST_POINTS:
        raise InputError(
            f"DeltaAvg cuts a set into halves at least: {len(values)} segments are too few, "
            f"give {FEWEST_POINTS} or more"
        )
    if quantiles is not None and not 2 <= quantiles <= len(values):
        raise InputError(f"{len(values)} segments cannot be cut into {quantiles} parts")
    ranked = values[np.argsort(-predictions, kind="stable")]
    heads = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    part_counts = [quantiles] if quantiles is not None else range(2, len(ranked) // 2 + 1)
    return float(np.mean([_delta(heads, n) for n in part_counts]))


def _delta(heads: Floats, quantiles: int) -> float:
    """The mean of the heads that end with each part but the last, less the mean of all."""
    length = len(heads) // quantiles
    ends = np.arange(1, quantiles) * length - 1
    return float(heads[ends].mean() - heads[-1])


def _left_out(points: Points) -> Floats:
    """The values without each block of clusters; none where too few points are left."""
    blocks = points.clusters % min(points.cluster_count, MOST_BLOCKS)
    kept = [blocks != block for block in range(int(blocks.max()) + 1)]
    if any(points_kept.sum() < FEWEST_POINTS for points_kept in kept):
        return np.zeros(0)
    return np.array([delta_avg(points.gold[points_kept], points.scores[points_kept]) for points_kept in kept])
