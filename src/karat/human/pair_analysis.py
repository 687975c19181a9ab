"""The analysis of rankings and preferences: wins, strengths, skills, ranks, clusters, agreement."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.human.bradley_terry import davidson
from karat.human.comparisons import Comparisons, tables
from karat.human.findings import CriterionFindings, PairResult, SystemResult
from karat.human.pairwise_kappa import CHANCES, pairwise_kappa
from karat.human.rank_ranges import clusters_from_ranges, ranges_from_resamples
from karat.human.scale_analysis import best_first
from karat.human.trueskill import trueskill
from karat.human.wins import better_or_equal, expected_wins, win_share
from karat.significance import Interval, adjust
from karat.significance.blocks import Runner
from karat.significance.draws import Draws
from karat.significance.intervals import order_statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.agreement import Agreement
    from karat.human.settings import Settings

    Floats = NDArray[np.float64]

QUICK_RUNS, QUICK_STEPS = 50, 4000
"""How TrueSkill is run beside other scores; a preset that ranks by it takes as many as there are pairs."""
WMT_RUNS = 400


def analyse_pairs(
    judged: Comparisons,
    settings: Settings,
    *,
    scored: Comparisons | None = None,
    protocol: str,
    criterion: str,
    language_pair: str | None = None,
    level: str = "segment",
) -> CriterionFindings:
    """Rank systems by pairs of outputs; `scored` are the pairs for scores where they differ from those judged."""
    used = judged if scored is None else scored
    if len(used) == 0:
        raise InputError(f"{protocol} {criterion}: no two outputs were compared")
    by_skill = settings.preset == "wmt16"
    resampled, unit = _resampled(used, settings, by_skill)
    counts = used.counts()
    steps = min(QUICK_STEPS, len(used))
    skills = resampled if by_skill else trueskill(counts, runs=QUICK_RUNS, steps=steps, seed=settings.seed).mu
    scores = skills.mean(axis=0) if by_skill else expected_wins(counts)
    order = np.argsort(-scores, kind="stable")
    ranges = ranges_from_resamples(resampled, 1 - settings.level)
    clusters = dict(zip(order.tolist(), clusters_from_ranges([ranges[i] for i in order]), strict=True))
    others = _other_scores(counts, skills)
    results = [
        _system(used, counts, i, (scores, resampled), (*ranges[i], clusters[i]), others, settings.level)
        for i in range(len(used.systems))
    ]
    return CriterionFindings(
        protocol=protocol,
        criterion=criterion,
        language_pair=language_pair,
        level=level,
        kind="pairs",
        higher_is_better=True,
        systems=best_first(results, higher_is_better=True),
        method=_method(used, settings, unit, by_skill),
        pairs=_sign_tests(used, counts, settings),
        agreement=tuple(pair_agreement(judged)),
        preset=settings.preset,
        seed=settings.seed,
    )


def _resampled(used: Comparisons, settings: Settings, by_skill: bool) -> tuple[Floats, str]:
    """Scores of resampled judgements, resamples by systems; and what was drawn.

    Pairs of one ranking are not independent, so segments are drawn; WMT drew single pairs.
    """
    segments = used.segment if len(np.unique(used.segment)) > 1 else used.ranking
    units = np.arange(len(used)) if by_skill else segments
    rows = used.counts_by(units)
    draws = Draws("full", WMT_RUNS if by_skill else settings.resamples, rows.shape[0], settings.seed)

    def work(block: int) -> Floats:
        return np.asarray(draws.block(block) @ rows)

    progress = None if by_skill else settings.progress
    drawn = np.concatenate(list(Runner(settings.threads, progress, len(draws)).run(draws, work)))
    if not by_skill:
        return expected_wins(drawn), "what was compared"
    return trueskill(drawn, seed=settings.seed, progress=settings.progress).mu, "pairs"


def _system(
    used: Comparisons,
    counts: Floats,
    i: int,
    scored: tuple[Floats, Floats],
    place: tuple[int, int, int],
    others: dict[str, Floats],
    level: float,
) -> SystemResult:
    scores, resampled = scored
    wins, ties = tables(counts)
    mine = (used.first == i) | (used.second == i)
    tail = level / 2
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
        interval=Interval(low, high, 1 - level, "percentile"),
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


def _sign_tests(used: Comparisons, counts: Floats, settings: Settings) -> tuple[PairResult, ...]:
    """Every pair of systems: who won how often, and the two-sided sign test, ties left out."""
    from scipy.stats import binomtest

    wins, ties = tables(counts)
    met = [(i, j) for i, j in combinations(range(len(wins)), 2) if wins[i, j] + wins[j, i] + ties[i, j] > 0]
    decided = [int(wins[i, j] + wins[j, i]) for i, j in met]
    raw = [
        float(binomtest(int(wins[pair]), count).pvalue) if count else 1.0
        for pair, count in zip(met, decided, strict=True)
    ]
    adjusted = adjust(raw, settings.correction).tolist() if raw else raw
    found = []
    for (i, j), p, corrected in zip(met, raw, adjusted, strict=True):
        details = {"wins": int(wins[i, j]), "losses": int(wins[j, i]), "ties": int(ties[i, j])}
        gap = float(wins[i, j] - wins[j, i]) / max(1.0, float(wins[i, j] + wins[j, i] + ties[i, j]))
        real = bool(corrected <= settings.level)
        found.append(PairResult(used.systems[i], used.systems[j], gap, p, float(corrected), real, details))
    return tuple(found)


def pair_agreement(judged: Comparisons) -> list[Agreement]:
    """WMT's kappa by both ways of counting and with both kinds of chance, and of judges with themselves."""
    found = [pairwise_kappa(judged, counting, chance) for counting in ("official", "textbook") for chance in CHANCES]
    own = [pairwise_kappa(judged, counting) for counting in ("intra official", "intra")]
    return [one for one in [*found, *own] if one.n]


def _method(used: Comparisons, settings: Settings, unit: str, by_skill: bool) -> str:
    score = f"TrueSkill, mean of {WMT_RUNS:,} runs" if by_skill else "expected wins"
    drawn = f"rank ranges from {WMT_RUNS if by_skill else settings.resamples:,} resamples of {unit}"
    return f"{score} over {len(used):,} comparisons; {drawn}, seed {settings.seed}"
