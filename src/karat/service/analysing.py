"""Where and why systems differ: scores by kinds of segments, words, n-grams and errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.aligned import AlignedWords
from karat.analysis.buckets import Grouping, buckets
from karat.analysis.cells import distinct
from karat.analysis.ngrams import SELECTIONS, NgramChoice, Selection, ngrams
from karat.analysis.segment_kinds import (
    by_agreement,
    by_difficulty,
    by_labels,
    by_length,
    by_length_difference,
)
from karat.analysis.word_errors import word_errors
from karat.analysis.word_kinds import (
    by_case,
    by_frequency,
    by_function,
    by_number,
    by_punctuation,
    by_script,
)
from karat.analysis.words import Sorting, words
from karat.corpus import Diagnostic, split_language_pair
from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile
from karat.corpus.segment_labels import read_segment_labels
from karat.errors import InputError, MissingExtraError, MissingResourceError, SpecError
from karat.kernels import word_types
from karat.quick_dataclasses import dataclass
from karat.resources.functionwords import function_words
from karat.results.analyses import BucketsResult, ErrorsResult, NgramsResult, WordsResult
from karat.service.analysed_texts import Reading, Resamples, Texts
from karat.service.gathering import gather_one
from karat.service.listening import SILENT, Listeners
from karat.service.token_files import Named, of_tokens, token_sorting
from karat.text import default_tokenizer, tokenizer

if TYPE_CHECKING:
    from karat.corpus import Corpus
    from karat.evidence import Evidence
    from karat.service.inputs import Input
    from karat.service.requests import EvidenceRequest

__all__ = [
    "LEAST_OCCURRENCES",
    "LEAST_SEGMENTS",
    "LEAST_WORDS",
    "SEGMENT_KINDS",
    "SELECTIONS",
    "WORD_KINDS",
    "BucketsRequest",
    "ErrorsRequest",
    "NgramChoice",
    "NgramsRequest",
    "Selection",
    "WordsRequest",
    "analyse_buckets",
    "analyse_errors",
    "analyse_ngrams",
    "analyse_words",
    "buckets_of",
    "errors_of",
    "ngrams_of",
    "words_of",
]

SEGMENT_KINDS = (
    "source-length",
    "reference-length",
    "length-difference",
    "document",
    "domain",
    "agreement",
    "difficulty",
)
USUAL_SEGMENT_KINDS = tuple(kind for kind in SEGMENT_KINDS if kind != "document")
"""What segments are sorted by if nobody says; single documents tell little."""

WORD_KINDS = ("frequency", "case", "number", "punctuation", "script", "function")
LEAST_SEGMENTS, LEAST_WORDS, LEAST_OCCURRENCES = 30, 30, 10


@dataclass(frozen=True, kw_only=True)
class BucketsRequest:
    """Which metrics, and by which kinds of segments: all that apply if none is named.

    `labels` are files with a label per segment, or tables and a column of theirs.
    """

    evidence: EvidenceRequest
    by: tuple[str, ...] = ()
    labels: tuple[tuple[str, str | None], ...] = ()
    least: int = LEAST_SEGMENTS
    resamples: Resamples = field(default_factory=Resamples)
    reading: Reading = field(default_factory=Reading)


@dataclass(frozen=True, kw_only=True)
class WordsRequest:
    """By which kinds of words: all that apply if none is named; `frequencies` is a text to count words in."""

    texts: Input
    by: tuple[str, ...] = ()
    labels: Named = ()
    frequencies: str | None = None
    least: int = LEAST_WORDS
    resamples: Resamples = field(default_factory=Resamples)
    reading: Reading = field(default_factory=Reading)


@dataclass(frozen=True, kw_only=True)
class NgramsRequest:
    """Which n-grams, how many of them, and how they are ranked."""

    texts: Input
    choice: NgramChoice = field(default_factory=NgramChoice)
    least: int = LEAST_OCCURRENCES
    resamples: Resamples = field(default_factory=Resamples)
    reading: Reading = field(default_factory=Reading)


@dataclass(frozen=True, kw_only=True)
class ErrorsRequest:
    """Base forms and labels of tokens, by system and reference; `each_word` asks for the class of every word."""

    texts: Input
    base_forms: Named = ()
    labels: Named = ()
    each_word: bool = False
    least: int = LEAST_WORDS
    resamples: Resamples = field(default_factory=Resamples)
    reading: Reading = field(default_factory=Reading)


def analyse_buckets(request: BucketsRequest, listeners: Listeners = SILENT) -> BucketsResult:
    """Score systems on the segments of each kind."""
    evidence = gather_one(request.evidence, listeners)
    return buckets_of(request, evidence, texts_of(evidence, request.reading, request.resamples))


def texts_of(evidence: Evidence, reading: Reading, resamples: Resamples) -> Texts:
    """The texts that evidence was gathered from."""
    if evidence.corpus is None:
        raise InputError("segments are sorted by their texts: give references and systems")
    pair = evidence.language_pair
    language = split_language_pair(pair)[1] if pair else None
    return Texts.of(evidence.corpus, None, language, reading, resamples)


def buckets_of(request: BucketsRequest, evidence: Evidence, texts: Texts) -> BucketsResult:
    """The same of evidence that is there already."""
    groupings = [*_groupings(request, evidence, texts), *_labelled(request, len(texts.corpus))]
    if not groupings:
        raise InputError("there is nothing to sort segments by: name --by or --labels")
    analysis = buckets(evidence.measures, groupings, texts.subject(request.least), texts.resampler)
    return BucketsResult(buckets=analysis, warnings=(*evidence.warnings, *texts.warnings))


def _groupings(request: BucketsRequest, evidence: Evidence, texts: Texts) -> Iterator[Grouping]:
    """The kinds asked for, or all that these texts can be sorted by and that have more than one bucket."""
    for kind in request.by or (() if request.labels else USUAL_SEGMENT_KINDS):
        grouping = _grouping(kind, evidence, texts)
        if grouping is None:
            if request.by:
                raise InputError(f"--by {kind}: {_WANTING[kind]}")
        elif request.by or _sorts(grouping):
            yield grouping


_WANTING = {
    "source-length": "there is no source: add -s FILE",
    "document": "documents are not known: add --documents FILE",
    "domain": "domains are not known: add --documents FILE with the domain, a tab and the document on each line",
    "agreement": "there is one reference only: add more with -r",
}


def _sorts(grouping: Grouping) -> bool:
    return grouping.members is None or len(distinct(grouping.members)) > 1


def _grouping(kind: str, evidence: Evidence, texts: Texts) -> Grouping | None:
    """One way to sort segments; None where it takes what is not known."""
    corpus, segments, words_of = texts.corpus, evidence.segments, texts.numbered
    if kind == "source-length":
        return None if corpus.source is None else by_length(kind, _source_lengths(corpus))
    if kind == "reference-length":
        lengths = np.add.reduceat(np.diff(words_of.references.offsets), words_of.starts[:-1])
        return by_length(kind, lengths / np.diff(words_of.starts))
    if kind == "length-difference":
        return by_length_difference(words_of)
    if kind == "agreement":
        return None if np.diff(words_of.starts).max() < 2 else by_agreement(words_of)
    if kind == "difficulty":
        return by_difficulty(evidence.measures[0], tuple(corpus.systems))
    labels = segments.documents if kind == "document" else segments.domains
    return None if labels is None else by_labels(kind, labels)


def _source_lengths(corpus: Corpus) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Words of the source, by the tokenizer of its language."""
    assert corpus.source is not None
    name = default_tokenizer(corpus.source_language) if corpus.source_language else "13a"
    return np.diff(word_types(corpus.source.tokens(tokenizer(name))).offsets[0])


def _labelled(request: BucketsRequest, segments: int) -> Iterator[Grouping]:
    for path, column in request.labels:
        yield by_labels(column or InputFile(path).stem, read_segment_labels(path, column, segments))


def analyse_words(request: WordsRequest, listeners: Listeners = SILENT) -> WordsResult:  # noqa: ARG001
    """See which kinds of words systems get right."""
    texts, said = Texts.read(request.texts, request.reading, request.resamples)
    result = words_of(request, texts)
    return replace(result, warnings=(*said, *result.warnings))


def words_of(request: WordsRequest, texts: Texts) -> WordsResult:
    """The same of texts that are there already."""
    sortings, warnings = _sortings(request, texts)
    analysis = words(texts.aligned, sortings, texts.subject(request.least), texts.resampler)
    return WordsResult(words=analysis, warnings=(*texts.warnings, *warnings))


def _sortings(request: WordsRequest, texts: Texts) -> tuple[list[Sorting], list[Diagnostic]]:
    kinds = request.by or (() if request.labels else WORD_KINDS)
    if request.frequencies is not None and "frequency" not in kinds:
        raise InputError("--frequencies counts words for --by frequency, which was not asked for: add it")
    types = texts.numbered.types
    sortings: list[Sorting] = []
    warnings: list[Diagnostic] = []
    plain = {"case": by_case, "number": by_number, "punctuation": by_punctuation, "script": by_script}
    for kind in kinds:
        if kind == "frequency":
            sortings.append(_frequency(request, texts))
        elif kind == "function":
            listed = _function(texts, warnings, asked=bool(request.by))
            sortings += [] if listed is None else [listed]
        else:
            sorting = plain[kind](types)
            sortings += [sorting] if request.by or len(distinct(np.asarray(sorting.types))) > 1 else []
    if request.labels:
        sortings.append(token_sorting(request.labels, texts))
    return sortings, warnings


def _frequency(request: WordsRequest, texts: Texts) -> Sorting:
    """By counts in the references, or in a text that systems may have learnt from."""
    if request.frequencies is None:
        return by_frequency(texts.numbered)
    file = InputFile(request.frequencies)
    column = LineFile(file).rest()
    tokens = (column.lowered() if texts.reading.lowercase else column).tokens(tokenizer(texts.tokenize), texts.threads)
    counted = word_types(tokens, threads=texts.threads)
    if not counted.types:
        raise InputError(f"--frequencies {file.name}: there are no words in it to count")
    counts = dict(zip(counted.types, np.bincount(counted.ids[0], minlength=len(counted.types)).tolist(), strict=True))
    frequencies = np.array([counts.get(word, 0) for word in texts.numbered.types], dtype=np.int64)
    return by_frequency(texts.numbered, frequencies, file.name)


def _function(texts: Texts, warnings: list[Diagnostic], *, asked: bool) -> Sorting | None:
    language = texts.language
    if language is None:
        reason = "the language is not known, so there are no function words: name the languages with -l XX-YY"
    else:
        try:
            return by_function(texts.numbered.types, function_words(language))
        except (MissingResourceError, MissingExtraError, SpecError) as error:
            reason = str(error)
    if asked:
        raise InputError(f"--by function: {reason}")
    warnings.append(Diagnostic("function-words", reason))
    return None


def analyse_ngrams(request: NgramsRequest, listeners: Listeners = SILENT) -> NgramsResult:  # noqa: ARG001
    """Find the n-grams that stand out."""
    texts, said = Texts.read(request.texts, request.reading, request.resamples)
    result = ngrams_of(request, texts)
    return replace(result, warnings=(*said, *result.warnings))


def ngrams_of(request: NgramsRequest, texts: Texts) -> NgramsResult:
    """The same of texts that are there already."""
    smoothing = request.choice.smoothing
    if not (isfinite(smoothing) and smoothing > 0):
        raise InputError(f"--smoothing {smoothing:g}: give a number above 0")
    analysis = ngrams(
        texts.aligned, request.choice, texts.subject(request.least), texts.resampler, threads=texts.threads
    )
    return NgramsResult(ngrams=analysis, warnings=texts.warnings)


def analyse_errors(request: ErrorsRequest, listeners: Listeners = SILENT) -> ErrorsResult:  # noqa: ARG001
    """Sort the errors of words into classes."""
    texts, said = Texts.read(request.texts, request.reading, request.resamples)
    result = errors_of(request, texts)
    return replace(result, warnings=(*said, *result.warnings))


def errors_of(request: ErrorsRequest, texts: Texts) -> ErrorsResult:
    """The same of texts that are there already."""
    aligned, where, warnings = _with_bases(request, texts)
    labels = token_sorting(request.labels, texts) if request.labels else None
    subject = texts.subject(request.least)
    analysis = word_errors(aligned, subject, texts.resampler, base_forms=where, labels=labels)
    return ErrorsResult(errors=analysis, each_word=request.each_word, warnings=(*texts.warnings, *warnings))


def _with_bases(request: ErrorsRequest, texts: Texts) -> tuple[AlignedWords, str | None, list[Diagnostic]]:
    """Words marked by the base forms of files, else by stems, else by no base forms; and what is to be said of it."""
    if request.base_forms:
        return _bases_of_files(request.base_forms, texts), "files", []
    aligned, base_forms, obstacle = texts.stemmed
    if obstacle is None:
        return aligned, base_forms, []
    reason = f"{obstacle[:1].lower()}{obstacle[1:]}"
    message = f"there are no base forms, so wrong inflections count as lexical errors; {reason}"
    return aligned, None, [Diagnostic("base-forms", message)]


def _bases_of_files(given: Named, texts: Texts) -> AlignedWords:
    systems, references = of_tokens(given, texts, "base form")
    absent = [name for name in texts.corpus.systems if name not in systems]
    if references is None or absent:
        wanted = ", ".join([*absent, *(() if references else texts.corpus.references)])
        raise InputError(
            f"base forms of all systems and references are wanted: add --base-forms NAME=FILE for {wanted}"
        )
    numbers: dict[str, int] = {}

    def numbered_bases(forms: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        return np.array([numbers.setdefault(form, len(numbers)) for form in forms], dtype=np.int32)

    bases = {name: numbered_bases(forms) for name, forms in systems.items()}
    return texts.numbered.aligned(bases, numbered_bases(references), threads=texts.threads)
