"""The result of a search for flaws in single segments."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, ClassVar

from karat.quick_dataclasses import dataclass
from karat.report.flaws import checks_table, counts_table, flaws_table
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.analysis.flaws.model import FlawReport
    from karat.report.page.parts import Section
    from karat.report.table import Table


@dataclass(frozen=True, kw_only=True, repr=False)
class FlawsResult(Result):
    """What was looked for, how often it was found in each system, and where; people see the first `shown` flaws."""

    records_of: ClassVar[str] = "findings"
    page_title: ClassVar[str] = "Findings"

    report: FlawReport
    shown: int = 20

    def body(self) -> dict[str, Any]:
        """The checks, the counts by system, and every flaw with its segment."""
        report = self.report
        return {
            "segments": report.segments,
            "systems": list(report.systems),
            "against": report.against,
            "checks": [asdict(check) for check in report.checks],
            "counts": [asdict(count) for count in report.counts],
            "findings": [asdict(flaw) for flaw in report.flaws],
        }

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """Segments with each flaw by system, the worst flaws, and what was not looked for."""
        skipped = tuple(check for check in self.report.checks if check.skipped is not None)
        tables = [counts_table(self.report, digits)]
        if self.report.flaws and self.shown:
            tables.append(flaws_table(self.report, self.shown))
        if skipped:
            tables.append(checks_table(skipped))
        return tuple(tables)

    def sections(self, digits: int = DIGITS) -> tuple[Section, ...]:
        """The tables with all that they count or show some of."""
        from karat.report.page.parts import sections_of

        body = self.body()
        listed = {
            "Segments with each finding": body["counts"],
            "Where they are": body["findings"] if self.report.flaws and self.shown else [],
            "Not looked for": [check for check in body["checks"] if check["skipped"] is not None],
        }
        known = {title: records for title, records in listed.items() if records}
        tables = [replace(table, title=title) for table, title in zip(self.tables(digits), known, strict=True)]
        if self.shown < len(self.report.flaws) and self.shown:
            said = f"{self.shown:,} of {len(self.report.flaws):,}, the worst first; CSV and JSON have all."
            tables[1] = replace(tables[1], remarks=(said,), notes=())
        return sections_of("flaws", self.page_title, tables, list(known.values()))
