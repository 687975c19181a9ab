"""The result of judging predicted tags of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.numbers import fixed
from karat.report.table import Cell, Table
from karat.results.base import Result

if TYPE_CHECKING:
    from karat.meta import TagCounts

TAG_DIGITS = 4


@dataclass(frozen=True, kw_only=True, repr=False)
class WordTagsResult(Result):
    """How often each system's tags are right."""

    records_of: ClassVar[str] = "systems"
    page_title: ClassVar[str] = "Word tags against gold"

    systems: Mapping[str, TagCounts]

    def body(self) -> dict[str, Any]:
        """One entry per system."""
        return {"systems": [{"system": name, **counts.to_json()} for name, counts in self.systems.items()]}

    def records(self) -> list[dict[str, Any]]:
        """One record per system."""
        fields = ("words", "mcc", "f1_multi", "f1_bad", "f1_ok")
        return [
            {"system": name, **{field: getattr(counts, field) for field in fields}}
            for name, counts in self.systems.items()
        ]

    def tables(self, digits: int = TAG_DIGITS) -> tuple[Table, ...]:
        """Systems down, measures across."""
        rows = tuple(
            (
                Cell(name),
                Cell(f"{counts.words:,}", number=True),
                *(_number(value, digits) for value in (counts.mcc, counts.f1_multi, counts.f1_bad, counts.f1_ok)),
            )
            for name, counts in self.systems.items()
        )
        note = "MCC: Matthews' correlation; F1-multi: F1 of BAD times F1 of OK; words of all segments together"
        return (Table(("System", "Words", "MCC", "F1-multi", "F1 BAD", "F1 OK"), rows, (note,)),)


def _number(value: float, digits: int) -> Cell:
    return Cell("–" if isnan(value) else fixed(value, digits), number=True)
