"""The result of choosing segments to read."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from karat.quick_dataclasses import dataclass
from karat.report.reading import choices_table, skipped_table, texts_table
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.analysis.reading import ReadingList
    from karat.report.table import Table


@dataclass(frozen=True, kw_only=True, repr=False)
class ReadingResult(Result):
    """The segments most worth reading, by reason."""

    records_of: ClassVar[str] = "choices"
    page_title: ClassVar[str] = "Segments worth reading"

    reading: ReadingList

    def body(self) -> dict[str, Any]:
        """What was looked at, the choices with their scores, and the reasons that could not be looked into."""
        reading = self.reading
        return {
            "segments": reading.segments,
            "documents": reading.documents,
            "systems": list(reading.systems),
            "measures": list(reading.measures),
            "per_document": reading.per_document,
            "choices": [asdict(choice) for choice in reading.choices],
            "texts": [asdict(texts) for texts in reading.texts],
            "skipped": [{"reason": reason, "why": why} for reason, why in reading.skipped],
        }

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """One table per reason, the texts to read, and the reasons that could not be looked into."""
        reasons = dict.fromkeys(choice.reason for choice in self.reading.choices)
        tables = [choices_table(self.reading, reason, digits) for reason in reasons]
        tables += [texts_table(self.reading)] if self.reading.texts else []
        return (*tables, skipped_table(self.reading)) if self.reading.skipped else tuple(tables)
