"""Orders systems by people's values: which test on which units, an interval for each system, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.errors import InputError
from karat.human.ordering.order import Order, TestedOrder
from karat.human.ordering.paired import by_paired_test
from karat.human.ordering.presets import preset
from karat.human.ordering.rank_sum import by_rank_sum
from karat.human.ordering.shared import couples, notes_on_sharing, wins_in_a_circle
from karat.human.scales.judgements import ItemMeans, Judgements
from karat.identity import Identity
from karat.quick_dataclasses import dataclass
from karat.rows import SCORE_COLUMNS, Rows, mean_score
from karat.significance import Estimate, bootstrap_many
from karat.significance.alike import drawn_unit, ranks_despite_documents
from karat.significance.p_values import p_is

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.plan import AnalysisPlan
    from karat.human.results import PairResult


RATERS_NAMED = 5


@dataclass(frozen=True, eq=False)
class Ordering:
    """The order of the systems, the pairs, an interval for each system, and what was drawn at random.

    `counted` are the judgements that scores are made of, and `z` the mean of their standardised values by system.
    """

    order: Order
    pairs: tuple[PairResult, ...]
    estimates: tuple[Estimate | None, ...]
    method: str
    unit: str
    units: int
    counted: Judgements
    z: NDArray[np.float64]
    notes: tuple[Diagnostic, ...] = ()


def ordering(given: Judgements, plan: AnalysisPlan, *, higher_is_better: bool) -> Ordering:
    """Rank the systems of judgements as the plan says."""
    unit, group = _units(given, plan)
    counted = given.ordinary if plan.preset is None else preset(plan.preset).counted(given)
    names, items = given.systems, ItemMeans.of(counted)
    values = items.row_values(group)
    identity = Identity.of_scores("judgements", higher_is_better=higher_is_better)
    rows = {name: Rows(values[:, i], SCORE_COLUMNS, mean_score, identity) for i, name in enumerate(names)}
    # From a single unit nothing can be drawn: such a system has a mean, but no interval and no test.
    judged = {name: row for name, row in rows.items() if np.count_nonzero(row.values[:, 1]) > 1}
    estimates = _estimates(judged, plan, unit) if judged else {}
    if plan.preset is not None:
        tested = _by_preset(given, plan, higher_is_better=higher_is_better)
    elif plan.test == "rank-sum":
        tested = by_rank_sum(names, items, plan, higher_is_better=higher_is_better)
    else:
        tested = by_paired_test(names, items, group, plan, unit, identity)
    listed = tuple(estimates.get(name) for name in names)
    unpaired = plan.unpaired or any(pair.segments is None for pair in tested.pairs)
    drawn = "segment" if plan.preset is not None or plan.test == "rank-sum" else unit
    said = () if plan.preset and unpaired else notes_on_sharing(tested.pairs, names, items, drawn, unpaired=unpaired)
    means = dict(zip(names, tested.order.scores.tolist(), strict=True))
    notes = (
        *_raters_left_out(given.ordinary, counted, plan),
        *(*said, *_despite_documents(given, plan, unit), *tested.notes, *wins_in_a_circle(tested.pairs)),
        *_contradictions(tested.pairs, means),
    )
    z = _mean_z(given, plan, tested.order)
    return Ordering(tested.order, tested.pairs, listed, tested.method, unit, len(values), counted, z, notes)


def _mean_z(given: Judgements, plan: AnalysisPlan, order: Order) -> NDArray[np.float64]:
    """The mean standardised value of each system."""
    if plan.preset is not None and preset(plan.preset).standardised:
        return order.scores
    return ItemMeans.of(given.z_values().ordinary).system_means()


def _raters_left_out(ordinary: Judgements, counted: Judgements, plan: AnalysisPlan) -> Iterator[Diagnostic]:
    """Whom a preset does not count, and the systems of which nothing is left then."""
    raters = sorted(set(ordinary.rater.tolist()) - set(counted.rater.tolist()))
    if not raters:
        return
    named = ", ".join(ordinary.raters[i] for i in raters[:RATERS_NAMED])
    more = f" and {len(raters) - RATERS_NAMED} more raters" if len(raters) > RATERS_NAMED else ""
    systems = [ordinary.systems[i] for i in sorted(set(ordinary.system.tolist()) - set(counted.system.tolist()))]
    lost = f"; judged by nobody else, {', '.join(systems)} {'is' if len(systems) == 1 else 'are'} not ranked"
    says = f"the preset {plan.preset} leaves out {named}{more}, whose values do not vary (or are one)"
    yield Diagnostic("raters-left-out", f"{says}{lost if systems else ''}")


def _units(given: Judgements, plan: AnalysisPlan) -> tuple[str, NDArray[np.intp] | None]:
    """Documents where all are known and there are several, unless segments are asked for."""
    documents = given.ordinary.segment_document
    if plan.unit == "document" and documents is None:
        raise InputError(
            "--unit document needs the document of every segment: give a corpus that tells it with --corpus"
        )
    if documents is None:
        return "segment", None
    unit, _ = drawn_unit(_document_count(documents), plan.unit)
    return unit, documents if unit == "document" else None


def _document_count(documents: NDArray[np.intp] | None) -> int:
    return 0 if documents is None else len(np.unique(documents[documents >= 0]))


def _despite_documents(given: Judgements, plan: AnalysisPlan, unit: str) -> Iterator[Diagnostic]:
    """A warning where segments are drawn that come from fewer documents; presets name their own fault."""
    documents = given.ordinary.segment_document
    count = _document_count(documents)
    if documents is None or plan.preset is not None or count >= np.count_nonzero(documents >= 0):
        return
    if unit == "segment":
        yield from drawn_unit(count, plan.unit)[1]
    elif plan.test == "rank-sum":
        yield ranks_despite_documents(count)


def _estimates(judged: dict[str, Rows], plan: AnalysisPlan, unit: str) -> dict[str, Estimate]:
    estimates = bootstrap_many(
        list(judged.values()), plan.resampling(unit), threads=plan.threads, progress=plan.progress
    )
    return dict(zip(judged, estimates, strict=True))


def _by_preset(given: Judgements, plan: AnalysisPlan, *, higher_is_better: bool) -> TestedOrder:
    """As a preset ranks; a difference is that of the segments that the preset's test is made on."""
    way = preset(str(plan.preset))
    sign = 1.0 if higher_is_better else -1.0
    ranked = way.order(given.with_values(sign * given.value), plan.seed)
    order = Order(sign * ranked.scores, ranked.p, ranked.beats, ranked.ranges, ranked.clusters)
    used = ItemMeans.of(way.values(given))
    pairs = []
    for couple in couples(used, unpaired=not way.matched):
        ahead = ranked.scores[couple.first] - ranked.scores[couple.second]
        better, worse = (couple.first, couple.second) if ahead >= 0 else (couple.second, couple.first)
        p = ranked.p[better, worse]
        pairs.append(
            replace(
                couple.untested(given.systems, used, higher_is_better=higher_is_better),
                p=float(p) if np.isfinite(p) else None,
                significant=bool(ranked.beats[better, worse]),
                better=given.systems[better] if ahead else None,
                reachable=True,
                segments=couple.shared if way.matched else None,
            )
        )
    return TestedOrder(order, tuple(pairs), f"preset {way.name}: {way.says}. Known fault: {way.known_fault}")


def _contradictions(pairs: tuple[PairResult, ...], means: Mapping[str, float]) -> Iterator[Diagnostic]:
    """Where the test favours a system with the worse score on the same segments, or with the worse mean of all."""
    for pair in pairs:
        if pair.contradicts_score:
            yield Diagnostic("test-against-score", contradiction(pair), system=pair.better)
        elif pair.significant and pair.better is not None:
            other = pair.second if pair.better == pair.first else pair.first
            lead = means[other] - means[pair.better]
            if (lead if pair.higher_is_better else -lead) > 0:
                yield Diagnostic("test-against-mean", _against_mean(pair, other, abs(lead)), system=pair.better)


def contradiction(pair: PairResult) -> str:
    """That the test favours one system of a pair, and the scores the other."""
    p, lead = pair.p if pair.p_adjusted is None else pair.p_adjusted, abs(pair.difference or 0.0)
    evidence = "" if p is None else f" ({p_is(p)})"
    return (
        f"the test favours {pair.better} over {pair.better_score}{evidence}, though the score of "
        f"{pair.better_score} is better by {lead:.3g}: ranks and clusters follow the test"
    )


def _against_mean(pair: PairResult, other: str, lead: float) -> str:
    return (
        f"{pair.better} is better than {other} on the {pair.segments:,} segments that both were judged on, though the "
        f"mean of all segments of {other} is better by {lead:.3g}: ranks and clusters follow what both have"
    )
