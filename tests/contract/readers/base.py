"""What the laws of readers want to know about a format: how rows of text are written in it, and which text can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

Row = tuple[str, str, str]
"""Source, reference and hypothesis of one segment."""

ANY = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
LINE = ANY.map(lambda text: text.replace("\n", " ").rstrip("\r"))
CELL = LINE.map(lambda text: text.replace("\t", " ") or "x").filter(lambda text: not text.endswith("\r"))
XML = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=20).map(
    lambda text: text.strip(" ")
)


@dataclass(frozen=True)
class Sample:
    """A format: `make` gives the bytes of some rows.

    `columns` are those that a file holds: source, reference, hypothesis, or a text whose role it does not tell.
    """

    suffix: str
    make: Callable[[list[Row]], bytes]
    text: st.SearchStrategy[str]
    columns: str = "srh"
    is_text: bool = True
