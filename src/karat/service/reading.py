"""Segments worth reading, from files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from karat.analysis.measure_table import AuditedMeasure, MeasureTable
from karat.analysis.reading import Influence, with_texts, worth_reading
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.results.reading import ReadingResult
from karat.service.gathering import gather_one
from karat.service.listening import SILENT, Listeners
from karat.service.requests import EvidenceRequest, GoldRequest

if TYPE_CHECKING:
    from karat.analysis.reading import ReadingList
    from karat.corpus import Targeted
    from karat.evidence import Evidence
    from karat.service.inputs import Input

DEFAULT_METRICS = ("chrf", "bleu")


@dataclass(frozen=True, kw_only=True)
class ReadingRequest:
    """Texts, metrics, perhaps ratings; how many segments to choose for each reason, and how many of one document.

    Influence is that on the difference between the `baseline`, the first system if it is not named, and every other.
    """

    texts: Input
    metrics: tuple[str, ...] = DEFAULT_METRICS
    ratings: str | None = None
    criteria: tuple[str, ...] = ()
    count: int = 10
    per_document: int | None = 2
    baseline: str | None = None
    targeted: Targeted = "never"
    threads: int | None = None


def choose_segments(request: ReadingRequest, listeners: Listeners = SILENT) -> ReadingResult:
    """Choose the segments most worth reading."""
    gold = None
    if request.ratings is not None:
        gold = GoldRequest(paths=(request.ratings,), criteria=request.criteria, every=True, keep_unjudged=True)
    asked = EvidenceRequest(
        texts=request.texts, metrics=request.metrics, gold=gold, targeted=request.targeted, threads=request.threads
    )
    evidence = gather_one(asked, listeners)
    reading = reading_of(evidence, count=request.count, per_document=request.per_document, baseline=request.baseline)
    return ReadingResult(reading=with_texts(reading, evidence.corpus), warnings=evidence.warnings)


def reading_of(
    evidence: Evidence, *, count: int = 10, per_document: int | None = 2, baseline: str | None = None
) -> ReadingList:
    """The segments most worth reading by evidence that is there already, of the systems that have scores."""
    scored = {name for measure in evidence.measures for name in measure.rows}
    evidence = replace(evidence, systems=tuple(name for name in evidence.systems if name in scored))
    if baseline is not None and baseline not in evidence.systems:
        raise InputError(f"there is no system {baseline!r}; there is: {', '.join(evidence.systems)}")
    return worth_reading(evidence, _influences(evidence, baseline), count=count, per_document=per_document)


def _influences(evidence: Evidence, baseline: str | None) -> dict[tuple[str, str], Influence]:
    if len(evidence.systems) < 2 or len(evidence.segments) < 2:  # nothing is left without the only segment
        return {}
    measure = evidence.measures[0]
    rows = measure.comparable()
    # Without its only scored segment a system would have no score at all.
    rows = {name: of_system for name, of_system in rows.items() if of_system.values.any(axis=1).sum() > 1}
    first = evidence.systems[0] if baseline is None else baseline
    if first not in rows:
        return {}
    table = MeasureTable(AuditedMeasure(measure.name, measure.identity.higher_is_better, rows, rows))
    return {
        (first, name): Influence(table.scores[name] - table.scores[first], table.influence(first, name))
        for name in evidence.systems
        if name != first and name in rows
    }
