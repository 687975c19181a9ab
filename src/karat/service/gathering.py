"""The one way up: texts scored, scores of others read, judgements of people beside them, over the same segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic, DiagnosticCounter
from karat.engine import Scoring
from karat.errors import InputError, did_you_mean
from karat.evidence import Evidence, Measure, Segments, is_human
from karat.scores import SegmentScores
from karat.service.aligning import counted, few, frame_of, measures_of, new_names, segments_of, unmatched
from karat.service.choices import available, choices, does_without
from karat.service.given_scores import read_given_scores
from karat.service.inputs import unnamed_language
from karat.service.listening import SILENT, Listeners
from karat.text import default_tokenizer

if TYPE_CHECKING:
    from karat.corpus import Corpus, Targeted
    from karat.corpus.given_scores import GivenScores
    from karat.metrics.base import Metric
    from karat.rows import Values
    from karat.service.inputs import Input, TestSet


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

    `criteria` chooses among what ratings in files of `scores` are about; all if it is empty. `only` keeps the lines of
    these that have such values, and is None where there is no way to say so. `systems` are those to be
    kept of the files of scores, where there are no texts; all of them if it is empty. `testsets` chooses among several.
    With `streaming`, files of any size are read block by block where that is possible; what is kept then are sums, of
    which no test can be made.
    """

    texts: Input | None = None
    metrics: tuple[str | Metric, ...] = ()
    scores: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    only: Mapping[str, str] | None = None
    systems: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    targeted: Targeted = "never"
    streaming: bool = False
    gold: GoldRequest | None = None
    humans: tuple[str, ...] = ()
    testsets: tuple[str, ...] = ()
    threads: int | None = None


def gather(request: EvidenceRequest, listeners: Listeners = SILENT) -> tuple[Evidence, ...]:
    """The evidence of each test set: those of the texts, or else those that files of scores name."""
    outside, said = _outside(request)
    parts = _parts(request, outside)
    asked, left_out = available(choices(request.metrics), [part.testset for part in parts])
    gatherings = [_Gathering(request, part, asked, listeners) for part in parts]
    first, *others = [gathering.evidence() for gathering in gatherings]
    _refuse_unknown_names(request.renamed, {name for gathering in gatherings for name in gathering.names})
    return _said_once([replace(first, warnings=(*left_out, *said, *first.warnings)), *others])


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


def gather_one(request: EvidenceRequest, listeners: Listeners = SILENT) -> Evidence:
    """The evidence of the one test set there is."""
    gathered = gather(request, listeners)
    if len(gathered) > 1:
        names = ", ".join(evidence.testset or "" for evidence in gathered)
        raise InputError(f"there are {len(gathered)} test sets ({names}): this takes one at a time; use --testset")
    return gathered[0]


@dataclass(frozen=True)
class _Part:
    """A test set, by its texts where there are any, and the scores that files have on it."""

    testset: TestSet | None
    outside: tuple[GivenScores, ...]
    name: str | None


def _outside(request: EvidenceRequest) -> tuple[list[GivenScores], list[Diagnostic]]:
    """The scores of all files, and what is to be said about how they were read."""
    outside: list[GivenScores] = []
    said: list[Diagnostic] = []
    for path in request.scores:
        scores, warnings = read_given_scores(path, criteria=request.criteria, only=request.only)
        outside += scores
        said += warnings
    return outside, said


def _parts(request: EvidenceRequest, outside: Sequence[GivenScores]) -> list[_Part]:
    """The test sets asked for, each with its own share of the scores that came from elsewhere."""
    named = tuple(dict.fromkeys(scores.testset for scores in outside))
    if request.texts is None:
        return _parts_of_scores(request, outside, named)
    testsets = _chosen(request, request.texts)
    if not request.streaming:
        testsets = [_with_language(testset) for testset in testsets]
    if len(testsets) == 1 and len(named) <= 1:
        return [_Part(testsets[0], tuple(outside), testsets[0].name)]
    _refuse_unnamed(named)
    return [_Part(testset, _on(testset.name, outside), testset.name) for testset in testsets]


def _parts_of_scores(
    request: EvidenceRequest, outside: Sequence[GivenScores], named: tuple[str | None, ...]
) -> list[_Part]:
    if request.testsets and not any(named):
        raise InputError(_one_testset_only(request))
    for name in request.testsets:
        if name not in named:
            raise InputError(f"there is no test set {name!r}.{did_you_mean(name, filter(None, named))}")
    if len(named) <= 1:
        return [_Part(None, tuple(outside), None)]
    _refuse_unnamed(named)
    return [_Part(None, _on(name, outside), name) for name in request.testsets or named]


def _refuse_unnamed(named: tuple[str | None, ...]) -> None:
    if None in named:
        raise InputError(
            "scores cannot be told to belong to one of several test sets: name it in a column testset, or choose one "
            "with --testset"
        )


def _on(testset: str | None, outside: Sequence[GivenScores]) -> tuple[GivenScores, ...]:
    """The scores on one test set, which every file must have."""
    for file in dict.fromkeys(scores.file for scores in outside):
        if all(scores.testset != testset for scores in outside if scores.file == file):
            raise InputError(f"{file} has no scores on the test set {testset}: leave one of them out")
    return tuple(scores for scores in outside if scores.testset == testset)


def _chosen(request: EvidenceRequest, texts: Input) -> list[TestSet]:
    """The test sets asked for."""
    testsets = texts.testsets(whole=not request.streaming, twice=request.streaming and _learns(request.metrics))
    if request.testsets and not any(testset.name for testset in testsets):
        raise InputError(_one_testset_only(request))
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


def _one_testset_only(request: EvidenceRequest) -> str:
    return f"--testset {request.testsets[0]}: the input has one test set only; leave --testset out"


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

    def __init__(self, request: EvidenceRequest, part: _Part, asked: Sequence[Metric], listeners: Listeners) -> None:
        self._request, self._part, self._listeners = request, part, listeners
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
        gold = self._gold() if directory is None else directory.judgements
        outside = [*([] if directory is None else directory.metrics), *self._part.outside]
        gold, outside = [self._renamed(scores) for scores in gold], [self._renamed(scores) for scores in outside]
        if testset is None and not gold:
            outside = _finest(outside)
        judged = tuple(dict.fromkeys(name for scores in gold for name in scores.systems))
        self._humans = (*(() if directory is None else directory.humans), *request.humans)
        scored = self._scored(testset, judged) if testset is not None and self._metrics else None
        systems = judged or (scored.systems if scored else ()) or request.systems or _systems(outside)
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

    def _adapted_outside(self, measures: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Measures of files by their plain names, as they go by on other test sets, where these are clear."""
        plain = {scores.name: scores.metric or scores.name for scores in self._part.outside}
        taken = [*plain.values(), *(asked for asked, _ in self._adapted)]
        for name in measures:
            known = plain.get(name, name)
            yield (known if taken.count(known) == 1 else name), name

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

    def _renamed(self, scores: GivenScores) -> GivenScores:
        names = self._new_names(scores.file, scores.systems)
        return replace(scores, systems={names[name]: of for name, of in scores.systems.items()})

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
            corpus = block if not judged else self._judged(testset, block, judged)
            scored.counter.update(corpus)
            if self._listeners.segments is not None:
                self._listeners.segments(len(corpus))
            rows = scoring.add(corpus, self._request.targeted)
            scored.keep(corpus)
            self._tell_scores(testset, corpus, metrics, rows)
        self._warnings += [*unnamed_language(metrics), *does_without(metrics), *(scoring.warnings or ())]
        about_texts = scored.counter.warnings()
        self._warnings += [one for one in about_texts if one.code != "tokenized" or not _expect_tokens(metrics)]
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
            verb = "is" if len(extra) == 1 else "are"
            message = f"{counted(len(extra), 'system')} that nobody judged {verb} left out: {few(extra)}"
            self._warnings.append(Diagnostic("unjudged-systems", message))


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


def _expect_tokens(metrics: Sequence[Metric]) -> bool:
    """Whether specs say that texts are tokenised already, and no metric would tokenise them again."""
    tokenizers = [getattr(metric, "tokenize", "none") for metric in metrics]
    return set(tokenizers) == {"none"} and any("tokenize" in metric.given for metric in metrics)


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
