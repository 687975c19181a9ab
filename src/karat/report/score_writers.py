"""Writers of scores, one per form; segment scores are written as they come where the form allows it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, ClassVar, Protocol, TextIO

from karat.report.forms import shower
from karat.report.scores import order_systems, part_table, score_table, testset_table
from karat.results import SCHEMA

if TYPE_CHECKING:
    from karat.report.table import Table
    from karat.results import PartScore, ScoreReport, SegmentScores
    from karat.significance import Estimate


class ScoreWriter(Protocol):
    """Takes segment scores as they come, and the report at the end."""

    def write(self, block: SegmentScores) -> None:
        """Take the scores of one more run of segments."""
        ...

    def finish(self, report: ScoreReport) -> None:
        """Write what is left."""
        ...


class JsonWriter:
    """One JSON document: schema, segments if any, scores, documents if any, warnings; numbers at full precision."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._written = 0

    def write(self, block: SegmentScores) -> None:
        """Write segment scores, one object per line."""
        for part in block.parts():
            self._out.write(",\n" if self._written else f'{{"schema": {SCHEMA}, "segments": [\n')
            self._out.write(json.dumps(_part_json(part, "segment"), ensure_ascii=False))
            self._written += 1

    def finish(self, report: ScoreReport) -> None:
        """Write the scores and close the document."""
        rest: dict[str, object] = {"scores": [score.to_json() for score in report.scores]}
        if report.documents:
            rest["documents"] = [_part_json(part, "document") for part in report.documents]
        rest["warnings"] = [asdict(warning) for warning in report.warnings]
        if self._written:
            self._out.write("\n],\n" + json.dumps(rest, ensure_ascii=False, indent=2)[1:] + "\n")
        else:
            self._out.write(json.dumps({"schema": SCHEMA, **rest}, ensure_ascii=False, indent=2) + "\n")


def _part_json(part: PartScore, kind: str) -> dict[str, object]:
    entry: dict[str, object] = {"system": part.system, "metric": part.metric, "spec": part.spec, kind: part.part}
    if kind == "segment" and part.document is not None:
        entry["document"] = part.document
    if part.testset is not None:
        entry["testset"] = part.testset
    return {**entry, "score": part.score}


class CsvWriter:
    """One line per system and metric, or per document or segment of them; numbers at full precision."""

    HEADINGS: ClassVar = {
        "system": ("testset", "system", "metric", "spec", "score", "signature"),
        "document": ("testset", "system", "metric", "spec", "document", "score"),
        "segment": ("testset", "system", "metric", "spec", "segment", "document", "score"),
    }

    INTERVAL = ("interval_low", "interval_high", "interval_level", "interval_method")
    DRAWN = ("unit", "units", "n", "resample", "seed")

    def __init__(self, out: TextIO, level: str, *, intervals: bool) -> None:
        self._level = level
        self._csv = csv.writer(out, lineterminator="\n")
        self._csv.writerow((*self.HEADINGS[level], *((*self.INTERVAL, *self.DRAWN) if intervals else ())))

    def write(self, block: SegmentScores) -> None:
        """Write segment scores."""
        self._csv.writerows(
            (part.testset, part.system, part.metric, part.spec, part.part, part.document, part.score)
            for part in block.parts()
        )

    def finish(self, report: ScoreReport) -> None:
        """Write system or document scores."""
        if self._level == "system":
            self._csv.writerows(
                (
                    *(score.testset, score.system, score.metric, score.spec, score.score, score.signature),
                    *self._interval(score.estimate),
                )
                for score in report.scores
            )
        self._csv.writerows(
            (part.testset, part.system, part.metric, part.spec, part.part, part.score) for part in report.documents
        )

    def _interval(self, found: Estimate | None) -> tuple[object, ...]:
        if found is None:
            return ()
        interval = found.interval
        drawn = (getattr(found, name) for name in self.DRAWN)
        return (interval.low, interval.high, interval.level, interval.method, *drawn)


class TableWriter:
    """A table for people, in whatever markup: complete at the end only."""

    def __init__(self, show: Callable[[Table], None], level: str, digits: int, sort: str) -> None:
        self._show, self._level, self._digits, self._sort = show, level, digits, sort
        self._segments: list[PartScore] = []

    def write(self, block: SegmentScores) -> None:
        """Keep segment scores for the table."""
        self._segments += block.parts()

    def finish(self, report: ScoreReport) -> None:
        """Show the tables."""
        systems = order_systems(report, self._sort)
        if self._level == "system":
            many = len(report.testsets) > 1
            table = testset_table if many else score_table
            self._show(table(report, digits=self._digits, systems=systems))
            return
        parts = self._segments if self._level == "segment" else report.documents
        for testset in report.testsets:
            mine = [part for part in parts if part.testset == testset.name]
            present = [system for system in systems if system in testset.scores.systems]
            self._show(
                part_table(mine, testset, heading=self._level.capitalize(), digits=self._digits, systems=present)
            )


def score_writer(form: str, out: TextIO, *, level: str, digits: int, sort: str, intervals: bool = False) -> ScoreWriter:
    """The writer of that form; `sort` is "given", "name" or the metric to sort by, as it was asked for."""
    if form == "json":
        return JsonWriter(out)
    if form == "csv":
        return CsvWriter(out, level, intervals=intervals)
    return TableWriter(shower(form, out), level, digits, sort)
