"""Flaws of single segments as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.report.links import segment_link, segments_link
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.analysis.flaws.model import Check, Flaw, FlawReport

LONGEST_NAME = 24
ORDER = {"critical": 0, "major": 1, "minor": 2}


def counts_table(report: FlawReport, digits: int) -> Table:
    """How many segments of each system have each flaw; checks that found nothing share one line."""
    segments = {(count.code, count.system): count.segments for count in report.counts}
    made = [check for check in report.checks if check.skipped is None]
    rows, silent = [], []
    for check in sorted(made, key=lambda check: ORDER[check.severity]):
        numbers = [segments.get((check.code, system), 0) for system in report.systems]
        if not any(numbers):
            silent.append(check.code)
            continue
        cells = (_count(number, check, name) for number, name in zip(numbers, report.systems, strict=True))
        rows.append((Cell(check.code, link=segments_link(finding=check.code)), Cell(check.severity), *cells))
    flawed = _flawed(report)
    shares = [f"{100 * flawed[name] / report.segments:.{digits}f}" for name in report.systems]
    rows.append((Cell("any of them"), Cell(""), *(Cell(str(flawed[name]), number=True) for name in report.systems)))
    rows.append((Cell("percent"), Cell(""), *(Cell(share, number=True) for share in shares)))
    notes = [f"segments of {report.segments:,}, judged against the {report.against}"]
    notes += [f"nothing found: {', '.join(silent)}"] if silent else []
    return Table(("Finding", "Severity", *report.systems), tuple(rows), tuple(notes), frozenset({len(rows) - 2}))


def _count(number: int, check: Check, system: str) -> Cell:
    if not number:
        return Cell("·", number=True)
    return Cell(str(number), number=True, link=segments_link(finding=f"{check.code}: {system}"))


def _flawed(report: FlawReport) -> dict[str, int]:
    """How many segments of each system have any flaw."""
    places = {(flaw.system, flaw.segment) for flaw in report.flaws}
    return {name: sum(system == name for system, _ in places) for name in report.systems}


def flaws_table(report: FlawReport, shown: int) -> Table:
    """The worst flaws, and how many more there are."""
    ordered = sorted(report.flaws, key=lambda flaw: ORDER[flaw.severity])
    documents = any(flaw.document is not None for flaw in ordered[:shown])
    rows = [
        (
            Cell(flaw.system),
            *([Cell(_ending(flaw.document or "–"))] if documents else []),
            Cell(str(flaw.segment), number=True, link=segment_link(flaw.segment, [flaw.system])),
            Cell(flaw.code),
            Cell(_pieces(flaw)),
        )
        for flaw in ordered[:shown]
    ]
    headings = ("System", *(["Document"] if documents else []), "Segment", "Finding", "What")
    more = len(ordered) - len(rows)
    notes = (f"{more:,} more: karat analyse findings --show {len(ordered)}, or --format csv",) if more else ()
    return Table(headings, tuple(rows), notes)


def _pieces(flaw: Flaw) -> str:
    said = (("lost", flaw.lost), ("has", flaw.added))
    return "; ".join(f"{verb} {', '.join(map(_quoted, pieces))}" for verb, pieces in said if pieces)


def _ending(document: str) -> str:
    """The end of a name, which tells documents apart: names may be addresses as long as a line."""
    return document if len(document) <= LONGEST_NAME else f"…{document[1 - LONGEST_NAME :]}"


def _quoted(piece: str) -> str:
    shortened = piece if len(piece) <= 40 else f"{piece[:39]}…"
    return f"‘{shortened}’"


def checks_table(checks: Sequence[Check]) -> Table:
    """What was not looked for, and why."""
    rows = tuple((Cell(check.code), Cell(check.skipped or "")) for check in checks)
    return Table(("Not looked for", "Why"), rows)
