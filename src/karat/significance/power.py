"""What a test set can show: detectable differences, needed units, and whether a system is no worse by a margin."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.significance.blocks import Runner
from karat.significance.comparison import unit_deviation
from karat.significance.draws import DEFAULT_SEED, Draws, Kind
from karat.significance.intervals import tables_of
from karat.significance.multiple import needed_resamples
from karat.significance.paired import share
from karat.significance.quantiles import NORMAL, student_quantile, widening
from karat.significance.tables import resampled_scores, unit_warnings

if TYPE_CHECKING:
    from karat.rows import Rows


@dataclass(frozen=True)
class NonInferiority:
    """Whether a system is worse than the baseline by less than a margin.

    `difference` is system minus baseline. `loss_bound` is the largest loss of quality (positive is worse) that the data
    allow at the level; where it is below the margin, non-inferiority is `shown`.
    """

    metric: str
    baseline: str
    system: str
    baseline_score: float
    score: float
    difference: float
    margin: float
    loss_bound: float
    p: float
    level: float
    shown: bool
    n: int
    resample: Kind
    seed: int
    unit: str
    units: int
    higher_is_better: bool
    signature: str
    warnings: tuple[str, ...] = ()


def non_inferiority(
    baseline: Rows,
    system: Rows,
    margin: float,
    *,
    level: float = 0.05,
    n: int = 10_000,
    resample: Kind = "full",
    seed: int = DEFAULT_SEED,
    unit: str = "segment",
    names: tuple[str, str] = ("baseline", "system"),
    threads: int | None = None,
) -> NonInferiority:
    """Test whether the system loses less than `margin` against the baseline, by a one-sided paired bootstrap.

    The resampled differences, centred and widened for few units, are those of a system that is worse by exactly the
    margin; p is the share of them that look at least as good as the observed one. The bound is the same test inverted:
    it lies below the margin where p is at most the level.
    """
    if not 0 <= margin < np.inf or not 0 < level < 0.5:
        raise InputError(f"a margin of {margin} at level {level}: a margin is not negative and a level is below 0.5")
    if n < (least := needed_resamples(1, level)):
        raise InputError(f"n is {n}: it takes at least {least} resamples for p to reach {level:g}")
    (table,) = tables_of([{names[0]: baseline, names[1]: system}])
    draws = Draws(resample, n, table.units, seed)
    (scores,) = resampled_scores([table], draws, Runner(threads))
    sign = 1.0 if table.higher_is_better else -1.0
    resampled = sign * (scores[:, 1] - scores[:, 0])
    spread = (resampled - resampled.mean()) * widening(table.units, resample, level)
    difference = float(table.scores[1] - table.scores[0])
    tolerance = float(table.tolerances(np.array([[0, 1]], dtype=np.intp))[0])
    count = (spread >= sign * difference + margin - tolerance).sum()
    p = float(share(count, n))
    # p <= level exactly when fewer than this many resamples reach the observed gain over the margin.
    allowed = int(round((n + 1) * level, 9))
    loss_bound = float(np.sort(spread)[-allowed]) - sign * difference
    return NonInferiority(
        metric=table.spec,
        baseline=names[0],
        system=names[1],
        baseline_score=float(table.scores[0]),
        score=float(table.scores[1]),
        difference=difference,
        margin=margin,
        loss_bound=loss_bound,
        p=p,
        level=level,
        shown=p <= level,
        n=n,
        resample=resample,
        seed=seed,
        unit=unit,
        units=table.units,
        higher_is_better=table.higher_is_better,
        signature=table.signature,
        warnings=tuple(unit_warnings(table.units, unit)),
    )


@dataclass(frozen=True)
class Power:
    """What a paired, two-sided test can find: `deviation` is that of unit differences (see `difference_deviation`).

    `detectable` is the difference found with probability `power` with these `units`; where a `difference` is asked
    about, `reached` is the probability to find it with them and `needed_units` how many units find it with `power`.
    """

    deviation: float
    units: int
    unit: str
    level: float
    power: float
    detectable: float
    difference: float | None
    reached: float | None
    needed_units: int | None
    warnings: tuple[str, ...] = ()


def difference_deviation(baseline: Rows, system: Rows) -> float:
    """The standard deviation of what one unit adds to the difference of two systems, for any metric."""
    (table,) = tables_of([{"baseline": baseline, "system": system}])
    return unit_deviation(table.jackknife[:, 1] - table.jackknife[:, 0])


def power(
    deviation: float,
    units: int,
    difference: float | None = None,
    *,
    level: float = 0.05,
    power: float = 0.8,
    unit: str = "segment",
) -> Power:
    """What `units` units can show when the differences of units have this standard deviation.

    >>> found = power(deviation=20.0, units=1000, difference=1.0)
    >>> round(found.detectable, 2), found.needed_units, round(found.reached, 2)
    (1.77, 3142, 0.35)
    """
    detectable = detectable_difference(deviation, units, level=level, power=power)
    return Power(
        deviation=deviation,
        units=units,
        unit=unit,
        level=level,
        power=power,
        detectable=detectable,
        difference=difference,
        reached=reached_power(deviation, units, difference, level=level) if difference is not None else None,
        needed_units=needed_units(deviation, difference, level=level, power=power) if difference is not None else None,
        warnings=tuple(unit_warnings(units, unit)),
    )


def detectable_difference(deviation: float, units: int, *, level: float = 0.05, power: float = 0.8) -> float:
    """The difference that a two-sided test at the level finds with the given probability."""
    _check(deviation, units, level, power)
    return (student_quantile(1 - level / 2, units - 1) + student_quantile(power, units - 1)) * deviation / sqrt(units)


def needed_units(deviation: float, difference: float, *, level: float = 0.05, power: float = 0.8) -> int:
    """The fewest units with which a difference can be found with the given probability."""
    _check(deviation, 2, level, power)
    if difference == 0 or not np.isfinite(difference):
        raise InputError(f"no number of units finds a difference of {difference}; ask for another one")
    size = abs(difference)
    # With Student's quantiles a little more than the normal approximation, which is where the search begins.
    normal = ((NORMAL.inv_cdf(1 - level / 2) + NORMAL.inv_cdf(power)) * deviation / size) ** 2
    units = max(2, ceil(normal))
    while detectable_difference(deviation, units, level=level, power=power) > size * (1 + 1e-12):
        units += 1
    return units


def reached_power(deviation: float, units: int, difference: float, *, level: float = 0.05) -> float:
    """The probability that a two-sided test at the level finds a difference of this size."""
    _check(deviation, units, level, 0.5)
    if deviation == 0:
        return 0.0 if difference == 0 else 1.0
    from scipy.stats import nct

    threshold = student_quantile(1 - level / 2, units - 1)
    shift = abs(difference) / deviation * sqrt(units)
    return float(nct.sf(threshold, units - 1, shift) + nct.cdf(-threshold, units - 1, shift))


def _check(deviation: float, units: int, level: float, power: float) -> None:
    if not 0 <= deviation < np.inf:
        raise InputError(f"a standard deviation is a number that is not negative, and not {deviation}")
    if units < 2:
        raise InputError(f"{units} unit(s): it takes at least 2 for a test")
    if not 0 < level < 1 or not 0.5 <= power < 1:
        raise InputError(f"level {level} and power {power}: give a level between 0 and 1, a power from 0.5 to below 1")
