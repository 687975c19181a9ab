"""One task: what people said about some systems, and what measures say, at every level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from karat.evidence import is_human

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.evidence import Evidence, Level, Measure, Segments
    from karat.rows import Rows

    Floats = NDArray[np.float64]
    Labels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Task:
    """Judgements (`gold`) and metrics of the same systems over the same segments.

    Scores of documents and domains that no file gives are made of the rows of the segments that people judged. `asked`
    has what a metric was called before its parameters were fitted to the language. The `standard_reference` is what
    metrics are scored against: people may have judged it, and metrics have nothing to say of it.
    """

    gold: Measure
    metrics: tuple[Measure, ...]
    systems: tuple[str, ...]
    segments: Segments
    humans: tuple[str, ...] = ()
    testset: str | None = None
    language_pair: str | None = None
    subset: str | None = None
    standard_reference: str | None = None
    asked: Mapping[str, str] = field(default_factory=dict)
    _tables: dict[tuple[int, Level], Floats | None] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, evidence: Evidence, gold: Measure | None = None) -> Task:
        """The task of evidence that has judgements, by the only one of them unless another is named."""
        return cls(
            gold=evidence.gold if gold is None else gold,
            metrics=evidence.measures,
            systems=evidence.systems,
            segments=evidence.segments,
            humans=tuple(name for name in evidence.systems if is_human(name, evidence.humans)),
            testset=evidence.testset,
            language_pair=evidence.language_pair,
            standard_reference=evidence.standard_reference,
            asked={own: asked for asked, own in evidence.adapted},
        )

    @property
    def label(self) -> str:
        """The task's name in tables."""
        return task_label(self.testset or self.language_pair, self.subset)

    def units(self, level: Level) -> tuple[str, ...]:
        """The names of the units of a level, in order of first appearance."""
        known = self.segments.units(level)
        given = self.gold.given.get(level)
        return known if known or not given else next(iter(given.values())).units or ()

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """Which segments people judged, of any system."""
        if not self.gold.rows:
            return np.zeros(len(self.segments), dtype=bool)
        return np.asarray(np.logical_or.reduce([rows.known for rows in self.gold.rows.values()]))

    @cached_property
    def document_count(self) -> int:
        """Of how many documents segments were judged; 0 where no documents are known."""
        if self.segments.documents is None:
            return 0
        return len(np.unique(self.positions("document")[self.judged if self.judged.any() else slice(None)]))

    @property
    def scored_count(self) -> int:
        """The number of segments that any metric has a score of; 0 where none scores systems by their segments."""
        masks = [rows.known for metric in self.metrics if "system" not in metric.given for rows in metric.rows.values()]
        return int(np.logical_or.reduce(masks).sum()) if masks else 0

    def table(self, measure: Measure, level: Level) -> Floats | None:
        """The scores at a level, systems by units, NaN where one is missing; None where there are none.

        The scores of people are turned so that higher is better.
        """
        key = (id(measure), level)
        if key not in self._tables:
            self._tables[key] = self._made(measure, level)
        return self._tables[key]

    def _made(self, measure: Measure, level: Level) -> Floats | None:
        rows = measure.given.get(level) or (measure.segment_rows() if level == "segment" else measure.rows)
        whole = level in measure.given or level == "segment"
        if not rows or not (whole or self.segments.labels(level) is not None):
            return None
        table = np.full((len(self.systems), len(self.units(level))), np.nan)
        for row, name in enumerate(self.systems):
            if name in rows:
                table[row] = _scores(rows[name]) if whole else self._of_parts(rows[name], level)
        return table * measure.identity.sign if measure is self.gold else table

    def _of_parts(self, rows: Rows, level: Level) -> Floats:
        """The scores of the parts of a level from the rows of segments, of documents and domains those judged."""
        if level == "system":
            return _scores(replace(rows, values=rows.sum()[np.newaxis], units=None))
        labels, place = self.segments.labels(level) or (), {name: i for i, name in enumerate(self.units(level))}
        grouped = rows.taken(self.judged).grouped(
            [label for label, keep in zip(labels, self.judged, strict=True) if keep]
        )
        scores = np.full(len(place), np.nan)
        scores[[place[name] for name in grouped.units or ()]] = _scores(grouped)
        return scores

    def positions(self, level: Level) -> Labels:
        """Which unit of the level each segment belongs to."""
        place = {name: i for i, name in enumerate(self.units(level))}
        return np.array([place[label] for label in self.segments.labels(level) or ()], dtype=np.intp)

    def clusters(self, level: Level) -> Labels | None:
        """What is left out together for intervals: documents of segments, where several were judged."""
        return self.positions("document") if level == "segment" and self.document_count > 1 else None

    def unit(self, level: Level) -> str:
        """The name of what is left out for intervals."""
        return "document" if self.clusters(level) is not None else level

    def with_systems(self, names: Sequence[str]) -> Task:
        """The task with only these systems."""
        systems = tuple(name for name in self.systems if name in names)
        if systems == self.systems:
            return self
        return replace(
            self,
            gold=self.gold.for_systems(systems),
            metrics=tuple(metric.for_systems(systems) for metric in self.metrics),
            systems=systems,
            humans=tuple(name for name in self.humans if name in systems),
        )

    def part(self, level: Level, name: str) -> Task:
        """The task on the segments of one document or domain; scores of systems are made anew from these."""
        kept = np.array([label == name for label in self.segments.labels(level) or ()])
        return replace(
            self,
            gold=self.gold.taken(kept),
            metrics=tuple(metric.taken(kept) for metric in self.metrics if metric.rows),
            segments=self.segments.taken(kept),
            subset=f"{level} {name}",
        )


def task_label(testset: str | None, subset: str | None) -> str:
    """The name of a task in tables, by its test set, which has the languages in its name, or else by these alone."""
    return " ".join(part for part in (testset, subset) if part)


def _scores(rows: Rows) -> Floats:
    """The score of every unit; NaN where there is none."""
    return np.where(rows.known, rows.unit_scores(), np.nan)
