"""Scores of hypotheses against references that are strings of one group: all with all, in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.corpus.references import References
from karat.errors import SpecError
from karat.text import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.base import Metric
    from karat.metrics.framework.crossing import CrossedStrings

PAIRS_AT_ONCE = 1 << 16
"""Pairs whose rows are held at once: some ten megabytes."""
BAND_SCORES = 1 << 20
"""Scores that are held at once: 8 MB, and some copies of them."""
HELD_BYTES = 4 << 20
"""Text whose statistics are held at once: those of n-grams take about fifty times as much memory."""


def check_utility(metric: Metric) -> None:
    """Refuse a metric that cannot tell what one string is worth beside another."""
    if metric.context_key is not None:
        raise SpecError(
            f"{metric.name} learns how n-grams count from a whole set of references, so two strings by themselves have "
            "no score: take a metric that scores every segment by itself, such as chrf"
        )
    if metric.wants != {"references"} or metric.given_layers:
        wanted = " and ".join(sorted(metric.wants) if not metric.given_layers else ["annotations"])
        raise SpecError(f"{metric.name} measures with {wanted}, not against any other string: take chrf or ter")


class Crossing:
    """Strings of some groups, each read once, and the rows of whatever pairs of them are asked for.

    A rectangle is (first hypothesis, after the last, first reference, after the last), all strings of one group. Its
    pairs come row by row, a row for each hypothesis.
    """

    def __init__(
        self, metric: Metric, strings: TextColumn, groups: NDArray[np.int64], threads: int | None = None
    ) -> None:
        check_utility(metric)
        self.metric = metric
        self._threads = threads
        self._crossed = metric.crossing(strings, groups, threads) if _has_own_kernel(metric) else None
        self._texts = strings.to_list() if self._crossed is None else []

    def rows(self, rectangles: NDArray[np.int64]) -> NDArray[np.float64]:
        """The row of every pair, one rectangle after the other."""
        if self._crossed is None:
            return self._rows_one_by_one(rectangles)
        return self._finished(self._crossed, kernels.crossed_rows(self._crossed.native, rectangles, self._threads))

    def scores(self, rectangles: NDArray[np.int64]) -> NDArray[np.float64]:
        """The score of every pair, one rectangle after the other."""
        sizes = (rectangles[:, 1] - rectangles[:, 0]) * (rectangles[:, 3] - rectangles[:, 2])
        scores = np.empty(int(sizes.sum()))
        done = 0
        for piece in _pieces(rectangles):
            part = self.metric.aggregate(self.rows(piece))
            scores[done : done + len(part)] = part
            done += len(part)
        return scores

    def scores_against_mean(self, rectangles: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The score of every hypothesis against the mean of the counts of its references, each with its weight."""
        if self._crossed is None or not self._crossed.averages:
            raise SpecError(
                f"the references of {self.metric.name} cannot be averaged: take bleu or chrf, which count n-grams"
            )
        rows = kernels.mean_rows(self._crossed.native, rectangles, weights, self._threads)
        return self.metric.aggregate(self._finished(self._crossed, rows))

    def _finished(self, crossed: CrossedStrings, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(crossed.finish(rows), dtype=np.float64)

    def _rows_one_by_one(self, rectangles: NDArray[np.int64]) -> NDArray[np.float64]:
        """Each pair as a segment of its own."""
        hypotheses: list[str] = []
        references: list[str] = []
        for first, last, first_reference, last_reference in rectangles.tolist():
            against = self._texts[first_reference:last_reference]
            for text in self._texts[first:last]:
                hypotheses += [text] * len(against)
                references += against
        prepared = self.metric.prepare(References.of(references), self._threads)
        return np.asarray(prepared.values(TextColumn.of(hypotheses)), dtype=np.float64)


def _has_own_kernel(metric: Metric) -> bool:
    """Whether its crossing is about the rows that it has, not about those of a metric that it is derived from."""
    classes = type(metric).__mro__
    return next(c for c in classes if "crossing" in vars(c)) is next(c for c in classes if "row_function" in vars(c))


def _pieces(rectangles: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The rectangles in order, cut and put together to some ten thousand pairs each."""
    waiting: list[tuple[int, int, int, int]] = []
    pairs = 0
    for first, last, first_reference, last_reference in rectangles.tolist():
        width = last_reference - first_reference
        while first < last:
            if pairs and pairs + width > PAIRS_AT_ONCE:
                yield np.array(waiting, dtype=np.int64)
                waiting, pairs = [], 0
            end = min(last, first + max(1, (PAIRS_AT_ONCE - pairs) // width))
            waiting.append((first, end, first_reference, last_reference))
            pairs += (end - first) * width
            first = end
    if waiting:
        yield np.array(waiting, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ScoreBlock:
    """The scores of some hypotheses (rows) against some references (columns), and the places of the first of each."""

    first_hypothesis: int
    first_reference: int
    scores: NDArray[np.float64]


def score_blocks(
    metric: Metric, hypotheses: TextColumn, references: TextColumn | None, threads: int | None = None
) -> Iterator[ScoreBlock]:
    """Every hypothesis against every reference, or a list of strings against itself where there are no references.

    While their text has at most 4 MiB, blocks are whole rows in order; longer lists are cut into parts, and go part by
    part. Memory does not grow with the number of pairs.
    """
    own = references is None
    others = hypotheses if references is None else references
    whole = _bytes_of(hypotheses) + (0 if own else _bytes_of(others)) <= HELD_BYTES
    for rows in [(0, len(hypotheses))] if whole else _parts(hypotheses):
        for columns in [(0, len(others))] if whole else _parts(others):
            yield from _part_blocks(metric, hypotheses, rows, others, columns, threads, same=own and rows == columns)


def _part_blocks(
    metric: Metric,
    hypotheses: TextColumn,
    rows: tuple[int, int],
    references: TextColumn,
    columns: tuple[int, int],
    threads: int | None,
    *,
    same: bool,
) -> Iterator[ScoreBlock]:
    """The scores of a part of the hypotheses against a part of the references, some rows at a time."""
    own, height, width = hypotheses[slice(*rows)], rows[1] - rows[0], columns[1] - columns[0]
    strings = own if same else TextColumn.concat([own, references[slice(*columns)]])
    start = 0 if same else height
    crossing = Crossing(metric, strings, np.array([0, len(strings)], dtype=np.int64), threads)
    deep = max(1, BAND_SCORES // width)
    for first in range(0, height, deep):
        last = min(first + deep, height)
        scores = _band(crossing, (first, last), (start, start + width))
        yield ScoreBlock(rows[0] + first, columns[0], scores)


def _band(crossing: Crossing, rows: tuple[int, int], columns: tuple[int, int]) -> NDArray[np.float64]:
    """Some rows of scores, made of squares of pairs, for a table of references serves many hypotheses."""
    side = int(PAIRS_AT_ONCE**0.5)
    height = max(side, PAIRS_AT_ONCE // (columns[1] - columns[0]))
    scores = np.empty((rows[1] - rows[0], columns[1] - columns[0]))
    for top in range(rows[0], rows[1], height):
        bottom = min(top + height, rows[1])
        step = max(1, PAIRS_AT_ONCE // (bottom - top))
        for left in range(columns[0], columns[1], step):
            right = min(left + step, columns[1])
            part = crossing.scores(np.array([[top, bottom, left, right]], dtype=np.int64))
            place = slice(top - rows[0], bottom - rows[0]), slice(left - columns[0], right - columns[0])
            scores[place] = part.reshape(bottom - top, right - left)
    return scores


def _bytes_of(column: TextColumn) -> int:
    return len(column.native.arena())


def _parts(column: TextColumn) -> list[tuple[int, int]]:
    """Ranges of strings of about a quarter of the text that may be held, so that two of them may."""
    offsets = np.frombuffer(column.native.offsets(), dtype=np.int64)
    part = (offsets[:-1] - offsets[0]) // (HELD_BYTES // 4)
    cuts = np.flatnonzero(np.diff(part)) + 1
    bounds = [0, *cuts.tolist(), len(column)]
    return list(pairwise(bounds))
