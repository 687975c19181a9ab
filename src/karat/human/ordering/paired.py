"""Paired tests: approximate randomisation or signed ranks of documents or segments that two systems have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.human.ordering.order import Order, TestedOrder, correction_in_words
from karat.human.ordering.shared import couples
from karat.human.results import PairResult
from karat.quick_dataclasses import dataclass
from karat.rows import mean_score
from karat.significance.blocks import Runner
from karat.significance.comparing import compare_pairs
from karat.significance.tables import RowTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.ordering.shared import Couple
    from karat.human.plan import AnalysisPlan
    from karat.human.scales.judgements import Codes, Floats, ItemMeans
    from karat.identity import Identity
    from karat.significance import Comparison

MEAN = "mean over segments of mean over judgements"


@dataclass(frozen=True, eq=False)
class TestedPairs:
    """Systems over the same units, and the pairs of them that are tested on these, each as (baseline, system)."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    table: RowTable
    pairs: NDArray[np.intp]

    @classmethod
    def of(
        cls, names: Sequence[str], values: Floats, pairs: Sequence[tuple[int, int]], identity: Identity
    ) -> TestedPairs:
        """From scores and counts that add up (units by systems by two)."""
        return cls(RowTable(tuple(names), values, mean_score, identity, (len(values),)), np.array(pairs, dtype=np.intp))


def compared(tested: Sequence[TestedPairs], plan: AnalysisPlan, unit: str) -> tuple[Comparison, ...]:
    """Test all pairs as one family."""
    tables, pairs = [of_units.table for of_units in tested], [of_units.pairs for of_units in tested]
    return compare_pairs(
        tables, pairs, plan.options(unit), Runner(plan.threads, plan.progress), families=[0] * len(tested)
    )


def by_paired_test(
    names: Sequence[str], items: ItemMeans, group: Codes | None, plan: AnalysisPlan, unit: str, identity: Identity
) -> TestedOrder:
    """Every pair of systems on the segments that both have; a system beats another in the test's direction."""
    every = couples(items, unpaired=plan.unpaired)
    tested = _tested_pairs(names, items, group, every, identity)
    comparisons = compared(tested, plan, unit) if tested else ()
    by_names = {frozenset((pair.baseline, pair.system)): pair for pair in comparisons}
    pairs = []
    for couple in every:
        comparison = by_names.get(frozenset((names[couple.first], names[couple.second])))
        pairs.append(
            couple.untested(names, items, higher_is_better=identity.higher_is_better)
            if comparison is None
            else pair_result(comparison, segments=None if plan.unpaired else couple.shared)
        )
    order = order_of(names, items.system_means(), pairs, higher_is_better=identity.higher_is_better)
    method = f"{MEAN}; {named_test(comparisons, plan, unit)}" if comparisons else MEAN
    return TestedOrder(order, tuple(pairs), method, out_of_reach(comparisons))


def _tested_pairs(
    names: Sequence[str], items: ItemMeans, group: Codes | None, every: Sequence[Couple], identity: Identity
) -> list[TestedPairs]:
    """Pairs that are compared on the same segments, table by table; a pair needs two units of each system."""
    by_segments: dict[bytes, list[Couple]] = {}
    for couple in every:
        by_segments.setdefault(couple.kept.tobytes(), []).append(couple)
    tested = []
    for alike in by_segments.values():
        kept = alike[0].kept
        systems = sorted({system for couple in alike for system in (couple.first, couple.second)})
        values = items.taken(kept, systems).row_values(None if group is None else group[kept])
        enough = np.count_nonzero(values[:, :, 1], axis=0) > 1
        place = {system: i for i, system in enumerate(systems) if enough[i]}
        pairs = [(place[c.second], place[c.first]) for c in alike if c.first in place and c.second in place]
        if pairs:
            tested.append(TestedPairs.of([names[system] for system in systems], values, pairs, identity))
    return tested


def pair_result(comparison: Comparison, *, segments: int | None, **details: int) -> PairResult:
    """The comparison as a pair."""
    return PairResult(
        comparison.system,
        comparison.baseline,
        comparison.difference,
        comparison.p,
        comparison.p_adjusted,
        comparison.winner is not None,
        better=comparison.better,
        higher_is_better=comparison.higher_is_better,
        reachable=comparison.reachable,
        smallest_p=comparison.smallest_p,
        smallest_p_adjusted=comparison.smallest_p_adjusted,
        segments=segments,
        details={"interval": [comparison.interval.low, comparison.interval.high], **details},
    )


def named_test(comparisons: Sequence[Comparison], plan: AnalysisPlan, unit: str) -> str:
    """The test, what it drew, and the correction."""
    drawn = list(dict.fromkeys(pair.draws for pair in comparisons if not pair.exact and pair.draws))
    exact = [pair for pair in comparisons if pair.exact]
    if plan.test == "signed-rank":
        name = "Wilcoxon signed-rank test"
    else:
        name = "approximate randomisation" if drawn else "exact randomisation"
        if not drawn:
            drawn = list(dict.fromkeys(pair.draws for pair in exact))
            drawn = drawn if len(drawn) == 1 else ["all flips"]
        elif exact:
            drawn.append("all flips where units are few")
    parts = (f"{name} of {unit}s", "two-sided", *drawn, correction_in_words(plan))
    return ", ".join(parts)


def out_of_reach(comparisons: Iterable[Comparison]) -> tuple[Diagnostic, ...]:
    """Why no pair of systems could be told apart, where that is so, from the pair that could the soonest."""
    differing = [pair for pair in comparisons if not pair.identical]
    if not differing or any(pair.reachable for pair in differing):
        return ()
    nearest = min(differing, key=lambda pair: (pair.smallest_p_adjusted, pair.smallest_p))
    message = f"no system can be told from another, whatever the judgements: {nearest.out_of_reach()}"
    return (Diagnostic("out-of-reach", message),)


def order_of(names: Sequence[str], scores: Floats, pairs: Iterable[PairResult], *, higher_is_better: bool) -> Order:
    """The order that follows from who beats whom in the tests."""
    place = {name: i for i, name in enumerate(names)}
    p, beats = np.full((len(place),) * 2, np.nan), np.zeros((len(place),) * 2, dtype=bool)
    for pair in pairs:
        if pair.p_adjusted is not None:
            better, worse = (pair.second, pair.first) if pair.better == pair.second else (pair.first, pair.second)
            p[place[better], place[worse]] = pair.p_adjusted
            beats[place[better], place[worse]] = pair.significant
    return Order.from_wins(scores, p, beats, higher_is_better=higher_is_better)
