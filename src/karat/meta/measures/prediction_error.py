"""Errors of scores that predict judgements on their own scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.meta.averages import Averaged, Totals, mean_over_groups, ratio
from karat.meta.measures.base import DEFAULTS, MeasureSettings, PointMeasure, register

if TYPE_CHECKING:
    from karat.meta.points import Points


class PredictionError(PointMeasure):
    """How far scores are from judgements; asked for by name, for most scores are on another scale."""

    family = "Predictions"
    citation = "callison-burch-etal-2012-findings"
    bounds = (0.0, np.inf)
    higher_is_better = False
    standard = False
    orients_scores = False
    comparable = False


@register
class MeanAbsoluteError(PredictionError):
    r"""How far predictions are from judgements, on the scale of these.

    Formula
    -------
    $$\mathrm{MAE} = \frac{1}{n} \sum |x - y|$$

    Use when
    --------
    Scores are predictions of the judgements themselves.

    Do not use when
    ---------------
    Scores are on another scale than the judgements: they have no error in this sense.

    What karat does
    ---------------
    It is computed only if it is asked for. Scores are never turned round.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> evaluate("mae", [1, 2, 3], [1, 3, 5]).value
    1.0
    """

    name = "mae"
    title = "Mean absolute error"
    short_title = "MAE"

    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:  # noqa: ARG002
        """The mean over groups of the mean error."""
        error = np.abs(points.scores - points.gold)
        totals = Totals.of(points, np.column_stack([np.ones_like(error), error]))
        return mean_over_groups(points, totals, lambda sums: ratio(sums[..., 1], sums[..., 0]))


@register
class RootMeanSquaredError(PredictionError):
    r"""How far predictions are from judgements, large errors weighing more.

    Formula
    -------
    $$\mathrm{RMSE} = \sqrt{\frac{1}{n} \sum (x - y)^2}$$

    Use when
    --------
    Scores are predictions of the judgements themselves, and a large error is worse than two that are half as large.

    Do not use when
    ---------------
    Scores are on another scale than the judgements, or a few judgements are far off.

    What karat does
    ---------------
    As for the mean absolute error.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> round(evaluate("rmse", [1, 2, 3], [1, 3, 5]).value, 4)
    1.291
    """

    name = "rmse"
    title = "Root mean squared error"
    short_title = "RMSE"

    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:  # noqa: ARG002
        """The mean over groups of the root of the mean square."""
        squared = (points.scores - points.gold) ** 2
        totals = Totals.of(points, np.column_stack([np.ones_like(squared), squared]))
        return mean_over_groups(points, totals, lambda sums: np.sqrt(ratio(sums[..., 1], sums[..., 0])))
