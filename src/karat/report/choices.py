"""The best hypotheses of segments as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from karat.report.numbers import digits_for, fixed
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.identity import Identity

LONGEST_TEXT = 60
"""Signs of a text that a table shows."""


class ShownChoice(Protocol):
    """What a table tells of the choice for a segment."""

    @property
    def segment(self) -> str: ...
    @property
    def place(self) -> int: ...
    @property
    def hypothesis(self) -> str: ...
    @property
    def utility(self) -> float: ...
    @property
    def margin(self) -> float | None: ...


def choice_table(identity: Identity, choices: Sequence[ShownChoice], digits: int) -> Table:
    """Segment, place in its list, utility, margin and text."""
    shown = digits_for(identity, [choice.utility for choice in choices], digits)
    rows = tuple(
        (
            Cell(choice.segment),
            Cell(str(choice.place), number=True),
            Cell(fixed(choice.utility, shown), number=True),
            Cell("–" if choice.margin is None else fixed(choice.margin, shown), number=True),
            Cell(shortened(choice.hypothesis)),
        )
        for choice in choices
    )
    headings = ("Segment", "Place", f"{identity.display_name} {identity.arrow}", "Margin", "Hypothesis")
    notes = (
        "place: in the list, from 1; margin: how much better than the best other text",
        str(identity.signature),
    )
    return Table(headings, rows, notes)


def shortened(text: str, length: int = LONGEST_TEXT) -> str:
    """The beginning of a text.

    >>> shortened("a long story", 7)
    'a long…'
    """
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
