"""The result of asking on which kinds of segments systems differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.kind_contrasts import kind_tables
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.analysis.kind_contrasts import KindContrasts
    from karat.report.table import Table


@dataclass(frozen=True, kw_only=True, repr=False)
class KindsResult(Result):
    """The differences of some pairs of systems by kinds of segments."""

    records_of: ClassVar[str] = "kinds"
    page_title: ClassVar[str] = "Where systems differ"

    contrasts: KindContrasts

    def body(self) -> dict[str, Any]:
        """Differences, contrasts and their tests."""
        return self.contrasts.to_json()

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """A table for each pair."""
        return tuple(kind_tables(self.contrasts, digits))
