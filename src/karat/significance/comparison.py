"""Compares systems with a baseline or with each other, under several metrics at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.errors import InputError
from karat.significance import paired
from karat.significance.blocks import Progress, Runner
from karat.significance.draws import DEFAULT_SEED, Draws, Kind
from karat.significance.intervals import DEFAULT_RESAMPLES, Interval, Method, Resampling, interval_of, tables_of
from karat.significance.multiple import Correction, adjust, check_correction, needed_resamples
from karat.significance.tables import Table, resampled_scores, unit_warnings
from karat.significance.undefined import defined, refuse_mostly_undefined, undefined_share, undefined_warnings

if TYPE_CHECKING:
    from karat.rows import Rows
    from karat.significance.paired import Pairs, Test
    from karat.significance.tables import Floats

MOSES_WARNING = (
    "moses takes absolute values before centring, so its p is half of a two-sided one or less: not evidence by itself"
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is tested and how; `n` is 10,000 for swaps and 1,000 for resamples where it is not given."""

    test: Test = "randomization"
    n: int | None = None
    seed: int = DEFAULT_SEED
    level: float = 0.05
    correction: Correction = "holm"
    unit: str = "segment"
    resample: Kind = "full"
    interval: Method = "percentile"
    interval_level: float | None = None
    interval_n: int = DEFAULT_RESAMPLES

    def __post_init__(self) -> None:
        paired.check_test(self.test)
        check_correction(self.correction)
        if self.n is not None and self.n < 1:
            raise InputError(f"n is {self.n}: it takes at least 1 resample, better 1000")
        if not 0 < self.level < 1:
            raise InputError(f"the level is between 0 and 1, such as 0.05, and not {self.level}")
        self.resampling(1)

    def resampling(self, n: int | None) -> Resampling:
        """How the intervals are made; tests on resamples share theirs with the intervals."""
        shared = n if n is not None and self.test in paired.RESAMPLING else self.interval_n
        return Resampling(
            n=shared,
            level=1 - self.level if self.interval_level is None else self.interval_level,
            method=self.interval,
            resample=self.resample,
            seed=self.seed,
            unit=self.unit,
        )


@dataclass(frozen=True)
class Comparison:
    """One system against a baseline under one metric; `difference` is system minus baseline.

    `wins`, `losses` and `ties` are shares of resamples, seen from the system. `effect_size` is the difference in
    standard deviations of a unit's influence on it: for a mean of unit scores, their mean difference over the standard
    deviation of their differences. `family` comparisons were adjusted together.
    """

    metric: str
    baseline: str
    system: str
    baseline_score: float
    score: float
    difference: float
    interval: Interval
    p: float
    p_adjusted: float
    wins: float
    losses: float
    ties: float
    effect_size: float | None
    test: Test
    n: int | None
    interval_n: int
    resample: Kind
    seed: int
    unit: str
    units: int
    level: float
    correction: Correction
    family: int
    higher_is_better: bool
    signature: str
    warnings: tuple[str, ...] = ()

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most the level."""
        return self.p_adjusted <= self.level

    @property
    def better(self) -> str | None:
        """The system with the better score; None where the scores are equal."""
        if self.difference == 0:
            return None
        return self.system if (self.difference > 0) == self.higher_is_better else self.baseline

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "comparisons" of the JSON form."""
        names = (
            *("metric", "baseline", "system", "baseline_score", "score", "difference"),
            *("p", "p_adjusted", "wins", "losses", "ties", "effect_size", "test", "unit", "units"),
            *("n", "interval_n", "resample", "seed", "level", "correction", "family", "significant"),
            *("higher_is_better", "signature"),
        )
        interval = {
            "interval": [self.interval.low, self.interval.high],
            "interval_level": self.interval.level,
            "interval_method": self.interval.method,
        }
        return {**{name: getattr(self, name) for name in names}, **interval, "warnings": list(self.warnings)}


def compare_pair(
    baseline: Rows, system: Rows, options: Options | None = None, *, threads: int | None = None
) -> Comparison:
    """Compare two systems.

    >>> from karat.rows import Rows
    >>> worse = Rows.from_scores([50.0, 60.0, 70.0, 80.0] * 10, spec="rating")
    >>> better = Rows.from_scores([52.0, 61.0, 73.0, 82.0] * 10, spec="rating")
    >>> result = compare_pair(worse, better)
    >>> result.difference, round(result.p, 4), result.wins
    (2.0, 0.0001, 1.0)
    """
    return compare([{"baseline": baseline, "system": system}], options, threads=threads)[0]


def compare(
    tables: Sequence[Mapping[str, Rows]],
    options: Options | None = None,
    *,
    baseline: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[Comparison, ...]:
    """Compare every other system with the baseline (the first one if not named), under each metric.

    A table holds the rows of the systems under one metric. The result has the metrics in order, and under each the
    systems in order.
    """
    made = tables_of(tables)
    pairs = []
    for table in made:
        first = 0 if baseline is None else table.position(baseline)
        others = [(first, other) for other in range(len(table.names)) if other != first]
        pairs.append(np.array(others, dtype=np.intp).reshape(-1, 2))
    return compare_pairs(made, pairs, options or Options(), Runner(threads, progress))


def compare_all(
    tables: Sequence[Mapping[str, Rows]],
    options: Options | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[Comparison, ...]:
    """Compare all pairs of systems under each metric; the earlier one of a pair is its baseline."""
    made = tables_of(tables)
    return compare_pairs(made, all_pairs(made), options or Options(), Runner(threads, progress))


def all_pairs(tables: Sequence[Table]) -> list[Pairs]:
    """The pairs of all systems of each table."""
    positions = (range(len(table.names)) for table in tables)
    return [np.array(list(combinations(of, 2)), dtype=np.intp).reshape(-1, 2) for of in positions]


def compare_pairs(
    tables: Sequence[Table], pairs: Sequence[Pairs], options: Options, runner: Runner
) -> tuple[Comparison, ...]:
    """Compare the pairs named for each table, all with the same draws."""
    if not all(len(of) for of in pairs):
        raise InputError("there is one system only: give at least two to compare")
    units = tables[0].units
    n = _enough(options, max(len(of) for of in pairs))
    resampling = options.resampling(n)
    draws = resampling.draws(units)
    swaps = Draws("swap", n, units, options.seed) if n is not None and options.test in paired.SWAPPING else None
    runner.total = len(draws) + (0 if swaps is None else len(swaps))
    tested = _tested(tables, pairs, swaps, options, runner)
    resampled = resampled_scores(tables, draws, runner)
    compared: list[Comparison] = []
    for i, table in enumerate(tables):
        differences = resampled[i][:, pairs[i][:, 1]] - resampled[i][:, pairs[i][:, 0]]
        undefined = undefined_share(differences)
        if tested is not None:
            undefined = np.maximum(undefined, tested[i].undefined)
        refuse_mostly_undefined(undefined, table.spec)
        p = _resampled_p(table, pairs[i], differences, options) if tested is None else tested[i].p
        found = _comparisons(table, pairs[i], differences, p, n, options)
        compared += (_warned(one, options, share) for one, share in zip(found, undefined.tolist(), strict=True))
    return tuple(compared)


def _tested(
    tables: Sequence[Table], pairs: Sequence[Pairs], swaps: Draws | None, options: Options, runner: Runner
) -> list[paired.Tested] | None:
    """The outcome of a test that is not made on the resamples of the intervals."""
    if swaps is not None:
        test = paired.randomization if options.test == "randomization" else paired.permutation
        return test(tables, pairs, swaps, runner)
    if options.test == "wilcoxon":
        return [paired.Tested(p, np.zeros_like(p)) for p in paired.wilcoxon(tables, pairs)]
    return None


def _enough(options: Options, comparisons: int) -> int | None:
    """The number of draws: what was asked for, or more where that could never reach the level after correction."""
    if options.test == "wilcoxon":
        return None
    asked = paired.DEFAULT_N[options.test] if options.n is None else options.n
    return max(asked, needed_resamples(comparisons, options.level, options.correction))


def _resampled_p(table: Table, pairs: Pairs, differences: Floats, options: Options) -> Floats:
    observed = table.differences(pairs)
    if options.test == "moses":
        return paired.moses(observed, differences)
    tolerances = table.tolerances(pairs)
    return paired.bootstrap(observed, differences, tolerances, table.units, options.resample, options.level)


def _comparisons(
    table: Table, pairs: Pairs, differences: Floats, p: Floats, n: int | None, options: Options
) -> list[Comparison]:
    """The comparisons of one metric: `differences` are the resampled ones, draws by pairs; `n` is what was drawn."""
    resampling = options.resampling(n)
    adjusted = adjust(p, options.correction)
    shares = paired.wins(differences, table.tolerances(pairs), higher_is_better=table.higher_is_better)
    compared = []
    for i, (first, second) in enumerate(pairs.tolist()):
        difference = float(table.scores[second] - table.scores[first])
        left_out = table.jackknife[:, second] - table.jackknife[:, first]
        compared.append(
            Comparison(
                metric=table.spec,
                baseline=table.names[first],
                system=table.names[second],
                baseline_score=float(table.scores[first]),
                score=float(table.scores[second]),
                difference=difference,
                interval=interval_of(difference, defined(differences[:, i]), left_out, resampling),
                p=float(p[i]),
                p_adjusted=float(adjusted[i]),
                wins=float(shares[0][i]),
                losses=float(shares[1][i]),
                ties=float(shares[2][i]),
                effect_size=effect_size(difference, left_out),
                test=options.test,
                n=n,
                interval_n=resampling.n,
                resample=resampling.resample,
                seed=options.seed,
                unit=options.unit,
                units=table.units,
                level=options.level,
                correction=options.correction,
                family=len(pairs),
                higher_is_better=table.higher_is_better,
                signature=table.signature,
            )
        )
    return compared


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


def _warned(one: Comparison, options: Options, undefined: float) -> Comparison:
    """The comparison with all that must be said about it; `undefined` is the share of draws that were left out."""
    warnings = [*unit_warnings(one.units, one.unit), *undefined_warnings(undefined, one.metric)]
    asked = paired.DEFAULT_N.get(one.test, 0) if options.n is None else options.n
    if one.n is not None and one.n > asked:
        warnings.append(
            f"n was raised from {asked} to {one.n}: fewer could never reach {one.level:g} over {one.family} comparisons"
        )
    smallest = 2.0 ** (1 - one.units) * (1 if one.correction == "none" else one.family)
    if one.test in (*paired.SWAPPING, "wilcoxon") and smallest > one.level:
        warnings.append(
            f"{one.units} {one.unit}s have too few ways to change places for p to reach {one.level:g}, "
            "whatever the difference"
        )
    if one.test == "moses":
        warnings.append(MOSES_WARNING)
    if one.interval.note is not None:
        warnings.append(one.interval.note)
    return replace(one, warnings=tuple(warnings))
