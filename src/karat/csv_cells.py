"""Cells of CSV that a spreadsheet shows as the text they are, and never runs as a formula."""

from __future__ import annotations

import re
from typing import TypeVar

T = TypeVar("T")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"''*[=+\-@\t\r]")


def harmless_cell(cell: T) -> T | str:
    """The cell, with an apostrophe before text that a spreadsheet would take for a formula.

    >>> harmless_cell("=1+1"), harmless_cell("-0.5"), harmless_cell("bleu"), harmless_cell(-3)
    ("'=1+1", '-0.5', 'bleu', -3)
    """
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def plain_cell(cell: T) -> T | str:
    """What `harmless_cell` was given.

    >>> plain_cell("'=1+1"), plain_cell("'tis"), plain_cell(harmless_cell("'-x"))
    ('=1+1', "'tis", "'-x")
    """
    return cell[1:] if isinstance(cell, str) and _GUARDED.match(cell) else cell
