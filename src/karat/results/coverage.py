"""The result of looking at what references share."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.coverage import coverage_table, growth_table
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.analysis.coverage import ReferenceCoverage
    from karat.report.table import Table


@dataclass(frozen=True, kw_only=True, repr=False)
class CoverageResult(Result):
    """The n-grams of references and of systems by how many references have them."""

    records_of: ClassVar[str] = "coverage"
    page_title: ClassVar[str] = "What references share"

    coverage: ReferenceCoverage

    def body(self) -> dict[str, Any]:
        """How text was read, the counts, and what fewer references would have shown."""
        coverage = self.coverage
        return {
            "segments": coverage.segments,
            "references": coverage.references,
            "tokenize": coverage.tokenize,
            "lowercase": coverage.lowercase,
            "coverage": [asdict(counts) for counts in coverage.coverages],
            "growth": [asdict(counts) for counts in coverage.growth],
        }

    def records(self) -> list[dict[str, Any]]:
        """One record per system (none: the references), order and number of references; then those of fewer."""
        names = ("system", "references", "order", "in", "types", "occurrences")
        coverage = self.coverage
        lines: list[tuple[Any, ...]] = [
            (counts.system, coverage.references, counts.order, shared, types, occurrences)
            for counts in coverage.coverages
            for shared, (types, occurrences) in enumerate(zip(counts.types, counts.occurrences, strict=True), 1)
        ]
        lines += [
            (None, grown.references, None, shared, types, None)
            for grown in coverage.growth
            for shared, types in enumerate(grown.types, 1)
        ]
        return [dict(zip(names, line, strict=True)) for line in lines]

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """Shares of n-grams, and how they grow with references."""
        grown = (growth_table(self.coverage, digits),) if self.coverage.growth else ()
        return (coverage_table(self.coverage, digits), *grown)
