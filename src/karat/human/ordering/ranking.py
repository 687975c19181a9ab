"""Orders systems by people's values: which test on which units, an interval for each system, and what follows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.errors import InputError
from karat.human.ordering.order import Order, TestedOrder
from karat.human.ordering.paired import by_paired_test
from karat.human.ordering.presets import preset
from karat.human.ordering.rank_sum import by_rank_sum
from karat.human.results import PairResult
from karat.human.scales.judgements import ItemMeans, Judgements
from karat.identity import Identity
from karat.rows import SCORE_COLUMNS, Rows, mean_score
from karat.significance import Estimate, bootstrap_many

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.plan import AnalysisPlan


@dataclass(frozen=True, eq=False)
class Ordering:
    """The order of the systems, the pairs, an interval for each system, and what was drawn at random."""

    order: Order
    pairs: tuple[PairResult, ...]
    estimates: tuple[Estimate | None, ...]
    method: str
    unit: str
    units: int
    notes: tuple[Diagnostic, ...] = ()


def ordering(given: Judgements, plan: AnalysisPlan, *, higher_is_better: bool) -> Ordering:
    """Rank the systems of judgements as the plan says."""
    unit, group = _units(given, plan)
    values = ItemMeans.of(given.ordinary).row_values(group)
    identity = Identity.of_scores("judgements", higher_is_better=higher_is_better)
    rows = {name: Rows(values[:, i], SCORE_COLUMNS, mean_score, identity) for i, name in enumerate(given.systems)}
    # From a single unit nothing can be drawn: such a system has a mean, but no interval and no test.
    judged = {name: row for name, row in rows.items() if np.count_nonzero(row.values[:, 1]) > 1}
    estimates = _estimates(judged, plan, unit) if judged else {}
    if plan.preset is not None:
        tested = _by_preset(given, plan, higher_is_better=higher_is_better)
    elif plan.test == "rank-sum":
        tested = by_rank_sum(given, plan, higher_is_better=higher_is_better)
    elif len(judged) < 2:
        tested = _untested(given, higher_is_better=higher_is_better)
    else:
        tested = by_paired_test(given, judged, plan, unit)
    listed = tuple(estimates.get(name) for name in given.systems)
    notes = (*tested.notes, *_contradictions(tested.pairs))
    return Ordering(tested.order, tested.pairs, listed, tested.method, unit, len(values), notes)


def _units(given: Judgements, plan: AnalysisPlan) -> tuple[str, NDArray[np.intp] | None]:
    """Documents where all are known and there are several, unless segments are asked for."""
    documents = given.ordinary.segment_document
    if plan.unit == "document" and documents is None:
        raise InputError(
            "--unit document needs the document of every segment: give a corpus that tells it with --corpus"
        )
    if plan.unit == "segment" or documents is None or len(np.unique(documents[documents >= 0])) < 2:
        return "segment", None
    return "document", documents


def _estimates(judged: dict[str, Rows], plan: AnalysisPlan, unit: str) -> dict[str, Estimate]:
    estimates = bootstrap_many(
        list(judged.values()), plan.resampling(unit), threads=plan.threads, progress=plan.progress
    )
    return dict(zip(judged, estimates, strict=True))


def _by_preset(given: Judgements, plan: AnalysisPlan, *, higher_is_better: bool) -> TestedOrder:
    way = preset(str(plan.preset))
    sign = 1.0 if higher_is_better else -1.0
    ranked = way.order(given.with_values(sign * given.value), plan.seed)
    order = Order(sign * ranked.scores, ranked.p, ranked.beats, ranked.ranges, ranked.clusters)
    pairs = []
    for first, second in combinations(range(len(given.systems)), 2):
        if not np.isfinite(ranked.scores[[first, second]]).all():
            continue
        better, worse = (first, second) if ranked.scores[first] >= ranked.scores[second] else (second, first)
        p, gap = ranked.p[better, worse], float(order.scores[first] - order.scores[second])
        pairs.append(
            PairResult(
                given.systems[first],
                given.systems[second],
                gap,
                float(p) if np.isfinite(p) else None,
                None,
                bool(ranked.beats[better, worse]),
                better=given.systems[better] if gap else None,
                higher_is_better=higher_is_better,
            )
        )
    return TestedOrder(order, tuple(pairs), f"preset {way.name}: {way.says}. Known fault: {way.known_fault}")


def _untested(given: Judgements, *, higher_is_better: bool) -> TestedOrder:
    scores = ItemMeans.of(given.ordinary).system_means()
    size = len(scores)
    p, beats = np.full((size, size), np.nan), np.zeros((size, size), dtype=bool)
    order = Order.from_wins(scores, p, beats, higher_is_better=higher_is_better)
    return TestedOrder(order, (), "too little was judged to compare systems")


def _contradictions(pairs: tuple[PairResult, ...]) -> tuple[Diagnostic, ...]:
    """Where a test of ranks favours the system with the worse mean, both are said."""
    return tuple(
        Diagnostic("test-against-score", contradiction(pair), system=pair.better)
        for pair in pairs
        if pair.contradicts_score
    )


def contradiction(pair: PairResult) -> str:
    """That the test favours one system of a pair, and the scores the other."""
    p = pair.p if pair.p_adjusted is None else pair.p_adjusted
    return (
        f"the test favours {pair.better} over {pair.better_score} (p = {p:.2g}), though the score of "
        f"{pair.better_score} is better by {abs(pair.difference):.3g}: ranks follow the test, and the order of the "
        "table follows the scores"
    )
