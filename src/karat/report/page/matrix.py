"""Which system is better than which: all pairs as a matrix, one for each measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.report.comparisons import AGAINST_SCORE, notes, stars
from karat.report.links import segments_link
from karat.report.numbers import fixed, shown_measures
from karat.report.page.forest import differences
from karat.report.page.parts import Exhibit, Section
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.findings import Findings
    from karat.report.numbers import ShownMeasure
    from karat.report.page.forest import Difference
    from karat.significance import Comparison

FIELDS = (
    *("metric", "baseline", "system", "baseline_score", "score", "difference", "p", "p_adjusted"),
    *("wins", "losses", "ties", "effect_size", "significant", "better"),
)
LEAD = "The row's score minus the column's. Stars: the difference is significant. Grey: it may be chance."


def matrix_section(findings: Findings, digits: int, key: str, title: str) -> Section:
    """All pairs under every measure: the row's score minus the column's, with stars where a test tells them apart."""
    exhibits = tuple(
        Exhibit(f"{key}-{number}", matrix(shown), tuple(_record(pair) for pair in shown.findings.comparisons))
        for number, shown in enumerate(shown_measures(findings, digits), 1)
    )
    return Section(key, title, (LEAD,), exhibits=exhibits, notes=notes(findings, digits))


def _record(pair: Comparison) -> dict[str, Any]:
    return {**pair.fields(FIELDS), "interval_low": pair.interval.low, "interval_high": pair.interval.high}


def matrix(shown: ShownMeasure) -> Table:
    """The differences of all pairs under one measure."""
    systems = [place.system for place in shown.findings.ranking]
    by_pair = {
        (difference.system, baseline): difference for baseline in systems for difference in differences(shown, baseline)
    }
    rows = tuple(
        (Cell(row), *(_cell(by_pair.get((row, column)), shown.digits) for column in systems)) for row in systems
    )
    return Table(("System", *systems), rows, title=shown.heading)


def _cell(difference: Difference | None, digits: int) -> Cell:
    if difference is None:
        return Cell("", number=True)
    pair = difference.pair
    other = pair.baseline if pair.system == difference.system else pair.system
    link = segments_link(a=difference.system, b=other)
    sign = AGAINST_SCORE if pair.against_score else stars(pair.p_adjusted, pair.alpha) if pair.winner else ""
    return Cell(
        fixed(difference.value, digits, signed=True), number=True, mark=sign, faint=pair.winner is None, link=link
    )
