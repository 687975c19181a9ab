"""How large a difference is, in standard deviations of a unit."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.significance.tables import Floats


def unit_deviation(left_out: Floats) -> float:
    """The standard deviation of one unit's influence on a quantity, from its values without one unit each.

    It is the jackknife's standard error times the root of the number of units; for a mean, the standard deviation.
    """
    return sqrt((len(left_out) - 1) * float(((left_out - left_out.mean()) ** 2).sum()))


def effect_size(difference: float, left_out: Floats) -> float | None:
    """The difference in standard deviations of a unit; None where units do not vary although there is a difference."""
    if difference == 0:
        return 0.0
    deviation = unit_deviation(left_out)
    return difference / deviation if deviation > 1e-12 * abs(difference) else None
