"""Qin and Specia's agreement: how often at least two of three judges give the same value."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from karat.human.agreement.base import AnswerStatistic, ScaleAnswers, register
from karat.human.agreement.value import AgreementValue, corrected

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def chance_of_two(values: int) -> Fraction:
    """The chance that at least two of three judges agree who draw from so many values at random.

    All three differ with (S - 1)(S - 2)/S^2.

    >>> float(chance_of_two(5)), float(chance_of_two(4))
    (0.52, 0.625)
    """
    return 1 - Fraction((values - 1) * (values - 2), values * values)


def two_of_three(judgements: ArrayLike, values: int) -> tuple[AgreementValue, AgreementValue, AgreementValue]:
    """The share of items on which two of three agree, and that share corrected by two kinds of chance.

    `judgements` has a row per item and three columns; `values` is the number of points of the scale. The paper took 1/S
    (.2 on five points) for the chance, which is that of two judges; for two of three it is .52.

    >>> share, paper, right = two_of_three([[1, 1, 2], [1, 2, 3], [4, 4, 4], [5, 3, 5]], 5)
    >>> share.value, round(paper.value, 4), round(right.value, 4)
    (0.75, 0.6875, 0.4792)
    """
    table = np.asarray(judgements).reshape(-1, 3)
    first, second, third = table.T
    agreed = (first == second) | (second == third) | (first == third)
    count = len(table)
    share = float(agreed.mean()) if count else None
    raw = AgreementValue("two of three", share, count, "items", observed=share)
    paper = corrected(f"two of three, chance 1/{values}", share, 1 / values, count, "items", kappa_like=False)
    right = corrected(
        "two of three, right chance", share, float(chance_of_two(values)), count, "items", kappa_like=False
    )
    return raw, paper, right


@register
class TwoOfThree(AnswerStatistic):
    r"""How often at least two of three judges give the same value.

    Formula
    -------
    $$p_E = 1 - \frac{(S - 1)(S - 2)}{S^2}$$ on a scale of $S$ points

    What karat does
    ---------------
    Shown as it is, corrected by the paper's chance 1/S (.2 on five points), and corrected by the right one: for two of
    three judges on five points it is .52. Items with exactly three judges are counted.

    Example
    -------
    >>> from karat.human.agreement.two_of_three import chance_of_two, two_of_three
    >>> float(chance_of_two(5))
    0.52
    >>> [round(one.value, 3) for one in two_of_three([[1, 1, 2], [1, 2, 3], [4, 4, 4], [5, 3, 5]], 5)]
    [0.75, 0.688, 0.479]
    """

    name = "two-of-three"
    title = "Two of three"
    citation = "qin-specia-2015-truly"
    place = 40

    def applies(self, judged: ScaleAnswers) -> bool:
        """Whether the points of the scale are known."""
        return super().applies(judged) and bool(judged.points)

    def evaluate(self, judged: ScaleAnswers) -> tuple[AgreementValue, ...]:
        """The share, and both corrections, over items with three judges."""
        _, item, answer = judged.first_answers
        order = np.argsort(item, kind="stable")
        _, starts, counts = np.unique(item[order], return_index=True, return_counts=True)
        three = starts[counts == 3][:, np.newaxis] + np.arange(3)
        return two_of_three(answer[order][three], judged.points or 0)
