"""The tables of the experiment with several references."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from karat.report.forms import shower
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.meta.multi_reference import MultiReferenceReport as Report


def write_multi_reference(report: Report, form: str, out: TextIO, *, digits: int) -> None:
    """Write as JSON, CSV (the correlations), or tables for people."""
    if form == "json":
        out.write(json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n")
        return
    if form == "csv":
        entries = report.to_json()["correlations"]
        writer = csv.DictWriter(out, list(entries[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(entries)
        return
    show = shower(form, out)
    for number, table in enumerate(tables(report, digits)):
        if number:
            out.write("\n")
        show(table)


def tables(report: Report, digits: int) -> Iterator[Table]:
    """Agreement by system, then correlations over systems, documents and segments."""
    yield _agreement(report, digits)
    yield _over_systems(report, digits)
    for level in ("document", "segment"):
        for criterion in report.criteria:
            if any(one.level == level for one in report.correlations):
                yield _over_parts(report, level, criterion, digits)


def _agreement(report: Report, digits: int) -> Table:
    by_key = {(one.criterion, one.system): one for one in report.agreement}
    rows = []
    for system in report.systems:
        cells: list[Cell] = [Cell(system)]
        for criterion in report.criteria:
            one = by_key.get((criterion, system))
            values = (None, None, None) if one is None else (one.share, one.kappa_paper, one.kappa)
            cells += [_number(value, digits) for value in values]
        rows.append(tuple(cells))
    columns = len(report.criteria) * 3
    rows.append((Cell("Mean"), *(_mean([row[i + 1] for row in rows], digits) for i in range(columns))))
    headings = [f"{name} {what}" for name in report.criteria for what in ("share", "kappa (1/S)", "kappa")]
    note = "Agreement: two of two or of three judgements alike; kappa (1/S) as in the paper, kappa by the right chance"
    return Table(("System", *headings), tuple(rows), (note,), frozenset({len(rows) - 1}), "Agreement of people")


def _over_systems(report: Report, digits: int) -> Table:
    found = {(one.criterion, one.metric): one.value for one in report.correlations if one.level == "system"}
    rows = [
        (Cell(criterion), *_marked([found.get((criterion, metric)) for metric in report.metrics], digits))
        for criterion in report.criteria
    ]
    count = max((one.n for one in report.correlations if one.level == "system"), default=0)
    notes = (f"{count} systems, {report.references} references", *report.signatures)
    return Table(("Criterion", *report.metrics), tuple(rows), notes, title="Pearson over systems")


def _over_parts(report: Report, level: str, criterion: str, digits: int) -> Table:
    found = {
        (one.system, one.metric): one.value
        for one in report.correlations
        if one.level == level and one.criterion == criterion
    }
    rows = []
    columns: list[list[float | None]] = [[found.get((s, m)) for s in report.systems] for m in report.metrics]
    for i, system in enumerate(report.systems):
        rows.append((Cell(system), *_marked([column[i] for column in columns], digits)))
    means = [_plain_mean(column) for column in columns]
    rows.append((Cell("Mean"), *_marked(means, digits)))
    title = f"Pearson over {level}s of each system: {criterion}"
    return Table(("System", *report.metrics), tuple(rows), (), frozenset({len(rows) - 1}), title)


def _marked(values: Sequence[float | None], digits: int) -> list[Cell]:
    best = max((abs(value) for value in values if value is not None), default=None)
    return [
        Cell(
            "–" if value is None else f"{value:.{digits}f}", best=value is not None and abs(value) == best, number=True
        )
        for value in values
    ]


def _plain_mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _mean(cells: Sequence[Cell], digits: int) -> Cell:
    return _number(_plain_mean([None if cell.text == "–" else float(cell.text) for cell in cells]), digits)


def _number(value: float | None, digits: int) -> Cell:
    return Cell("–" if value is None else f"{value:.{digits}f}", number=True)
