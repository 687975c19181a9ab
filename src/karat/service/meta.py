"""Meta-evaluation: how well metrics agree with people, on one task or on several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.meta.report import Plan, TaskReport, study, weighted_averages
from karat.results import SCHEMA
from karat.service.meta_tasks import Sources, tasks_of

if TYPE_CHECKING:
    from karat.meta.report import Entry
    from karat.meta.task import Task

Part = Literal["domain", "document"]


@dataclass(frozen=True, kw_only=True)
class MetaRequest:
    """Where everything comes from, what is to be found, and whether it is to be found for each part as well."""

    sources: Sources
    plan: Plan = Plan()  # noqa: RUF009 - frozen
    by: Part | None = None
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True)
class MetaReport:
    """What was found about each task, and in the mean over tasks where there are several."""

    tasks: tuple[TaskReport, ...]
    averages: tuple[dict[str, Any], ...]
    warnings: tuple[Diagnostic, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        several = len(self.tasks) > 1
        document: dict[str, Any] = {"schema": SCHEMA, "measures": _measures(self.tasks, several, without=False)}
        document["without_outliers"] = _measures(self.tasks, several, without=True)
        document["tasks"] = [_task(task) for task in self.tasks]
        if self.averages:
            document["averages"] = list(self.averages)
        document["warnings"] = [warning.message for warning in self.warnings]
        return document


def evaluate_metrics(request: MetaRequest, progress: Callable[[int, int], None] | None = None) -> MetaReport:
    """Find out how well metrics agree with people."""
    tasks = tasks_of(request.sources)
    if request.by is not None:
        tasks = [part for task in tasks for part in _parts(task, request.by)]
    reports = []
    for number, task in enumerate(tasks):
        if not task.metrics:
            raise InputError("there is no metric to judge: add -m SPEC with texts, or --scores FILE")
        reports.append(study(task, request.plan))
        if progress is not None:
            progress(number + 1, len(tasks))
    averages = weighted_averages(reports, _weights(reports, request)) if len(reports) > 1 else []
    return MetaReport(tuple(reports), tuple(averages), tuple(_warnings(reports)))


def _parts(task: Task, by: Part) -> list[Task]:
    if task.labels(by) is None:
        raise InputError(f"--by {by} needs to know which segment belongs to which {by}, and nothing tells it")
    return [task.part(by, name) for name in task.units(by)]


def _weights(reports: list[TaskReport], request: MetaRequest) -> list[float]:
    given = request.weights or {}
    labels = [report.label for report in reports]
    for name in given:
        if name not in labels:
            raise InputError(f"there is no task {name!r} to give a weight to; there is: {', '.join(labels)}")
    return [given.get(label, 0.0 if given else 1.0) for label in labels]


def _warnings(reports: list[TaskReport]) -> list[Diagnostic]:
    said = []
    for report in reports:
        place = f"{report.label}: " if report.label else ""
        if undefined := sorted({_undefined(entry) for entry in report.measures if entry.found.groups_undefined}):
            said.append(f"{place}groups without variance have no value and are left out of the mean: {_few(undefined)}")
        if len(report.systems) < 5:
            said.append(f"{place}{len(report.systems)} systems are too few for system-level correlations to mean much")
    return [Diagnostic("meta", text) for text in said]


def _undefined(entry: Entry) -> str:
    found = entry.found
    which = f"{entry.metric} {found.measure} by {found.grouping} ({entry.level})"
    return f"{which}: {found.groups_undefined} of {found.groups}"


def _few(texts: list[str], most: int = 3) -> str:
    more = f", and {len(texts) - most} more (see --json)" if len(texts) > most else ""
    return "; ".join(texts[:most]) + more


def _measures(tasks: tuple[TaskReport, ...], several: bool, *, without: bool) -> list[dict[str, Any]]:
    made = []
    for task in tasks:
        named = {"language_pair": task.language_pair, "subset": task.subset} if several else {}
        entries = task.without_outliers if without else task.measures
        made += [{**entry.to_json(task.settings.level), **named} for entry in entries]
    return made


def _task(task: TaskReport) -> dict[str, Any]:
    return {
        "language_pair": task.language_pair,
        "subset": task.subset,
        "gold": task.gold,
        "systems": list(task.systems),
        "left_out": dict(task.left_out),
        "outliers": list(task.outliers),
        "drives": [
            {**vars(one), "systems": list(one.systems), "r2": one.r2, "r2_without": one.r2_without}
            for one in task.drives
        ],
        "comparisons": [{"level": level, **contests.to_json()} for level, contests in task.contests],
    }
