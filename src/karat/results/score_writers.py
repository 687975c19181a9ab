"""Writers of scores, one per form; segment scores are written as they come where the form allows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Protocol, TextIO

from karat.csv_cells import harmless_cell
from karat.report.forms import show_tables
from karat.report.scores import order_systems
from karat.results.base import SCHEMA
from karat.results.scores import part_tables
from karat.results.writing import json_text

if TYPE_CHECKING:
    from karat.results.scores import ScoreResult
    from karat.scores import PartScore, SegmentScores
    from karat.significance import Estimate


class ScoreWriter(Protocol):
    """Takes segment scores as they come, and the result at the end."""

    def write(self, block: SegmentScores) -> None:
        """Take the scores of one more run of segments."""
        ...

    def finish(self, result: ScoreResult) -> None:
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
            self._out.write(json_text(part.to_json("segment"), self._out))
            self._written += 1

    def finish(self, result: ScoreResult) -> None:
        """Write the scores and close the document."""
        document = result.to_json()
        if self._written:
            del document["schema"]
            self._out.write("\n],\n" + json_text(document, self._out, indent=2)[1:] + "\n")
        else:
            self._out.write(json_text(document, self._out, indent=2) + "\n")


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
        import csv

        self._level = level
        self._csv = csv.writer(out, lineterminator="\n")
        self._headings = (*self.HEADINGS[level], *((*self.INTERVAL, *self.DRAWN) if intervals else ()))
        self._begun = False

    def write(self, block: SegmentScores) -> None:
        """Write segment scores."""
        self._write_rows(
            (part.testset, part.system, part.metric, part.spec, part.part, part.document, part.score)
            for part in block.parts()
        )

    def finish(self, result: ScoreResult) -> None:
        """Write system or document scores."""
        if self._level == "system":
            self._write_rows(
                (
                    *(score.testset, score.system, score.metric, score.spec, score.score, str(score.signature)),
                    *self._interval(score.estimate),
                )
                for score in result.scores
            )
        self._write_rows(
            (part.testset, part.system, part.metric, part.spec, part.part, part.score) for part in result.documents
        )

    def _write_rows(self, rows: Iterable[Iterable[object]]) -> None:
        if not self._begun:
            # Not before there is something to write: an error leaves no table without rows.
            self._csv.writerow(self._headings)
            self._begun = True
        self._csv.writerows([harmless_cell(cell) for cell in row] for row in rows)

    def _interval(self, estimate: Estimate | None) -> tuple[object, ...]:
        if estimate is None:
            return ()
        interval = estimate.interval
        drawn = (getattr(estimate, name) for name in self.DRAWN)
        return (interval.low, interval.high, interval.confidence, interval.method, *drawn)


class TableWriter:
    """A table for people, in whatever markup: complete at the end only."""

    def __init__(self, form: str, out: TextIO, level: str, digits: int, sort: str) -> None:
        self._form, self._out = form, out
        self._level, self._digits, self._sort = level, digits, sort
        self._segments: list[PartScore] = []

    def write(self, block: SegmentScores) -> None:
        """Keep segment scores for the table."""
        self._segments += block.parts()

    def finish(self, result: ScoreResult) -> None:
        """Show the tables."""
        tables = (result.paper_tables if self._form == "latex" else result.tables)(self._digits, self._sort)
        if self._level == "segment":
            systems = order_systems(result.testsets, result.asked, self._sort)
            tables = part_tables(
                tuple(self._segments), result.testsets, level="segment", digits=self._digits, systems=systems
            )
        show_tables(tables, self._form, self._out)


def score_writer(form: str, out: TextIO, *, level: str, digits: int, sort: str, intervals: bool = False) -> ScoreWriter:
    """The writer of that form; `sort` is "given", "name" or the metric to sort by, as it was asked for."""
    if form == "json":
        return JsonWriter(out)
    if form == "csv":
        return CsvWriter(out, level, intervals=intervals)
    return TableWriter(form, out, level, digits, sort)
