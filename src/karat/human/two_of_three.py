"""Qin and Specia's agreement: how often at least two of three judges give the same value."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from karat.human.agreement import Agreement, corrected

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def chance_of_two(values: int) -> Fraction:
    """The chance that at least two of three judges agree who draw from so many values at random.

    All three differ with (S - 1)(S - 2)/S^2.

    >>> float(chance_of_two(5)), float(chance_of_two(4))
    (0.52, 0.625)
    """
    return 1 - Fraction((values - 1) * (values - 2), values * values)


def two_of_three(judgements: ArrayLike, values: int) -> tuple[Agreement, Agreement, Agreement]:
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
    raw = Agreement("two of three", share, count, "items", observed=share)
    paper = corrected(f"two of three, chance 1/{values}", share, 1 / values, count, "items")
    right = corrected("two of three, right chance", share, float(chance_of_two(values)), count, "items")
    return raw, paper, right
