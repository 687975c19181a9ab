"""Bootstrap intervals of scores and of differences (Algorithm 4), percentile and BCa."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from karat.arguments import check_choice, check_share, check_whole
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.significance.blocks import OnProgress, Runner
from karat.significance.draws import DEFAULT_SEED, Draws, ResampleKind
from karat.significance.effects import near_one
from karat.significance.quantiles import NORMAL
from karat.significance.tables import RowTable, resampled_scores, unit_warnings
from karat.significance.undefined import defined, refuse_mostly_undefined, undefined_share, undefined_warnings

if TYPE_CHECKING:
    from karat.rows import Rows
    from karat.significance.tables import Floats

Method = Literal["percentile", "bca"]
METHODS: tuple[Method, ...] = ("percentile", "bca")
DEFAULT_RESAMPLES = 1000


@dataclass(frozen=True)
class Interval:
    """The bounds of an interval and the method that they were found with, which need not be the one asked for."""

    low: float
    high: float
    confidence: float
    method: Method
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The bounds and how they were made, as the JSON form has them."""
        how = {"interval_level": self.confidence, "confidence": self.confidence, "interval_method": self.method}
        return {"interval": [self.low, self.high], **how}


@dataclass(frozen=True)
class Estimate:
    """A score, or a difference of scores, with its interval over resamples."""

    value: float
    interval: Interval
    mean: float
    standard_error: float
    n: int
    resample: ResampleKind
    seed: int
    unit: str
    units: int
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How intervals are made: resamples, their number and seed, the confidence and the method."""

    n: int = DEFAULT_RESAMPLES
    confidence: float = 0.95
    method: Method = "percentile"
    resample: ResampleKind = "full"
    seed: int = DEFAULT_SEED
    unit: str = "segment"

    def __post_init__(self) -> None:
        check_choice("interval", self.method, METHODS)
        check_share("the confidence of an interval", self.confidence, 0.95)
        check_choice("way to resample", self.resample, ("full", "half"))
        check_whole("n", self.n, 1, "better 1000")
        check_whole("seed", self.seed, 0)

    def draws(self, strata: tuple[int, ...]) -> Draws:
        """The draws for units in parts of these sizes."""
        return Draws(self.resample, self.n, sum(strata), self.seed, strata)


def bootstrap(rows: Rows, resampling: Resampling | None = None, *, threads: int | None = None) -> Estimate:
    """The interval of one score.

    >>> from karat.rows import Rows
    >>> estimate = bootstrap(Rows.from_scores([3.0, 4.0, 5.0, 4.0] * 25, spec="stars"))
    >>> estimate.value, estimate.interval.low, estimate.interval.high
    (4.0, 3.87, 4.14)
    """
    return bootstrap_many([rows], resampling, threads=threads)[0]


def bootstrap_many(
    scored: Sequence[Rows],
    resampling: Resampling | None = None,
    *,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> tuple[Estimate, ...]:
    """The intervals of several scores, of any systems and metrics over the same units, from the same resamples."""
    settings = resampling or Resampling()
    tables = tables_of([{"system": rows} for rows in scored])
    draws = settings.draws(tables[0].strata)
    resampled = resampled_scores(tables, draws, Runner(threads, progress, len(draws)))
    return tuple(
        estimate(float(table.scores[0]), scores[:, 0], _left_out(table, settings), table.units, settings, table.spec)
        for table, scores in zip(tables, resampled, strict=True)
    )


def bootstrap_difference(
    baseline: Rows, system: Rows, resampling: Resampling | None = None, *, threads: int | None = None
) -> Estimate:
    """The interval of the difference system minus baseline, from the same resamples of both."""
    settings = resampling or Resampling()
    (table,) = tables_of([{"baseline": baseline, "system": system}])
    draws = settings.draws(table.strata)
    (scores,) = resampled_scores([table], draws, Runner(threads, None, len(draws)))
    left_out = _left_out(table, settings, difference=True)
    difference = float(table.scores[1] - table.scores[0])
    return estimate(difference, scores[:, 1] - scores[:, 0], left_out, table.units, settings, table.spec)


def _left_out(table: RowTable, resampling: Resampling, *, difference: bool = False) -> Floats | None:
    """The jackknife of the first system, or of the second minus the first, where the method needs it."""
    if resampling.method != "bca":
        return None
    jackknife = table.jackknife
    return jackknife[:, 1] - jackknife[:, 0] if difference else jackknife[:, 0]


def estimate(
    value: float, resampled: Floats, left_out: Floats | None, units: int, resampling: Resampling, spec: str = "such"
) -> Estimate:
    """Summarise the resampled values of one quantity; `left_out` are its values without one unit, for BCa."""
    undefined = float(undefined_share(resampled))
    refuse_mostly_undefined(undefined, spec)
    resampled = defined(resampled)
    interval = interval_of(value, resampled, left_out, resampling)
    warnings = [*unit_warnings(units, resampling.unit), *undefined_warnings(undefined, spec)]
    return Estimate(
        value=value,
        interval=interval,
        mean=float(resampled.mean()),
        standard_error=standard_deviation(resampled),
        n=resampling.n,
        resample=resampling.resample,
        seed=resampling.seed,
        unit=resampling.unit,
        units=units,
        warnings=tuple(warnings if interval.note is None else [*warnings, interval.note]),
    )


def tables_of(systems: Sequence[Mapping[str, Rows]]) -> list[RowTable]:
    """Tables over the same units, one per metric; units that differ between metrics are refused."""
    if not systems:
        raise InputError("no metric was given: give at least one")
    tables = [RowTable.of(of_metric) for of_metric in systems]
    for table in tables[1:]:
        if table.strata != tables[0].strata:
            raise InputError(
                f"{tables[0].spec} has {tables[0].units} units and {table.spec} has {table.units}: "
                "metrics share their resamples, so give both the same units"
            )
    return tables


def standard_deviation(values: Floats) -> float:
    """The sample standard deviation; of one value, 0."""
    if len(values) < 2:
        return 0.0
    scaled, exponent = near_one(values)
    return float(np.ldexp(scaled.std(ddof=1), exponent))


def interval_of(value: float, resampled: Floats, left_out: Floats | None, resampling: Resampling) -> Interval:
    """The interval of one quantity by the method chosen, or by percentiles where that method is not defined."""
    tail = (1 - resampling.confidence) / 2
    if resampling.method == "bca":
        tails = _bca_tails(value, resampled, left_out, tail) if resampling.resample == "full" else None
        if tails is not None:
            low, high = order_statistics(resampled, *tails)
            return Interval(low, high, resampling.confidence, "bca")
    low, high = order_statistics(resampled, tail, 1 - tail)
    note = "BCa is not defined here: the interval is the percentile one" if resampling.method == "bca" else None
    return Interval(low, high, resampling.confidence, "percentile", note)


def order_statistics(values: Floats, lower: float, upper: float) -> tuple[float, float]:
    """The sorted values that bound an interval.

    Counting from one, these are number floor(M lower) and number ceil(M upper) of M values, but never below the first
    or above the last: 25 and 975 of 1,000 for 2.5 % and 97.5 %.

    >>> order_statistics(np.arange(1, 1001), 0.025, 0.975)
    (25.0, 975.0)
    """
    count = len(values)
    # Products such as 1000 * 0.975 may come out a rounding error beside the whole number.
    first = min(count, max(1, floor(round(count * lower, 9))))
    last = min(count, max(1, ceil(round(count * upper, 9))))
    ordered = np.partition(values, (first - 1, last - 1))
    return float(ordered[first - 1]), float(ordered[last - 1])


def _bca_tails(value: float, resampled: Floats, left_out: Floats | None, tail: float) -> tuple[float, float] | None:
    """The shares of resamples below the bounds of the bias-corrected, accelerated interval; None where undefined."""
    # Resamples equal to the value count half, so that a metric with few values is not taken for a biased one.
    below = float(((resampled < value).mean() + (resampled <= value).mean()) / 2)
    acceleration = None if left_out is None else _acceleration(left_out)
    if not 0 < below < 1 or acceleration is None:
        return None
    bias = NORMAL.inv_cdf(below)
    tails = []
    for z in (NORMAL.inv_cdf(tail), NORMAL.inv_cdf(1 - tail)):
        stretch = 1 - acceleration * (bias + z)
        if stretch <= 0:
            return None
        tails.append(NORMAL.cdf(bias + (bias + z) / stretch))
    return tails[0], tails[1]


def _acceleration(left_out: Floats) -> float | None:
    """A sixth of the skewness of the jackknife; None where it does not vary."""
    scaled, _ = near_one(left_out)
    deviations = scaled.mean() - scaled
    squares = float(np.square(deviations).sum())
    largest = float(np.abs(scaled).max())
    if squares <= (1e-12 * largest) ** 2 * len(scaled):
        return None
    return float(np.power(deviations, 3).sum()) / float(6 * squares**1.5)
