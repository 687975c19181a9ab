"""Shares of pairs that are right: pairwise accuracy, and accuracies that reward ties where people tie."""

from __future__ import annotations

from karat.meta.measures.base import register
from karat.meta.measures.pairs import PairShare

RIGHT = (1, 0, 0, 0, 1)
RIGHT_LESS_WRONG = (1, -1, -1, -1, 1)


@register
class PairwiseAccuracy(PairShare):
    r"""The share of pairs that the metric puts in the order of people.

    Formula
    -------
    $$\mathrm{acc} = \frac{C}{C + D + T_y}$$

    Use when
    --------
    The question is how often a metric picks the better of two systems.

    Do not use when
    ---------------
    People tie many pairs, as within segments: accuracy with ties counts these. Systems are few or nearly alike: soft
    pairwise accuracy knows which differences are clear.

    What karat does
    ---------------
    Pairs that people tie are left out; a tie of the metric is wrong. Over several language pairs, pairs are pooled, as
    Kocmi et al. do.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> evaluate("accuracy", [1, 2, 3], [1, 3, 2]).value
    0.6666666666666666
    """

    name = "accuracy"
    title = "Pairwise accuracy"
    short_title = "Accuracy"
    citation = "kocmi-etal-2021-ship"
    bounds = (0.0, 1.0)
    pools_tasks = True
    worths = (1, 0, 0)


@register
class CalibratedAccuracy(PairShare):
    r"""The share of pairs in the right order or rightly tied, with the epsilon that makes it greatest.

    Formula
    -------
    $$\mathrm{acc}_{eq} = \frac{C + T_{xy}}{P}, \qquad |y_i - y_j| \le \epsilon \Rightarrow \text{tie}$$

    Use when
    --------
    Metrics are compared at the level of segments, where people tie many pairs; group by item.

    Do not use when
    ---------------
    There are few pairs: the epsilon fits the very data that it is measured on.

    What karat does
    ---------------
    One epsilon for all groups, chosen on the same data; of several equally good ones the smallest, and 0 is one of
    them. It is reported. All differences of scores are candidates, none is left to sampling.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> agreement = evaluate("acc-eq", [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3])
    >>> agreement.value, agreement.epsilon
    (0.7, 0.5)
    """

    name = "acc-eq"
    title = "Accuracy with ties, calibrated"
    short_title = "acc-eq"
    citation = "deutsch-etal-2023-ties"
    bounds = (0.0, 1.0)
    calibrated = True
    worths = RIGHT


@register
class AccuracyWithTies(PairShare):
    r"""The share of pairs in the right order or rightly tied, where only equal scores are ties.

    Formula
    -------
    $$\mathrm{acc}_{eq} = \frac{C + T_{xy}}{P}$$

    Use when
    --------
    The metric gives ties on purpose, such as one that predicts error counts.

    Do not use when
    ---------------
    A metric hardly ever gives the same score twice: it loses every pair that people tie. Calibrate ties.

    What karat does
    ---------------
    Scores tie if they are equal to the last bit.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> evaluate("acc-eq-plain", [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]).value
    0.6
    """

    name = "acc-eq-plain"
    title = "Accuracy with ties"
    short_title = "acc-eq, ε = 0"
    citation = "deutsch-etal-2023-ties"
    bounds = (0.0, 1.0)
    worths = RIGHT


@register
class CalibratedKendall(PairShare):
    r"""Right less wrong pairs over all pairs, ties included: acc-eq from -1 to 1.

    Formula
    -------
    $$\tau_{eq} = 2\, \mathrm{acc}_{eq} - 1$$

    Use when
    --------
    A correlation is wanted that treats ties as acc-eq does.

    Do not use when
    ---------------
    It would stand beside acc-eq: it says the same on another scale.

    What karat does
    ---------------
    The same epsilon as for acc-eq.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> round(evaluate("tau-eq", [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]).value, 3)
    0.4
    """

    name = "tau-eq"
    title = "Kendall's correlation with ties, calibrated"
    short_title = "tau-eq"
    citation = "deutsch-etal-2023-ties"
    calibrated = True
    worths = RIGHT_LESS_WRONG


@register
class KendallWithTies(PairShare):
    r"""Right less wrong pairs over all pairs, where only equal scores are ties: acc-eq-plain from -1 to 1.

    Formula
    -------
    $$\tau_{eq} = \frac{C + T_{xy} - D - T_x - T_y}{P}$$

    Use when
    --------
    The metric gives ties on purpose, and a correlation is wanted.

    Do not use when
    ---------------
    A metric hardly ever gives the same score twice: it loses every pair that people tie. Calibrate ties.

    What karat does
    ---------------
    Scores tie if they are equal to the last bit.

    Example
    -------
    >>> from karat.meta import evaluate
    >>> round(evaluate("tau-eq-plain", [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]).value, 3)
    0.2
    """

    name = "tau-eq-plain"
    title = "Kendall's correlation with ties"
    short_title = "tau-eq, ε = 0"
    citation = "deutsch-etal-2023-ties"
    worths = RIGHT_LESS_WRONG
