"""The expected utility of every hypothesis of a segment, by one of several strategies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.corpus.references import References
from karat.decoding.expectation import DifferentTexts, weighted_mean
from karat.decoding.pruning import Pruning, survivors
from karat.engine.crossing import BAND_SCORES, HELD_BYTES, Crossing
from karat.text import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.base import Metric

Strategy = Literal["exact", "aggregate", "prune"]
STRATEGIES: tuple[Strategy, ...] = ("exact", "aggregate", "prune")


@dataclass(frozen=True, eq=False)
class ListTask:
    """The hypotheses of a segment, and the pseudo-references that each is measured against, with their weights.

    Without `references` these are the hypotheses themselves. `number` is that of the segment.
    """

    number: int
    hypotheses: DifferentTexts
    weights: NDArray[np.float64]
    references: DifferentTexts | None = None

    @property
    def strings(self) -> tuple[str, ...]:
        """All texts, the pseudo-references last."""
        return self.hypotheses.texts + (() if self.references is None else self.references.texts)

    def rectangle(self, start: int) -> tuple[int, int, int, int]:
        """Where hypotheses and pseudo-references stand in a column in which the strings begin at a place."""
        own, whole = start + len(self.hypotheses.texts), start + len(self.strings)
        return start, own, start if self.references is None else own, whole

    @property
    def pairs(self) -> int:
        """How many scores it takes."""
        return len(self.hypotheses.texts) * len(self.weights)


@dataclass(frozen=True, kw_only=True)
class Decoder:
    """How expected utilities are found; `pruning` says how, where hypotheses are dropped early."""

    metric: Metric
    strategy: Strategy = "exact"
    pruning: Pruning = field(default_factory=Pruning)
    threads: int | None = None

    def utilities(self, tasks: Iterable[ListTask]) -> Iterator[NDArray[np.float64]]:
        """The expected utility of each different hypothesis of every task; NaN where it was dropped."""
        if self.strategy == "prune":
            yield from (self._pruned(task) for task in tasks)
            return
        for batch in _batches(tasks):
            crossing, rectangles = self._crossing(batch)
            weights = [task.weights for task in batch]
            if self.strategy == "aggregate":
                utilities = crossing.scores_against_mean(rectangles, np.concatenate(weights))
            else:
                utilities = np.concatenate(list(_expected(crossing, rectangles, weights)))
            yield from np.split(utilities, np.cumsum(rectangles[:, 1] - rectangles[:, 0])[:-1])

    def _crossing(self, batch: Sequence[ListTask]) -> tuple[Crossing, NDArray[np.int64]]:
        ends = np.cumsum([0, *(len(task.strings) for task in batch)], dtype=np.int64)
        strings = TextColumn.of([text for task in batch for text in task.strings])
        rectangles = [task.rectangle(int(start)) for task, start in zip(batch, ends[:-1], strict=True)]
        return Crossing(self.metric, strings, ends, self.threads), np.array(rectangles, dtype=np.int64)

    def _pruned(self, task: ListTask) -> NDArray[np.float64]:
        """The utilities of those that are left; the references are taken in random order."""
        rng = self.pruning.generator(task.number)
        measured = task.hypotheses if task.references is None else task.references
        order = rng.permutation(len(measured.number))
        shuffled = DifferentTexts.of([measured.texts[measured.number[place]] for place in order])
        drawn = ListTask(task.number, task.hypotheses, shuffled.counts, shuffled)
        sign = 1.0 if self.metric.higher_is_better else -1.0
        crossing, (rectangle,) = self._crossing([drawn])
        known = _KnownScores(crossing, rectangle)

        def measure(left: NDArray[np.intp], start: int, stop: int) -> NDArray[np.float64]:
            return sign * known.of(left, shuffled.number[start:stop])

        left, _ = survivors(measure, len(task.hypotheses.texts), len(order), self.pruning, rng)
        utilities = np.full(len(task.hypotheses.texts), np.nan)
        utilities[left] = weighted_mean(known.of(left, np.arange(len(shuffled.texts))), shuffled.counts)
        return utilities


class _KnownScores:
    """Scores of one rectangle, each found when it is first asked for."""

    def __init__(self, crossing: Crossing, rectangle: NDArray[np.int64]) -> None:
        self._crossing = crossing
        first, last, first_reference, last_reference = rectangle.tolist()
        self._corner = first, first_reference
        self._scores = np.full((last - first, last_reference - first_reference), np.nan)

    def of(self, hypotheses: NDArray[np.intp], references: NDArray[np.intp]) -> NDArray[np.float64]:
        """The scores of some hypotheses against some references."""
        wanted = np.isnan(self._scores[np.ix_(hypotheses, np.unique(references))])
        columns = np.unique(references)[wanted.any(axis=0)]
        if len(columns):
            self._find(hypotheses, columns)
        return np.asarray(self._scores[np.ix_(hypotheses, references)])

    def _find(self, hypotheses: NDArray[np.intp], references: NDArray[np.intp]) -> None:
        """Runs of neighbours are rectangles."""
        row, column = self._corner
        places = [(rows, columns) for rows in _runs(hypotheses) for columns in _runs(references)]
        rectangles = [(row + a, row + b, column + c, column + d) for (a, b), (c, d) in places]
        scores = self._crossing.scores(np.array(rectangles, dtype=np.int64))
        done = 0
        for (a, b), (c, d) in places:
            size = (b - a) * (d - c)
            self._scores[a:b, c:d] = scores[done : done + size].reshape(b - a, d - c)
            done += size


def _runs(places: NDArray[np.intp]) -> list[tuple[int, int]]:
    """Ranges that cover rising numbers.

    >>> _runs(np.array([0, 1, 4]))
    [(0, 2), (4, 5)]
    """
    cuts = np.flatnonzero(np.diff(places) > 1) + 1
    return [(int(run[0]), int(run[-1]) + 1) for run in np.split(places, cuts)]


def _batches(tasks: Iterable[ListTask]) -> Iterator[list[ListTask]]:
    """Tasks that are worked on together: as many as may be held at once, and one at least."""
    batch: list[ListTask] = []
    pairs = size = 0
    for task in tasks:
        more = sum(map(len, task.strings))
        if batch and (pairs + task.pairs > BAND_SCORES or size + more > HELD_BYTES):
            yield batch
            batch, pairs, size = [], 0, 0
        batch.append(task)
        pairs, size = pairs + task.pairs, size + more
    if batch:
        yield batch


def _expected(
    crossing: Crossing, rectangles: NDArray[np.int64], weights: Sequence[NDArray[np.float64]]
) -> Iterator[NDArray[np.float64]]:
    """The expected utilities of the hypotheses of each rectangle; a large one is taken some rows at a time."""
    if len(rectangles) > 1:
        sizes = (rectangles[:, 1] - rectangles[:, 0]) * (rectangles[:, 3] - rectangles[:, 2])
        for scores, shares in zip(np.split(crossing.scores(rectangles), np.cumsum(sizes)[:-1]), weights, strict=True):
            yield weighted_mean(scores.reshape(-1, len(shares)), shares)
        return
    ((first, last, first_reference, last_reference),) = rectangles.tolist()
    deep = max(1, BAND_SCORES // (last_reference - first_reference))
    for start in range(first, last, deep):
        band = np.array([[start, min(start + deep, last), first_reference, last_reference]], dtype=np.int64)
        yield weighted_mean(crossing.scores(band).reshape(-1, last_reference - first_reference), weights[0])


def reranked(
    metric: Metric, lists: Sequence[DifferentTexts], references: References, threads: int | None = None
) -> Iterator[NDArray[np.float64]]:
    """The score of each different hypothesis against the references that its segment has."""
    bounds = references.offsets.tolist()
    texts = references.column.to_list()
    of_segments = [texts[start:end] for start, end in pairwise(bounds)]
    repeated = [
        alternatives for different, alternatives in zip(lists, of_segments, strict=True) for _ in different.texts
    ]
    hypotheses = TextColumn.of([text for different in lists for text in different.texts])
    scores = metric.prepare(References.of(repeated), threads).rows(hypotheses).unit_scores()
    yield from np.split(scores, np.cumsum([len(different.texts) for different in lists])[:-1])
