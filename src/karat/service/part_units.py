"""The units that tests, intervals and scores of documents are made of, where only parts are left of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from karat.engine.part_scoring import LABELS
from karat.errors import InputError

UnitsNeeded = Literal["any", "document"]
"""What will be asked of parts: units of any kind, or documents."""


def unit_column(groups: Sequence[str]) -> str | None:
    """The column by whose values sums are drawn: that of documents, or whatever one column names in place of them."""
    others = [name for name in groups if name not in LABELS]
    if "document" in groups:
        return "document"
    return others[0] if len(others) == 1 else None


def refuse_without_units(needed: UnitsNeeded, groups: Sequence[str], *, keeps_rows: bool) -> None:
    """Refuse to score for hours what would then be refused."""
    if unit_column(groups) is not None or (needed == "any" and keeps_rows):
        return
    if needed == "document":
        raise InputError(
            "--level document: nothing tells documents apart: add --group-by COLUMN where a column does, or name it "
            "with --columns document=COLUMN"
        )
    raise InputError(
        "--ci: sums of whole systems have no intervals: add --keep-rows, or --group-by COLUMN where a column tells "
        "documents"
    )
