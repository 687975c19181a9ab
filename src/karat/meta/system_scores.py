"""Systems under people and under a metric, with intervals: what a scatter plot shows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.meta.jackknife import jackknife_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.evidence import Measure
    from karat.meta.task import Task

    Floats = NDArray[np.float64]
    Interval = tuple[float, float] | None

UNBOUNDED = (-np.inf, np.inf)
FEWEST_SEGMENTS = 2


@dataclass(frozen=True)
class SystemScore:
    """One system under people and under a metric, with intervals where segments are known."""

    system: str
    gold: float
    score: float
    gold_interval: Interval
    score_interval: Interval
    outlier: bool
    human: bool


def system_scores(task: Task, metric: Measure, outliers: Collection[str], confidence: float) -> tuple[SystemScore, ...]:
    """The systems that have both a judgement and a score."""
    gold, scores = task.table(task.gold, "system"), task.table(metric, "system")
    if gold is None or scores is None:
        return ()
    gold_intervals = _intervals(task, task.gold, confidence)
    score_intervals = _intervals(task, metric, confidence)
    return tuple(
        SystemScore(
            system=name,
            gold=float(gold[row, 0]),
            score=float(scores[row, 0]),
            gold_interval=gold_intervals[row],
            score_interval=score_intervals[row],
            outlier=name in outliers,
            human=name in task.humans,
        )
        for row, name in enumerate(task.systems)
        if np.isfinite(gold[row, 0]) and np.isfinite(scores[row, 0])
    )


def _intervals(task: Task, measure: Measure, confidence: float) -> list[Interval]:
    """The jackknife's interval of each system's score over segments."""
    return [_interval(measure, name, confidence) for name in task.systems]


def _interval(measure: Measure, system: str, confidence: float) -> Interval:
    """The interval of one system's score; None where there are no segments, or these do not add up to it."""
    if system not in measure.rows:
        return None
    rows = measure.rows[system].taken(measure.rows[system].known)
    if len(rows) <= FEWEST_SEGMENTS:
        return None
    given = measure.given.get("system", {}).get(system)
    score = rows.score if given is None else given.score
    if not abs(rows.score - score) <= 1e-6 * max(1.0, abs(score)):
        return None
    left_out = rows.aggregate(rows.sum() - rows.values)
    return jackknife_interval(score, left_out, confidence, bounds=UNBOUNDED)
