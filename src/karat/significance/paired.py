"""Paired tests of two systems: the same draws for all pairs of all metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.errors import InputError, SpecError, did_you_mean
from karat.significance.draws import block_length
from karat.significance.quantiles import widening
from karat.significance.tables import CELLS, TOLERANCE, Table
from karat.significance.undefined import count_defined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.significance.blocks import Runner
    from karat.significance.draws import Draws
    from karat.significance.tables import Floats

    Pairs = NDArray[np.intp]

Test = Literal["randomization", "bootstrap", "permutation", "wilcoxon", "moses"]
TESTS: tuple[Test, ...] = ("randomization", "bootstrap", "permutation", "wilcoxon", "moses")
SWAPPING = ("randomization", "permutation")
RESAMPLING = ("bootstrap", "moses")
EXACT_WILCOXON = 50
DEFAULT_N: dict[str, int] = {"randomization": 10_000, "permutation": 10_000, "bootstrap": 1000, "moses": 1000}


def check_test(test: str) -> None:
    """Refuse a test that does not exist."""
    if test not in TESTS:
        raise SpecError(f"there is no test called {test!r}.{did_you_mean(test, TESTS)}")


def share(count: NDArray[np.int64], n: NDArray[np.int64] | int) -> Floats:
    """The p-value: how many of n draws and the observation itself are at least as large."""
    return np.asarray((count + 1) / (n + 1))


@dataclass(frozen=True)
class Tested:
    """For each pair p, and the share of draws that were left out because they hold nothing of a system."""

    p: Floats
    undefined: Floats


def randomization(tables: Sequence[Table], pairs: Sequence[Pairs], draws: Draws, runner: Runner) -> list[Tested]:
    """Approximate randomisation: p for each table and pair.

    Each unit's two rows change places with probability 1/2, and both systems are scored anew. p is the share of
    absolute differences at least as large as the observed one.
    """
    return _swap_test(draws, runner, [_Swapped(*of) for of in zip(tables, pairs, strict=True)])


def permutation(tables: Sequence[Table], pairs: Sequence[Pairs], draws: Draws, runner: Runner) -> list[Tested]:
    """The same on the mean of unit scores: the sign of each unit's difference is drawn."""
    return _swap_test(draws, runner, [_Flipped(*of) for of in zip(tables, pairs, strict=True)])


def _swap_test(draws: Draws, runner: Runner, tested: Sequence[_Swapped | _Flipped]) -> list[Tested]:
    def work(block: int) -> list[NDArray[np.int64]]:
        swaps = draws.block(block)
        return [one.at_least_as_large(swaps) for one in tested]

    counts = [np.zeros((2, len(one.pairs)), dtype=np.int64) for one in tested]
    for found in runner.run(draws, work):
        for count, more in zip(counts, found, strict=True):
            count += more
    return [Tested(share(large, known), 1 - known / draws.n) for large, known in counts]


class _Swapped:
    """Scores of pairs of systems after units have changed places: large differences, and those that are defined."""

    def __init__(self, table: Table, pairs: Pairs) -> None:
        self.table, self.pairs = table, pairs
        self.threshold = np.abs(table.differences(pairs)) - table.tolerances(pairs)

    def at_least_as_large(self, swaps: Floats) -> NDArray[np.int64]:
        table = self.table
        swapped = table.sums(swaps)
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

    def __init__(self, table: Table, pairs: Pairs) -> None:
        self.table, self.pairs = table, pairs

    def at_least_as_large(self, swaps: Floats) -> NDArray[np.int64]:
        counts = np.full((2, len(self.pairs)), len(swaps), dtype=np.int64)
        step = max(1, CELLS // block_length(self.table.units))
        for start in range(0, len(self.pairs), step):
            batch = slice(start, start + step)
            differences = unit_differences(self.table, self.pairs[batch])
            totals = differences.sum(axis=0)
            flipped = totals - 2 * (swaps @ differences)
            threshold = np.abs(totals) - TOLERANCE * np.abs(differences).sum(axis=0)
            counts[0, batch] = (np.abs(flipped) >= threshold).sum(axis=0)
        return counts


def unit_differences(table: Table, pairs: Pairs) -> Floats:
    """Second minus first score of each unit, units by pairs; 0 where either system has nothing to say."""
    first, second = pairs.T
    both = table.present[:, first] & table.present[:, second]
    for lonely in np.flatnonzero(~both.any(axis=0))[:1]:
        names = " and ".join(repr(table.names[i]) for i in pairs[lonely])
        raise InputError(f"{names} have no unit that both have a {table.spec} score of: nothing can be paired")
    return np.where(both, table.unit_scores[:, second] - table.unit_scores[:, first], 0.0)


def wilcoxon(tables: Sequence[Table], pairs: Sequence[Pairs]) -> list[Floats]:
    """Wilcoxon's signed-rank test on unit scores, two-sided: p for each table and pair.

    Units with equal scores are left out, as Wilcoxon did; where all are equal, p is 1. Up to 50 remaining units the
    distribution is exact, ties among the differences included, and beyond normal with a correction for ties.
    """
    return [
        np.array([_wilcoxon(column) for column in unit_differences(table, of).T])
        for table, of in zip(tables, pairs, strict=True)
    ]


def _wilcoxon(differences: Floats) -> float:
    from scipy.stats import rankdata, wilcoxon

    largest = np.abs(differences).max()
    if largest == 0:
        return 1.0
    # Differences that are equal but for rounding have to share their rank.
    rounded = np.round(differences / largest, 10)
    kept = rounded[rounded != 0]
    if len(kept) > EXACT_WILCOXON:
        return float(wilcoxon(kept, method="approx").pvalue)
    doubled = np.rint(2 * rankdata(np.abs(kept))).astype(np.intp)
    return _exact_signed_ranks(doubled, int(doubled[kept > 0].sum()))


def _exact_signed_ranks(ranks: NDArray[np.intp], positive: int) -> float:
    """Two-sided p of a sum of positive ranks, over all signs; ranks are doubled so that shared ones are whole."""
    ways = np.zeros(int(ranks.sum()) + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
    tail = min(ways[: positive + 1].sum(), ways[positive:].sum())
    return float(min(1.0, 2 * tail / ways.sum()))


def bootstrap(
    observed: Floats, resampled: Floats, tolerances: Floats, units: int, resample: str, level: float
) -> Floats:
    """Paired bootstrap, two-sided: p for each pair from its resampled differences (draws by pairs).

    The resampled differences are centred on their mean, which makes the two systems equal, and widened by what few
    units cost (see `widening`; 1.0006 for 3,000 units). p is the share at least as far from 0 as the observed one.
    """
    spread = np.abs(resampled - np.nanmean(resampled, axis=0)) * widening(units, resample, level / 2)
    return share((spread >= np.abs(observed) - tolerances).sum(axis=0), count_defined(resampled))


def moses(observed: Floats, resampled: Floats) -> Floats:
    """The p of Moses and sacreBLEU: absolute differences, then centred, compared by a strict `>`.

    It is about half of a two-sided p or less, and 1/(n + 1) for identical systems: kept for comparison with results
    that were published with it.
    """
    absolute = np.abs(resampled)
    large = absolute - np.nanmean(absolute, axis=0) > np.abs(observed)
    return share(large.sum(axis=0), count_defined(resampled))


def wins(resampled: Floats, tolerances: Floats, *, higher_is_better: bool) -> tuple[Floats, Floats, Floats]:
    """Algorithm 5: the shares of resamples in which the second system wins, loses and ties; they add up to one."""
    gain = resampled if higher_is_better else -resampled
    known = count_defined(resampled)
    won = (gain > tolerances).sum(axis=0) / known
    lost = (gain < -tolerances).sum(axis=0) / known
    tied = (np.abs(gain) <= tolerances).sum(axis=0) / known
    return won, lost, tied
