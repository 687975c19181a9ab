"""The result of asking what there is to measure with."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from karat.quick_dataclasses import dataclass
from karat.report.metrics import parameter_table, summary_table
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.metrics.framework.description import Description
    from karat.report.table import Table


@dataclass(frozen=True, kw_only=True, repr=False)
class MetricsResult(Result):
    """Metrics in words; one that was asked for by name is `explained` at length."""

    records_of: ClassVar[str] = "metrics"
    page_title: ClassVar[str] = "Metrics"

    descriptions: tuple[Description, ...]
    explained: bool = False

    def body(self) -> dict[str, Any]:
        """One entry per metric."""
        return {"metrics": [asdict(description) for description in self.descriptions]}

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:  # noqa: ARG002 - words only
        """The metrics by family, or the parameters of the one explained."""
        if self.explained:
            return tuple(parameter_table(description) for description in self.descriptions)
        return (summary_table(self.descriptions),)
