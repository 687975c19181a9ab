"""The analysis of rankings and preferences: wins, strengths, skills, ranks, clusters, agreement."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.errors import InputError
from karat.human.agreement.base import agreement_on
from karat.human.comparing.bradley_terry import davidson
from karat.human.comparing.comparisons import Comparisons, tables
from karat.human.comparing.testing import by_pair_tests, clustered_pairs, despite_documents, units_of
from karat.human.comparing.trueskill import trueskill
from karat.human.comparing.wins import better_or_equal, expected_wins, win_share
from karat.human.ordering.order import Order, TestedOrder
from karat.human.ordering.rank_ranges import clusters_from_ranges, ranges_from_resamples
from karat.human.plan import PAIR_PRESETS
from karat.human.results import CriterionResult, SystemResult
from karat.human.scales.analysis import best_first
from karat.quick_dataclasses import dataclass
from karat.significance import Interval
from karat.significance.blocks import Runner
from karat.significance.confidence import percent
from karat.significance.draws import Draws
from karat.significance.intervals import order_statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.plan import AnalysisPlan
    from karat.significance.blocks import OnProgress

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

QUICK_RUNS, QUICK_STEPS = 50, 4000
"""How TrueSkill is run beside other scores; a preset that ranks by it takes as many as there are pairs."""
WMT_RUNS = 400


def analyse_pairs(
    judged: Comparisons,
    plan: AnalysisPlan,
    *,
    scored: Comparisons | None = None,
    protocol: str,
    criterion: str,
    language_pair: str | None = None,
    level: str = "segment",
) -> CriterionResult:
    """Rank systems by pairs of outputs; `scored` are the pairs for scores where they differ from those judged."""
    used = judged if scored is None else scored
    if len(used) == 0:
        raise InputError(f"{protocol} {criterion}: no two outputs were compared")
    ordering = _by_skill(used, plan) if plan.preset in PAIR_PRESETS else _by_tests(used, plan, level)
    confidence = plan.confidence
    results = [_system(used, ordering, i, confidence) for i in range(len(used.systems))]
    return CriterionResult(
        protocol=protocol,
        criterion=criterion,
        language_pair=language_pair,
        level=level,
        kind="pairs",
        higher_is_better=True,
        systems=best_first(results, higher_is_better=True),
        method=ordering.tested.method,
        pairs=ordering.tested.pairs,
        agreement=agreement_on(judged),
        notes=(*ordering.tested.notes, *_model_note(plan)),
        preset=plan.preset,
        seed=plan.seed,
    )


@dataclass(frozen=True, eq=False)
class _Ordering:
    """The order of systems and its pairs, who is ranked, scores of resamples (by systems), and every other score."""

    tested: TestedOrder
    ranked: NDArray[np.bool_]
    resampled: Floats
    others: dict[str, Floats]


def _by_tests(used: Comparisons, plan: AnalysisPlan, level: str) -> _Ordering:
    """Karat's own way: ranks and clusters from the tests of all pairs."""
    counts = used.counts()
    steps = min(QUICK_STEPS, len(used))
    skills = trueskill(counts, runs=QUICK_RUNS, steps=steps, seed=plan.seed).mu
    unit, units = units_of(used, plan, level)
    resampled = expected_wins(_resampled(used, units, plan.resamples, plan, plan.progress))
    tested = by_pair_tests(used, units, plan, unit)
    drawn = f"{plan.resamples:,} resamples of {len(np.unique(units)):,} {unit}s, seed {plan.seed}"
    intervals = Diagnostic("intervals", f"intervals: {percent(plan.confidence)}%, {drawn}")
    noted = replace(tested, notes=(intervals, *despite_documents(used, plan, unit), *tested.notes))
    return _Ordering(noted, tested.order.ranked, resampled, _other_scores(counts, skills))


def _by_skill(used: Comparisons, plan: AnalysisPlan) -> _Ordering:
    """As WMT did until 2016: ranks and clusters from resampled skills, where no pair has a test of its own."""
    skills = trueskill(
        _resampled(used, np.arange(len(used)), WMT_RUNS, plan, None), seed=plan.seed, progress=plan.progress
    ).mu
    scores = skills.mean(axis=0)
    ranges = ranges_from_resamples(skills, plan.confidence)
    order = np.argsort(-scores, kind="stable")
    clusters = dict(zip(order.tolist(), clusters_from_ranges([ranges[i] for i in order]), strict=True))
    size = len(scores)
    grouped = np.array([clusters[i] for i in range(size)])
    beats = grouped[:, np.newaxis] < grouped[np.newaxis, :]
    ordered = Order(scores, np.full((size, size), np.nan), beats, ranges, grouped.tolist())
    method = (
        f"TrueSkill, mean of {WMT_RUNS:,} runs over {len(used):,} comparisons; rank ranges from {WMT_RUNS:,} resamples "
        f"of pairs, seed {plan.seed}; two systems count as different where their clusters are"
    )
    tested = TestedOrder(ordered, clustered_pairs(used, ordered), method)
    return _Ordering(tested, np.ones(size, dtype=bool), skills, _other_scores(used.counts(), skills))


def _model_note(plan: AnalysisPlan) -> tuple[Diagnostic, ...]:
    if plan.model != "always":
        return ()
    return (Diagnostic("model-left-out", "there is no mixed model: it is one of values, and these are comparisons"),)


def _resampled(used: Comparisons, units: Codes, n: int, plan: AnalysisPlan, progress: OnProgress | None) -> Floats:
    """Wins and ties of resampled units, resamples by cells."""
    rows = used.counts_by(units)
    draws = Draws("full", n, rows.shape[0], plan.seed)

    def work(block: int) -> Floats:
        return np.asarray(draws.block(block) @ rows)

    return np.concatenate(list(Runner(plan.threads, progress, len(draws)).run(draws, work)))


def _system(used: Comparisons, ordering: _Ordering, i: int, confidence: float) -> SystemResult:
    order = ordering.tested.order
    wins, ties = tables(used.counts())
    mine = (used.first == i) | (used.second == i)
    tail = (1 - confidence) / 2
    low, high = order_statistics(ordering.resampled[:, i], tail, 1 - tail)
    return SystemResult(
        system=used.systems[i],
        n=int(mine.sum()),
        items=len(np.unique(used.segment[mine])),
        raters=len(np.unique(used.rater[mine])),
        score=float(order.scores[i]),
        rank_low=order.ranges[i][0],
        rank_high=order.ranges[i][1],
        cluster=order.clusters[i],
        ranked=bool(ordering.ranked[i]),
        interval=Interval(low, high, confidence, "percentile"),
        details={
            "wins": int(wins[i].sum()),
            "losses": int(wins[:, i].sum()),
            "ties": int(ties[i].sum()),
            **{name: float(values[i]) for name, values in ordering.others.items()},
        },
    )


def _other_scores(counts: Floats, skills: Floats) -> dict[str, Floats]:
    """Every other score that pairs give, by name."""
    strengths = davidson(counts)
    return {
        "win_share": win_share(counts),
        "better_or_equal": better_or_equal(counts),
        "expected_wins": expected_wins(counts),
        "bradley_terry": strengths.values,
        "bradley_terry_error": strengths.errors,
        "trueskill": skills.mean(axis=0),
    }
