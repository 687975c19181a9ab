"""The analysis of rankings and preferences: wins, strengths, skills, ranks, clusters, agreement."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.human.agreement.base import agreement_on
from karat.human.comparing.bradley_terry import davidson
from karat.human.comparing.comparisons import Comparisons, tables
from karat.human.comparing.trueskill import trueskill
from karat.human.comparing.wins import better_or_equal, expected_wins, win_share
from karat.human.ordering.rank_ranges import clusters_from_ranges, ranges_from_resamples
from karat.human.ordering.reach import smallest_adjusted
from karat.human.results import CriterionResult, PairResult, SystemResult
from karat.human.scales.analysis import best_first
from karat.significance import Interval, adjust, smallest_p
from karat.significance.blocks import Runner
from karat.significance.draws import Draws
from karat.significance.intervals import order_statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.plan import AnalysisPlan

    Floats = NDArray[np.float64]

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
    by_skill = plan.preset == "wmt16"
    resampled, unit = _resampled(used, plan, by_skill)
    counts = used.counts()
    steps = min(QUICK_STEPS, len(used))
    skills = resampled if by_skill else trueskill(counts, runs=QUICK_RUNS, steps=steps, seed=plan.seed).mu
    scores = skills.mean(axis=0) if by_skill else expected_wins(counts)
    order = np.argsort(-scores, kind="stable")
    ranges = ranges_from_resamples(resampled, plan.confidence)
    clusters = dict(zip(order.tolist(), clusters_from_ranges([ranges[i] for i in order]), strict=True))
    others = _other_scores(counts, skills)
    results = [
        _system(used, counts, i, (scores, resampled), (*ranges[i], clusters[i]), others, plan.confidence)
        for i in range(len(used.systems))
    ]
    return CriterionResult(
        protocol=protocol,
        criterion=criterion,
        language_pair=language_pair,
        level=level,
        kind="pairs",
        higher_is_better=True,
        systems=best_first(results, higher_is_better=True),
        method=_method(used, plan, unit, by_skill),
        pairs=_sign_tests(used, counts, plan),
        agreement=agreement_on(judged),
        preset=plan.preset,
        seed=plan.seed,
    )


def _resampled(used: Comparisons, plan: AnalysisPlan, by_skill: bool) -> tuple[Floats, str]:
    """Scores of resampled judgements, resamples by systems; and what was drawn.

    Pairs of one ranking are not independent, so segments are drawn; WMT drew single pairs.
    """
    segments = used.segment if len(np.unique(used.segment)) > 1 else used.ranking
    units = np.arange(len(used)) if by_skill else segments
    rows = used.counts_by(units)
    draws = Draws("full", WMT_RUNS if by_skill else plan.resamples, rows.shape[0], plan.seed)

    def work(block: int) -> Floats:
        return np.asarray(draws.block(block) @ rows)

    progress = None if by_skill else plan.progress
    drawn = np.concatenate(list(Runner(plan.threads, progress, len(draws)).run(draws, work)))
    if not by_skill:
        return expected_wins(drawn), "what was compared"
    return trueskill(drawn, seed=plan.seed, progress=plan.progress).mu, "pairs"


def _system(
    used: Comparisons,
    counts: Floats,
    i: int,
    scored: tuple[Floats, Floats],
    place: tuple[int, int, int],
    others: dict[str, Floats],
    confidence: float,
) -> SystemResult:
    scores, resampled = scored
    wins, ties = tables(counts)
    mine = (used.first == i) | (used.second == i)
    tail = (1 - confidence) / 2
    low, high = order_statistics(resampled[:, i], tail, 1 - tail)
    return SystemResult(
        system=used.systems[i],
        n=int(mine.sum()),
        items=len(np.unique(used.segment[mine])),
        raters=len(np.unique(used.rater[mine])),
        score=float(scores[i]),
        rank_low=place[0],
        rank_high=place[1],
        cluster=place[2],
        interval=Interval(low, high, confidence, "percentile"),
        details={
            "wins": int(wins[i].sum()),
            "losses": int(wins[:, i].sum()),
            "ties": int(ties[i].sum()),
            **{name: float(values[i]) for name, values in others.items()},
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


def _sign_tests(used: Comparisons, counts: Floats, plan: AnalysisPlan) -> tuple[PairResult, ...]:
    """Every pair of systems: who won how often, and the two-sided sign test, ties left out."""
    from scipy.stats import binomtest

    wins, ties = tables(counts)
    met = [(i, j) for i, j in combinations(range(len(wins)), 2) if wins[i, j] + wins[j, i] + ties[i, j] > 0]
    decided = [int(wins[i, j] + wins[j, i]) for i, j in met]
    raw = [
        float(binomtest(int(wins[pair]), count).pvalue) if count else 1.0
        for pair, count in zip(met, decided, strict=True)
    ]
    adjusted = adjust(raw, plan.correction).tolist() if raw else raw
    reach = smallest_adjusted([smallest_p("randomization", count) for count in decided], plan.correction)
    return tuple(
        _sign_test(used, (wins, ties), pair, (p, corrected), smallest, plan.alpha)
        for pair, p, corrected, smallest in zip(met, raw, adjusted, reach, strict=True)
    )


def _sign_test(
    used: Comparisons,
    counts: tuple[Floats, Floats],
    pair: tuple[int, int],
    p: tuple[float, float],
    smallest: float,
    alpha: float,
) -> PairResult:
    """What the sign test says of one pair: the better system is the one that won more often."""
    (wins, ties), (first, second) = counts, pair
    won, lost, tied = int(wins[first, second]), int(wins[second, first]), int(ties[first, second])
    names = used.systems[first], used.systems[second]
    return PairResult(
        *names,
        (won - lost) / max(1, won + lost + tied),
        *p,
        bool(p[1] <= alpha),
        better=None if won == lost else names[0] if won > lost else names[1],
        reachable=smallest <= alpha,
        smallest_p=smallest,
        details={"wins": won, "losses": lost, "ties": tied},
    )


def _method(used: Comparisons, plan: AnalysisPlan, unit: str, by_skill: bool) -> str:
    score = f"TrueSkill, mean of {WMT_RUNS:,} runs" if by_skill else "expected wins"
    drawn = f"rank ranges from {WMT_RUNS if by_skill else plan.resamples:,} resamples of {unit}"
    return f"{score} over {len(used):,} comparisons; {drawn}, seed {plan.seed}"
