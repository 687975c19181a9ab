"""Coverage of references as tables, JSON and CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from karat.report.forms import shower
from karat.report.table import Cell, Table
from karat.results import SCHEMA

if TYPE_CHECKING:
    from karat.analysis.coverage import CoverageReport

OF_REFERENCES = "references"


def write_coverage(report: CoverageReport, form: str, out: TextIO, *, digits: int) -> None:
    """Write coverage as JSON, CSV, or tables for people."""
    if form == "json":
        out.write(json.dumps(_document(report), ensure_ascii=False, indent=2) + "\n")
    elif form == "csv":
        _write_csv(report, out)
    else:
        show = shower(form, out)
        show(coverage_table(report, digits))
        if report.growth:
            out.write("\n")
            show(growth_table(report, digits))


def coverage_table(report: CoverageReport, digits: int) -> Table:
    """Shares of n-grams in 1, 2, ... references: those of the references, then those that each system shares."""
    rows, sections, shown = [], set(), None
    for number, one in enumerate(report.coverages):
        name = OF_REFERENCES if one.system is None else one.system
        if number and name != shown:
            sections.add(number)
        first, shown = Cell(name if name != shown else ""), name
        order = Cell(str(one.order), number=True)
        rows.append((first, order, Cell(str(sum(one.types)), number=True), *_shares(one.types, digits)))
    case = ", lowercased" if report.lowercase else ""
    notes = (
        f"percent of different n-grams of {report.segments} segments; words by {report.tokenize}{case}",
        "of a system: n-grams that it shares with the references",
    )
    headings = ("N-grams of", "n", "Different", *_in_references(report.references))
    return Table(headings, tuple(rows), notes if len(rows) > _orders(report) else notes[:1], frozenset(sections))


def growth_table(report: CoverageReport, digits: int) -> Table:
    """Shares of n-grams of all orders by the number of references, mean over all ways to choose them."""
    rows = []
    for one in report.growth:
        shares = _shares(one.types, digits)
        empty = (Cell("", number=True),) * (report.references - len(shares))
        rows.append((Cell(str(one.references), number=True), *shares, *empty))
    note = f"percent of all 1- to {_orders(report)}-grams, in the mean over all ways to choose so many references"
    return Table(("References", *_in_references(report.references)), tuple(rows), (note,))


def _orders(report: CoverageReport) -> int:
    return max(one.order for one in report.coverages)


def _in_references(most: int) -> list[str]:
    return [f"In {count}" for count in range(1, most + 1)]


def _shares(counts: Sequence[float], digits: int) -> tuple[Cell, ...]:
    total = sum(counts)
    texts = (f"{100 * count / total:.{digits}f}" if total else "–" for count in counts)
    return tuple(Cell(text, number=True) for text in texts)


def _document(report: CoverageReport) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "segments": report.segments,
        "references": report.references,
        "tokenize": report.tokenize,
        "lowercase": report.lowercase,
        "coverage": [asdict(one) for one in report.coverages],
        "growth": [asdict(one) for one in report.growth],
        "warnings": [asdict(warning) for warning in report.warnings],
    }


def _write_csv(report: CoverageReport, out: TextIO) -> None:
    """One line per system (none: the references), order and number of references; then those of fewer references."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("system", "references", "order", "in", "types", "occurrences"))
    for one in report.coverages:
        for count, (types, occurrences) in enumerate(zip(one.types, one.occurrences, strict=True), 1):
            writer.writerow((one.system, report.references, one.order, count, types, occurrences))
    for grown in report.growth:
        writer.writerows(
            (None, grown.references, None, count, types, None) for count, types in enumerate(grown.types, 1)
        )
