"""Paired tests of item means: approximate randomisation or signed ranks of documents or segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat import significance
from karat.corpus.diagnostics import Diagnostic
from karat.human.ordering.order import Order, TestedOrder, correction_in_words
from karat.human.results import PairResult
from karat.human.scales.judgements import ItemMeans

if TYPE_CHECKING:
    from karat.human.plan import AnalysisPlan
    from karat.human.scales.judgements import Judgements
    from karat.rows import Rows
    from karat.significance import Comparison, Ranking


def by_paired_test(given: Judgements, judged: dict[str, Rows], plan: AnalysisPlan, unit: str) -> TestedOrder:
    """Every pair of the systems that were judged on several units; a system beats another in the test's direction."""
    ranking = significance.rank([judged], plan.options(unit), threads=plan.threads, progress=plan.progress)
    first = ranking.comparisons[0]
    pairs = tuple(_pair(comparison) for comparison in ranking.comparisons)
    names = {"signed-rank": "Wilcoxon signed-rank test"}
    name = names.get(plan.test, "exact randomisation" if first.exact else "approximate randomisation")
    draws = f", {first.draws}" if first.draws else ""
    method = f"mean over segments of mean over judgements; {name} of {unit}s, two-sided{draws}, "
    notes = _out_of_reach(ranking.comparisons)
    return TestedOrder(_order(given, ranking), pairs, method + correction_in_words(plan), notes)


def _pair(comparison: Comparison) -> PairResult:
    return PairResult(
        comparison.system,
        comparison.baseline,
        comparison.difference,
        comparison.p,
        comparison.p_adjusted,
        comparison.significant and comparison.better is not None,
        better=comparison.better,
        higher_is_better=comparison.higher_is_better,
        reachable=comparison.reachable,
        smallest_p=comparison.smallest_p_adjusted,
        details={"interval": [comparison.interval.low, comparison.interval.high]},
    )


def _out_of_reach(comparisons: Sequence[Comparison]) -> tuple[Diagnostic, ...]:
    """Why no pair of systems could be told apart, where that is so, from the pair that could the soonest."""
    if any(pair.reachable or pair.identical for pair in comparisons):
        return ()
    nearest = min(comparisons, key=lambda pair: pair.smallest_p_adjusted)
    message = f"no system can be told from another, whatever the judgements: {nearest.out_of_reach()}"
    return (Diagnostic("out-of-reach", message),)


def _order(given: Judgements, ranking: Ranking) -> Order:
    """The ranks and clusters of the ranking, in the order of the systems; those that were not tested may have any."""
    place = {name: i for i, name in enumerate(given.systems)}
    size = len(place)
    p, beats = np.full((size, size), np.nan), np.zeros((size, size), dtype=bool)
    for comparison in ranking.comparisons:
        swapped = comparison.better == comparison.baseline
        better, worse = (place[name] for name in (comparison.system, comparison.baseline)[:: -1 if swapped else 1])
        p[better, worse] = comparison.p_adjusted
        beats[better, worse] = comparison.significant and comparison.better is not None
    scores = ItemMeans.of(given.ordinary).system_means()
    ranges, clusters = [(1, size)] * size, [1 + max(ranked.cluster for ranked in ranking.ranking)] * size
    for ranked in ranking.ranking:
        i = place[ranked.system]
        scores[i], ranges[i], clusters[i] = ranked.score, (ranked.rank_low, ranked.rank_high), ranked.cluster
    return Order(scores, p, beats, ranges, clusters)
