"""Coverage of references as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.analysis.coverage import ReferenceCoverage

OF_REFERENCES = "references"


def coverage_table(report: ReferenceCoverage, digits: int) -> Table:
    """Shares of n-grams in 1, 2, ... references: those of the references, then those that each system shares."""
    rows, sections, shown = [], set(), None
    for number, coverage in enumerate(report.coverages):
        name = OF_REFERENCES if coverage.system is None else coverage.system
        if number and name != shown:
            sections.add(number)
        first, shown = Cell(name if name != shown else ""), name
        order = Cell(str(coverage.order), number=True)
        rows.append((first, order, Cell(str(sum(coverage.types)), number=True), *_shares(coverage.types, digits)))
    case = ", lowercased" if report.lowercase else ""
    notes = (
        f"percent of different n-grams of {report.segments:,} segments; words by {report.tokenize}{case}",
        "of a system: n-grams that it shares with the references",
    )
    headings = ("N-grams of", "n", "Different", *_in_references(report.references))
    return Table(headings, tuple(rows), notes if len(rows) > _orders(report) else notes[:1], frozenset(sections))


def growth_table(report: ReferenceCoverage, digits: int) -> Table:
    """Shares of n-grams of all orders by the number of references, mean over all ways to choose them."""
    rows = []
    for growth in report.growth:
        shares = _shares(growth.types, digits)
        empty = (Cell("", number=True),) * (report.references - len(shares))
        rows.append((Cell(str(growth.references), number=True), *shares, *empty))
    note = f"percent of all 1- to {_orders(report)}-grams, in the mean over all ways to choose so many references"
    return Table(("References", *_in_references(report.references)), tuple(rows), (note,))


def _orders(report: ReferenceCoverage) -> int:
    return max(coverage.order for coverage in report.coverages)


def _in_references(most: int) -> list[str]:
    return [f"In {count}" for count in range(1, most + 1)]


def _shares(counts: Sequence[float], digits: int) -> tuple[Cell, ...]:
    total = sum(counts)
    texts = (f"{100 * count / total:.{digits}f}" if total else "–" for count in counts)
    return tuple(Cell(text, number=True) for text in texts)
