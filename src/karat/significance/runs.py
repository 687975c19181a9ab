"""Systems that were trained several times: how much of a difference is the test set, and how much is luck in training.

The quantities are MultEval's (Clark et al. 2011); beside its test, which speaks of these runs, stands one that speaks
of runs in general.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations, permutations, product
from math import comb, factorial, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.errors import InputError
from karat.significance.blocks import OnProgress, Runner
from karat.significance.draws import block_length, generator
from karat.significance.intervals import Interval, interval_of, standard_deviation
from karat.significance.measured import Measured
from karat.significance.multiple import Correction, adjust, needed_resamples
from karat.significance.options import Options
from karat.significance.paired import DEFAULT_N
from karat.significance.reach import out_of_reach, runs_out_of_reach, smallest_over_runs, smallest_p
from karat.significance.tables import TOLERANCE, RowTable, resampled_scores, unit_warnings
from karat.significance.undefined import defined, refuse_mostly_undefined, undefined_share, undefined_warnings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.identity import Identity
    from karat.rows import Rows
    from karat.significance.tables import Floats

FEWEST_RUNS = 3
LISTED_ORDERS = 6
"""Up to so many runs, all their orders are listed and one is picked; beyond, random numbers are sorted."""

MOST_SPLITS = 50_000
"""Up to so many ways to split the runs, all are tried; beyond, as many are drawn."""


@dataclass(frozen=True)
class RunSummary:
    """The runs of one system under one metric.

    `s_sel` is the mean over runs of the standard deviation over resampled test sets, `s_opt` the standard deviation of
    the score over runs (None for one run), `median_run` the position of the run in the middle, the worse one of two.
    """

    system: str
    scores: tuple[float, ...]
    mean: float
    s_sel: float
    s_opt: float | None
    median_run: int


@dataclass(frozen=True)
class RunComparison(Measured):
    """A system against a baseline, over their runs; `difference` is that of the means, system minus baseline.

    `p_these_runs` asks whether *these* runs differ on other test sets (None where the numbers of runs differ);
    `p_over_runs` whether other runs would differ on this test set. Neither can be smaller than what its name with
    `_smallest` says; with `_smallest_adjusted`, after the correction. `runs` and `baseline_runs` count the runs.
    """

    identity: Identity
    baseline: str
    system: str
    baseline_mean: float
    mean: float
    difference: float
    interval: Interval
    p_these_runs: float | None
    p_these_runs_adjusted: float | None
    p_over_runs: float
    p_over_runs_adjusted: float
    p_over_runs_smallest: float
    p_over_runs_smallest_adjusted: float
    p_these_runs_smallest: float | None
    p_these_runs_smallest_adjusted: float | None
    runs: int
    baseline_runs: int
    n: int
    interval_n: int
    seed: int
    unit: str
    units: int
    alpha: float
    correction: Correction
    family: int
    exact: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def significant(self) -> bool | None:
        """Whether these runs differ: the adjusted p is at most alpha; None where there is no test of them."""
        return None if self.p_these_runs_adjusted is None else self.p_these_runs_adjusted <= self.alpha

    @property
    def significant_over_runs(self) -> bool:
        """Whether other runs can be expected to differ."""
        return self.p_over_runs_adjusted <= self.alpha

    @property
    def better(self) -> str | None:
        """The system with the better mean, significantly or not; None where they are equal."""
        if self.difference == 0:
            return None
        return self.system if (self.difference > 0) == self.higher_is_better else self.baseline

    @property
    def reachable(self) -> bool:
        """Whether these runs could have been shown to differ; also where there is no test of them."""
        return self.p_these_runs_smallest_adjusted is None or self.p_these_runs_smallest_adjusted <= self.alpha

    @property
    def reachable_over_runs(self) -> bool:
        """Whether other runs could have been shown to differ."""
        return self.p_over_runs_smallest_adjusted <= self.alpha

    def out_of_reach(self) -> str:
        """Why no difference of these runs could be significant, and what helps."""
        return out_of_reach(
            units=self.units,
            unit=self.unit,
            smallest=1.0 if self.p_these_runs_smallest is None else self.p_these_runs_smallest,
            alpha=self.alpha,
            correction=self.correction,
            family=self.family,
            runs=self.runs,
        )

    def out_of_reach_over_runs(self) -> str:
        """Why nothing could be shown about other runs, and what helps."""
        return runs_out_of_reach(
            self.runs,
            self.baseline_runs,
            smallest=self.p_over_runs_smallest,
            alpha=self.alpha,
            correction=self.correction,
            family=self.family,
        )

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "comparisons": scores are means, and p is that of these runs."""
        names = [field.name for field in fields(self) if field.name not in ("identity", "interval", "warnings")]
        attributes = self.fields(["metric", *names, "higher_is_better", "signature"])
        scores = {"baseline_score": self.baseline_mean, "score": self.mean, "p": self.p_these_runs}
        not_defined = {"p_adjusted": self.p_these_runs_adjusted, "wins": None, "losses": None, "ties": None}
        verdict = self.fields(("significant", "significant_over_runs", "reachable", "reachable_over_runs", "better"))
        # These tests look at nothing but the scores.
        verdict |= {"better_scored": self.better, "against_score": False}
        test = {"level": self.alpha, "test": "stratified randomization", "warnings": list(self.warnings)}
        return {**attributes, **scores, **self.interval.to_json(), **not_defined, **verdict, **test}


@dataclass(frozen=True)
class RunReport:
    """The systems under one metric, and each of them against the baseline."""

    systems: tuple[RunSummary, ...]
    comparisons: tuple[RunComparison, ...]


def compare_runs(
    systems: Mapping[str, Sequence[Rows]],
    options: Options | None = None,
    *,
    baseline: str | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> RunReport:
    """Compare systems of several runs with the baseline (the first one if not named), under one metric."""
    settings = options or Options()
    if settings.test != "randomization":
        raise InputError(f"several runs are compared by randomization, not by {settings.test}")
    named = _named_runs(systems)
    table = RowTable.of({label: rows for runs in named.values() for label, rows in runs.items()})
    columns = {name: np.array([table.position(label) for label in runs]) for name, runs in named.items()}
    first = next(iter(columns)) if baseline is None else baseline
    if first not in columns:
        raise InputError(f"there is no system {first!r}; there is: {', '.join(columns)}")
    others = [name for name in columns if name != first]
    n = max(
        settings.n or DEFAULT_N["randomization"],
        needed_resamples(max(1, len(others)), settings.alpha, settings.correction),
    )
    draws = settings.resampling(None).draws(table.strata)
    runner = Runner(threads, progress, len(draws))
    (resampled,) = resampled_scores([table], draws, runner)
    refuse_mostly_undefined(undefined_share(resampled), table.spec)
    summaries = tuple(_summary(name, table, columns[name], resampled) for name in columns)
    tests = [_Pair(table, first, name, columns[first], columns[name], resampled) for name in others]
    return RunReport(summaries, _compared(tests, settings, n, runner))


def _named_runs(systems: Mapping[str, Sequence[Rows]]) -> dict[str, dict[str, Rows]]:
    """The runs of every system under labels such as "sysA, run 2"."""
    empty = [name for name, runs in systems.items() if not runs]
    if empty:
        raise InputError(f"{empty[0]!r} has no run; give at least one, better {FEWEST_RUNS}")
    return {name: {f"{name}, run {i}": rows for i, rows in enumerate(runs, 1)} for name, runs in systems.items()}


def _summary(name: str, table: RowTable, columns: NDArray[np.intp], resampled: Floats) -> RunSummary:
    scores = table.scores[columns]
    worst_first = np.argsort(table.identity.sign * scores, kind="stable")
    return RunSummary(
        system=name,
        scores=tuple(scores.tolist()),
        mean=float(scores.mean()),
        s_sel=float(np.mean([standard_deviation(defined(resampled[:, column])) for column in columns])),
        s_opt=standard_deviation(scores) if len(scores) > 1 else None,
        median_run=int(worst_first[(len(scores) - 1) // 2]),
    )


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two systems by the columns of their runs in a table."""

    table: RowTable
    baseline: str
    system: str
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    resampled: Floats

    @property
    def difference(self) -> float:
        return float(self.table.scores[self.second].mean() - self.table.scores[self.first].mean())

    def mean_difference(self, scores: Floats) -> Floats:
        """The same of resampled scores, draws by runs."""
        return np.asarray(scores[:, self.second].mean(axis=1) - scores[:, self.first].mean(axis=1))

    @property
    def tolerance(self) -> float:
        columns = np.concatenate([self.first, self.second])
        return float(self.table.tolerances(np.column_stack([columns, columns])).max())


def _compared(tests: Sequence[_Pair], options: Options, n: int, runner: Runner) -> tuple[RunComparison, ...]:
    dealt = [_ways_to_deal(pair, n, options.seed) for pair in tests]
    these = [
        None if draws is None else stratified_randomization(pair, draws, runner)
        for pair, draws in zip(tests, dealt, strict=True)
    ]
    over = [split_test(pair, n, options.seed) for pair in tests]
    these_smallest = [_smallest_of_these(p, pair, draws) for p, pair, draws in zip(these, tests, dealt, strict=True)]
    these_adjusted, these_smallest_adjusted = (
        _adjusted_known(values, options.correction) for values in (these, these_smallest)
    )
    over_adjusted, over_smallest_adjusted = (
        adjust([of_pair[i] for of_pair in over], options.correction).tolist() for i in range(2)
    )
    resampling = options.resampling(None)
    compared = []
    for i, (pair, draws) in enumerate(zip(tests, dealt, strict=True)):
        resampled = pair.mean_difference(pair.resampled)
        undefined = float(undefined_share(resampled))
        refuse_mostly_undefined(undefined, pair.table.spec)
        resampled = defined(resampled)
        interval = interval_of(pair.difference, resampled, pair.mean_difference(pair.table.jackknife), resampling)
        comparison = RunComparison(
            identity=pair.table.identity,
            baseline=pair.baseline,
            system=pair.system,
            baseline_mean=float(pair.table.scores[pair.first].mean()),
            mean=float(pair.table.scores[pair.second].mean()),
            difference=pair.difference,
            interval=interval,
            p_these_runs=these[i],
            p_these_runs_adjusted=these_adjusted[i],
            p_over_runs=over[i][0],
            p_over_runs_adjusted=over_adjusted[i],
            p_over_runs_smallest=over[i][1],
            p_over_runs_smallest_adjusted=over_smallest_adjusted[i],
            p_these_runs_smallest=these_smallest[i],
            p_these_runs_smallest_adjusted=these_smallest_adjusted[i],
            runs=len(pair.second),
            baseline_runs=len(pair.first),
            n=n if draws is None else draws.n,
            interval_n=resampling.n,
            seed=options.seed,
            unit=options.unit,
            units=pair.table.units,
            alpha=options.alpha,
            correction=options.correction,
            family=len(tests),
            exact=isinstance(draws, _AllRunDraws),
        )
        warnings = (*_warnings(comparison, options), *undefined_warnings(undefined, pair.table.spec))
        compared.append(replace(comparison, warnings=warnings))
    return tuple(compared)


def _adjusted_known(values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """The p-values of one family, adjusted, where there are any."""
    adjusted = iter(adjust([p for p in values if p is not None], correction).tolist())
    return [None if p is None else next(adjusted) for p in values]


def _smallest_of_these(p: float | None, pair: _Pair, draws: _RunDraws | _AllRunDraws | None) -> float | None:
    """The p of runs that lie as far apart as can be: no way of dealing that mixes the two systems goes as far.

    Where a score is not a mean, the order of the runs within a system moves it a little, and p with it.
    """
    if p is None or draws is None:
        return None
    n = None if isinstance(draws, _AllRunDraws) else draws.n
    return min(p, smallest_p("randomization", pair.table.units * draws.runs, n))


def _warnings(comparison: RunComparison, options: Options) -> list[str]:
    warnings = unit_warnings(comparison.units, comparison.unit)
    fewest = min(comparison.runs, comparison.baseline_runs)
    if fewest < FEWEST_RUNS:
        warnings.append(f"{fewest} run(s) of a system: with fewer than {FEWEST_RUNS} training luck cannot be judged")
    if not comparison.reachable:
        warnings.append(f"no difference of these runs can be shown: {comparison.out_of_reach()}")
    if not comparison.reachable_over_runs:
        warnings.append(f"nothing can be shown about other runs: {comparison.out_of_reach_over_runs()}")
    n = comparison.n
    if not comparison.exact and n > (options.n or DEFAULT_N["randomization"]):
        warnings.append(f"n was raised to {n}: fewer could never reach {options.alpha:g} over all comparisons")
    if comparison.runs != comparison.baseline_runs:
        warnings.append("the systems have different numbers of runs, so there is no test of these runs")
    if comparison.interval.note is not None:
        warnings.append(comparison.interval.note)
    return warnings


def stratified_randomization(pair: _Pair, draws: _RunDraws | _AllRunDraws, runner: Runner) -> float:
    """MultEval's test of these runs: p of the difference of means.

    Within each unit the runs of each system are put in a random order, and each run then changes places with its
    counterpart with probability 1/2; or all ways to do so are tried. Every pseudo-run is scored over all units.
    """
    runs = draws.runs
    runner.total += len(draws)
    columns = np.concatenate([pair.first, pair.second])
    rows = np.ascontiguousarray(pair.table.values[:, columns])
    threshold = abs(pair.difference) - pair.tolerance

    def work(block: int) -> tuple[int, int]:
        scores = np.column_stack([pair.table.scored(sums) for sums in draws.sums(block, rows)])
        difference = defined(scores[:, runs:].mean(axis=1) - scores[:, :runs].mean(axis=1))
        return int((np.abs(difference) >= threshold).sum()), len(difference)

    large, known = (sum(counts) for counts in zip(*runner.run(draws, work), strict=True))
    refuse_mostly_undefined(1 - known / draws.n, pair.table.spec)
    return float(large / known if isinstance(draws, _AllRunDraws) else (large + 1) / (known + 1))


def _ways_to_deal(pair: _Pair, n: int, seed: int) -> _RunDraws | _AllRunDraws | None:
    """`n` random ways to deal the runs, or every way where there are no more; None where their numbers differ."""
    runs, units = len(pair.first), pair.table.units
    if runs != len(pair.second):
        return None
    each = factorial(runs) ** 2 * 2**runs
    # The logarithm tells in time that there are far too many ways to count.
    return _AllRunDraws(each**units, units, runs) if units * log2(each) <= log2(n) else _RunDraws(n, units, runs, seed)


@dataclass(frozen=True)
class _Dealt(ABC):
    """Which row of a unit each pseudo-run gets: the first `runs` of them are the baseline's."""

    n: int
    units: int
    runs: int

    @property
    def _length(self) -> int:
        return block_length(self.units * 2 * self.runs)

    def __len__(self) -> int:
        return -(-self.n // self._length)

    @abstractmethod
    def chosen(self, block: int) -> NDArray[np.integer[Any]]:
        """The row of each unit that goes to each pseudo-run: pseudo-runs by draws by units."""

    def sums(self, block: int, rows: Floats) -> list[Floats]:
        """The summed rows (draws by columns) of each pseudo-run; `rows` is units by runs of both systems by columns."""
        flat = rows.reshape(self.units * 2 * self.runs, -1)
        picked_rows = self.chosen(block)
        weights = np.zeros((picked_rows.shape[1], len(flat)))
        cells = weights.reshape(-1)
        start = np.arange(picked_rows.shape[1] * self.units).reshape(picked_rows.shape[1:]) * (2 * self.runs)
        sums = []
        for rows_of_run in picked_rows:
            picked = start + rows_of_run
            cells[picked] = 1.0
            sums.append(weights @ flat)
            cells[picked] = 0.0  # cheaper than a new table
        return sums


@dataclass(frozen=True)
class _AllRunDraws(_Dealt):
    """Every way to deal the runs, each once."""

    def chosen(self, block: int) -> NDArray[np.integer[Any]]:
        """The row of each unit that goes to each pseudo-run: pseudo-runs by draws by units."""
        of_unit = _all_deals(self.runs)
        ways = np.arange(block * self._length, min(self.n, (block + 1) * self._length))
        digits = ways[:, np.newaxis] // len(of_unit) ** np.arange(self.units) % len(of_unit)
        return of_unit.T[:, digits]


def _all_deals(runs: int) -> NDArray[np.intp]:
    """Every way to deal the runs of one unit, ways by pseudo-runs."""
    orders = list(permutations(range(runs)))
    deals = []
    for first, second, swapped in product(orders, orders, product((False, True), repeat=runs)):
        counterparts = list(zip(first, (runs + row for row in second), swapped, strict=True))
        ours = [theirs if swap else own for own, theirs, swap in counterparts]
        deals.append([*ours, *(own if swap else theirs for own, theirs, swap in counterparts)])
    return np.array(deals, dtype=np.intp)


@dataclass(frozen=True)
class _RunDraws(_Dealt):
    """Ways to deal the runs that are drawn at random."""

    seed: int

    def chosen(self, block: int) -> NDArray[np.integer[Any]]:
        """The row of each unit that goes to each pseudo-run: pseudo-runs by draws by units."""
        shape = (min(self._length, self.n - block * self._length), self.units)
        rng = generator(self.seed, "runs", block)
        first, second = _orders(rng, self.runs, shape), _orders(rng, self.runs, shape) + self.runs
        swapped = rng.integers(2, size=first.shape, dtype=np.uint8).astype(bool)
        return np.concatenate([np.where(swapped, second, first), np.where(swapped, first, second)])


def _orders(rng: np.random.Generator, runs: int, shape: tuple[int, int]) -> NDArray[np.integer[Any]]:
    """A random order of the runs for every cell of the shape: runs by shape."""
    if runs > LISTED_ORDERS:
        return np.argsort(rng.random((runs, *shape)), axis=0)
    orders = np.array(list(permutations(range(runs))), dtype=np.uint8)
    return orders.T[:, rng.integers(len(orders), size=shape, dtype=np.uint16)]


def split_test(pair: _Pair, n: int, seed: int) -> tuple[float, float]:
    """The test over runs, and its smallest possible p: the runs' scores are dealt to the systems in all ways.

    With three against three runs there are 20 ways, and p is 0.1 at best.
    """
    scores = pair.table.scores[np.concatenate([pair.first, pair.second])]
    first, count = len(pair.first), len(scores)
    ways = comb(count, first)
    smallest = smallest_over_runs(first, count - first)
    threshold = abs(pair.difference) - TOLERANCE * float(np.abs(scores).max())
    if ways <= MOST_SPLITS:
        dealt = np.array(list(combinations(range(count), first)), dtype=np.intp)
        return float((_split_differences(scores, dealt) >= threshold).mean()), smallest
    dealt = np.argsort(generator(seed, "runs", 0).random((n, count)), axis=1)[:, :first]
    reached = int((_split_differences(scores, dealt) >= threshold).sum())
    return (reached + 1) / (n + 1), max(smallest, 1 / (n + 1))


def _split_differences(scores: Floats, dealt: NDArray[np.intp]) -> Floats:
    """Absolute differences of means when the scores at `dealt` go to one system and the rest to the other."""
    size = dealt.shape[1]
    ours = scores[dealt].sum(axis=1)
    return np.asarray(np.abs((scores.sum() - ours) / (len(scores) - size) - ours / size))
