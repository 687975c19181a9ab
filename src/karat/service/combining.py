"""Combining metrics: a model of what people said, and how well it does on what it did not see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.evidence import Measure
from karat.identity import Identity
from karat.meta.combining import MOST_FOR_VECTORS, JudgedFeatures, divided, held_out_predictions, learn
from karat.meta.contests import ContestOptions
from karat.meta.measures import MeasureSettings
from karat.meta.points import GROUPINGS
from karat.meta.study import Plan, PlannedContest, study
from karat.meta.task import Task
from karat.metrics.combined import Combined, features_digest, refuse_component
from karat.metrics.framework.combination import METHODS, Method
from karat.registry import metric as metric_of
from karat.results.combining import HELD_OUT, CombineResult
from karat.rows import Rows
from karat.service.choices import choices
from karat.service.gathering import gather_one
from karat.service.listening import SILENT, Listeners
from karat.service.requests import EvidenceRequest, GoldRequest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Targeted
    from karat.evidence import Evidence
    from karat.metrics.base import Metric
    from karat.service.inputs import Input

    Floats = NDArray[np.float64]

__all__ = ["METHODS", "CombineRequest", "Method", "combine"]

CONTESTS = (PlannedContest("segment", "pearson", "none"), PlannedContest("segment", "acc-eq", "item"))
"""What the combination is compared with single metrics under."""
MEASURES = ("pearson", "kendall-b", "acc-eq", "accuracy")


@dataclass(frozen=True, kw_only=True)
class CombineRequest:
    """Which metrics to combine, by what judgements, and how."""

    texts: Input
    ratings: str
    metrics: tuple[str | Metric, ...]
    criterion: str | None = None
    testset: str | None = None
    method: Method = "ridge"
    folds: int = 5
    seed: int = 12345
    targeted: Targeted = "never"
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise InputError(f"{self.folds} folds: it takes 2 or more to hold anything out")


def combine(request: CombineRequest, listeners: Listeners = SILENT) -> CombineResult:
    """Learn a combination from all judgements, and predict each by a model that saw nothing of its document."""
    evidence = gather_one(_wanted(request), listeners)
    if len(evidence.golds) > 1:
        names = ", ".join(gold.name for gold in evidence.golds)
        raise InputError(f"{request.ratings} has judgements of {names}: choose one with --criterion")
    metrics = [metric_of(measure.name).for_segments for measure in evidence.measures]
    task = _judged_task(evidence, request)
    judged = _judged(task, metrics)
    learner = partial(learn, request.method, seed=request.seed)
    folds = divided(judged.groups, request.folds, request.seed)
    predictions = held_out_predictions(judged, folds, learner, listeners.draws or (lambda _done, _total: None))
    both = replace(task, metrics=(_held_out(task, judged, predictions), *task.metrics))
    return CombineResult(
        model=replace(learner(judged), features_digest=features_digest(metrics)),
        data_digest=_digest(task, judged),
        criterion=evidence.gold.name,
        study=study(both, _plan(request, len(task.systems)), threads=request.threads),
        unit="document" if task.document_count > 1 else "segment",
        units=len(np.unique(judged.groups)),
        segments=len(np.unique(judged.segments)),
        judgements=len(judged),
        folds=request.folds,
        seed=request.seed,
        warnings=(*evidence.warnings, *_no_documents(task), *_drawn(request, len(judged))),
    )


def _wanted(request: CombineRequest) -> EvidenceRequest:
    # A suite may have combined, which is no feature of another combination.
    asked = [
        choice.metric
        for choice in choices(request.metrics)
        if not (choice.optional and isinstance(choice.metric, Combined))
    ]
    for metric in asked:
        refuse_component(metric)
    if len(asked) < 2:
        raise InputError("a combination is of two metrics or more: add -m SPEC")
    criteria = (request.criterion,) if request.criterion else ()
    return EvidenceRequest(
        texts=request.texts,
        metrics=tuple(asked),
        gold=GoldRequest(paths=(request.ratings,), criteria=criteria, every=True),
        testsets=() if request.testset is None else (request.testset,),
        targeted=request.targeted,
        threads=request.threads,
    )


def _judged_task(evidence: Evidence, request: CombineRequest) -> Task:
    """The systems with texts that are no people's, on the segments that were judged."""
    task = Task.of(evidence)
    systems = [
        name
        for name in task.systems
        if name not in task.humans and all(name in measure.rows for measure in task.metrics)
    ]
    task = task.with_systems(systems)
    if not systems or not task.judged.any():
        raise InputError(f"{request.ratings} judges no segment of these systems: combinations learn from segments")
    kept = task.judged
    metrics = tuple(measure.taken(kept) for measure in task.metrics)
    return replace(task, gold=task.gold.taken(kept), metrics=metrics, segments=task.segments.taken(kept))


def _judged(task: Task, metrics: list[Metric]) -> JudgedFeatures:
    """The outputs judged, in groups of documents, or of segments where these are all that is known."""
    named = [(metric.spec, metric.higher_is_better) for metric in metrics]
    tables = [task.table(measure, "segment") for measure in task.metrics]
    gold = task.table(task.gold, "segment")
    groups = task.clusters("segment")
    if gold is None:
        raise InputError("there are no judgements of segments: combinations learn from these")
    return JudgedFeatures.of(
        named,
        [table for table in tables if table is not None],
        gold,
        np.arange(len(task.segments)) if groups is None else groups,
    )


def _held_out(task: Task, judged: JudgedFeatures, predictions: Floats) -> Measure:
    """The predictions as a measure beside the metrics."""
    table = np.full((len(task.systems), len(task.segments)), np.nan)
    table[judged.systems, judged.segments] = predictions
    rows = {
        name: Rows.from_scores([None if np.isnan(score) else float(score) for score in scores], spec=HELD_OUT)
        for name, scores in zip(task.systems, table, strict=True)
    }
    return Measure(Identity.of_scores(HELD_OUT), rows)


def _plan(request: CombineRequest, systems: int) -> Plan:
    """Agreement on single segments, and where there are several systems also on these and within segments."""
    several = systems > 1
    return Plan(
        levels=("system", "segment") if several else ("segment",),
        groupings=GROUPINGS if several else ("none",),
        measures=MEASURES,
        settings=MeasureSettings(seed=request.seed),
        contests=CONTESTS if several else CONTESTS[:1],
        options=ContestOptions(seed=request.seed),
        find_outliers=False,
    )


def _digest(task: Task, judged: JudgedFeatures) -> str:
    """A short hash of what was learnt from: scores, judgements, and what they are of."""
    names = "\n".join([*judged.metrics, *task.systems, *task.segments.ids, *(task.segments.documents or ())])
    columns = (judged.scores, judged.gold, judged.systems, judged.segments, judged.groups)
    return sha256(names.encode() + b"".join(column.tobytes() for column in columns)).hexdigest()[:16]


def _drawn(request: CombineRequest, judgements: int) -> tuple[Diagnostic, ...]:
    if request.method != "svr" or judgements <= MOST_FOR_VECTORS:
        return ()
    message = (
        f"svr learns from {MOST_FOR_VECTORS:,} of the {judgements:,} judgements, drawn by --seed, for its time grows "
        "with the square of their number; other methods learn from all"
    )
    return (Diagnostic("judgements-drawn", message),)


def _no_documents(task: Task) -> tuple[Diagnostic, ...]:
    if task.document_count > 1:
        return ()
    message = (
        "folds are of segments, for no documents are known or all is one: what is held out shares documents with what "
        "is learnt from, so agreement may look better than it is; add --documents FILE"
    )
    return (Diagnostic("folds-of-segments", message),)
