"""One task: what people said about some systems, and the scores of metrics, at every level."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from karat.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.rows import Rows

    Floats = NDArray[np.float64]
    Labels = NDArray[np.intp]

Level = Literal["system", "document", "domain", "segment"]
LEVELS: tuple[Level, ...] = get_args(Level)
HUMAN = re.compile(r"(ref|human)[-_. ]?[a-z0-9]?(\.\d+)?", re.IGNORECASE)
"""What outputs of people are called in shared tasks: refA, ref-B, Human-A.0."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores by level, systems by units, NaN where one is missing; `rows` where they are karat's own."""

    name: str
    tables: Mapping[Level, Floats]
    higher_is_better: bool = True
    signature: str | None = None
    rows: tuple[Rows, ...] | None = None


@dataclass(frozen=True, eq=False)
class Task:
    """Judgements and metrics of the same systems.

    `documents` and `domains` are labels of segments. Scores of documents and domains that no file gives are means over
    the segments that people judged; karat's own metrics are computed on exactly these segments.
    """

    gold: Scorer
    metrics: tuple[Scorer, ...]
    systems: tuple[str, ...]
    humans: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    language_pair: str | None = None
    subset: str | None = None

    def __post_init__(self) -> None:
        for scorer in (self.gold, *self.metrics):
            for level, table in scorer.tables.items():
                if len(table) != len(self.systems):
                    raise InputError(f"{scorer.name} has {len(table)} {level} scores for {len(self.systems)} systems")

    def labels(self, level: Level) -> tuple[str, ...] | None:
        """The names of what each segment belongs to at a level."""
        return {"document": self.documents, "domain": self.domains}.get(level)

    def units(self, level: Level) -> tuple[str, ...]:
        """The names of the units of a level, in order of first appearance."""
        if level == "segment":
            return self.segments
        return tuple(dict.fromkeys(self.labels(level) or ())) if level != "system" else ("",)

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """Which segments people judged, of any system."""
        table = self.gold.tables.get("segment")
        if table is None:
            return np.zeros(len(self.segments), dtype=bool)
        return np.asarray(np.isfinite(table).any(axis=0))

    def table(self, scorer: Scorer, level: Level) -> Floats | None:
        """The scores at a level, made from those of segments where no file has them; None where that cannot be."""
        if level in scorer.tables:
            return scorer.tables[level]
        segments = scorer.tables.get("segment")
        if segments is None or (level != "system" and self.labels(level) is None):
            return None
        if level == "system":
            return _means(segments, np.zeros(segments.shape[1], dtype=np.intp), 1)
        if scorer.rows is not None:
            return self._own(scorer.rows, level)
        return _means(np.where(self.judged, segments, np.nan), self.positions(level), len(self.units(level)))

    def positions(self, level: Level) -> Labels:
        """Which unit of the level each segment belongs to."""
        place = {name: i for i, name in enumerate(self.units(level))}
        return np.array([place[label] for label in self.labels(level) or ()], dtype=np.intp)

    def clusters(self, level: Level) -> Labels | None:
        """What is left out together for intervals: documents of segments, where they are known."""
        return self.positions("document") if level == "segment" and self.documents is not None else None

    def unit(self, level: Level) -> str:
        """The name of what is left out for intervals."""
        return "document" if self.clusters(level) is not None else level

    def _own(self, rows: Sequence[Rows], level: Level) -> Floats:
        """The scores of karat's own metric on the judged segments of each unit; NaN where there is none."""
        labels, units = self.labels(level) or (), self.units(level)
        kept = np.flatnonzero(self.judged)
        table = np.full((len(self.systems), len(units)), np.nan)
        place = {name: i for i, name in enumerate(units)}
        for i, of_system in enumerate(rows):
            part = replace(of_system, values=of_system.values[kept]).grouped([labels[k] for k in kept])
            for name, score in zip(part.units or (), part.unit_scores(), strict=True):
                table[i, place[name]] = score
        return table

    def with_systems(self, names: Sequence[str]) -> Task:
        """The task with only these systems."""
        kept = [i for i, name in enumerate(self.systems) if name in names]

        def chosen(scorer: Scorer) -> Scorer:
            rows = None if scorer.rows is None else tuple(scorer.rows[i] for i in kept)
            return replace(scorer, tables={level: of[kept] for level, of in scorer.tables.items()}, rows=rows)

        systems = tuple(self.systems[i] for i in kept)
        humans = tuple(name for name in self.humans if name in systems)
        metrics = tuple(chosen(metric) for metric in self.metrics)
        return replace(self, gold=chosen(self.gold), metrics=metrics, systems=systems, humans=humans)

    def part(self, level: Level, name: str) -> Task:
        """The task on the segments of one document or domain; system scores are made anew from these."""
        mask = np.array([label == name for label in self.labels(level) or ()])

        def chosen(scorer: Scorer) -> Scorer:
            tables: dict[Level, Floats] = {of: table[:, mask] for of, table in scorer.tables.items() if of == "segment"}
            if scorer.rows is None:
                return replace(scorer, tables=tables)
            rows = tuple(replace(of, values=of.values[mask]) for of in scorer.rows)
            return replace(scorer, tables={**tables, "system": np.array([[of.score] for of in rows])}, rows=rows)

        def kept(labels: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if labels is None else tuple(label for label, keep in zip(labels, mask, strict=True) if keep)

        metrics = tuple(chosen(metric) for metric in self.metrics if "segment" in metric.tables)
        documents, domains = kept(self.documents), kept(self.domains)
        return replace(
            self,
            gold=chosen(self.gold),
            metrics=metrics,
            segments=kept(self.segments) or (),
            documents=documents,
            domains=domains,
            subset=f"{level} {name}",
        )


def _means(segments: Floats, positions: Labels, count: int) -> Floats:
    """The mean of each unit's scores that are there, systems by units."""
    there = np.isfinite(segments)
    sums, counts = np.zeros((len(segments), count)), np.zeros((len(segments), count))
    for i, (scores, known) in enumerate(zip(segments, there, strict=True)):
        sums[i] = np.bincount(positions[known], scores[known], minlength=count)
        counts[i] = np.bincount(positions[known], minlength=count)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
