"""Cohen's kappa of two raters, and its mean over pairs of raters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from karat.errors import InputError
from karat.human.agreement.base import AnswerStatistic, ScaleAnswers, register
from karat.human.agreement.value import CHANCE_ALONE, NOTHING, AgreementValue, corrected
from karat.human.couples import crossed, pairs_within

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

KappaWeights = Literal["none", "linear", "quadratic"]
KAPPA_WEIGHTS: tuple[KappaWeights, ...] = ("none", "linear", "quadratic")


def confusion(first: ArrayLike, second: ArrayLike) -> tuple[Floats, NDArray[Any]]:
    """How often the one rater gave the row's answer and the other the column's; and the answers, in order."""
    left, right = np.asarray(first), np.asarray(second)
    if left.shape != right.shape or left.ndim != 1:
        raise InputError(f"two raters judge the same items: {left.size} judgements and {right.size} do not pair")
    answers, codes = np.unique(np.concatenate([left, right]), return_inverse=True)
    size = len(answers)
    counts = np.bincount(codes[: len(left)] * size + codes[len(left) :], minlength=size * size)
    return counts.reshape(size, size).astype(np.float64), answers


def cohen(first: ArrayLike, second: ArrayLike, weights: KappaWeights = "none") -> AgreementValue:
    """Cohen's kappa of two raters; the chance comes from how often each gave which answer.

    Linear and quadratic weights count the steps between answers in their sorted order, as scikit-learn does: a scale
    on which an answer never occurs has that step missing.

    >>> round(cohen([1, 1, 2, 2], [1, 1, 2, 1]).value, 3)
    0.5
    """
    return cohen_from_counts(confusion(first, second)[0], weights)


def cohen_from_counts(counts: Floats, weights: KappaWeights = "none") -> AgreementValue:
    """Cohen's kappa from the table of two raters' answers."""
    name = "cohen" if weights == "none" else f"cohen {weights}"
    total = counts.sum()
    if total == 0:
        return AgreementValue(name, None, 0, "items", note=NOTHING)
    credit = _credit(len(counts), weights)
    observed = float((credit * counts).sum() / total)
    expected = float(counts.sum(axis=1) @ credit @ counts.sum(axis=0)) / float(total) ** 2
    return corrected(name, observed, expected, int(total), "items")


def _credit(size: int, weights: KappaWeights) -> Floats:
    """What a pair of answers counts for: 1 for the same, less the further they are apart."""
    if weights == "none" or size < 2:
        return np.eye(size)
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) / (size - 1)
    return np.asarray(1 - (steps if weights == "linear" else steps**2), dtype=np.float64)


def cohen_of_pairs(rater: Codes, item: Codes, answer: Codes, weights: KappaWeights = "none") -> AgreementValue:
    """Cohen's kappa of every two raters who share items, averaged with the number of shared items as weight.

    A rater's first judgement of an item counts. Pairs whose kappa is not defined are left out; with two raters it is
    Cohen's kappa itself.
    """
    name = "cohen" if weights == "none" else f"cohen {weights}"
    _, at = np.unique(crossed(rater, item), return_index=True)
    rater, item, answer = rater[at], item[at], answer[at]
    first, second = pairs_within(item)
    if len(first) == 0:
        return AgreementValue(name, None, 0, "items", note=NOTHING)
    swap = rater[first] > rater[second]
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    size = int(answer.max()) + 1
    couple = crossed(rater[first], rater[second])
    cells = (couple * size + answer[first]) * size + answer[second]
    tables = np.bincount(cells, minlength=(int(couple.max()) + 1) * size * size).reshape(-1, size, size)
    kappas = [cohen_from_counts(_used(table.astype(np.float64)), weights) for table in tables]
    known = [kappa for kappa in kappas if kappa.value is not None]
    total = sum(kappa.n for kappa in known)
    if total == 0:
        return AgreementValue(name, None, len(first), "items", note=CHANCE_ALONE)

    def average(values: list[float | None]) -> float:
        return sum((value or 0.0) * kappa.n for value, kappa in zip(values, known, strict=True)) / total

    parts = ([getattr(kappa, name) for kappa in known] for name in ("value", "observed", "expected"))
    value, observed, expected = (average(list(part)) for part in parts)
    return AgreementValue(
        name, value, total, "items", observed, expected, details={"rater_pairs": len(known)}, kappa_like=True
    )


def _used(counts: Floats) -> Floats:
    """The table without answers that neither rater gave."""
    given = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
    return np.asarray(counts[np.ix_(given, given)])


@register
class CohenKappa(AnswerStatistic):
    r"""Agreement of two raters beyond chance; plain, or with linear or quadratic weights for near misses.

    Formula
    -------
    $$\kappa = \frac{p_A - p_E}{1 - p_E}$$ with $p_E$ from how often each rater gave each answer

    What karat does
    ---------------
    With more than two raters it is the mean over pairs of raters, weighted by the items that they share. Weights count
    steps between the answers that occur, as scikit-learn does. Where only one answer was ever given it is not defined,
    and karat says so instead of printing 0 or 1.

    Example
    -------
    >>> from karat.human.agreement.cohen import cohen
    >>> first, second = [1, 2, 3, 4, 5, 3], [1, 2, 4, 4, 5, 2]
    >>> [round(cohen(first, second, weights).value, 3) for weights in ("none", "linear", "quadratic")]
    [0.6, 0.786, 0.909]
    """

    name = "cohen-kappa"
    title = "Cohen's kappa"
    citation = "cohen-1960-coefficient"
    place = 20

    def evaluate(self, judged: ScaleAnswers) -> tuple[AgreementValue, ...]:
        """Kappa without weights, and with both kinds of them."""
        return tuple(cohen_of_pairs(*judged.first_answers, weights) for weights in KAPPA_WEIGHTS)
