"""Values made comparable: per-rater z, ARPA's normalisation, and how values are distributed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

MOST_BARS = 11


@dataclass(frozen=True, eq=False)
class RaterScale:
    """How each rater used the scale: judgements, their mean, and their standard deviation with n - 1; NaN for one."""

    count: NDArray[np.int64]
    mean: Floats
    deviation: Floats

    @classmethod
    def of(cls, rater: Codes, value: Floats, raters: int) -> RaterScale:
        """From all rows of every rater, control items included, as WMT does."""
        count = np.bincount(rater, minlength=raters)
        mean = np.bincount(rater, value, minlength=raters) / np.maximum(count, 1)
        squares = np.bincount(rater, (value - mean[rater]) ** 2, minlength=raters)
        spread = np.divide(squares, count - 1, out=np.full(raters, np.nan), where=count > 1)
        return cls(count, np.where(count > 0, mean, np.nan), np.sqrt(spread))

    @property
    def usable(self) -> NDArray[np.bool_]:
        """Whose values can be standardised: those of raters who did not always give the same one."""
        # A constant that is not a binary fraction leaves a deviation of rounding size.
        return np.asarray(self.deviation > 1e-12 * np.maximum(np.abs(self.mean), 1e-300))

    def z(self, rater: Codes, value: Floats) -> Floats:
        """(value - mean) / deviation by rater; 0 for raters whose values do not vary.

        >>> scale = RaterScale.of(np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0]), 2)
        >>> scale.z(np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0])).round(4).tolist()
        [-0.7071, 0.7071, 0.0]
        """
        spread = np.where(self.usable, self.deviation, 1.0)
        return np.where(self.usable[rater], (value - self.mean[rater]) / spread[rater], 0.0)


def normalised(value: float, low: float, high: float, *, higher_is_better: bool = True) -> float:
    """ARPA's (p - 1)/(S - 1) for any scale with two ends: 0 is the worst, 1 the best.

    >>> normalised(4, 1, 5)
    0.75
    """
    share = (value - low) / (high - low)
    return share if higher_is_better else 1 - share


def distribution(value: Floats, low: float | None = None, high: float | None = None) -> dict[str, int]:
    """How often each value was given; in ten equal parts of the scale (or of the range) where there are many values.

    >>> distribution(np.array([1.0, 2.0, 2.0]))
    {'1': 1, '2': 2}
    """
    kinds, counts = np.unique(value, return_counts=True)
    if len(kinds) <= MOST_BARS:
        return {f"{kind:g}": int(count) for kind, count in zip(kinds, counts, strict=True)}
    start = float(kinds[0]) if low is None else low
    stop = float(kinds[-1]) if high is None else high
    counts, edges = np.histogram(value, bins=10, range=(start, stop))
    names = [f"{left:g}-{right:g}" for left, right in pairwise(edges)]
    return {name: int(count) for name, count in zip(names, counts, strict=True)}
