"""Meta-evaluation: how well metrics agree with people, on one task or on several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING, Literal

from karat.corpus import Diagnostic
from karat.errors import InputError, did_you_mean
from karat.meta.measures import measure
from karat.meta.study import (
    COVERAGE,
    FEWEST_SYSTEMS,
    MetricAgreement,
    Plan,
    TaskStudy,
    study,
    weighted_averages,
)
from karat.meta.task import Task
from karat.results.meta import MetaResult
from karat.service.gathering import gather
from karat.service.listening import SILENT, Listeners
from karat.service.requests import EvidenceRequest
from karat.significance.alike import drawn_unit

if TYPE_CHECKING:
    from karat.evidence import Evidence

TaskPart = Literal["domain", "document"]
FEW_SYSTEMS = 5
ENOUGH_TO_AGREE = 200
"""Judged outputs on which any metric of use agrees with people more than chance would."""


@dataclass(frozen=True, kw_only=True)
class MetaRequest:
    """Where everything comes from, what is to be found, and whether it is to be found for each part as well.

    `include_human` names the language pairs in which people's translations count as systems; where they do in every
    pair, the plan says so. `weights` has one for each task in the mean over tasks, which divides them by their sum, or
    none at all.
    """

    evidence: EvidenceRequest
    plan: Plan = field(default_factory=Plan)
    by: TaskPart | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    include_human: tuple[str, ...] = ()


def evaluate_metrics(request: MetaRequest, listeners: Listeners = SILENT) -> MetaResult:
    """Find out how well metrics agree with people."""
    return evaluate_evidence(request, gather(request.evidence, listeners), listeners)


def evaluate_evidence(request: MetaRequest, gathered: Sequence[Evidence], listeners: Listeners = SILENT) -> MetaResult:
    """Find out how well metrics agree with people by evidence that is there already."""
    _refuse_unknown(gathered, request)
    _refuse_unknown_pairs(request, gathered)
    every = [
        (task, _plan_of(request, evidence)) for evidence in gathered for task in _tasks(Task.of(evidence), request.by)
    ]
    planned = [(task, plan) for task, plan in every if request.by is None or task.judged.any()]
    tasks = [task for task, _ in planned]
    if not planned:
        raise InputError(f"--by {request.by}: no {request.by} has segments that people judged")
    shares = _shares([task.label for task in tasks], request.weights)
    studies = []
    for number, (task, plan) in enumerate(planned, 1):
        if not task.metrics:
            raise InputError("there is no metric to judge: add -m SPEC with texts, or --scores FILE")
        studies.append(study(task, plan, threads=request.evidence.threads))
        if listeners.draws is not None:
            listeners.draws(number, len(planned))
    if not any(task_study.measures for task_study in studies):
        raise InputError(_nothing_measured(tasks, request.plan))
    averages = weighted_averages(studies, shares) if len(studies) > 1 else []
    warnings = [
        *(warning for evidence in gathered for warning in evidence.warnings),
        *_systems_only(gathered),
        *_unjudged([task for task, _ in every], request.by),
        *_one_document(tasks, request),
        *(_partly_judged(tasks) if "system" in request.plan.levels else ()),
    ]
    return MetaResult(
        tasks=tuple(studies),
        averages=tuple(averages),
        weights=dict(zip((task_study.label for task_study in studies), shares, strict=True)),
        warnings=(*dict.fromkeys(warnings), *_warnings(studies, request.plan)),
    )


def _refuse_unknown_pairs(request: MetaRequest, gathered: Sequence[Evidence]) -> None:
    pairs = [evidence.language_pair or "a pair without a name" for evidence in gathered]
    for pair in request.include_human:
        if pair not in pairs:
            raise InputError(f"people's outputs are to count in {pair}, and only {', '.join(pairs)} is looked at")


def _refuse_unknown(gathered: Sequence[Evidence], request: MetaRequest) -> None:
    """Refuse names of systems that nobody judged: a misspelt one would be left in."""
    known = list(dict.fromkeys(name for evidence in gathered for name in evidence.systems))
    for option, names in (("--without", request.plan.without), ("--human", request.evidence.humans)):
        for name in names:
            if name not in known:
                raise InputError(f"{option} {name}: there is no such system.{did_you_mean(name, known)}")


def _plan_of(request: MetaRequest, evidence: Evidence) -> Plan:
    """The plan as it is for the language pair of the evidence."""
    if evidence.language_pair not in request.include_human:
        return request.plan
    return replace(request.plan, include_human=True)


def _tasks(task: Task, by: TaskPart | None) -> list[Task]:
    """The task, or its parts."""
    if by is None:
        return [task]
    if task.segments.labels(by) is None:
        raise InputError(f"--by {by} needs to know which segment belongs to which {by}, and nothing tells it")
    return [task.part(by, name) for name in task.units(by)]


def _shares(tasks: Sequence[str], given: Mapping[str, float]) -> list[float]:
    """The share of each task in the mean over tasks."""
    if given and len(tasks) == 1:
        only = f"{tasks[0]} is the only task" if tasks[0] else "all files are one task"
        raise InputError(f"--weight: {only}, so there is no mean over tasks to give weights to: leave it out")
    for task in given:
        if task not in tasks:
            raise InputError(f"--weight {task}: there is no such task; there is: {', '.join(tasks)}")
    if absent := [task for task in tasks if given and task not in given]:
        raise InputError(f"{', '.join(absent)}: no weight. Give each task one, and 0 to those that are not to count")
    if wrong := [task for task, weight in given.items() if not (isfinite(weight) and weight >= 0)]:
        raise InputError(f"the weight of {wrong[0]} is {given[wrong[0]]:g}: a weight is 0 or more")
    weights = [given.get(task, 1.0) for task in tasks]
    if not any(weights):
        raise InputError("all weights are 0: no task is left to make a mean of")
    return [weight / sum(weights) for weight in weights]


def _nothing_measured(tasks: Sequence[Task], plan: Plan) -> str:
    """Why nothing is left to be measured."""
    judged = ", ".join(dict.fromkeys(f"{level}s" for task in tasks for level in task.gold.levels))
    scored = ", ".join(
        dict.fromkeys(f"{level}s" for task in tasks for metric in task.metrics for level in metric.levels)
    )
    return (
        f"nothing can be measured: there are judgements of {judged or 'nothing'} and scores of {scored or 'nothing'}, "
        f"and what is asked for is {', '.join(plan.measures)} of {', '.join(f'{level}s' for level in plan.levels)}"
    )


def _systems_only(gathered: Sequence[Evidence]) -> list[Diagnostic]:
    """A warning where judgements are of whole systems."""
    names = dict.fromkeys(gold.name for evidence in gathered for gold in evidence.golds if gold.levels == ("system",))
    message = "judgements are of whole systems, so there are no measures of documents or segments, and no SPA"
    return [Diagnostic("system-judgements", f"{', '.join(names)}: {message}")] if names else []


def _unjudged(tasks: Sequence[Task], by: TaskPart | None) -> Iterator[Diagnostic]:
    """A warning of parts that nobody judged."""
    unjudged = [task.label for task in tasks if not task.judged.any()] if by else []
    if unjudged:
        message = f"{by}s without judgements are left out: {len(unjudged):,} of {len(tasks):,} ({_few(unjudged)})"
        yield Diagnostic("unjudged-parts", message)


def _one_document(tasks: Sequence[Task], request: MetaRequest) -> tuple[Diagnostic, ...]:
    """A warning where segments are the units of intervals because those judged are of one document."""
    alone = [task.label for task in tasks if task.document_count == 1 and task.judged.any()]
    if not alone or "segment" not in request.plan.levels:
        return ()
    of_task = " of a task" if request.by == "document" else f" of {_few(alone)}" if any(alone) else ""
    return drawn_unit(1, None, f"all judged segments{of_task}")[1]


def _partly_judged(tasks: Sequence[Task]) -> Iterator[Diagnostic]:
    """A note of metrics that score systems on more segments than people judged."""
    for task in tasks:
        judged, scored = int(task.judged.sum()), task.scored_count
        if 0 < judged < scored:
            place = f"{task.label}: " if task.label else ""
            message = f"metrics score systems on {scored:,} segments, of which {judged:,} were judged"
            yield Diagnostic("partly-judged", f"{place}{message}")


def _warnings(studies: Sequence[TaskStudy], plan: Plan) -> list[Diagnostic]:
    warnings = []
    for task_study in studies:
        place = f"{task_study.label}: " if task_study.label else ""
        for why, undefined in _undefined_groups(task_study).items():
            message = f"{place}groups {why} have no value and are left out: {_few(sorted(undefined))}"
            warnings.append(Diagnostic("undefined-groups", message))
        if task_study.unscored:
            absent = [f"{metric}: {', '.join(names)}" for metric, names in task_study.unscored.items()]
            message = (
                f"{place}some of the {len(task_study.systems)} systems have no score under some metrics: {_few(absent)}"
            )
            warnings.append(Diagnostic("unscored-systems", message))
        if uncompared := list(_uncompared(task_study, plan)):
            reason = f"with scores of less than {COVERAGE:.0%} of what people judged".replace("%", " %")
            message = f"{place}metrics {reason} are not compared with others: {_few(uncompared)}"
            warnings.append(Diagnostic("uncompared-metrics", message))
        if _is_unrelated(task_study):
            message = (
                f"{place}no metric agrees with judgements of single segments more than chance would: check that "
                "judgements number the segments in the order of the texts; --level system does without"
            )
            warnings.append(Diagnostic("unrelated-segments", message))
        if len(task_study.systems) < FEW_SYSTEMS:
            count = len(task_study.systems)
            are = "system is" if count == 1 else "systems are"
            message = f"{place}{count} {are} too few for system-level correlations to mean much"
            warnings.append(Diagnostic("few-systems", message))
    return warnings


def _is_unrelated(task_study: TaskStudy) -> bool:
    """Whether many segments were judged, and the interval of every metric's correlation on them has 0 within."""
    correlations = [entry.agreement for entry in task_study.measures if entry.key == ("segment", "pearson", "none")]
    return bool(correlations) and all(
        pooled.n >= ENOUGH_TO_AGREE and pooled.interval is not None and pooled.interval[0] <= 0 <= pooled.interval[1]
        for pooled in correlations
    )


def _uncompared(task_study: TaskStudy, plan: Plan) -> Iterator[str]:
    """The comparisons that leave out metrics which have a value there, and which ones."""
    orders = {(level, contests.measure, contests.grouping): contests.order for level, contests in task_study.contests}
    for planned in plan.contests:
        key = (planned.level, planned.measure, planned.grouping)
        known = [entry.metric for entry in task_study.measures if entry.key == key and isfinite(entry.agreement.value)]
        too_few = len(known) < 2 or (planned.level == "system" and len(task_study.systems) < FEWEST_SYSTEMS)
        if not too_few and (absent := [metric for metric in known if metric not in orders.get(key, ())]):
            yield f"{planned}: {', '.join(absent)}"


def _undefined_groups(task_study: TaskStudy) -> dict[str, set[str]]:
    """What has groups without a value, by why they have none."""
    by_reason: dict[str, set[str]] = {}
    for entry in task_study.measures:
        if entry.agreement.groups_undefined:
            why = measure(entry.agreement.measure).why_undefined(task_study.settings)
            by_reason.setdefault(why, set()).add(_undefined(entry))
    return by_reason


def _undefined(entry: MetricAgreement) -> str:
    agreement = entry.agreement
    which = f"{entry.metric} {agreement.measure} by {agreement.grouping} ({entry.level})"
    return f"{which}: {agreement.groups_undefined} of {agreement.groups}"


def _few(texts: list[str], most: int = 3) -> str:
    more = f", and {len(texts) - most} more (see --json)" if len(texts) > most else ""
    return "; ".join(texts[:most]) + more
