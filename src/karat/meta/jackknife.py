"""Intervals from leaving out one unit after the other.

Tukey's jackknife with Student's quantile; correlations are put on Fisher's scale first, so that their interval stays
between -1 and 1.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from karat.significance.quantiles import student_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CERTAIN = 1 - 1e-9
"""Beyond so great a correlation Fisher's scale has no use."""

ROUNDING = 1e-10
"""A standard error that is a smaller part of the values is none: they are the same whichever unit is left out."""


def jackknife_interval(
    value: float, left_out: Floats, confidence: float, *, bounds: tuple[float, float]
) -> tuple[float, float] | None:
    """The interval of a value whose values without one unit each are known; None where these do not vary."""
    count = len(left_out)
    if count < 3 or not np.isfinite(value) or not np.isfinite(left_out).all():
        return None
    fisher = bounds == (-1.0, 1.0) and abs(value) < CERTAIN and bool((np.abs(left_out) < CERTAIN).all())
    centre, others = (np.arctanh(value), np.arctanh(left_out)) if fisher else (value, left_out)
    error = sqrt((count - 1) / count * float(((others - others.mean()) ** 2).sum()))
    # Of any two systems the correlation is 1 or -1: values that do not vary tell nothing about a spread.
    if error <= ROUNDING * float(np.abs(others).max()):
        return None
    reach = student_quantile((1 + confidence) / 2, count - 1) * error
    low, high = float(centre - reach), float(centre + reach)
    if fisher:
        return float(np.tanh(low)), float(np.tanh(high))
    return max(low, bounds[0]), min(high, bounds[1])
