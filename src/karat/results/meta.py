"""The result of judging metrics by what people said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.meta import meta_tables
from karat.results.base import Result

if TYPE_CHECKING:
    from karat.meta.study import TaskStudy
    from karat.report.page.parts import Section
    from karat.report.table import Table

META_DIGITS = 3
"""Correlations get one digit more than scores."""


@dataclass(frozen=True, kw_only=True, repr=False)
class MetaResult(Result):
    """What was found about each task, and in the mean over tasks where there are several; `weights` add up to one."""

    records_of: ClassVar[str] = "measures"
    page_title: ClassVar[str] = "How well metrics agree with people"

    tasks: tuple[TaskStudy, ...]
    averages: tuple[dict[str, Any], ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        """The measures of all tasks, without outliers too, and what each task is made of."""
        body: dict[str, Any] = {
            "measures": self._measures(without_outliers=False),
            "without_outliers": self._measures(without_outliers=True),
            "tasks": [task.to_json() for task in self.tasks],
        }
        return {**body, "averages": list(self.averages), "weights": dict(self.weights)} if self.averages else body

    def _measures(self, *, without_outliers: bool) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        for task in self.tasks:
            names = ("testset", "language_pair", "subset") if len(self.tasks) > 1 else ()
            named = {name: getattr(task, name) for name in names}
            agreements = task.without_outliers if without_outliers else task.measures
            entries += [{**agreement.to_json(task.settings.confidence), **named} for agreement in agreements]
        return entries

    def tables(self, digits: int = META_DIGITS, *, detailed: bool = False) -> tuple[Table, ...]:
        """A table for each task, and one of the means where there are several."""
        return tuple(meta_tables(self.tasks, self.averages, self.weights, digits, detailed=detailed))

    def sections(self, digits: int = META_DIGITS) -> tuple[Section, ...]:
        """Plots of systems under metrics and people, and the measures."""
        from karat.report.page.judged import meta_section

        return (meta_section(self.tasks, self.averages, self.weights, self.records(), digits),)
