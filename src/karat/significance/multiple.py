"""Many comparisons at once: p-values that account for each other, and how many resamples that takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.arguments import check_choice

if TYPE_CHECKING:
    from numpy.typing import NDArray

Correction = Literal["holm", "bh", "none"]
CORRECTIONS: tuple[Correction, ...] = ("holm", "bh", "none")


def adjust(p: Sequence[float] | NDArray[np.float64], correction: Correction = "holm") -> NDArray[np.float64]:
    """The p-values of one family, adjusted: by Holm (no false claim at all), by Benjamini and Hochberg, or not.

    >>> adjust([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, 0.03], "bh").tolist()
    [0.03, 0.04, 0.04]
    """
    check_correction(correction)
    raw = np.asarray(p, dtype=np.float64)
    order = np.argsort(raw, kind="stable")
    position = np.arange(1, len(raw) + 1)
    adjusted = np.empty_like(raw)
    if correction == "none":
        return raw.copy()
    if correction == "holm":
        stepped = np.maximum.accumulate(raw[order] * (len(raw) - position + 1))
    else:
        stepped = np.minimum.accumulate((raw[order] * len(raw) / position)[::-1])[::-1]
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def check_correction(correction: str) -> None:
    """Refuse a correction that does not exist."""
    check_choice("correction", correction, CORRECTIONS)


def needed_resamples(comparisons: int, alpha: float = 0.05, correction: Correction = "holm") -> int:
    """The fewest resamples at which the smallest p, 1/(n + 1), can still reach alpha after correction.

    >>> needed_resamples(91)
    1819
    """
    family = 1 if correction == "none" else comparisons
    return max(1, ceil(round(family / alpha, 9)) - 1)
