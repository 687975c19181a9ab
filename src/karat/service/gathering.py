"""The one way up: texts scored, scores of others read, judgements of people beside them, over the same segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic, DiagnosticCounter, system_arguments
from karat.corpus.column_names import ColumnNames
from karat.engine import Scoring
from karat.errors import InputError, did_you_mean
from karat.evidence import Evidence, Measure, Segments
from karat.scores import SegmentScores
from karat.service.aligning import frame_of, measures_of, segments_of
from karat.service.choices import available, choices, does_without
from karat.service.given_scores import read_given_scores
from karat.service.inputs import unnamed_language
from karat.service.listening import SILENT, Listeners
from karat.text import default_tokenizer

if TYPE_CHECKING:
    from karat.corpus import Corpus, Targeted
    from karat.corpus.column_names import Pairs
    from karat.corpus.given_scores import GivenScores
    from karat.metrics.base import Metric
    from karat.rows import Values
    from karat.service.inputs import Input, TestSet


SCORE_COLUMNS = ("score", "system", "segment", "document", "metric", "higher_is_better")
"""What --column can name in files of scores."""


@dataclass(frozen=True, kw_only=True)
class GoldRequest:
    """Where judgements of people are: files of scores or of ratings.

    Of several criteria that ratings are about those in `criteria` count, or `every` one of them, or else the one about
    the whole. `column` names that of the score in a table.
    """

    paths: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    every: bool = False
    column: str | None = None


@dataclass(frozen=True, kw_only=True)
class EvidenceRequest:
    """Where the evidence comes from: texts to be scored, files of scores or ratings, judgements, or all of these.

    `criteria` chooses among what ratings in files of `scores` are about; all if it is empty. `systems` are those to be
    kept of the files of scores, where there are no texts; all of them if it is empty. `testsets` chooses among several.
    With `streaming`, files of any size are read block by block where that is possible; what is kept then are sums, of
    which no test can be made.
    """

    texts: Input | None = None
    metrics: tuple[str | Metric, ...] = ()
    scores: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    only: Mapping[str, str] = field(default_factory=dict)
    columns: Pairs = ()
    systems: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    targeted: Targeted = "never"
    streaming: bool = False
    gold: GoldRequest | None = None
    humans: tuple[str, ...] = ()
    testsets: tuple[str, ...] = ()
    threads: int | None = None


def gather(request: EvidenceRequest, listeners: Listeners = SILENT) -> tuple[Evidence, ...]:
    """The evidence of each test set; of one, where scores come from files alone."""
    testsets: Sequence[TestSet | None] = (None,)
    if request.texts is not None:
        testsets = _chosen(request, request.texts)
    if len(testsets) > 1 and request.scores:
        raise InputError("--scores cannot be told to belong to one of several test sets: choose it with --testset")
    testsets = [testset if testset is None or request.streaming else _with_language(testset) for testset in testsets]
    asked, left_out = available(choices(request.metrics), testsets)
    gathered = [_Gathering(request, testset, asked, listeners).evidence() for testset in testsets]
    first, *others = gathered
    return replace(first, warnings=(*left_out, *first.warnings)), *others


def gather_one(request: EvidenceRequest, listeners: Listeners = SILENT) -> Evidence:
    """The evidence of the one test set there is."""
    gathered = gather(request, listeners)
    if len(gathered) > 1:
        names = ", ".join(evidence.testset or "" for evidence in gathered)
        raise InputError(f"there are {len(gathered)} test sets ({names}): this takes one at a time; use --testset")
    return gathered[0]


def _chosen(request: EvidenceRequest, texts: Input) -> list[TestSet]:
    """The test sets asked for."""
    testsets = texts.testsets(whole=not request.streaming, twice=request.streaming and _learns(request.metrics))
    named = {testset.name or "": testset for testset in testsets}
    for testset in testsets:
        # The label has the languages behind the name that the manifest gives.
        short = (testset.name or "").removesuffix(f" {testset.language_pair}")
        if sum((other.name or "").removesuffix(f" {other.language_pair}") == short for other in testsets) == 1:
            named.setdefault(short, testset)
    for name in request.testsets:
        if name not in named:
            raise InputError(f"there is no test set {name!r}.{did_you_mean(name, named)}")
    return [named[name] for name in request.testsets] or testsets


def _with_language(testset: TestSet) -> TestSet:
    """The test set with the target language that its own corpus names, where nobody has named another."""
    if testset.language is not None or testset.given is not None:
        return testset
    corpora = list(testset.blocks())
    language = corpora[0].target_language
    if language is None:
        return replace(testset, blocks=lambda: corpora)
    tokenizer = testset.tokenizer or default_tokenizer(language)
    return replace(testset, blocks=lambda: corpora, language=language, tokenizer=tokenizer)


def _learns(metrics: Sequence[str | Metric]) -> bool:
    return any(choice.metric.context_key is not None for choice in choices(metrics))


class _Gathering:
    """One test set, from its files to its evidence."""

    def __init__(
        self, request: EvidenceRequest, testset: TestSet | None, asked: Sequence[Metric], listeners: Listeners
    ) -> None:
        self._request, self._testset, self._listeners = request, testset, listeners
        self._metrics = [metric if testset is None else testset.adapted(metric) for metric in asked]
        self._adapted = tuple((metric.spec, own.spec) for metric, own in zip(asked, self._metrics, strict=True))
        self._warnings: list[Diagnostic] = []

    def evidence(self) -> Evidence:
        """Everything that is asked for."""
        request, testset = self._request, self._testset
        directory = None if testset is None or testset.given is None else testset.given()
        gold = self._gold() if directory is None else directory.judgements
        outside = [*([] if directory is None else directory.metrics), *self._outside()]
        gold, outside = [self._renamed(scores) for scores in gold], [self._renamed(scores) for scores in outside]
        if testset is None and not gold:
            outside = _finest(outside)
        judged = tuple(dict.fromkeys(name for scores in gold for name in scores.systems))
        scored = self._scored(testset, judged) if testset is not None and self._metrics else None
        systems = judged or (scored.systems if scored else ()) or request.systems or _systems(outside)
        known = None if directory is None else (directory.documents, directory.domains)
        segments = self._segments(scored, known, gold, outside)
        frame = frame_of(systems, segments, gold, complete=request.gold is None and directory is None)
        if scored is not None and not judged:
            self._tell_of_others(outside, systems)
        own = scored.measures if scored else ()
        humans = () if directory is None else directory.humans
        if not own and not outside and not gold:
            raise InputError("there is nothing to compare: give references and systems, or --scores FILE")
        return Evidence(
            measures=(*own, *measures_of(outside, frame, [measure.name for measure in own])),
            systems=systems,
            segments=segments,
            segment_count=scored.count if scored else len(segments),
            testset=None if testset is None else testset.name,
            language_pair=None if testset is None else testset.language_pair,
            corpus=scored.corpus if scored else None,
            golds=measures_of(gold, frame),
            humans=(*humans, *request.humans),
            standard_reference=None if directory is None else directory.standard_reference,
            streamed=request.streaming,
            adapted=self._adapted,
            warnings=tuple(self._warnings),
        )

    def _gold(self) -> Sequence[GivenScores]:
        """What people said, of one criterion."""
        wanted = self._request.gold
        if wanted is None:
            return ()
        judgements: list[GivenScores] = []
        for path in wanted.paths:
            scores, warnings = read_given_scores(path, criteria=wanted.criteria, column=wanted.column)
            judgements += scores if wanted.every or wanted.criteria else _one_criterion(scores)
            self._warnings += warnings
        if not judgements:
            raise InputError(
                "there are no judgements: give a directory of mt-metrics-eval, --ratings FILE or --judgements FILE"
            )
        return judgements

    def _outside(self) -> list[GivenScores]:
        outside: list[GivenScores] = []
        for path in self._request.scores:
            scores, warnings = self._scores_in(path)
            for one in scores:
                _join(outside, one)
            self._warnings += warnings
        return outside

    def _scores_in(self, argument: str) -> tuple[tuple[GivenScores, ...], tuple[Diagnostic, ...]]:
        """The scores of a file that may be given as SYSTEM=FILE."""
        ((name, path),) = system_arguments([argument])
        return read_given_scores(
            path,
            criteria=self._request.criteria,
            only=self._request.only,
            columns=ColumnNames.of(self._request.columns).only(SCORE_COLUMNS),
            system=None if path == argument else name,
        )

    def _renamed(self, scores: GivenScores) -> GivenScores:
        names = self._request.renamed
        return replace(scores, systems={names.get(name, name): of for name, of in scores.systems.items()})

    def _scored(self, testset: TestSet, judged: Sequence[str]) -> _Scored:
        """The texts of all systems, or of those that people judged, under all metrics."""
        metrics = list(dict.fromkeys(self._metrics))
        scoring = Scoring(metrics, keep_rows=not self._request.streaming, threads=self._request.threads)
        if scoring.learns and testset.references is not None:
            scoring.fit(testset.references())
        scored = _Scored(scoring, whole=not self._request.streaming)
        for block in testset.blocks():
            if not block.systems:
                raise InputError("the texts have no system's output, so there is nothing to score: add a system")
            corpus = block if not judged else self._judged(block, judged)
            scored.counter.update(corpus)
            if self._listeners.segments is not None:
                self._listeners.segments(len(corpus))
            rows = scoring.add(corpus, self._request.targeted)
            scored.keep(corpus)
            self._tell_scores(testset, corpus, metrics, rows)
        self._warnings += [*unnamed_language(metrics), *does_without(metrics), *scored.counter.warnings()]
        return scored.finished(self._request.renamed)

    def _judged(self, corpus: Corpus, judged: Sequence[str]) -> Corpus:
        """The systems that people judged."""
        names = self._request.renamed
        known = {names.get(name, name): name for name in corpus.systems}
        chosen = [known[name] for name in judged if name in known]
        if not chosen:
            raise InputError(
                f"none of the systems that people judged ({', '.join(judged[:5])}, ...) has a text; there is "
                f"{', '.join(list(known)[:5])}: use --rename TEXT=JUDGED where the names differ"
            )
        return corpus.select(systems=chosen)

    def _tell_scores(
        self, testset: TestSet, block: Corpus, metrics: Sequence[Metric], rows: Mapping[tuple[str, int], Values]
    ) -> None:
        if self._listeners.scores is None:
            return
        for (system, position), values in rows.items():
            metric = metrics[position]
            scores = metric.aggregate(values.astype("float64"))
            where = testset.name, block.segment_ids, block.documents
            self._listeners.scores(SegmentScores(system, metric.name, metric.spec, *where, scores))

    def _segments(
        self,
        scored: _Scored | None,
        labels: tuple[tuple[str, ...] | None, tuple[str, ...] | None] | None,
        gold: Sequence[GivenScores],
        outside: Sequence[GivenScores],
    ) -> Segments:
        """The segments: those of the texts, else those that people judged, else those of the first scores."""
        segments = scored.segments if scored else None
        if segments is None:
            basis = [scores for scores in (*gold, *outside) if scores.level == "segment"]
            segments = segments_of(basis[0]) if basis else Segments(())
        if labels is not None:
            documents, domains = (column if column and len(column) == len(segments) else None for column in labels)
            segments = replace(segments, documents=documents, domains=domains)
        return segments if gold or segments.documents else _with_documents(segments, outside)

    def _tell_of_others(self, outside: Sequence[GivenScores], systems: Sequence[str]) -> None:
        """Say which systems of a file are left out, where texts decide which are looked at."""
        for scores in outside:
            if extra := [name for name in scores.systems if name not in systems]:
                message = f"{scores.file} has {len(extra)} more systems, which are left out: {', '.join(extra)}"
                self._warnings.append(Diagnostic("outside-systems", message))


class _Scored:
    """What has been scored from texts so far."""

    def __init__(self, scoring: Scoring, *, whole: bool) -> None:
        self._scoring, self._whole = scoring, whole
        self.counter = DiagnosticCounter()
        self.count = 0
        self.corpus: Corpus | None = None
        self.segments: Segments | None = None
        self.systems: tuple[str, ...] = ()
        self.measures: tuple[Measure, ...] = ()

    def keep(self, block: Corpus) -> None:
        """Take note of one more block; a corpus that is kept whole comes in one."""
        self.count += len(block)
        self.systems = tuple(block.systems)
        if self._whole:
            self.corpus = block
            self.segments = Segments(block.segment_ids, block.documents, block.domains)

    def finished(self, renamed: Mapping[str, str]) -> _Scored:
        """The measures of all that was added, systems under the names that they have elsewhere."""
        self.measures = tuple(measure.renamed(renamed) for measure in self._scoring.measures())
        self.systems = tuple(renamed.get(name, name) for name in self.systems)
        self.segments = self.segments or Segments(())
        return self


def _join(outside: list[GivenScores], more: GivenScores) -> None:
    """Add scores; files with the same measure of other systems are one."""
    for position, scores in enumerate(outside):
        if (joined := scores.joined(more)) is not None:
            outside[position] = joined
            return
    outside.append(more)


def _systems(outside: Sequence[GivenScores]) -> tuple[str, ...]:
    return tuple(outside[0].systems) if outside else ()


def _finest(outside: Sequence[GivenScores]) -> list[GivenScores]:
    """Scores of whole documents as those of segments, where there are no others: a document is then a segment."""
    if any(scores.level == "segment" for scores in outside):
        return [*outside]
    return [replace(scores, level="segment") if scores.level == "document" else scores for scores in outside]


def _one_criterion(scores: Sequence[GivenScores]) -> list[GivenScores]:
    """The judgements of one criterion: that of the whole or adequacy where there are several, else the first."""
    names = list(dict.fromkeys(each.name for each in scores))
    if len(names) > 1:
        from karat.corpus.ratings import protocol_names

        names = [*(name for name in names if name in (*protocol_names(), "adequacy")), *names]
    return [each for each in scores if each.name == names[0]]


def _with_documents(segments: Segments, outside: Sequence[GivenScores]) -> Segments:
    """The segments with the documents that only a file of scores knows."""
    for scores in outside:
        theirs = {segment: document for document, segment in scores.units if document is not None}
        if scores.level == "segment" and set(theirs) == set(segments.ids) and len(theirs) == len(scores.units):
            return replace(segments, documents=tuple(theirs[segment] for segment in segments.ids))
    return segments
