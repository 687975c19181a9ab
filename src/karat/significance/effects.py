"""How large a difference is, in standard deviations of a unit."""

from __future__ import annotations

from math import frexp, ldexp, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from karat.significance.tables import Floats


def unit_deviation(left_out: Floats) -> float:
    """The standard deviation of one unit's influence on a quantity, from its values without one unit each.

    It is the jackknife's standard error times the root of the number of units; for a mean, the standard deviation.
    """
    scaled, exponent = near_one(left_out)
    return ldexp(sqrt((len(scaled) - 1) * float(((scaled - scaled.mean()) ** 2).sum())), exponent)


def near_one(values: Floats) -> tuple[Floats, int]:
    """The values divided by a power of 2, so that no square is too large, and the exponent of that power."""
    _, exponent = frexp(float(np.abs(values).max()))
    return np.ldexp(values, -exponent), exponent


def effect_size(difference: float, left_out: Floats) -> float | None:
    """The difference in standard deviations of a unit; None where units do not vary although there is a difference."""
    if difference == 0:
        return 0.0
    deviation = unit_deviation(left_out)
    return difference / deviation if deviation > 1e-12 * abs(difference) else None
