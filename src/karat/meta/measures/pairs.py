"""What measures that count pairs of units have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat.meta.averages import Averaged, mean_over_groups, pooled_over_groups, ratio
from karat.meta.measures.base import DEFAULTS, MeasureSettings, PointMeasure
from karat.meta.pair_totals import pair_totals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.averages import Totals
    from karat.meta.points import Points

    Floats = NDArray[np.float64]


KINDS_OF_PAIRS = 5


class PairMeasure(PointMeasure):
    """A measure that is made of the numbers of pairs of the five kinds that `pair_totals` tells apart."""

    family = "Pairs"
    calibrated: ClassVar[bool] = False
    """Whether scores tie that differ by an epsilon, chosen so that accuracy with ties is greatest."""
    has_minimum: ClassVar[bool] = False
    """Whether only pairs count whose judgements differ by the minimum of the settings."""

    def epsilon(self, points: Points, settings: MeasureSettings) -> float | None:
        """By how much scores may differ and still tie; None where only equal ones do."""
        if not self.calibrated:
            return None
        return points.best_epsilon if settings.epsilon is None else settings.epsilon

    def minimum(self, settings: MeasureSettings) -> float | None:
        """By how much the judgements of a pair must differ; None where all pairs count."""
        return settings.minimum if self.has_minimum else None

    def totals(self, points: Points, settings: MeasureSettings) -> Totals:
        """The numbers of pairs."""
        epsilon = self.epsilon(points, settings) or 0.0
        return pair_totals(points, minimum=self.minimum(settings) or 0.0, epsilon=epsilon, threads=settings.threads)

    def details(self, points: Points, settings: MeasureSettings) -> dict[str, Any]:
        """How many pairs there are, and what ties them."""
        counts = self.totals(points, settings).of_groups.sum(axis=0)
        minimum = self.minimum(settings)
        pairs = int(counts[:3].sum() if minimum else counts.sum())
        return {"pairs": pairs, "epsilon": self.epsilon(points, settings), "minimum": minimum}


class PairShare(PairMeasure):
    """A mean over pairs: what a pair of each kind adds, divided by how many pairs of the first kinds there are.

    Being linear in the pairs, it is permuted a thousand times by one product of matrices.
    """

    worths: ClassVar[tuple[float, ...]]
    """What a pair adds: in the same order, in the opposite one, tied by the metric, by people, by both.

    Kinds that are left out at the end are not counted.
    """
    pooled: ClassVar[bool] = False
    """Whether the pairs of all groups are put together; else groups are averaged."""

    def why_undefined(self, settings: MeasureSettings) -> str:
        """Groups that have none of the pairs that are counted."""
        if minimum := self.minimum(settings):
            return f"without a pair whose judgements differ by {minimum:g} or more"
        return "of one unit" if len(self.worths) == KINDS_OF_PAIRS else "without a pair that people tell apart"

    def formula(self, counts: Floats) -> Floats:
        """The mean worth of the pairs that are counted."""
        counted = counts[..., : len(self.worths)]
        return ratio(counted @ np.array(self.worths), counted.sum(axis=-1))

    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:
        """The mean over groups, or over all pairs."""
        totals = self.totals(points, settings)
        if self.pooled:
            return pooled_over_groups(points, totals, lambda counts: counts[..., : len(self.worths)], self.formula)
        return mean_over_groups(points, totals, self.formula)
