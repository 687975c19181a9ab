"""Percent agreement: how often two judgements of an item are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.human.agreement.base import AnswerStatistic, ScaleAnswers, register
from karat.human.agreement.cohen import confusion
from karat.human.agreement.value import NOTHING, AgreementValue
from karat.human.couples import pairs_within

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]


def percent(first: ArrayLike, second: ArrayLike) -> AgreementValue:
    """The share of items on which two raters gave the same answer.

    >>> percent([1, 2, 3], [1, 2, 2]).value
    0.6666666666666666
    """
    counts, _ = confusion(first, second)
    total = int(counts.sum())
    if total == 0:
        return AgreementValue("percent", None, 0, "items", note=NOTHING)
    share = float(np.trace(counts)) / total
    return AgreementValue("percent", share, total, "items", observed=share)


def same_share(groups: Codes, values: Floats | Codes, measure: str) -> AgreementValue:
    """The share of pairs of judgements within groups that have the same value, and how far apart they are."""
    first, second = pairs_within(groups)
    if len(first) == 0:
        return AgreementValue(measure, None, 0, "pairs", note=NOTHING)
    gaps = np.abs(values[first] - values[second])
    share = float((gaps == 0).mean())
    details = {"mean_difference": float(gaps.mean())}
    return AgreementValue(measure, share, len(first), "pairs", observed=share, details=details)


@register
class PercentAgreement(AnswerStatistic):
    r"""How often two judgements of the same item are the same.

    Formula
    -------
    $$p_A = \frac{\text{pairs of judgements that are equal}}{\text{pairs of judgements}}$$

    What karat does
    ---------------
    Over all pairs of raters who share an item. It says little by itself: much of it is chance.

    Example
    -------
    >>> from karat.human.agreement.percent import percent
    >>> percent([1, 2, 3, 3], [1, 2, 3, 4]).value
    0.75
    """

    name = "percent-agreement"
    title = "Percent agreement"
    citation = "landis-koch-1977-measurement"
    place = 10

    def evaluate(self, judged: ScaleAnswers) -> tuple[AgreementValue, ...]:
        """The share of equal pairs."""
        _, item, _ = judged.first_answers
        return (same_share(item, judged.first_values, "percent"),)
