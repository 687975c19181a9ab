"""A study of one task: the agreement of all metrics with people, tests between metrics, outliers, drives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import takewhile
from threading import Event
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from karat.errors import InputError, did_you_mean
from karat.evidence import LEVELS, Level
from karat.kernels import thread_count
from karat.meta.contests import ContestOptions, Contests, Test, accepts, compare_metrics
from karat.meta.measures import MeasuredAgreement, MeasureSettings, all_measures, measure, standard_measures
from karat.meta.outliers import Drive, drives, outliers
from karat.meta.points import GROUPINGS, Grouping, JudgedScores
from karat.meta.system_scores import SystemScore, system_scores
from karat.meta.task import Task, task_label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.evidence import Measure
    from karat.identity import Identity

    Floats = NDArray[np.float64]

MOST_THREADS = 8
FEWEST_SYSTEMS = 4
"""Fewer systems have no outliers, and metrics are not compared by them."""

COVERAGE = 0.9
"""A metric that has scores for less of what people judged is not compared with others."""

OutlierRule = Literal["mad", "named", "none"]
"""How outliers were found: by their distance from the median, by name, or not looked for."""


@dataclass(frozen=True)
class PlannedContest:
    """A comparison of all metrics that is wanted."""

    level: Level
    measure: str
    grouping: Grouping

    def possible(self, test: Test) -> bool:
        """Whether it says anything at its level, and the test can make it; systems as a whole are not grouped."""
        agreement_measure = measure(self.measure)
        grouped = self.grouping != "none" and self.level == "system"
        applies = agreement_measure.applies(self.level, self.grouping) and not grouped
        return applies and accepts(test, agreement_measure, self.grouping)

    def __str__(self) -> str:
        return ":".join([self.level, self.measure, *([self.grouping] if self.grouping != "none" else [])])


USUAL_CONTESTS = (
    PlannedContest("system", "pearson", "none"),
    PlannedContest("segment", "pearson", "none"),
    PlannedContest("segment", "acc-eq", "item"),
)


def usual_contests(test: Test, levels: Sequence[Level] = LEVELS) -> tuple[PlannedContest, ...]:
    """The usual comparisons at some levels, as far as the test can make them."""
    return tuple(planned for planned in USUAL_CONTESTS if planned.level in levels and planned.possible(test))


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be found out: levels, groupings, measures, comparisons, and how outliers are treated."""

    levels: tuple[Level, ...] = LEVELS
    groupings: tuple[Grouping, ...] = GROUPINGS
    measures: tuple[str, ...] = field(default_factory=standard_measures)
    settings: MeasureSettings = MeasureSettings()  # noqa: RUF009 - frozen
    contests: tuple[PlannedContest, ...] = USUAL_CONTESTS
    options: ContestOptions = ContestOptions()  # noqa: RUF009 - frozen
    include_human: bool = False
    find_outliers: bool = True
    named_outliers: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for planned in self.contests:
            if not planned.possible(self.options.test):
                others = (replace(planned, measure=name, grouping=by) for by in GROUPINGS for name in all_measures())
                there = ", ".join(str(other) for other in others if other.possible(self.options.test))
                raise InputError(
                    f"metrics cannot be compared under {planned} by {self.options.test}. At this level there is "
                    f"{there or 'nothing that this test compares'}"
                )


@dataclass(frozen=True)
class MetricAgreement:
    """One measure of one metric at one level; `unit` is what was left out for the interval.

    `identity` is that of the metric as it scores at this level: single segments may have a formula of their own.
    """

    metric: str
    level: Level
    agreement: MeasuredAgreement
    unit: str
    identity: Identity

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score of the metric is a better one."""
        return self.identity.higher_is_better

    @property
    def key(self) -> tuple[Level, str, Grouping]:
        """Level, measure and grouping."""
        return self.level, self.agreement.measure, self.agreement.grouping

    @property
    def goodness(self) -> float:
        """The value, turned round where a lower one is better; NaN where it is not defined."""
        agreement_measure = measure(self.agreement.measure)
        return agreement_measure.goodness(self.agreement.value, metric_higher_is_better=self.higher_is_better)

    def to_json(self, confidence: float) -> dict[str, Any]:
        """The object that stands in "measures" of the JSON form."""
        return {
            "metric": self.metric,
            "level": self.level,
            **self.agreement.to_json(),
            "unit": self.unit,
            "interval_level": confidence,
            "interval_method": "jackknife",
            "higher_is_better": self.higher_is_better,
            "signature": str(self.identity.signature),
        }


@dataclass(frozen=True)
class TaskStudy:
    """Everything found about one task; `left_out` systems were not looked at, and why.

    `unscored` has the systems looked at that a metric has no score of. Judgements of which lower ones are better were
    turned.
    """

    testset: str | None
    language_pair: str | None
    subset: str | None
    gold: str
    standard_reference: str | None
    systems: tuple[str, ...]
    left_out: Mapping[str, str]
    outliers: tuple[str, ...]
    measures: tuple[MetricAgreement, ...]
    without_outliers: tuple[MetricAgreement, ...]
    drives: tuple[Drive, ...]
    contests: tuple[tuple[Level, Contests], ...]
    scatter: Mapping[str, tuple[SystemScore, ...]]
    settings: MeasureSettings
    outlier_rule: OutlierRule = "mad"
    asked: Mapping[str, str] = field(default_factory=dict)
    unscored: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    gold_higher_is_better: bool = True

    @property
    def label(self) -> str:
        """The task's name in tables."""
        return task_label(self.testset or self.language_pair, self.subset)

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "tasks" of the JSON form."""
        return {
            "testset": self.testset,
            "language_pair": self.language_pair,
            "subset": self.subset,
            "gold": self.gold,
            "gold_higher_is_better": self.gold_higher_is_better,
            "standard_reference": self.standard_reference,
            "systems": list(self.systems),
            "left_out": dict(self.left_out),
            "unscored": {metric: list(names) for metric, names in self.unscored.items()},
            "outliers": list(self.outliers),
            "drives": [
                {**vars(drive), "systems": list(drive.systems), "r2": drive.r2, "r2_without": drive.r2_without}
                for drive in self.drives
            ],
            "comparisons": [{"level": level, **contests.to_json()} for level, contests in self.contests],
        }


def study(task: Task, plan: Plan, *, threads: int | None = None) -> TaskStudy:
    """Measure all metrics of a task, and compare them."""
    left_out = _left_out(task, plan)
    studied = task.with_systems([name for name in task.systems if name not in left_out])
    judged = task.with_systems([name for name in task.systems if name not in plan.without])
    everyone = judged.with_systems([name for name in judged.systems if name != task.standard_reference])
    rule = _outlier_rule(judged, plan)
    outlying = tuple(name for name in _outliers(judged, rule, plan) if name in studied.systems)
    trimmed = studied.with_systems([name for name in studied.systems if name not in outlying])
    confidence = plan.settings.confidence
    return TaskStudy(
        testset=task.testset,
        language_pair=task.language_pair,
        subset=task.subset,
        gold=task.gold.name,
        standard_reference=task.standard_reference,
        systems=studied.systems,
        left_out=left_out,
        outliers=outlying,
        measures=tuple(_agreements(studied, plan, threads)),
        without_outliers=tuple(_agreements(trimmed, plan, threads)) if outlying else (),
        drives=tuple(_drives(everyone, studied, outlying)),
        contests=tuple(_contests(studied, _with_threads(plan, threads))),
        scatter={metric.name: system_scores(everyone, metric, outlying, confidence) for metric in everyone.metrics},
        settings=plan.settings,
        outlier_rule=rule,
        asked=task.asked,
        unscored=_unscored(studied),
        gold_higher_is_better=task.gold.identity.higher_is_better,
    )


def _left_out(task: Task, plan: Plan) -> dict[str, str]:
    """The systems that are not looked at, and why."""
    scored = {name for metric in task.metrics for name in metric.scored}
    reasons = {name: "unscored system" for name in task.systems if name not in scored}
    reasons |= {} if plan.include_human else dict.fromkeys(task.humans, "human output")
    if task.standard_reference in task.systems:
        reasons[task.standard_reference] = "standard reference"
    return reasons | {name: "named" for name in plan.without if name in task.systems}


def _unscored(task: Task) -> dict[str, tuple[str, ...]]:
    """The systems that metrics have no score of, by metric; none of a metric that has all."""
    absent = {metric.name: tuple(name for name in task.systems if name not in metric.scored) for metric in task.metrics}
    return {metric: names for metric, names in absent.items() if names}


def _outlier_rule(task: Task, plan: Plan) -> OutlierRule:
    if plan.named_outliers:
        return "named"
    gold = task.table(task.gold, "system")
    return "mad" if plan.find_outliers and gold is not None and len(gold) >= FEWEST_SYSTEMS else "none"


def _outliers(task: Task, rule: OutlierRule, plan: Plan) -> tuple[str, ...]:
    """Those named, else those far from the median of all that were judged, people among them.

    Counting people in is what gives the outliers that WMT20 names; its paper does not say.
    """
    if unknown := [name for name in plan.named_outliers if name not in task.systems]:
        raise InputError(f"the outlier {unknown[0]!r} is no system.{did_you_mean(unknown[0], task.systems)}")
    gold = task.table(task.gold, "system")
    if rule != "mad" or gold is None:
        return plan.named_outliers
    return tuple(name for name, far in zip(task.systems, outliers(gold[:, 0]), strict=True) if far)


def _agreements(task: Task, plan: Plan, threads: int | None) -> list[MetricAgreement]:
    return [agreement for level in plan.levels for agreement in _at_level(task, level, plan, threads)]


def _at_level(task: Task, level: Level, plan: Plan, threads: int | None) -> list[MetricAgreement]:
    """All measures of all metrics at a level; the core counts pairs, which lets several metrics be done at a time."""
    at_a_time = max(1, min(thread_count(threads), MOST_THREADS, len(task.metrics)))
    shared = _with_threads(plan, thread_count(threads) // at_a_time)
    pool, stopped = ThreadPoolExecutor(at_a_time), Event()

    def agreements(metric: Measure) -> list[MetricAgreement]:
        return list(takewhile(lambda _: not stopped.is_set(), _of_metric(task, metric, level, shared)))

    try:
        return [agreement for of_metric in pool.map(agreements, task.metrics) for agreement in of_metric]
    finally:
        # Ctrl-C must wait neither for the metrics that have not begun nor for all measures of those that have.
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _with_threads(plan: Plan, threads: int | None) -> Plan:
    """The plan with so many threads for the core."""
    return replace(plan, settings=replace(plan.settings, threads=threads))


def _of_metric(task: Task, metric: Measure, level: Level, plan: Plan) -> Iterable[MetricAgreement]:
    """All measures of one metric at a level; none where people or the metric have no scores there."""
    at_level = _judged(task, metric, level)
    if at_level is None:
        return
    groupings: Sequence[Grouping] = ("none",) if level == "system" else plan.groupings
    for name in plan.measures:
        agreement_measure = measure(name)
        judged = _judged(task, metric, "segment") if agreement_measure.wants_segments else at_level
        if judged is None:
            continue
        if not agreement_measure.higher_is_better and not task.gold.identity.higher_is_better:
            # Errors are those of scores as they are: both sides are turned, or neither.
            judged = replace(judged, scores=-judged.scores)
        for grouping in groupings:
            if agreement_measure.applies(level, grouping):
                agreement = agreement_measure.evaluate(judged, grouping, plan.settings)
                of_segments = level == "segment" or agreement_measure.wants_segments
                identity = metric.segment_identity if of_segments else metric.identity
                yield MetricAgreement(metric.name, level, agreement, task.unit(level), identity)


def _judged(task: Task, metric: Measure, level: Level) -> JudgedScores | None:
    """The scores of a metric beside the judgements; None where either side has none at the level."""
    gold, scores = task.table(task.gold, level), task.table(metric, level)
    if gold is None or scores is None or not (np.isfinite(gold).any() and np.isfinite(scores).any()):
        return None
    # A system of which either side says nothing is none here, whatever a measure makes of systems.
    known = np.isfinite(gold).any(axis=1) & np.isfinite(scores).any(axis=1)
    checked = JudgedScores.of(gold[known], scores[known], task.clusters(level))
    return replace(checked, higher_is_better=metric.identity.higher_is_better)


def _drives(everyone: Task, studied: Task, outlying: Sequence[str]) -> list[Drive]:
    """What drives the correlations: with the systems looked at, and what human outputs would do to it."""
    driven: list[Drive] = []
    with_outliers, with_people = {"outliers": tuple(outlying)}, {"human outputs": everyone.humans}
    for task, kinds, singles in ((studied, with_outliers, True), (everyone, with_people, False)):
        gold = task.table(task.gold, "system")
        if gold is None:
            continue
        for metric in task.metrics:
            scores = task.table(metric, "system")
            if scores is not None:
                driven += drives(metric.name, task.systems, gold[:, 0], scores[:, 0], kinds, singles=singles)
    return driven


def _contests(task: Task, plan: Plan) -> Iterable[tuple[Level, Contests]]:
    """The planned comparisons, each where at least two metrics have scores of nearly all units."""
    for planned in plan.contests:
        level = planned.level
        gold = task.table(task.gold, level)
        if gold is None or (level == "system" and len(gold) < FEWEST_SYSTEMS):
            continue
        tables = {metric.name: _oriented(task, metric, level) for metric in task.metrics}
        covering = {name: table for name, table in tables.items() if table is not None and _covers(gold, table)}
        if len(covering) < 2:
            continue
        yield (
            level,
            compare_metrics(
                gold,
                covering,
                planned.measure,
                planned.grouping,
                options=plan.options,
                settings=plan.settings,
                clusters=task.clusters(level),
            ),
        )


def _oriented(task: Task, metric: Measure, level: Level) -> Floats | None:
    """The scores at a level, turned round where lower ones are better."""
    table = task.table(metric, level)
    return None if table is None else table * metric.identity.sign


def _covers(gold: Floats, scores: Floats) -> bool:
    """Whether a metric has scores for nearly all that people judged; one that lacks more is not compared."""
    if gold.shape != scores.shape:
        return False
    judged = np.isfinite(gold)
    return bool((np.isfinite(scores) & judged).sum() >= COVERAGE * judged.sum())


def weighted_averages(studies: Sequence[TaskStudy], weights: Sequence[float]) -> list[dict[str, Any]]:
    """The mean over tasks of every measure that all of them have; accuracy of systems also over all pairs together.

    A metric whose parameters follow the language is the same in all tasks.
    """
    tables = [
        {
            (task_study.asked.get(entry.metric, entry.metric), *entry.key): entry.agreement
            for entry in task_study.measures
        }
        for task_study in studies
    ]
    averages = []
    for key in (key for key in tables[0] if all(key in table for table in tables)):
        values = np.array([table[key].value for table in tables])
        if not np.isfinite(values).all():
            continue
        metric, level, name, grouping = key
        average = {"metric": metric, "level": level, "grouping": grouping, "measure": name}
        averages.append({**average, "value": float(np.average(values, weights=weights)), "tasks": len(studies)})
        agreement_measure = measure(name)
        if agreement_measure.pools_tasks and level == "system":
            pairs = np.array([table[key].pairs or 0 for table in tables])
            pooled = float((values * pairs).sum() / pairs.sum())
            averages.append(
                {**average, "measure": agreement_measure.pooled_name, "value": pooled, "tasks": len(studies)}
            )
    return averages


def short_title(name: str) -> str:
    """What a measure is called in tables."""
    return all_measures()[name].short_title if name in all_measures() else name
