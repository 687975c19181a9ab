"""Fleiss' kappa of any number of raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.human.agreement.base import AnswerStatistic, ScaleAnswers, register
from karat.human.agreement.value import NOTHING, AgreementValue, corrected

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]


def fleiss(counts: ArrayLike) -> AgreementValue:
    """Fleiss' kappa from a table of items by answers that counts the raters who gave each.

    Items judged once say nothing and are left out; items may differ in the number of their raters, and then each
    counts alike, which for equal numbers is Fleiss' own formula.

    >>> round(fleiss([[2, 0], [1, 1], [0, 2], [2, 0]]).value, 3)
    0.467
    """
    table = np.asarray(counts, dtype=np.float64)
    raters = table.sum(axis=1)
    table, raters = table[raters >= 2], raters[raters >= 2]
    if len(table) == 0:
        return AgreementValue("fleiss", None, 0, "items", note=NOTHING)
    agreed = ((table**2).sum(axis=1) - raters) / (raters * (raters - 1))
    shares = table.sum(axis=0) / table.sum()
    return corrected("fleiss", float(agreed.mean()), float((shares**2).sum()), len(table), "items")


def answer_counts(items: Codes, answers: Codes) -> Floats:
    """The table that Fleiss' kappa takes, from one item and one answer per judgement, both as codes from 0."""
    if len(items) == 0:
        return np.zeros((0, 0))
    height, width = int(items.max()) + 1, int(answers.max()) + 1
    counts = np.bincount(items * width + answers, minlength=height * width)
    return counts.reshape(height, width).astype(np.float64)


@register
class FleissKappa(AnswerStatistic):
    r"""Agreement of any number of raters beyond chance, where it does not matter who said what.

    Formula
    -------
    $$\kappa = \frac{\bar P - \sum_j p_j^2}{1 - \sum_j p_j^2}, \quad P_i = \frac{\sum_j n_{ij}^2 - n_i}{n_i (n_i - 1)}$$

    What karat does
    ---------------
    Items may have different numbers of raters; each item with at least two counts alike. With equal numbers it is
    Fleiss' formula and statsmodels' number.

    Example
    -------
    >>> from karat.human.agreement.fleiss import fleiss
    >>> round(fleiss([[3, 0], [2, 1], [0, 3], [1, 2]]).value, 3)
    0.333
    """

    name = "fleiss-kappa"
    title = "Fleiss' kappa"
    citation = "fleiss-1971-measuring"
    place = 30

    def evaluate(self, judged: ScaleAnswers) -> tuple[AgreementValue, ...]:
        """Kappa of the table of items by answers."""
        _, item, answer = judged.first_answers
        return (fleiss(answer_counts(item, answer)),)
