"""Scoring systems: from texts in memory and from files of any size."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from karat.corpus import Corpus, Diagnostic, DiagnosticCounter, References
from karat.engine import Scoring
from karat.errors import InputError
from karat.results import PartScore, ScoreReport, Scores, SegmentScores, TestSetScores
from karat.service.choices import available, choices, does_without
from karat.service.inputs import unnamed_language
from karat.service.units import choose_units
from karat.significance import bootstrap_many
from karat.text import as_column

if TYPE_CHECKING:
    from karat.corpus import Targeted
    from karat.findings import Unit
    from karat.metrics.base import Metric
    from karat.rows import Values
    from karat.service.inputs import Input, TestSet
    from karat.significance import Resampling

Level = Literal["system", "document", "segment"]
DEFAULT_METRICS = ("bleu", "chrf", "ter")


class SegmentSink(Protocol):
    """Takes segment scores as they come."""

    def write(self, block: SegmentScores) -> None:
        """Take the scores of one more run of segments."""
        ...


def score_input(
    source: Input,
    metrics: Sequence[str | Metric],
    *,
    level: Level = "system",
    sink: SegmentSink,
    targeted: Targeted = "never",
    intervals: Resampling | None = None,
    unit: Unit | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> ScoreReport:
    """Score every system of every test set.

    Segment scores go to the sink as they come, and `progress` hears of every block how many segments it has. With
    `intervals`, every score of a system gets one; `unit` is what is drawn, documents where they are known.
    """
    testsets: list[TestSetScores] = []
    documents: list[PartScore] = []
    warnings: list[Diagnostic] = []
    whole = level == "document" or intervals is not None
    chosen = choices(metrics)
    sources = source.testsets(whole=whole, twice=any(one.metric.context_key is not None for one in chosen))
    asked, left_out = available(chosen, sources)
    warnings += left_out
    for testset in sources:
        adapted = [testset.adapted(metric) for metric in asked]
        warnings += [*unnamed_language(adapted), *does_without(adapted)]
        run = _Run(testset, adapted, level, sink, targeted, whole, threads, progress)
        scores = run.scores
        if intervals is not None:
            scores, told = with_intervals(scores, run.labels, intervals, unit, threads)
            warnings += told
        testsets.append(TestSetScores(testset.name, scores, tuple(metric.spec for metric in adapted)))
        documents += run.documents
        warnings += run.warnings
    return ScoreReport(tuple(testsets), tuple(documents), tuple(warnings), tuple(one.spec for one in asked))


def with_intervals(
    scores: Scores, documents: Sequence[str], resampling: Resampling, unit: Unit | None, threads: int | None
) -> tuple[Scores, list[Diagnostic]]:
    """The scores with their intervals, all from the same resamples, and what must be said about them."""
    rows = [score.rows for score in scores]
    units, labels, told = choose_units(len(rows[0]), documents or None, unit)
    grouped = rows if labels is None else [one.grouped(labels) for one in rows]
    estimates = bootstrap_many(grouped, dataclasses.replace(resampling, unit=units.unit), threads=threads)
    said = dict.fromkeys(text for estimate in estimates for text in estimate.warnings)
    found = [dataclasses.replace(score, estimate=made) for score, made in zip(scores, estimates, strict=True)]
    return Scores(found), [*told, *(Diagnostic("significance", text) for text in said)]


class _Run:
    """One test set scored from its first block to its last."""

    def __init__(
        self,
        testset: TestSet,
        metrics: Sequence[Metric],
        level: Level,
        sink: SegmentSink,
        targeted: Targeted,
        whole: bool,
        threads: int | None,
        progress: Callable[[int], None] | None,
    ) -> None:
        self._testset, self._sink = testset, sink
        unique = list(dict.fromkeys(metrics))
        self._scoring = Scoring(unique, keep_rows=whole, threads=threads)
        if self._scoring.learns and testset.references is not None:
            self._scoring.fit(testset.references())
        counter = DiagnosticCounter()
        self.labels: list[str] = []
        for block in testset.blocks():
            counter.update(block)
            if progress is not None:
                progress(len(block))
            rows = self._scoring.add(block, targeted)
            if level == "segment":
                self._emit(block, rows)
            if whole:
                self.labels += self._document_labels(block) if level == "document" else block.documents or ()
        self.scores = self._scoring.scores(testset.name)
        self.documents = document_scores(self.scores, self.labels) if level == "document" else []
        self.warnings = counter.warnings()

    def _emit(self, block: Corpus, rows: Mapping[tuple[str, int], Values]) -> None:
        for (system, position), values in rows.items():
            metric = self._scoring.metrics[position]
            self._sink.write(
                SegmentScores(
                    system,
                    metric.name,
                    metric.spec,
                    self._testset.name,
                    block.segment_ids,
                    block.documents,
                    metric.aggregate(values.astype("float64")),
                )
            )

    def _document_labels(self, block: Corpus) -> Sequence[str]:
        if block.documents is None:
            raise InputError(
                "document scores need to know which segment belongs to which document: "
                "give --documents FILE (one label per line), or a corpus that has documents"
            )
        return block.documents


def document_scores(scores: Scores, labels: Sequence[str]) -> list[PartScore]:
    """The score of every document of every system, from rows that were kept."""
    parts = []
    for score in scores:
        grouped = score.rows.grouped(labels)
        parts += [
            PartScore(score.system, score.metric, score.spec, name, float(value), name, score.testset)
            for name, value in zip(grouped.units or (), grouped.unit_scores(), strict=True)
        ]
    return parts


def score(
    hypotheses: Iterable[str] | Mapping[str, Iterable[str]],
    references: Iterable[str] | Iterable[Iterable[str]],
    metrics: Sequence[str | Metric] | str | Metric = DEFAULT_METRICS,
    *,
    threads: int | None = None,
) -> Scores:
    """Score translations against references.

    `hypotheses` is a list of strings, or a mapping from system names to such lists. `references` has one entry per
    segment: a string, or a list of strings where there are several. The result has one score per system and metric, in
    the order asked for.

    >>> import karat
    >>> scores = karat.score(["The cat sat on the mat."], [["The cat sat on the mat.", "A cat sat."]], ["bleu", "chrf"])
    >>> round(scores["bleu"].score, 2), scores[1].display_name
    (100.0, 'chrF2')
    """
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"hypotheses": hypotheses}
    columns = {name: as_column(texts) for name, texts in systems.items()}
    if not columns:
        raise InputError("no system was given to score")
    wanted, _ = available(choices(metrics))
    scoring = Scoring(wanted, keep_rows=True, threads=threads)
    scoring.add_systems(columns, References.of(references))
    return scoring.scores()
