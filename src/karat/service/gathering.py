"""The one way up: texts scored, scores of others read, judgements of people beside them, over the same segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic, DiagnosticCounter
from karat.engine import Scoring
from karat.errors import InputError, did_you_mean
from karat.evidence import Evidence, Measure, Segments, is_human
from karat.scores import SegmentScores
from karat.service.about_texts import about_texts, without_post_edits
from karat.service.aligning import counted, few, frame_of, measures_of, new_names, segments_of, unmatched
from karat.service.choices import available, choices, does_without, looks_at_texts
from karat.service.inputs import ALONE, BLOCK_SEGMENTS, refuse_several, unnamed_language
from karat.service.judgements import judgements_of
from karat.service.listening import SILENT, Listeners
from karat.service.parts import Part, on_testset, parts_of
from karat.service.requests import EvidenceRequest

if TYPE_CHECKING:
    from karat.corpus import Corpus
    from karat.corpus.given_scores import GivenScores
    from karat.metrics.base import Metric
    from karat.rows import Values
    from karat.service.inputs import TestSet


def gather(request: EvidenceRequest, listeners: Listeners = SILENT) -> tuple[Evidence, ...]:
    """The evidence of each test set: those of the texts, or else those that files of scores name, or a stored one."""
    if request.stored is not None:
        from karat.service.stored import stored_evidence

        return (stored_evidence(request),)
    parts, said = parts_of(request)
    chosen = choices(request.metrics)
    if looks_at_texts(chosen):
        parts = [part if part.testset is None else replace(part, testset=part.testset.looked_at()) for part in parts]
    asked, left_out = available(chosen, [part.testset for part in parts])
    judged, about_gold = judgements_of(request.gold, parts, request.language_pair)
    gatherings = [_Gathering(request, part, gold, asked, listeners) for part, gold in zip(parts, judged, strict=True)]
    gathered = []
    for part, gathering in zip(parts, gatherings, strict=True):
        with on_testset(part.name, one_of_several=len(parts) > 1):
            gathered.append(gathering.evidence())
    first, *others = gathered
    _refuse_unknown_names(request.renamed, {name for gathering in gatherings for name in gathering.names})
    return _said_once([replace(first, warnings=(*left_out, *said, *about_gold, *first.warnings)), *others])


def _refuse_unknown_names(renamed: Mapping[str, str], known: Set[str]) -> None:
    """Refuse another name for a system that nothing has: it would do nothing."""
    for name in renamed:
        if name not in known:
            raise InputError(
                f"--rename {name}={renamed[name]}: there is no system {name!r}.{did_you_mean(name, known)}"
            )


def _said_once(gathered: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence without warnings that it or a test set before it has said."""
    said: set[Diagnostic] = set()
    once = []
    for evidence in gathered:
        new = tuple(dict.fromkeys(warning for warning in evidence.warnings if warning not in said))
        said.update(new)
        once.append(replace(evidence, warnings=new))
    return tuple(once)


def gather_one(request: EvidenceRequest, listeners: Listeners = SILENT, remedy: str = ALONE) -> Evidence:
    """The evidence of the one test set there is; the `remedy` tells what to do where there are several."""
    gathered = gather(request, listeners)
    refuse_several([evidence.testset for evidence in gathered], remedy)
    return gathered[0]


class _Gathering:
    """One test set, from its files to its evidence."""

    def __init__(
        self,
        request: EvidenceRequest,
        part: Part,
        judgements: Sequence[GivenScores],
        asked: Sequence[Metric],
        listeners: Listeners,
    ) -> None:
        self._request, self._part, self._judgements, self._listeners = request, part, judgements, listeners
        testset = part.testset
        self._metrics = [metric if testset is None else testset.adapted(metric) for metric in asked]
        self._adapted = tuple((metric.spec, own.spec) for metric, own in zip(asked, self._metrics, strict=True))
        self._warnings: list[Diagnostic] = []
        self.names: set[str] = set()
        self._humans: tuple[str, ...] = ()
        self._unjudged: list[str] = []

    def evidence(self) -> Evidence:
        """Everything that is asked for."""
        request, testset = self._request, self._part.testset
        directory = None if testset is None or testset.given is None else testset.given()
        gold = self._judgements if directory is None else directory.judgements
        outside = [*([] if directory is None else directory.metrics), *self._part.outside]
        gold, outside = [self._renamed(scores) for scores in gold], [self._renamed(scores) for scores in outside]
        if testset is None and not gold:
            outside = _finest(outside)
        judged = tuple(dict.fromkeys(name for scores in gold for name in scores.systems))
        self._humans = (*(() if directory is None else directory.humans), *request.humans)
        scored = self._scored(testset, judged) if testset is not None and self._metrics else None
        with_text = scored.systems if scored else ()
        foremost = with_text if self._keeps_unjudged else ()
        systems = foremost or judged or with_text or request.systems or _systems(outside)
        known = None if directory is None else (directory.documents, directory.domains)
        segments = self._segments(scored, known, gold, outside)
        frame = frame_of(systems, segments, gold, complete=request.gold is None and directory is None)
        if judged:
            # A year's directory has scores of more than was judged, which is no news to those who take it as it is.
            self._tell_of_unjudged(judged, outside if directory is None else ())
        elif scored is not None or not request.systems:
            self._tell_of_others(outside, systems)
        own = scored.measures if scored else ()
        given = measures_of(outside, frame, self._warnings.append, [measure.name for measure in own])
        if not own and not outside and not gold:
            raise InputError("there is nothing to compare: give references and systems, or --scores FILE")
        golds = measures_of(gold, frame, self._warnings.append)
        return Evidence(
            measures=(*own, *given),
            systems=systems,
            segments=segments,
            segment_count=scored.count if scored else len(segments),
            testset=self._part.name,
            language_pair=None if testset is None else testset.language_pair,
            corpus=scored.corpus if scored else None,
            golds=golds,
            humans=self._humans,
            standard_reference=None if directory is None else directory.standard_reference,
            streamed=request.streaming,
            adapted=(*self._adapted, *self._adapted_outside(measure.name for measure in given)),
            warnings=tuple(self._warnings),
        )

    @property
    def _keeps_unjudged(self) -> bool:
        return self._request.gold is not None and self._request.gold.keep_unjudged

    def _adapted_outside(self, measures: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Measures of files by their plain names, as they go by on other test sets, where these are clear."""
        plain = {scores.name: scores.metric or scores.name for scores in self._part.outside}
        taken = [*plain.values(), *(asked for asked, _ in self._adapted)]
        for name in measures:
            known = plain.get(name, name)
            yield (known if taken.count(known) == 1 else name), name

    def _renamed(self, scores: GivenScores) -> GivenScores:
        names = self._new_names(scores.file, scores.systems)
        return replace(scores, systems={names[name]: values for name, values in scores.systems.items()})

    def _new_names(self, where: str, systems: Iterable[str]) -> dict[str, str]:
        """What each system is called from now on."""
        names = new_names(where, systems, self._request.renamed)
        self.names.update(names)
        return names

    def _scored(self, testset: TestSet, judged: Sequence[str]) -> _Scored:
        """The texts of all systems, or of those that people judged, under all metrics."""
        metrics = list(dict.fromkeys(self._metrics))
        scoring = Scoring(metrics, keep_rows=not self._request.streaming, threads=self._request.threads)
        if scoring.learns and testset.references is not None:
            scoring.fit(testset.references())
        scored = _Scored(scoring, whole=not self._request.streaming)
        for block in testset.blocks():
            block.require_systems("score")
            of_judged = block if not judged else self._judged(testset, block, judged)
            corpus = block if self._keeps_unjudged else of_judged
            scored.counter.update(corpus)
            if self._listeners.segments is not None:
                self._listeners.segments(len(corpus), corpus.share_read)
            scored.keep(corpus)
            # Tokens take several times the memory of their text, so those of one piece go before the next one is cut.
            for piece in [corpus] if scoring.learns else corpus.pieces(BLOCK_SEGMENTS):
                rows = scoring.add(piece, self._request.targeted)
                self._tell_scores(testset, piece, metrics, rows)
        self._warnings += [*unnamed_language(metrics), *does_without(metrics), *(scoring.warnings or ())]
        if not scored.post_edited:
            self._warnings += without_post_edits(metrics, self._request.targeted)
        self._warnings += about_texts(scored.counter, metrics)
        return scored.finished(self._request.renamed)

    def _judged(self, testset: TestSet, corpus: Corpus, judged: Sequence[str]) -> Corpus:
        """The systems that people judged."""
        known = {new: name for name, new in self._new_names("the texts", corpus.systems).items()}
        looked_at = [name for name in judged if name in known or not is_human(name, self._humans)]
        remedy = ", by NAME=FILE or, in karat meta, by --rename TEXT=JUDGED"
        unjudged = unmatched("the texts", "system", list(known), looked_at or judged, str, remedy)
        self._unjudged += unjudged if testset.given is None else []
        if absent := [name for name in looked_at if name not in known]:
            message = (
                f"people judged {counted(len(looked_at), 'system')}, of which {len(absent):,} "
                f"{'has' if len(absent) == 1 else 'have'} no text here and no score under -m: {few(absent)}"
            )
            self._warnings.append(Diagnostic("systems-without-text", message))
        return corpus.select(systems=[known[name] for name in judged if name in known])

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
        """Say which systems of a file are left out, where texts or another file decide which are looked at."""
        for scores in outside:
            if extra := [name for name in scores.systems if name not in systems]:
                message = f"{scores.file} has {counted(len(extra), 'more system')}, left out: {few(extra)}"
                self._warnings.append(Diagnostic("outside-systems", message))

    def _tell_of_unjudged(self, judged: Sequence[str], outside: Sequence[GivenScores]) -> None:
        """Say which systems have texts or scores and are left out, for nobody judged them."""
        there = dict.fromkeys([*self._unjudged, *(name for scores in outside for name in scores.systems)])
        if extra := [name for name in there if name not in judged and not is_human(name, self._humans)]:
            left_out = f"{'is' if len(extra) == 1 else 'are'} left out"
            fate = "cannot be held against people" if self._keeps_unjudged else left_out
            message = f"{counted(len(extra), 'system')} that nobody judged {fate}: {few(extra)}"
            self._warnings.append(Diagnostic("unjudged-systems", message))


class _Scored:
    """What has been scored from texts so far."""

    def __init__(self, scoring: Scoring, *, whole: bool) -> None:
        self._scoring, self._whole = scoring, whole
        self._counts: dict[str, int] = {}
        self.counter = DiagnosticCounter()
        self.post_edited = False
        self.count = 0
        self.corpus: Corpus | None = None
        self.segments: Segments | None = None
        self.systems: tuple[str, ...] = ()
        self.measures: tuple[Measure, ...] = ()

    def keep(self, block: Corpus) -> None:
        """Take note of one more block; a corpus that is kept whole comes in one."""
        for name in block.systems:
            self._counts[name] = self._counts.get(name, 0) + len(block)
        self.count = max(self._counts.values())
        self.systems = tuple(self._counts)
        self.post_edited |= bool(block.targeted)
        if self._whole:
            self.corpus = block
            self.segments = Segments(block.segment_ids, block.documents, block.domains)

    def finished(self, renamed: Mapping[str, str]) -> _Scored:
        """The measures of all that was added, systems under the names that they have elsewhere."""
        self.measures = tuple(measure.renamed(renamed) for measure in self._scoring.measures())
        self.systems = tuple(renamed.get(name, name) for name in self.systems)
        self.segments = self.segments or Segments(())
        return self


def _systems(outside: Sequence[GivenScores]) -> tuple[str, ...]:
    return tuple(outside[0].systems) if outside else ()


def _finest(outside: Sequence[GivenScores]) -> list[GivenScores]:
    """Scores of whole documents as those of segments, where there are no others: a document is then a segment."""
    if any(scores.level == "segment" for scores in outside):
        return [*outside]
    return [replace(scores, level="segment") if scores.level == "document" else scores for scores in outside]


def _with_documents(segments: Segments, outside: Sequence[GivenScores]) -> Segments:
    """The segments with the documents that only a file of scores knows."""
    for scores in outside:
        theirs = {segment: document for document, segment in scores.units if document is not None}
        if scores.level == "segment" and set(theirs) == set(segments.ids) and len(theirs) == len(scores.units):
            return replace(segments, documents=tuple(theirs[segment] for segment in segments.ids))
    return segments
