"""Cohen's and Fleiss' kappa, from counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from karat.errors import InputError
from karat.human.agreement import CHANCE_ALONE, NOTHING, Agreement, corrected
from karat.human.pairs import crossed, pairs_within

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

Weights = Literal["none", "linear", "quadratic"]
WEIGHTS: tuple[Weights, ...] = ("none", "linear", "quadratic")


def confusion(first: ArrayLike, second: ArrayLike) -> tuple[Floats, NDArray[Any]]:
    """How often the one rater gave the row's answer and the other the column's; and the answers, in order."""
    left, right = np.asarray(first), np.asarray(second)
    if left.shape != right.shape or left.ndim != 1:
        raise InputError(f"two raters judge the same items: {left.size} judgements and {right.size} do not pair")
    answers, codes = np.unique(np.concatenate([left, right]), return_inverse=True)
    size = len(answers)
    counts = np.bincount(codes[: len(left)] * size + codes[len(left) :], minlength=size * size)
    return counts.reshape(size, size).astype(np.float64), answers


def percent(first: ArrayLike, second: ArrayLike) -> Agreement:
    """The share of items on which two raters gave the same answer.

    >>> percent([1, 2, 3], [1, 2, 2]).value
    0.6666666666666666
    """
    counts, _ = confusion(first, second)
    total = int(counts.sum())
    if total == 0:
        return Agreement("percent", None, 0, "items", note=NOTHING)
    share = float(np.trace(counts)) / total
    return Agreement("percent", share, total, "items", observed=share)


def cohen(first: ArrayLike, second: ArrayLike, weights: Weights = "none") -> Agreement:
    """Cohen's kappa of two raters; the chance comes from how often each gave which answer.

    Linear and quadratic weights count the steps between answers in their sorted order, as scikit-learn does: a scale
    on which an answer never occurs has that step missing.

    >>> round(cohen([1, 1, 2, 2], [1, 1, 2, 1]).value, 3)
    0.5
    """
    return cohen_from_counts(confusion(first, second)[0], weights)


def cohen_from_counts(counts: Floats, weights: Weights = "none") -> Agreement:
    """Cohen's kappa from the table of two raters' answers."""
    name = "cohen" if weights == "none" else f"cohen {weights}"
    total = counts.sum()
    if total == 0:
        return Agreement(name, None, 0, "items", note=NOTHING)
    credit = _credit(len(counts), weights)
    observed = float((credit * counts).sum() / total)
    expected = float(counts.sum(axis=1) @ credit @ counts.sum(axis=0)) / float(total) ** 2
    return corrected(name, observed, expected, int(total), "items")


def _credit(size: int, weights: Weights) -> Floats:
    """What a pair of answers counts for: 1 for the same, less the further they are apart."""
    if weights == "none" or size < 2:
        return np.eye(size)
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) / (size - 1)
    return np.asarray(1 - (steps if weights == "linear" else steps**2), dtype=np.float64)


def cohen_of_pairs(rater: Codes, item: Codes, answer: Codes, weights: Weights = "none") -> Agreement:
    """Cohen's kappa of every two raters who share items, averaged with the number of shared items as weight.

    A rater's first judgement of an item counts. Pairs whose kappa is not defined are left out; with two raters it is
    Cohen's kappa itself.
    """
    name = "cohen" if weights == "none" else f"cohen {weights}"
    _, at = np.unique(crossed(rater, item), return_index=True)
    rater, item, answer = rater[at], item[at], answer[at]
    first, second = pairs_within(item)
    if len(first) == 0:
        return Agreement(name, None, 0, "items", note=NOTHING)
    swap = rater[first] > rater[second]
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    size = int(answer.max()) + 1
    couple = crossed(rater[first], rater[second])
    cells = (couple * size + answer[first]) * size + answer[second]
    tables = np.bincount(cells, minlength=(int(couple.max()) + 1) * size * size).reshape(-1, size, size)
    found = [cohen_from_counts(_used(table.astype(np.float64)), weights) for table in tables]
    known = [one for one in found if one.value is not None]
    total = sum(one.n for one in known)
    if total == 0:
        return Agreement(name, None, len(first), "items", note=CHANCE_ALONE)

    def average(values: list[float | None]) -> float:
        return sum((value or 0.0) * one.n for value, one in zip(values, known, strict=True)) / total

    parts = ([one.value for one in known], [one.observed for one in known], [one.expected for one in known])
    value, observed, expected = (average(list(part)) for part in parts)
    return Agreement(name, value, total, "items", observed, expected, details={"rater_pairs": len(known)})


def _used(counts: Floats) -> Floats:
    """The table without answers that neither rater gave."""
    given = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
    return np.asarray(counts[np.ix_(given, given)])


def fleiss(counts: ArrayLike) -> Agreement:
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
        return Agreement("fleiss", None, 0, "items", note=NOTHING)
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
