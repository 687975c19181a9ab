"""The result of converting ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.table import Cell, Table
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.corpus.ratings import BadRow


@dataclass(frozen=True, kw_only=True, repr=False)
class ConvertResult(Result):
    """What became of the ratings: the files by name (one without name, if the format is no directory).

    `count` ratings were written. `skipped` rows were bad, `unfit` ratings have no place in the format, and `lost`
    counts the values of columns that it has no place for.
    """

    records_of: ClassVar[str] = "losses"
    page_title: ClassVar[str] = "Conversion"

    file: str
    read_as: str
    written_as: str
    files: Mapping[str, bytes]
    count: int
    skipped: tuple[BadRow, ...]
    unfit: tuple[str, ...]
    lost: Mapping[str, int]

    def body(self) -> dict[str, Any]:
        """What happened, without the files."""
        return {
            "file": self.file,
            "from": self.read_as,
            "to": self.written_as,
            "ratings": self.count,
            "skipped": [str(row) for row in self.skipped],
            "unfit": list(self.unfit),
            "lost": dict(self.lost),
            "losses": [{"column": name, "values": count} for name, count in self.lost.items()],
            "notes": [warning.message for warning in self.warnings],
        }

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:  # noqa: ARG002 - counts only
        """How many ratings were written, skipped and left out, and what was lost."""
        counts = {"written": self.count, "skipped": len(self.skipped), "do not fit": len(self.unfit)}
        counts |= {f"{name} lost": count for name, count in self.lost.items()}
        rows = tuple((Cell(name), Cell(f"{count:,}", number=True)) for name, count in counts.items())
        return (Table(("Ratings", "Count"), rows, title=f"{self.read_as} to {self.written_as}"),)
