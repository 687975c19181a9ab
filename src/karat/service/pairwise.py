"""Strings measured against each other: lists line by line, or systems segment by segment."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.analysis.similarity import PairSummary, usual_nearness
from karat.arguments import check_threads, shown
from karat.corpus import Diagnostic, References, is_streamable
from karat.corpus.files import InputFile, refuse_second_stdin
from karat.corpus.linefile import LineFile
from karat.corpus.parquet_stream import ParquetStream, parquet_stream
from karat.corpus.references import Fingerprint
from karat.engine.crossing import PAIRS_AT_ONCE, Crossing, check_utility, score_blocks
from karat.errors import InputError
from karat.metrics.framework.identification import identity
from karat.results.pairwise import ListSummary, NearPair, PairwiseResult, SystemPair
from karat.service.inputs import refuse_several
from karat.service.listening import SILENT, Listeners
from karat.service.utilities import fitting_metric, said_about, said_of_spaces
from karat.text import TextColumn, as_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Corpus
    from karat.identity import Identity
    from karat.metrics.base import Metric
    from karat.service.inputs import Input

PARQUET = ".parquet"


@dataclass(frozen=True, kw_only=True)
class MatrixOptions:
    """By which metric, which pairs are near, and where the matrix goes: to Parquet, all pairs or only those near.

    `near` is a score; without one it is four fifths of the metric's scale.
    """

    metric: str | Metric = "chrf"
    near: float | None = None
    matrix: str | None = None
    only_near: bool = False
    language_pair: str | None = None
    language: str | None = None
    threads: int | None = None

    def check(self) -> None:
        """Refuse what cannot be wanted."""
        check_threads(self.threads)
        if self.matrix is not None and not self.matrix.endswith(PARQUET):
            raise InputError(f"{self.matrix}: the matrix is written as Parquet: give it a name that ends in {PARQUET}")
        if self.only_near and self.matrix is None:
            raise InputError("only near pairs of which matrix? Name a file for it that ends in .parquet")
        if self.near is not None and not (isinstance(self.near, Real) and isfinite(self.near)):
            raise InputError(f"near is {shown(self.near)}: give a score of the metric")


@dataclass(frozen=True, kw_only=True)
class PairwiseRequest:
    """Every hypothesis against every reference, or the hypotheses against each other: files with a string per line."""

    hypotheses: str | TextColumn
    references: str | TextColumn | None = None
    options: MatrixOptions = field(default_factory=MatrixOptions)
    keep: bool = False


@dataclass(frozen=True, kw_only=True)
class SimilarityRequest:
    """The systems of a test set against each other, segment by segment."""

    texts: Input
    options: MatrixOptions = field(default_factory=MatrixOptions)


def compare_strings(request: PairwiseRequest, listeners: Listeners = SILENT) -> PairwiseResult:
    """Measure strings against each other, and tell how alike they are."""
    metric, near = _measure(request.options)
    columns = _columns(request)
    hypotheses, references = columns[0], columns[1] if len(columns) > 1 else None
    against = hypotheses if references is None else references
    said = said_of_spaces(metric, _single(against))
    summary = PairSummary(near, metric.higher_is_better, len(hypotheses), own=references is None)
    kept = np.empty((len(hypotheses), len(against))) if request.keep else None
    with ExitStack() as stack:
        out = _opened(stack, request.options, _LIST_COLUMNS)
        done = 0
        for block in score_blocks(metric, hypotheses, references, request.options.threads):
            is_near = summary.add(block.first_hypothesis, block.first_reference, block.scores)
            height, width = block.scores.shape
            if out is not None:
                chosen = is_near if request.options.only_near else np.ones((height, width), dtype=bool)
                out.write(_list_frame(block.first_hypothesis, block.first_reference, block.scores, chosen))
            if kept is not None:
                rows = slice(block.first_hypothesis, block.first_hypothesis + height)
                kept[rows, block.first_reference : block.first_reference + width] = block.scores
            done += height * width
            if listeners.pairs is not None:
                listeners.pairs(done, len(hypotheses) * len(against))
    return PairwiseResult(
        identity=_identity(metric, [_single(against)]),
        near=near,
        lists=_list_summary(summary, hypotheses, references),
        nearest=_nearest(summary, hypotheses, against),
        scores=kept,
        warnings=(*said_about(metric), *said, *_said_of_empty(columns)),
    )


def _measure(options: MatrixOptions) -> tuple[Metric, float]:
    """The metric, and which of its scores are near."""
    options.check()
    metric = fitting_metric(options.metric, options.language_pair, options.language)
    check_utility(metric)
    return metric, usual_nearness(metric) if options.near is None else options.near


def _columns(request: PairwiseRequest) -> list[TextColumn]:
    """The hypotheses, and the references if there are any."""
    given = [request.hypotheses, *([] if request.references is None else [request.references])]
    files = [InputFile.of(strings) for strings in given if isinstance(strings, str)]
    refuse_second_stdin(files)
    columns = [_read(strings) if isinstance(strings, str) else strings for strings in given]
    for column in columns:
        if not len(column):
            raise InputError("there is no string to compare: a list is empty")
    return columns


def _read(path: str) -> TextColumn:
    file = InputFile.of(path)
    if not is_streamable(path):
        raise InputError(f"{file.name} is not plain text: give a file with one string in each line")
    column = LineFile(file).rest()
    if not len(column):
        raise InputError(f"{file.name} is empty: it has no string to compare")
    return column


def _single(column: TextColumn) -> References:
    return References(column, np.arange(len(column) + 1, dtype=np.int64))


def _identity(metric: Metric, references: Iterable[References]) -> Identity:
    fingerprint = Fingerprint()
    for block in references:
        fingerprint.update(block)
    return _pairwise(identity(metric, fingerprint.mark()))


def _pairwise(known: Identity) -> Identity:
    """The identity of scores of single pairs, whatever the number of references."""
    return replace(known, signature=known.signature.with_details(pairs="all"))


def _list_summary(summary: PairSummary, hypotheses: TextColumn, references: TextColumn | None) -> ListSummary:
    extremes = summary.extremes()
    return ListSummary(
        hypotheses=len(hypotheses),
        references=None if references is None else len(references),
        different=len(set(hypotheses)),
        pairs=summary.pairs,
        mean=None if extremes is None else extremes.mean,
        lowest=None if extremes is None else extremes.lowest,
        highest=None if extremes is None else extremes.highest,
        closest=summary.mean_of_closest(),
        near_pairs=summary.near_pairs,
        near_hypotheses=int(summary.has_near.sum()),
    )


def _nearest(summary: PairSummary, hypotheses: TextColumn, references: TextColumn) -> tuple[NearPair, ...]:
    return tuple(
        NearPair(row + 1, column + 1, score, hypotheses[row] == references[column], hypotheses[row], references[column])
        for row, column, score in summary.nearest()
    )


def _said_of_empty(columns: Iterable[TextColumn]) -> tuple[Diagnostic, ...]:
    count = sum(column.empty_count() for column in columns)
    if not count:
        return ()
    what = "1 string holds" if count == 1 else f"{count} strings hold"
    return (Diagnostic("empty", f"{what} nothing but white space: their scores say little of texts"),)


def compare_systems_pairwise(request: SimilarityRequest, listeners: Listeners = SILENT) -> PairwiseResult:
    """Measure the systems of a test set against each other in every segment, and tell how alike they are."""
    metric, near = _measure(request.options)
    testsets = request.texts.testsets(whole=False)
    refuse_several([testset.name for testset in testsets])
    systems: _Systems | None = None
    with ExitStack() as stack:
        out = _opened(stack, request.options, _SYSTEM_COLUMNS)
        for block in testsets[0].blocks():
            systems = systems or _Systems(metric, near, tuple(block.systems), request.options)
            systems.add(block, out)
            if listeners.segments is not None:
                listeners.segments(len(block), block.share_read)
    if systems is None:
        raise InputError("there is no segment to compare systems in")
    return systems.result()


class _Systems:
    """What has been added up about the systems of a test set."""

    def __init__(self, metric: Metric, near: float, names: tuple[str, ...], options: MatrixOptions) -> None:
        if len(names) < 2:
            raise InputError("one system has no other to be compared with: name two or more")
        self._metric, self._near, self._names, self._options = metric, near, names, options
        count = len(names)
        self._sums: NDArray[np.float64] = np.zeros((count, count, len(metric.columns)))
        self._totals: NDArray[np.float64] = np.zeros((count, count))
        self._near_segments: NDArray[np.int64] = np.zeros((count, count), dtype=np.int64)
        self._equal: NDArray[np.int64] = np.zeros((count, count), dtype=np.int64)
        self._segments = 0
        self._fingerprint = Fingerprint()
        self._said: tuple[Diagnostic, ...] | None = None

    def add(self, block: Corpus, out: ParquetStream | None) -> None:
        """Measure all systems against each other in the segments of a block."""
        columns = [block.systems[name] for name in self._names]
        count = len(columns)
        if self._said is None:
            self._said = said_of_spaces(self._metric, _single(columns[0]))
        self._add_equal(columns)
        some = max(1, PAIRS_AT_ONCE // count**2)
        for start in range(0, len(block), some):
            stop = min(start + some, len(block))
            strings = TextColumn.interleave([column[start:stop] for column in columns])
            groups = np.arange(0, count * (stop - start) + 1, count, dtype=np.int64)
            self._fingerprint.update(References(strings, groups))
            crossing = Crossing(self._metric, strings, groups, self._options.threads)
            ends = groups[:-1, np.newaxis] + np.array([0, count, 0, count])
            self._add_rows(crossing.rows(ends.astype(np.int64)), block.first_segment + start, out)

    def _add_rows(self, rows: NDArray[np.float64], first_segment: int, out: ParquetStream | None) -> None:
        count = len(self._names)
        cube = rows.reshape(-1, count, count, rows.shape[-1])
        scores = self._metric.aggregate(cube)
        is_near = scores >= self._near if self._metric.higher_is_better else scores <= self._near
        self._sums += cube.sum(axis=0)
        self._totals += scores.sum(axis=0)
        self._near_segments += is_near.sum(axis=0)
        self._segments += len(scores)
        if out is not None:
            chosen = is_near & ~np.eye(count, dtype=bool) if self._options.only_near else np.ones_like(is_near)
            out.write(_system_frame(first_segment, self._names, scores, chosen))

    def _add_equal(self, columns: list[TextColumn]) -> None:
        for i, column in enumerate(columns):
            for j, other in enumerate(columns):
                self._equal[i, j] += column.equal_rows(other)

    def result(self) -> PairwiseResult:
        """Every pair of different systems."""
        count = len(self._names)
        scores = self._metric.aggregate(self._sums)
        pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
        systems = tuple(
            SystemPair(
                self._names[i],
                self._names[j],
                float(scores[i, j]),
                float(self._totals[i, j] / self._segments),
                int(self._near_segments[i, j]),
                int(self._equal[i, j]),
            )
            for i, j in pairs
        )
        return PairwiseResult(
            identity=_pairwise(identity(self._metric, self._fingerprint.mark())),
            near=self._near,
            systems=systems,
            segments=self._segments,
            diversity=float(np.mean([pair.mean_of_segments for pair in systems])),
            warnings=(*said_about(self._metric), *(self._said or ())),
        )


_LIST_COLUMNS = {"hypothesis": "UInt32", "reference": "UInt32", "score": "Float64"}
_SYSTEM_COLUMNS = {"segment": "UInt32", "hypothesis": "String", "reference": "String", "score": "Float64"}


def _opened(stack: ExitStack, options: MatrixOptions, columns: Mapping[str, str]) -> ParquetStream | None:
    """The Parquet file that takes the matrix, if one is wanted."""
    if options.matrix is None:
        return None
    import polars

    schema = {name: getattr(polars, kind) for name, kind in columns.items()}
    return stack.enter_context(parquet_stream(options.matrix, schema))


def _list_frame(first: int, first_reference: int, scores: NDArray[np.float64], chosen: NDArray[np.bool_]) -> Any:
    """The chosen pairs of a block, by lines from 1."""
    import polars as pl

    row, column = np.nonzero(chosen)
    return pl.DataFrame(
        {
            "hypothesis": (first + 1 + row).astype(np.uint32),
            "reference": (first_reference + 1 + column).astype(np.uint32),
            "score": scores[row, column],
        }
    )


def _system_frame(
    first_segment: int, names: tuple[str, ...], scores: NDArray[np.float64], chosen: NDArray[np.bool_]
) -> Any:
    import polars as pl

    segment, row, column = np.nonzero(chosen)
    called = pl.Series(names, dtype=pl.String)
    return pl.DataFrame(
        {
            "segment": (first_segment + segment).astype(np.uint32),
            "hypothesis": called.gather(row),
            "reference": called.gather(column),
            "score": scores[segment, row, column],
        }
    )


def pairwise(
    hypotheses: Iterable[str],
    references: Iterable[str] | None = None,
    metric: str | Metric = "chrf",
    *,
    near: float | None = None,
    language: str | None = None,
    threads: int | None = None,
) -> PairwiseResult:
    """Every hypothesis against every reference, or the hypotheses against each other; `scores` is the matrix.

    >>> import karat
    >>> found = karat.pairwise(["a cat", "a dog"], ["a cat", "the cat", "a bird"], "chrf")
    >>> found.scores.round(1).tolist()
    [[100.0, 31.2, 5.2], [6.2, 4.5, 10.4]]
    """
    result = compare_strings(
        PairwiseRequest(
            hypotheses=as_column(hypotheses),
            references=None if references is None else as_column(references),
            options=MatrixOptions(metric=metric, near=near, language=language, threads=threads),
            keep=True,
        )
    )
    for diagnostic in result.warnings:
        warnings.warn(diagnostic.message, stacklevel=2)
    return result
