"""What a test set can show: the differences that it can detect, and the units that a difference needs."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.significance.effects import unit_deviation
from karat.significance.intervals import tables_of
from karat.significance.quantiles import NORMAL, student_quantile
from karat.significance.reach import needed_units as fewest_units
from karat.significance.tables import unit_warnings

if TYPE_CHECKING:
    from karat.rows import Rows


@dataclass(frozen=True)
class Power:
    """What a paired, two-sided test can find: `deviation` is that of unit differences (see `difference_deviation`).

    `detectable` is the difference found with probability `power` with these `units`, None where these are too few for
    any p to be as small as alpha; where a `difference` is asked
    about, `reached` is the probability to find it with them and `needed_units` how many units find it with `power`.
    """

    deviation: float
    units: int
    unit: str
    alpha: float
    power: float
    detectable: float | None
    difference: float | None
    reached: float | None
    needed_units: int | None
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What stands in "power" of the JSON form, besides the names of the systems."""
        return {**vars(self), "level": self.alpha, "warnings": list(self.warnings)}


def difference_deviation(baseline: Rows, system: Rows) -> float:
    """The standard deviation of what one unit adds to the difference of two systems, for any metric."""
    (table,) = tables_of([{"baseline": baseline, "system": system}])
    return unit_deviation(table.jackknife[:, 1] - table.jackknife[:, 0])


def power(
    deviation: float,
    units: int,
    difference: float | None = None,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    unit: str = "segment",
) -> Power:
    """What `units` units can show when the differences of units have this standard deviation.

    >>> found = power(deviation=20.0, units=1000, difference=1.0)
    >>> round(found.detectable, 2), found.needed_units, round(found.reached, 2)
    (1.77, 3142, 0.35)
    """
    detectable = detectable_difference(deviation, units, alpha=alpha, power=power)
    fewest = fewest_units(alpha)
    reached = needed = None
    if difference is not None:
        reached = reached_power(deviation, units, difference, alpha=alpha) if units >= fewest else 0.0
        needed = max(fewest, needed_units(deviation, difference, alpha=alpha, power=power))
    return Power(
        deviation=deviation,
        units=units,
        unit=unit,
        alpha=alpha,
        power=power,
        detectable=detectable if units >= fewest else None,
        difference=difference,
        reached=reached,
        needed_units=needed,
        warnings=tuple(unit_warnings(units, unit)),
    )


def detectable_difference(deviation: float, units: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The difference that a two-sided test at alpha finds with the given probability."""
    _check(deviation, units, alpha, power)
    return (student_quantile(1 - alpha / 2, units - 1) + student_quantile(power, units - 1)) * deviation / sqrt(units)


def needed_units(deviation: float, difference: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """The fewest units with which a difference can be found with the given probability."""
    _check(deviation, 2, alpha, power)
    if difference == 0 or not np.isfinite(difference):
        raise InputError(f"no number of units finds a difference of {difference}; ask for another one")
    size = abs(difference)
    # With Student's quantiles a little more than the normal approximation, which is where the search begins.
    normal = ((NORMAL.inv_cdf(1 - alpha / 2) + NORMAL.inv_cdf(power)) * deviation / size) ** 2
    units = max(2, ceil(normal))
    while detectable_difference(deviation, units, alpha=alpha, power=power) > size * (1 + 1e-12):
        units += 1
    return units


def reached_power(deviation: float, units: int, difference: float, *, alpha: float = 0.05) -> float:
    """The probability that a two-sided test at alpha finds a difference of this size."""
    _check(deviation, units, alpha, 0.5)
    if deviation == 0:
        return 0.0 if difference == 0 else 1.0
    from scipy.stats import nct

    threshold = student_quantile(1 - alpha / 2, units - 1)
    shift = abs(difference) / deviation * sqrt(units)
    reached = float(nct.sf(threshold, units - 1, shift) + nct.cdf(-threshold, units - 1, shift))
    # Far from 0 the non-central distribution is not computed any more, and nothing is missed.
    return 1.0 if np.isnan(reached) else reached


def _check(deviation: float, units: int, alpha: float, power: float) -> None:
    if not 0 <= deviation < np.inf:
        raise InputError(f"a standard deviation must be a number that is not negative, not {deviation}")
    if units < 2:
        raise InputError(f"{units} unit(s): it takes at least 2 for a test")
    if not 0 < alpha < 1 or not 0.5 <= power < 1:
        raise InputError(f"alpha {alpha} and power {power}: give an alpha between 0 and 1, a power from 0.5 to below 1")
