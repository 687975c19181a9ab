"""What tests are made on: the rows of all systems under all metrics, over the same units."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic, DiagnosticCounter
from karat.corpus.outside import Key, OutsideScores
from karat.engine import Scoring
from karat.errors import InputError, SpecError, did_you_mean
from karat.findings import Measure, Unit, Units
from karat.registry import metric as metric_of
from karat.rows import Rows
from karat.service.choices import available, choices, does_without
from karat.service.inputs import unnamed_language
from karat.service.outside_scores import scores_in
from karat.service.units import choose_units

if TYPE_CHECKING:
    from karat.corpus import Targeted
    from karat.metrics.base import Metric
    from karat.results import Scores
    from karat.service.inputs import Input


@dataclass(frozen=True, kw_only=True)
class EvidenceRequest:
    """Where the evidence comes from: texts to be scored, files of segment scores, or both.

    `criteria` chooses among what ratings in those files are about; all if it is empty. `systems` are those to be kept
    of the files of scores, where there are no texts; all of them if it is empty. `unit` is None where documents are
    to be the units if they are known.
    """

    texts: Input | None = None
    metrics: tuple[str | Metric, ...] = ()
    outside: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    unit: Unit | None = None
    targeted: Targeted = "never"
    threads: int | None = None


@dataclass(frozen=True)
class MeasureRows:
    """The rows of all systems under one metric."""

    measure: Measure
    systems: Mapping[str, Rows]


@dataclass(frozen=True)
class Evidence:
    """The rows of all systems under all metrics, over the same units."""

    measures: tuple[MeasureRows, ...]
    units: Units
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def tables(self) -> list[Mapping[str, Rows]]:
        """The rows, metric by metric."""
        return [one.systems for one in self.measures]


@dataclass(frozen=True)
class Segments:
    """The segments that all rows are about, in order."""

    ids: tuple[str, ...]
    documents: tuple[str, ...] | None


def gather(request: EvidenceRequest, progress: Callable[[int], None] | None = None) -> Evidence:
    """Score the texts, read the scores of others, and group both by document where that is the unit."""
    measures: list[MeasureRows] = []
    warnings: list[Diagnostic] = []
    segments: Segments | None = None
    systems: Sequence[str] = request.systems
    if request.texts is not None:
        scores, segments, found = _scored(request, request.texts, progress)
        systems = scores.systems
        measures += _measured(scores, joint_references=request.targeted != "never")
        warnings += found
    for one in _outside(request, warnings):
        systems = systems or tuple(one.systems)
        segments = _segments(one) if segments is None else _with_documents(segments, one)
        if request.texts is not None and (extra := [name for name in one.systems if name not in systems]):
            message = f"{one.file} has {len(extra)} more systems, which are left out: {', '.join(extra)}"
            warnings.append(Diagnostic("outside-systems", message))
        measures.append(_aligned(one, systems, segments))
    if segments is None:
        raise InputError("there is nothing to compare: give references and systems, or --scores FILE")
    return _grouped(measures, segments, request.unit, warnings)


def _outside(request: EvidenceRequest, warnings: list[Diagnostic]) -> Iterator[OutsideScores]:
    """The scores of all files, whose warnings are added to those there are."""
    for path in request.outside:
        scores, told = scores_in(path, request.criteria)
        warnings += told
        yield from scores


def _scored(
    request: EvidenceRequest, texts: Input, progress: Callable[[int], None] | None
) -> tuple[Scores, Segments, tuple[Diagnostic, ...]]:
    """The scores of the one test set, with their rows, and the segments that they are about."""
    testsets = texts.testsets(whole=True)
    if len(testsets) != 1:
        names = ", ".join(testset.name or "" for testset in testsets)
        raise InputError(f"there are {len(testsets)} test sets ({names}): significance is tested on one at a time")
    (testset,) = testsets
    asked, left_out = available(choices(request.metrics), testsets)
    metrics = list(dict.fromkeys(testset.adapted(metric) for metric in asked))
    scoring = Scoring(metrics, keep_rows=True, threads=request.threads)
    counter = DiagnosticCounter()
    ids: list[str] = []
    documents: list[str] = []
    for block in testset.blocks():
        counter.update(block)
        if progress is not None:
            progress(len(block))
        scoring.add(block, request.targeted)
        ids += block.segment_ids
        documents += block.documents or ()
    known = tuple(documents) if documents else None
    told = (*left_out, *unnamed_language(metrics), *does_without(metrics), *counter.warnings())
    return scoring.scores(testset.name), Segments(tuple(ids), known), told


def _measured(scores: Scores, *, joint_references: bool) -> list[MeasureRows]:
    """The rows by metric; where each system has references of its own, all bear the hash of all of these."""
    measures = []
    for spec in scores.specs:
        of_spec = [score for score in scores if score.spec == spec]
        first = of_spec[0]
        signature = _joint_signature([score.signature for score in of_spec]) if joint_references else None
        measure = Measure(
            metric=first.metric,
            spec=spec,
            display_name=first.display_name,
            signature=signature or first.signature,
            sacrebleu_signature=first.sacrebleu_signature,
            higher_is_better=first.higher_is_better,
        )
        rows = {score.system: score.rows for score in of_spec}
        if signature is not None:
            rows = {name: replace(of_system, signature=signature) for name, of_system in rows.items()}
        measures.append(MeasureRows(measure, rows))
    return measures


def _joint_signature(signatures: Sequence[str]) -> str:
    """One signature for systems that are meant to be measured against different references: their post-edits."""
    if len(set(signatures)) == 1:
        return signatures[0]
    digest = sha256("\n".join(signatures).encode()).hexdigest()[:8]
    return re.sub(r"\|(hash|context):[0-9a-f]+", rf"|\1:own-{digest}", signatures[0])


def _segments(one: OutsideScores) -> Segments:
    """The segments of scores that come without texts."""
    keys = one.segments
    labelled = [key[0] for key in keys if key[0] is not None]
    if labelled and len(labelled) < len(keys):
        raise InputError(f"{one.file}: {len(labelled)} of {len(keys)} segments name their document: all or none must")
    return Segments(tuple(key[1] for key in keys), tuple(labelled) or None)


def _with_documents(segments: Segments, one: OutsideScores) -> Segments:
    """The segments with the documents that only the file of scores knows."""
    theirs = {segment: document for document, segment in one.segments if document is not None}
    if segments.documents is not None or set(theirs) != set(segments.ids) or len(theirs) < len(one.segments):
        return segments
    return replace(segments, documents=tuple(theirs[segment] for segment in segments.ids))


def _aligned(one: OutsideScores, systems: Sequence[str], segments: Segments) -> MeasureRows:
    """The scores as rows, in the order of the segments; what does not match is refused."""
    for name in systems:
        if name not in one.systems:
            there = f"{len(one.systems)} systems: {', '.join(one.systems)}"
            raise InputError(
                f"{one.file} has no {one.metric} scores of {name!r}.{did_you_mean(name, one.systems)} It has {there}"
            )
    keys = _keys(one, segments)
    scores = {name: [one.systems[name][key] for key in keys] for name in systems}
    digest = sha256(repr(scores).encode()).hexdigest()[:8]
    measure = Measure(one.metric, one.metric, one.metric, f"{one.metric}|scores:{digest}", None, _direction(one))
    made = {}
    for name, of_system in scores.items():
        rows = Rows.from_scores(of_system, spec=one.metric, higher_is_better=measure.higher_is_better)
        made[name] = replace(rows, signature=measure.signature)
    return MeasureRows(measure, made)


def _direction(one: OutsideScores) -> bool:
    """What the file says; else what karat knows of a metric of that name; else higher is better."""
    if one.higher_is_better is not None:
        return one.higher_is_better
    try:
        return metric_of(one.metric).higher_is_better
    except SpecError:
        return True


def _keys(one: OutsideScores, segments: Segments) -> list[Key]:
    """The keys of the file's segments in the order of ours."""
    theirs = one.segments
    labelled = segments.documents is not None and all(document is not None for document, _ in theirs)
    by_name = {key if labelled else (None, key[1]): key for key in theirs}
    documents: Sequence[str | None] = segments.documents or () if labelled else (None,) * len(segments.ids)
    ours = list(zip(documents, segments.ids, strict=True))
    if len(set(ours)) < len(ours) or len(by_name) < len(theirs):
        raise InputError(f"{one.file}: segments of different documents have the same name: add a column document")
    absent, extra = [key for key in ours if key not in by_name], set(by_name) - set(ours)
    if absent or extra:
        example = absent[0] if absent else next(key for key in by_name if key in extra)
        raise InputError(
            f"{one.file}: {one.metric} scores are of {len(theirs)} segments, and {len(ours)} are compared: "
            f"{len(absent)} have no score and {len(extra)} are not known (such as {example[1]!r}): "
            "name the segments alike in both"
        )
    return [by_name[key] for key in ours]


def _grouped(
    measures: Sequence[MeasureRows], segments: Segments, asked: Unit | None, warnings: Sequence[Diagnostic]
) -> Evidence:
    """The evidence over its units."""
    units, labels, told = choose_units(len(segments.ids), segments.documents, asked)
    if labels is not None:
        measures = [
            replace(one, systems={name: rows.grouped(labels) for name, rows in one.systems.items()}) for one in measures
        ]
    return Evidence(tuple(measures), units, (*warnings, *told))
