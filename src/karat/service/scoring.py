"""Scoring systems: from texts in memory and from files of any size."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

from karat.arguments import check_name
from karat.corpus import Corpus, Diagnostic, References
from karat.engine import Scoring
from karat.errors import InputError
from karat.evidence import Evidence, Segments
from karat.metrics.framework.wanted import lack_in
from karat.quick_dataclasses import dataclass
from karat.registry import metric as metric_of
from karat.results.scores import ScoreResult, Scores
from karat.scores import PartScore, ScoreSequence, TestSetScores, scores_of
from karat.service.choices import available, choices, corpus_formulas
from karat.service.gathering import gather
from karat.service.inputs import TestSet
from karat.service.listening import SILENT, Listeners
from karat.service.requests import EvidenceRequest
from karat.service.units import choose_units
from karat.text import as_column

if TYPE_CHECKING:
    from karat.corpus import Targeted
    from karat.corpus.annotating import Given
    from karat.evidence import Unit
    from karat.metrics.base import Metric
    from karat.service.inputs import Input
    from karat.significance import Resampling
    from karat.text import TextColumn

PartLevel = Literal["system", "document", "segment"]
DEFAULT_METRICS = ("bleu", "chrf", "ter")


@dataclass(frozen=True, kw_only=True)
class ScoreRequest:
    """What to score, with what, and for which parts of the corpus.

    With `intervals`, every score of a system gets one; `unit` is what is drawn, documents where they are known.
    `testsets` chooses among several. `stored` is a directory of parts in place of texts and metrics, and `systems` are
    those of it that are wanted.
    """

    texts: Input | None = None
    stored: str | None = None
    systems: tuple[str, ...] = ()
    metrics: tuple[str | Metric, ...] = DEFAULT_METRICS
    level: PartLevel = "system"
    targeted: Targeted = "never"
    intervals: Resampling | None = None
    unit: Unit | None = None
    testsets: tuple[str, ...] = ()
    threads: int | None = None


def score_systems(request: ScoreRequest, listeners: Listeners = SILENT) -> ScoreResult:
    """Score every system of every test set; scores of segments go to the listener as they come."""
    streaming = request.level != "document" and request.intervals is None
    asked = EvidenceRequest(
        texts=request.texts,
        stored=request.stored,
        systems=request.systems,
        metrics=request.metrics if request.stored is None else (),
        targeted=request.targeted,
        streaming=streaming,
        testsets=request.testsets,
        threads=request.threads,
    )
    heard = listeners if request.level == "segment" else dataclasses.replace(listeners, scores=None)
    gathered = gather(asked, heard)
    said = [warning for evidence in gathered for warning in evidence.warnings]
    if request.level == "segment":
        said += corpus_formulas(map(metric_of, gathered[0].specs))
    testsets: list[TestSetScores] = []
    documents: list[PartScore] = []
    for evidence in gathered:
        scores = scores_of(evidence)
        if request.intervals is not None:
            scores, of_intervals = with_intervals(
                scores, evidence, request.intervals, unit=request.unit, threads=request.threads
            )
            said += of_intervals
        if request.level == "document":
            documents += document_scores(scores, evidence.segments)
        testsets.append(TestSetScores(evidence.testset, scores, tuple(spec for _, spec in evidence.adapted)))
    return ScoreResult(
        testsets=tuple(testsets),
        documents=tuple(documents),
        asked=tuple(spec for spec, _ in gathered[0].adapted),
        warnings=tuple(said),
    )


def score_evidence(
    gathered: Iterable[Evidence], resampling: Resampling, *, unit: Unit | None = None, threads: int | None = None
) -> ScoreResult:
    """The scores of evidence that is there already, each with its interval."""
    testsets, said = [], []
    for evidence in gathered:
        scores, of_intervals = with_intervals(scores_of(evidence), evidence, resampling, unit=unit, threads=threads)
        said += of_intervals
        testsets.append(TestSetScores(evidence.testset, scores, tuple(spec for _, spec in evidence.adapted)))
    return ScoreResult(testsets=tuple(testsets), asked=testsets[0].specs, warnings=tuple(said))


def with_intervals(
    scores: ScoreSequence,
    evidence: Evidence,
    resampling: Resampling,
    *,
    unit: Unit | None = None,
    threads: int | None = None,
) -> tuple[ScoreSequence, list[Diagnostic]]:
    """The scores with their intervals, all from the same resamples, and what must be said about them."""
    from karat.significance import bootstrap_many

    rows = [score.rows for score in scores]
    units, labels, of_units = choose_units(
        evidence.segment_count, evidence.segments.documents, unit, grouped=evidence.grouped_segments
    )
    grouped = rows if labels is None else [of_system.grouped(labels) for of_system in rows]
    estimates = bootstrap_many(grouped, dataclasses.replace(resampling, unit=units.unit), threads=threads)
    said = dict.fromkeys(text for estimate in estimates for text in estimate.warnings)
    with_estimates = [
        dataclasses.replace(score, estimate=estimate) for score, estimate in zip(scores, estimates, strict=True)
    ]
    return ScoreSequence(with_estimates), [*of_units, *(Diagnostic("significance", text) for text in said)]


def document_scores(scores: ScoreSequence, segments: Segments) -> list[PartScore]:
    """The score of every document of every system."""
    if segments.documents is None:
        raise InputError(
            "document scores need to know which segment belongs to which document: "
            "give --documents FILE (one label per line), or a corpus that has documents"
        )
    parts = []
    for score in scores:
        grouped = score.rows.grouped(segments.documents)
        parts += [
            PartScore(score.system, score.metric, score.spec, name, float(value), name, score.testset)
            for name, value in zip(grouped.units or (), grouped.unit_scores(), strict=True)
        ]
    return parts


def score(
    hypotheses: Iterable[str] | Mapping[str, Iterable[str]],
    references: Iterable[str] | Iterable[Iterable[str]] | None = None,
    metrics: Iterable[str | Metric] | str | Metric = DEFAULT_METRICS,
    *,
    sources: Iterable[str] | None = None,
    annotations: Mapping[str, Given] | None = None,
    language: str | None = None,
    threads: int | None = None,
) -> Scores:
    """Score translations against references, for metrics that want them beside their sources.

    `hypotheses` is a list of strings, or a mapping from system names to such lists. `references` has one entry per
    segment: a string, or a list of strings where there are several. `sources` are what was translated, for metrics that
    look at it. `annotations` are what is known of words, for metrics over it: files (CoNLL-U, .trees, JSONL) or
    `karat.text.annotation.Annotations` by the names of systems, "reference" and "source". `language` is that of the
    translations, such as de or zh; it decides on tokenizers, stems, word lists and annotators. The result has one score
    per system and metric, in the order asked for.

    >>> import karat
    >>> scores = karat.score(["The cat sat on the mat."], [["The cat sat on the mat.", "A cat sat."]], ["bleu", "chrf"])
    >>> round(scores["bleu"].score, 2), scores[1].display_name
    (100.0, 'chrF2')
    """
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"hypotheses": hypotheses}
    for name in systems:
        check_name("system", name)
    columns: Mapping[str, TextColumn] = {name: as_column(texts) for name, texts in systems.items()}
    if not columns:
        raise InputError("no system was given to score")
    if language is not None:
        from karat.resources.languages import check_language

        check_language(language)
    measured = References.with_sources(references, sources)
    if annotations:
        columns, measured = _annotated(columns, measured, annotations)
    lack = partial(_lack, measured, columns)
    texts = TestSet(None, None, tuple, language, annotated=bool(annotations), lack=lack)
    wanted, _ = available(choices(metrics), [texts])
    scoring = Scoring(list(dict.fromkeys(map(texts.adapted, wanted))), keep_rows=True, threads=threads)
    scoring.add_systems(columns, measured)
    for diagnostic in scoring.warnings or ():
        warnings.warn(diagnostic.message, stacklevel=2)
    segments = Segments(())
    count = len(next(iter(columns.values())))
    return Scores(scores_of(Evidence(scoring.measures(for_segments=False), tuple(columns), segments, count)))


def _annotated(
    columns: Mapping[str, TextColumn], references: References, annotations: Mapping[str, Given]
) -> tuple[Mapping[str, TextColumn], References]:
    """Hypotheses and references, and the sources beside these, with what is known of their words."""
    if not (references.counts == 1).all() and any(name.startswith("reference") for name in annotations):
        raise InputError("annotations of references want one for each segment: make a karat.Corpus of several")
    named = {"reference": references.column} if (references.counts == 1).all() else {}
    corpus = Corpus.of(systems=columns, references=named, source=references.sources).annotated(annotations)
    column = corpus.references["reference"].text if named else references.column
    return corpus.systems, dataclasses.replace(references, column=column, sources=corpus.source)


def _lack(references: References, systems: Mapping[str, TextColumn], metric: Metric) -> str | None:
    return lack_in(metric, references, systems)
