"""Expected utilities, and the hypothesis that has the highest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

TIE = 1e-9
"""Utilities that differ by no more than this are the same."""


@dataclass(frozen=True)
class BestText:
    """The place of the best hypothesis and its expected utility.

    `margin` is by how much it is better than the best of the other texts, None where no other was measured; `tied` are
    the places of other texts that are as good, and come later.
    """

    place: int
    utility: float
    margin: float | None
    tied: tuple[int, ...] = ()


def weighted_mean(scores: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The expected utility of each row of scores.

    >>> weighted_mean(np.array([[1.0, 3.0], [2.0, 2.0]]), np.array([3.0, 1.0])).tolist()
    [1.5, 2.0]
    """
    return np.asarray((scores * weights).sum(axis=-1) / weights.sum())


def model_weights(log_probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of each text given that it is one of these (Jinnai et al. 2024, model-based estimate).

    >>> model_weights(np.log([0.02, 0.06])).round(12).tolist()
    [0.25, 0.75]
    """
    shares = np.exp(log_probabilities - log_probabilities.max())
    return np.asarray(shares / shares.sum())


def choose(utilities: NDArray[np.float64], *, higher_is_better: bool) -> BestText:
    """The best of different texts, the first of those that are equally good; NaN marks one that was not measured.

    >>> choose(np.array([1.0, 3.0, 3.0, 2.5]), higher_is_better=True)
    BestText(place=1, utility=3.0, margin=0.0, tied=(2,))
    >>> choose(np.array([1.0, np.nan]), higher_is_better=False)
    BestText(place=0, utility=1.0, margin=None, tied=())
    """
    sign = 1.0 if higher_is_better else -1.0
    signed = np.where(np.isnan(utilities), -np.inf, sign * utilities)
    equal = np.flatnonzero(signed >= signed.max() - TIE)
    place = int(equal[0])
    others = np.delete(signed, place)
    second = float(others.max()) if len(others) and np.isfinite(others.max()) else None
    margin = None if second is None else max(0.0, float(signed[place]) - second)
    return BestText(place, float(utilities[place]), margin, tuple(equal[1:].tolist()))


@dataclass(frozen=True, eq=False)
class DifferentTexts:
    """The different texts of a list, in order of first appearance; `number` has that of each entry of the list."""

    texts: tuple[str, ...]
    number: NDArray[np.intp]

    @classmethod
    def of(cls, texts: Sequence[str]) -> DifferentTexts:
        """The texts of a list.

        >>> DifferentTexts.of(["b", "a", "b"]).number.tolist()
        [0, 1, 0]
        """
        places: dict[str, int] = {}
        number = np.array([places.setdefault(text, len(places)) for text in texts], dtype=np.intp)
        return cls(tuple(places), number)

    @property
    def first(self) -> NDArray[np.intp]:
        """Where each text stands first in the list."""
        return np.unique(self.number, return_index=True)[1]

    @property
    def counts(self) -> NDArray[np.float64]:
        """How often each text is in the list: its weight where every entry counts the same."""
        return np.bincount(self.number).astype(np.float64)

    def greatest(self, values: Sequence[float]) -> NDArray[np.float64]:
        """The greatest of the values that each text has."""
        greatest = np.full(len(self.texts), -np.inf)
        np.maximum.at(greatest, self.number, np.asarray(values, dtype=np.float64))
        return greatest
