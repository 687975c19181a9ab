"""What meta-evaluation finds about a task: measures of all metrics, tests between them, outliers, drives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.errors import InputError, did_you_mean
from karat.kernels import thread_count
from karat.meta.contests import ContestOptions, Contests, compare_metrics
from karat.meta.measures import MEASURES, STANDARD, Measured, Settings, evaluate, measure
from karat.meta.outliers import Drive, drives, outliers
from karat.meta.points import GROUPINGS, Grouping
from karat.meta.task import LEVELS, Level, Scorer, Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SYSTEM_ONLY = ("spa",)
MOST_THREADS = 8
SAME_WITHOUT_GROUPS = ("pearson-difference",)


@dataclass(frozen=True)
class Wish:
    """A comparison of all metrics that is wanted."""

    level: Level
    measure: str
    grouping: Grouping


USUAL_CONTESTS = (
    Wish("system", "pearson", "none"),
    Wish("segment", "pearson", "none"),
    Wish("segment", "acc-eq", "item"),
)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be found out: levels, groupings, measures, comparisons, and how outliers are treated."""

    levels: tuple[Level, ...] = LEVELS
    groupings: tuple[Grouping, ...] = GROUPINGS
    measures: tuple[str, ...] = STANDARD
    settings: Settings = Settings()  # noqa: RUF009 - frozen
    contests: tuple[Wish, ...] = USUAL_CONTESTS
    options: ContestOptions = ContestOptions()  # noqa: RUF009 - frozen
    include_human: bool = False
    find_outliers: bool = True
    named_outliers: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One measure of one metric at one level."""

    metric: str
    level: Level
    found: Measured
    unit: str
    higher_is_better: bool
    signature: str | None = None

    def to_json(self, level: float) -> dict[str, Any]:
        """The object that stands in "measures" of the JSON form."""
        signed = {} if self.signature is None else {"signature": self.signature}
        return {
            "metric": self.metric,
            "level": self.level,
            **self.found.to_json(),
            "unit": self.unit,
            "interval_level": level,
            "interval_method": "jackknife",
            "higher_is_better": self.higher_is_better,
            **signed,
        }


@dataclass(frozen=True)
class SystemScore:
    """One system under people and under a metric, with intervals where segments are known."""

    system: str
    gold: float
    score: float
    gold_interval: tuple[float, float] | None
    score_interval: tuple[float, float] | None
    outlier: bool
    human: bool


@dataclass(frozen=True)
class TaskReport:
    """Everything found about one task; `left_out` systems were not looked at, and why."""

    language_pair: str | None
    subset: str | None
    gold: str
    systems: tuple[str, ...]
    left_out: Mapping[str, str]
    outliers: tuple[str, ...]
    measures: tuple[Entry, ...]
    without_outliers: tuple[Entry, ...]
    drives: tuple[Drive, ...]
    contests: tuple[tuple[Level, Contests], ...]
    scatter: Mapping[str, tuple[SystemScore, ...]]
    settings: Settings

    @property
    def label(self) -> str:
        """The task's name in tables."""
        return " ".join(part for part in (self.language_pair, self.subset) if part)


def study(task: Task, plan: Plan) -> TaskReport:
    """Measure all metrics of a task, and compare them."""
    left_out = {name: "named" for name in plan.without if name in task.systems}
    if not plan.include_human:
        left_out |= dict.fromkeys(task.humans, "human output")
    chosen = task.with_systems([name for name in task.systems if name not in left_out])
    everyone = task.with_systems([name for name in task.systems if name not in plan.without])
    far = tuple(name for name in _outliers(everyone, plan) if name in chosen.systems)
    trimmed = chosen.with_systems([name for name in chosen.systems if name not in far])
    return TaskReport(
        language_pair=task.language_pair,
        subset=task.subset,
        gold=task.gold.name,
        systems=chosen.systems,
        left_out=left_out,
        outliers=far,
        measures=tuple(_entries(chosen, plan)),
        without_outliers=tuple(_entries(trimmed, plan)) if far else (),
        drives=tuple(_drives(everyone, chosen, far)),
        contests=tuple(_contests(chosen, plan)),
        scatter={metric.name: _scatter(everyone, metric, far, plan.settings.level) for metric in everyone.metrics},
        settings=plan.settings,
    )


def _outliers(task: Task, plan: Plan) -> tuple[str, ...]:
    """Those named, else those far from the median of all that were judged, people among them.

    Counting people in is what gives the outliers that WMT20 names; its paper does not say.
    """
    if unknown := [name for name in plan.named_outliers if name not in task.systems]:
        raise InputError(f"the outlier {unknown[0]!r} is no system.{did_you_mean(unknown[0], task.systems)}")
    gold = task.table(task.gold, "system")
    if plan.named_outliers or not plan.find_outliers or gold is None or len(gold) < 4:
        return plan.named_outliers
    return tuple(name for name, far in zip(task.systems, outliers(gold[:, 0]), strict=True) if far)


def _entries(task: Task, plan: Plan) -> list[Entry]:
    return [entry for level in plan.levels for entry in _at_level(task, level, plan)]


def _at_level(task: Task, level: Level, plan: Plan) -> list[Entry]:
    """All measures of all metrics at a level; the core counts pairs, which lets several metrics be done at a time."""
    gold = task.table(task.gold, level)
    if gold is None or not np.isfinite(gold).any():
        return []
    people: Floats = gold

    def of_metric(metric: Scorer) -> list[Entry]:
        scores = task.table(metric, level)
        if scores is None or not np.isfinite(scores).any():
            return []
        return _of_metric(task, metric, level, people, scores, plan)

    with ThreadPoolExecutor(min(thread_count(), MOST_THREADS)) as pool:
        return [entry for entries in pool.map(of_metric, task.metrics) for entry in entries]


def _of_metric(task: Task, metric: Scorer, level: Level, gold: Floats, scores: Floats, plan: Plan) -> list[Entry]:
    groupings: Sequence[Grouping] = ("none",) if level == "system" else plan.groupings
    made = []
    epsilons: dict[Grouping, float] = {}
    for name in plan.measures:
        chosen = measure(name)
        for grouping in groupings:
            if not _applies(name, level, grouping):
                continue
            given = gold, scores if chosen.signed or metric.higher_is_better else -scores
            if name == "spa":
                tables = _segment_tables(task, metric)
                if tables is None:
                    continue
                given = tables
            settings = plan.settings
            if chosen.calibrated and grouping in epsilons:
                settings = replace(settings, epsilon=epsilons[grouping])
            found = evaluate(name, *given, grouping, settings=settings, clusters=task.clusters(level))
            if found.epsilon is not None:
                epsilons[grouping] = found.epsilon
            unit = "system" if level == "system" else task.unit(level)
            made.append(Entry(metric.name, level, found, unit, metric.higher_is_better, metric.signature))
    return made


def _applies(name: str, level: Level, grouping: Grouping) -> bool:
    if name in SYSTEM_ONLY:
        return level == "system"
    if name in SAME_WITHOUT_GROUPS or name == "delta-avg":
        return (grouping != "none") == (name in SAME_WITHOUT_GROUPS)
    return True


def _segment_tables(task: Task, metric: Scorer) -> tuple[Floats, Floats] | None:
    """The scores of segments, the metric's turned so that higher is better."""
    gold, scores = task.table(task.gold, "segment"), task.table(metric, "segment")
    if gold is None or scores is None or len(gold) < 2:
        return None
    return gold, scores if metric.higher_is_better else -scores


def _drives(everyone: Task, chosen: Task, far: Sequence[str]) -> list[Drive]:
    """What drives the correlations: with the systems looked at, and what human outputs would do to it."""
    found: list[Drive] = []
    for task, kinds in ((chosen, {"outliers": tuple(far)}), (everyone, {"human outputs": everyone.humans})):
        gold = task.table(task.gold, "system")
        if gold is None:
            continue
        for metric in task.metrics:
            scores = task.table(metric, "system")
            if scores is not None:
                found += drives(metric.name, task.systems, gold[:, 0], scores[:, 0], kinds, singles=task is chosen)
    return found


def _contests(task: Task, plan: Plan) -> list[tuple[Level, Contests]]:
    made = []
    for wish in plan.contests:
        gold = task.table(task.gold, wish.level)
        found = {metric.name: task.table(metric, wish.level) for metric in task.metrics}
        directions = {metric.name: 1.0 if metric.higher_is_better else -1.0 for metric in task.metrics}
        tables = {
            name: table * directions[name]
            for name, table in found.items()
            if table is not None and _covers(gold, table) and table.shape == (gold.shape if gold is not None else None)
        }
        if gold is None or len(tables) < 2 or (wish.level == "system" and len(gold) < 4):
            continue
        contests = compare_metrics(
            gold,
            tables,
            wish.measure,
            wish.grouping,
            options=plan.options,
            settings=plan.settings,
            clusters=task.clusters(wish.level),
        )
        made.append((wish.level, contests))
    return made


def _covers(gold: Floats | None, scores: Floats) -> bool:
    """Whether a metric has scores for nearly all that people judged; one that lacks more is not compared."""
    if gold is None:
        return False
    judged = np.isfinite(gold)
    return bool((np.isfinite(scores) & judged).sum() >= 0.9 * judged.sum())


def _scatter(task: Task, metric: Scorer, far: Sequence[str], level: float) -> tuple[SystemScore, ...]:
    gold, scores = task.table(task.gold, "system"), task.table(metric, "system")
    if gold is None or scores is None:
        return ()
    by_people = _system_intervals(task.gold, level)
    by_metric = _system_intervals(metric, level)
    return tuple(
        SystemScore(
            name,
            float(gold[i, 0]),
            float(scores[i, 0]),
            by_people[i],
            by_metric[i],
            name in far,
            name in task.humans,
        )
        for i, name in enumerate(task.systems)
        if np.isfinite(gold[i, 0]) and np.isfinite(scores[i, 0])
    )


def _system_intervals(scorer: Scorer, level: float) -> list[tuple[float, float] | None]:
    """The jackknife's interval of each system's score over segments; None where segments do not add up to it."""
    from karat.meta.jackknife import jackknife_interval

    systems = len(next(iter(scorer.tables.values())))
    segments = scorer.tables.get("segment")
    found: list[tuple[float, float] | None] = [None] * systems
    for i in range(systems):
        if scorer.rows is not None:
            rows = scorer.rows[i]
            left_out = rows.aggregate(rows.sum() - rows.values)
            found[i] = jackknife_interval(rows.score, left_out, level, bounds=(-np.inf, np.inf))
        elif segments is not None:
            there = segments[i][np.isfinite(segments[i])]
            own = scorer.tables["system"][i, 0] if "system" in scorer.tables else there.mean() if len(there) else np.nan
            if len(there) > 2 and abs(there.mean() - own) <= 1e-6 * max(1.0, abs(own)):
                without = (there.sum() - there) / (len(there) - 1)
                found[i] = jackknife_interval(float(own), without, level, bounds=(-np.inf, np.inf))
    return found


def weighted_averages(reports: Sequence[TaskReport], weights: Sequence[float]) -> list[dict[str, Any]]:
    """The mean over tasks of every measure that all of them have; pairwise accuracy also over all pairs together."""
    tables = [
        {(e.metric, e.level, e.found.grouping, e.found.measure): e.found for e in one.measures} for one in reports
    ]
    shared = [key for key in tables[0] if all(key in table for table in tables)]
    made = []
    for key in shared:
        values = np.array([table[key].value for table in tables])
        if not np.isfinite(values).all():
            continue
        names = dict(zip(("metric", "level", "grouping", "measure"), key, strict=True))
        made.append({**names, "value": float(np.average(values, weights=weights)), "tasks": len(reports)})
        if key[1:] == ("system", "none", "accuracy"):
            pairs = np.array([table[key].pairs or 0 for table in tables])
            pooled = float((values * pairs).sum() / pairs.sum())
            made.append({**names, "measure": "accuracy-pooled", "value": pooled, "tasks": len(reports)})
    return made


def title(name: str) -> str:
    """The title of a measure."""
    return MEASURES[name].title if name in MEASURES else name
