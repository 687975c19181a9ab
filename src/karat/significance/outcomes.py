"""What the draws give: resampled differences and p-values of many pairs of systems, under several metrics at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.quick_dataclasses import dataclass
from karat.significance import paired
from karat.significance.draws import AllFlips, flips
from karat.significance.multiple import Correction, adjust
from karat.significance.tables import RowTable, resampled_scores

if TYPE_CHECKING:
    from karat.significance.blocks import Runner
    from karat.significance.draws import Draws
    from karat.significance.options import Options
    from karat.significance.paired import Pairs, Tested
    from karat.significance.tables import Floats


@dataclass(frozen=True, eq=False)
class Outcome:
    """Resampled differences of the pairs of one table (draws by pairs), their test, and its number of draws."""

    differences: Floats
    tested: Tested
    n: int | None


def outcomes_of(
    tables: Sequence[RowTable], pairs: Sequence[Pairs], n: int | None, options: Options, runner: Runner
) -> list[Outcome]:
    """What the draws give, for all tables over equally many units at once."""
    by_strata: dict[tuple[int, ...], list[int]] = {}
    for i, table in enumerate(tables):
        by_strata.setdefault(table.strata, []).append(i)
    plans = {strata: _DrawPlan.of(strata, n, options) for strata in by_strata}
    runner.total = sum(len(plan) for plan in plans.values())
    outcomes: dict[int, Outcome] = {}
    for strata, positions in by_strata.items():
        same_units = [tables[i] for i in positions], [pairs[i] for i in positions]
        outcomes |= dict(zip(positions, _drawn(*same_units, plans[strata], options, runner), strict=True))
    return [outcomes[i] for i in range(len(tables))]


@dataclass(frozen=True)
class _DrawPlan:
    """The draws for a number of units: the resamples of the intervals, and the flips of a test that has them."""

    resamples: Draws
    swaps: Draws | AllFlips | None
    n: int | None

    @classmethod
    def of(cls, strata: tuple[int, ...], n: int | None, options: Options) -> _DrawPlan:
        swaps = flips(n, sum(strata), options.seed) if n is not None and options.test in paired.SWAPPING else None
        return cls(options.resampling(n).draws(strata), swaps, n if swaps is None else swaps.n)

    def __len__(self) -> int:
        return len(self.resamples) + (0 if self.swaps is None else len(self.swaps))


def _drawn(
    tables: Sequence[RowTable], pairs: Sequence[Pairs], plan: _DrawPlan, options: Options, runner: Runner
) -> list[Outcome]:
    tests = _tests_without_resamples(tables, pairs, plan.swaps, options, runner)
    resampled = resampled_scores(tables, plan.resamples, runner)
    outcomes = []
    for i, table in enumerate(tables):
        differences = resampled[i][:, pairs[i][:, 1]] - resampled[i][:, pairs[i][:, 0]]
        if tests is None:
            tested = paired.on_resamples(options.test, table, pairs[i], differences, options.resample)
        else:
            tested = tests[i]
        outcomes.append(Outcome(differences, tested, plan.n))
    return outcomes


def adjusted_outcomes(
    outcomes: Sequence[Outcome], families: Sequence[int], correction: Correction
) -> list[tuple[Floats, Floats]]:
    """For each table p and the smallest possible p, corrected over its family.

    The smallest possible corrected p is the one of a family in which every p is at its smallest.
    """
    by_table: dict[int, tuple[Floats, Floats]] = {}
    for family in dict.fromkeys(families):
        members = [i for i, own_family in enumerate(families) if own_family == family]
        if len(members) == 1:
            tested = outcomes[members[0]].tested
            by_table[members[0]] = adjust(tested.p, correction), adjust(tested.smallest_p, correction)
            continue
        ends = np.cumsum([len(outcomes[i].tested.p) for i in members])[:-1]
        p, smallest = (
            np.split(adjust(np.concatenate([getattr(outcomes[i].tested, name) for i in members]), correction), ends)
            for name in ("p", "smallest_p")
        )
        by_table |= {i: (p[k], smallest[k]) for k, i in enumerate(members)}
    return [by_table[i] for i in range(len(outcomes))]


def _tests_without_resamples(
    tables: Sequence[RowTable], pairs: Sequence[Pairs], swaps: Draws | AllFlips | None, options: Options, runner: Runner
) -> list[Tested] | None:
    """The test of each table, unless it is made on the resamples of the intervals: then None."""
    if swaps is not None:
        test = paired.randomization if options.test == "randomization" else paired.permutation
        return test(tables, pairs, swaps, runner)
    return paired.wilcoxon(tables, pairs) if options.test == "wilcoxon" else None
