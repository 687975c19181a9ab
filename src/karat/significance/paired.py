"""Paired tests of two systems: the same draws for all pairs of all metrics."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.arguments import check_choice
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.significance.draws import AllFlips, block_length
from karat.significance.quantiles import widening
from karat.significance.reach import EXACT_WILCOXON, SMALLEST_POSITIVE, smallest_p
from karat.significance.tables import CELLS, TOLERANCE, RowTable
from karat.significance.undefined import count_defined, mean_of_defined, undefined_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.significance.blocks import Runner
    from karat.significance.draws import Draws
    from karat.significance.tables import Floats

    Pairs = NDArray[np.intp]

TestName = Literal["randomization", "bootstrap", "permutation", "wilcoxon", "moses"]
TESTS: tuple[TestName, ...] = ("randomization", "bootstrap", "permutation", "wilcoxon", "moses")
SWAPPING = ("randomization", "permutation")
ON_UNIT_SCORES = ("permutation", "wilcoxon")
DEFAULT_N: dict[str, int] = {"randomization": 10_000, "permutation": 10_000, "bootstrap": 1000, "moses": 1000}
STATISTICS: dict[TestName, str] = {
    "randomization": "difference of scores",
    "bootstrap": "difference of scores",
    "permutation": "mean difference of unit scores",
    "wilcoxon": "sum of positive less sum of negative ranks",
    "moses": "difference of scores",
}
"""What each test looks at, the system less the baseline."""

MIDDLE = 0.499
"""Where the tails meet there is nothing to widen, and quantiles are 0: so far widening is followed."""

PLENTY = 64
"""Where systems differ in so many units, no p is bounded by their number any more."""


def check_test(test: str) -> None:
    """Refuse a test that does not exist."""
    check_choice("test", test, TESTS)


def share(count: NDArray[np.int64], n: NDArray[np.int64] | int) -> Floats:
    """The p-value: how many of n draws and the observation itself are at least as large."""
    return np.asarray((count + 1) / (n + 1))


@dataclass(frozen=True)
class Tested:
    """The outcome of a test, for each pair.

    `statistic` is what the test looked at, second system less first, and p the two-sided p of that. `undefined` is the
    share of draws that were left out because they hold nothing of a system, `differing` in how many units the two
    systems differ (at least), and `exact` whether p is that of all flips.
    """

    statistic: Floats
    p: Floats
    smallest_p: Floats
    undefined: Floats
    differing: NDArray[np.intp]
    exact: NDArray[np.bool_]


def randomization(
    tables: Sequence[RowTable], pairs: Sequence[Pairs], draws: Draws | AllFlips, runner: Runner
) -> list[Tested]:
    """Approximate randomisation, of each table and pair; exact where the draws are all flips.

    Each unit's two rows change places with probability 1/2, and both systems are scored anew. p is the share of
    absolute differences at least as large as the observed one.
    """
    swapped = [_Swapped(table, of_table) for table, of_table in zip(tables, pairs, strict=True)]
    return _swap_test("randomization", draws, runner, swapped)


def permutation(
    tables: Sequence[RowTable], pairs: Sequence[Pairs], draws: Draws | AllFlips, runner: Runner
) -> list[Tested]:
    """The same on the mean of unit scores: the sign of each unit's difference is drawn."""
    flipped = [_Flipped(table, of_table) for table, of_table in zip(tables, pairs, strict=True)]
    return _swap_test("permutation", draws, runner, flipped)


def _swap_test(
    test: TestName, draws: Draws | AllFlips, runner: Runner, tested: Sequence[_Swapped | _Flipped]
) -> list[Tested]:
    def work(block: int) -> list[NDArray[np.int64]]:
        swaps = draws.block(block)
        return [of_table.at_least_as_large(swaps) for of_table in tested]

    counts = [np.zeros((2, len(of_table.pairs)), dtype=np.int64) for of_table in tested]
    for in_block in runner.run(draws, work):
        for count, more in zip(counts, in_block, strict=True):
            count += more
    return [_swap_outcome(test, draws, *outcome) for outcome in zip(tested, counts, strict=True)]


def _swap_outcome(
    test: TestName, draws: Draws | AllFlips, tested: _Swapped | _Flipped, counts: NDArray[np.int64]
) -> Tested:
    large, known = counts
    exact = isinstance(draws, AllFlips)
    smallest = np.array([smallest_p(test, differing, draws.n) for differing in tested.differing.tolist()])
    return Tested(
        statistic=tested.statistic,
        # Draws may miss even what all flips would find, such as the opposite of the observation.
        p=np.maximum(large / known if exact else share(large, known), smallest),
        smallest_p=smallest,
        undefined=1 - known / draws.n,
        differing=tested.differing,
        exact=np.full(len(known), exact),
    )


def rows_that_differ(table: RowTable, pairs: Pairs) -> NDArray[np.intp]:
    """In how many units the rows of the two systems differ; counting ends where every pair has plenty."""
    first, second = pairs.T
    differing = np.zeros(len(pairs), dtype=np.intp)
    for start in range(0, table.units, PLENTY):
        values = table.values[start : start + PLENTY]
        differing += (values[:, first] != values[:, second]).any(axis=2).sum(axis=0)
        if (differing >= PLENTY).all():
            break
    return differing


class _Swapped:
    """Scores of pairs of systems after units have changed places: large differences, and those that are defined."""

    def __init__(self, table: RowTable, pairs: Pairs) -> None:
        self.table, self.pairs = table, pairs
        self.statistic = table.differences(pairs)
        self.differing = rows_that_differ(table, pairs)
        self.threshold = np.abs(self.statistic) - table.tolerances(pairs)

    def at_least_as_large(self, swaps: Floats) -> NDArray[np.int64]:
        table = self.table
        swapped = table.sums(swaps, once=True)
        counts = np.empty((2, len(self.pairs)), dtype=np.int64)
        step = max(1, CELLS // (len(swaps) * table.columns))
        for start in range(0, len(self.pairs), step):
            batch = slice(start, start + step)
            first, second = self.pairs[batch].T
            moved = swapped[:, second] - swapped[:, first]
            difference = table.scored(table.totals[first] + moved) - table.scored(table.totals[second] - moved)
            counts[0, batch] = (np.abs(difference) >= self.threshold[batch]).sum(axis=0)
            counts[1, batch] = count_defined(difference)
        return counts


class _Flipped:
    """Sums of unit differences after signs have been drawn; all are defined."""

    def __init__(self, table: RowTable, pairs: Pairs) -> None:
        self.table, self.pairs = table, pairs
        self.totals, self.threshold = np.empty(len(pairs)), np.empty(len(pairs))
        self.statistic, self.differing = np.empty(len(pairs)), np.empty(len(pairs), dtype=np.intp)
        for batch in self._batches():
            differences = unit_differences(table, pairs[batch])
            sizes = np.abs(differences)
            rounding = TOLERANCE * sizes.sum(axis=0)
            self.totals[batch] = differences.sum(axis=0)
            self.threshold[batch] = np.abs(self.totals[batch]) - rounding
            # A mean of nothing but rounding favours nobody.
            known = np.where(np.abs(self.totals[batch]) > rounding, self.totals[batch], 0.0)
            self.statistic[batch] = known / both_present(table, pairs[batch]).sum(axis=0)
            self.differing[batch] = (sizes > TOLERANCE * sizes.max(axis=0)).sum(axis=0)

    def _batches(self) -> list[slice]:
        step = max(1, CELLS // block_length(self.table.units))
        return [slice(start, start + step) for start in range(0, len(self.pairs), step)]

    def at_least_as_large(self, swaps: Floats) -> NDArray[np.int64]:
        counts = np.full((2, len(self.pairs)), len(swaps), dtype=np.int64)
        for batch in self._batches():
            flipped = self.totals[batch] - 2 * (swaps @ unit_differences(self.table, self.pairs[batch]))
            counts[0, batch] = (np.abs(flipped) >= self.threshold[batch]).sum(axis=0)
        return counts


def both_present(table: RowTable, pairs: Pairs) -> NDArray[np.bool_]:
    """In which units both systems have a score, units by pairs."""
    first, second = pairs.T
    return np.asarray(table.present[:, first] & table.present[:, second])


def unit_differences(table: RowTable, pairs: Pairs) -> Floats:
    """Second minus first score of each unit, units by pairs; 0 where either system has no score."""
    first, second = pairs.T
    both = both_present(table, pairs)
    for lonely in np.flatnonzero(~both.any(axis=0))[:1]:
        names = " and ".join(repr(table.names[i]) for i in pairs[lonely])
        raise InputError(f"{names} share no unit with a {table.spec} score: nothing can be paired")
    return np.where(both, table.unit_scores[:, second] - table.unit_scores[:, first], 0.0)


def wilcoxon(tables: Sequence[RowTable], pairs: Sequence[Pairs]) -> list[Tested]:
    """Wilcoxon's signed-rank test on unit scores, two-sided, of each table and pair.

    Units with equal scores are left out, as Wilcoxon did; where all are equal, p is 1. Up to 50 remaining units the
    distribution is exact, ties among the differences included, and beyond normal with a correction for ties.
    """
    return [_wilcoxon_of_table(table, of_table) for table, of_table in zip(tables, pairs, strict=True)]


def _wilcoxon_of_table(table: RowTable, pairs: Pairs) -> Tested:
    signed = [_signed_ranks(differences) for differences in unit_differences(table, pairs).T]
    kept = np.array([len(ranks) for ranks in signed], dtype=np.intp)
    return Tested(
        statistic=np.array([ranks.sum() for ranks in signed]),
        p=np.array([_signed_rank_p(ranks) for ranks in signed]),
        smallest_p=np.array([smallest_p("wilcoxon", count) for count in kept.tolist()]),
        undefined=np.zeros(len(pairs)),
        differing=kept,
        exact=kept <= EXACT_WILCOXON,
    )


def _signed_ranks(differences: Floats) -> Floats:
    """The ranks of the sizes of all differences but 0, each with the sign of its difference; equal sizes share one."""
    largest = np.abs(differences).max()
    if largest == 0:
        return np.zeros(0)
    # Differences that are equal but for rounding have to share their rank.
    rounded = np.round(differences / largest, 10)
    kept = rounded[rounded != 0]
    _, position, count = np.unique(np.abs(kept), return_inverse=True, return_counts=True)
    ranks = np.cumsum(count) - (count - 1) / 2
    return np.asarray(np.sign(kept) * ranks[position])


def _signed_rank_p(signed: Floats) -> float:
    if len(signed) <= EXACT_WILCOXON:
        doubled = np.rint(2 * np.abs(signed)).astype(np.intp)
        return _exact_signed_ranks(doubled, int(doubled[signed > 0].sum()))
    z = abs(float(signed.sum())) / sqrt(float((signed**2).sum()))
    return max(SMALLEST_POSITIVE, erfc(z / sqrt(2)))


def _exact_signed_ranks(ranks: NDArray[np.intp], positive: int) -> float:
    """Two-sided p of a sum of positive ranks, over all signs; ranks are doubled so that shared ones are whole."""
    ways = np.zeros(int(ranks.sum()) + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
    tail = min(ways[: positive + 1].sum(), ways[positive:].sum())
    return float(min(1.0, 2 * tail / ways.sum()))


def on_resamples(test: TestName, table: RowTable, pairs: Pairs, resampled: Floats, resample: str) -> Tested:
    """A test made on the resampled differences (draws by pairs) of one table."""
    observed = table.differences(pairs)
    if test == "moses":
        p = moses(observed, resampled)
    else:
        p = bootstrap(observed, resampled, table.tolerances(pairs), table.fewest_units, resample)
    return Tested(
        statistic=observed,
        p=p,
        smallest_p=np.full(len(pairs), smallest_p(test, table.units, len(resampled))),
        undefined=undefined_share(resampled),
        differing=rows_that_differ(table, pairs),
        exact=np.zeros(len(pairs), dtype=bool),
    )


def bootstrap(observed: Floats, resampled: Floats, tolerances: Floats, units: int, resample: str) -> Floats:
    """Paired bootstrap, two-sided: p for each pair from its resampled differences (draws by pairs).

    The resampled differences are centred on their mean, which makes the two systems equal. The k-th largest of n is
    then widened by what few units cost at its own tail, k/(n + 1) (see `widening`), so that p holds at every alpha, and
    after every correction. p is the share at least as far from 0 as the observed difference.
    """
    known = count_defined(resampled)
    spread = np.ascontiguousarray(np.abs(resampled - mean_of_defined(resampled)).T)
    thresholds = np.abs(observed) - tolerances
    large = np.empty_like(known)
    for i, n in enumerate(known.tolist()):
        large[i] = widened_beyond(spread[i], float(thresholds[i]), n, units, resample, sides=2)
    return share(large, known)


def widened_beyond(spread: Floats, threshold: float, n: int, units: int, resample: str, *, sides: int) -> int:
    """How many of n values reach the threshold when the k-th largest is widened as its tail demands.

    Widening shrinks with k as the values do, so the k that reach it are the first ones: the largest k such that at
    least k values reach it when all are widened like the k-th. That is sought by halving, which spares the sorting.
    Of a test with two sides the values are absolute, and each side has half of the tail.
    """

    def reaching(k: int) -> int:
        return int(
            np.count_nonzero(spread >= threshold / widening(units, resample, min(MIDDLE, k / (sides * (n + 1)))))
        )

    low = reaching(n)
    high = reaching(max(1, low))
    while low < high:
        middle = (low + high + 1) // 2
        if reaching(middle) >= middle:
            low = middle
        else:
            high = middle - 1
    return low


def moses(observed: Floats, resampled: Floats) -> Floats:
    """The p of Moses and sacreBLEU: absolute differences, then centred, compared by a strict `>`.

    It is about half of a two-sided p or less, and 1/(n + 1) for identical systems: kept for comparison with results
    that were published with it.
    """
    absolute = np.abs(resampled)
    large = absolute - mean_of_defined(absolute) > np.abs(observed)
    return share(large.sum(axis=0), count_defined(resampled))


def wins(resampled: Floats, tolerances: Floats, *, higher_is_better: bool) -> tuple[Floats, Floats, Floats]:
    """Algorithm 5: the shares of resamples in which the second system wins, loses and ties; they add up to one."""
    gain = resampled if higher_is_better else -resampled
    known = count_defined(resampled)
    won = (gain > tolerances).sum(axis=0) / known
    lost = (gain < -tolerances).sum(axis=0) / known
    tied = (np.abs(gain) <= tolerances).sum(axis=0) / known
    return won, lost, tied
