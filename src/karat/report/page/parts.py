"""What a page is made of: a first screen, sections of tables and pictures, segments, and how it was made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol
from zlib import crc32

from karat.report.table import Cell, Line, Table, column_kinds

if TYPE_CHECKING:
    from karat.report.page.front import Front
    from karat.report.svg import Drawing

Record = Mapping[str, Any]

_NUMBER = re.compile(r"\(?(?P<value>[-+−]?\d[\d,]*(\.\d+)?)( ?± ?(?P<spread>\d+(\.\d+)?))?\)?(?P<mark>\*+)?", re.ASCII)
UNNAMED = "Group"
"""What the column of a table without a heading is called in files."""


class SegmentsPart(Protocol):
    """The segments: the first of them for readers without scripts, and all of them packed for the script."""

    @property
    def count(self) -> int:
        """How many there are."""
        ...

    @property
    def payload(self) -> str:
        """All of them, packed."""
        ...

    @property
    def first_rows(self) -> Sequence[Any]:
        """The first of them."""
        ...


@dataclass(frozen=True)
class Exhibit:
    """A table, and the records that its CSV and JSON have; without these they have what is shown.

    `key` is its id on the page. With `folded` it is shown when somebody asks for it.
    """

    key: str
    table: Table
    records: tuple[Record, ...] = ()
    folded: str = ""

    @property
    def numeric(self) -> list[bool]:
        """Whether each column has numbers."""
        return column_kinds(self.table)

    @property
    def data(self) -> list[Record]:
        """One record per line: what is saved."""
        return list(self.records) or shown_records(self.table)


@dataclass(frozen=True)
class Picture:
    """A drawing, with its numbers as a table, and what must be known to read it."""

    key: str
    drawing: Drawing
    numbers: Exhibit
    remarks: tuple[str, ...] = ()

    @property
    def svg(self) -> str:
        """The drawing in the colours of the page."""
        return self.drawing.embedded(self.key)


@dataclass(frozen=True)
class Section:
    """A part of the page: sentences first, then pictures and tables; `notes` tell how it came about."""

    key: str
    title: str
    lead: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    notes: tuple[str, ...] = ()

    def folded(self, shown: int) -> Section:
        """The same, but for the first tables each of them behind its title."""
        kept, rest = self.exhibits[:shown], self.exhibits[shown:]
        behind = (replace(part, table=replace(part.table, title=""), folded=part.table.title) for part in rest)
        return replace(self, exhibits=(*kept, *behind))


@dataclass(frozen=True)
class Made:
    """How a page was made: the command, versions, inputs with their hashes, and all that was warned of."""

    command: str = ""
    time: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[Record, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    signatures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def recipe(self) -> Record:
        """All of it as JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Page:
    """Everything on a page."""

    title: str
    made: Made
    front: Front | None = None
    sections: tuple[Section, ...] = ()
    segments: SegmentsPart | None = None


def shown_records(table: Table) -> list[Record]:
    """The lines of a table by its headings, numbers as numbers; each line by itself tells all that it is about."""
    names = distinct([heading or UNNAMED for heading in table.headings])
    return [
        {key: value for name, cell in zip(names, row, strict=True) for key, value in saved_fields(name, cell).items()}
        for row in _filled(table.rows)
    ]


def _filled(rows: Sequence[Line]) -> list[Line]:
    """Lines that begin with blanks, as people read them, with what stands above in place of these."""
    filled: list[Line] = []
    for row in rows:
        blank = next((place for place, cell in enumerate(row) if cell.text), len(row))
        filled.append((*filled[-1][:blank], *row[blank:]) if filled else row)
    return filled


def saved_fields(name: str, cell: Cell) -> dict[str, Any]:
    """What a cell holds: a number without what it is shown in, and apart from it what follows ± and its stars.

    >>> saved_fields("BLEU", Cell("(54.65)", number=True)), saved_fields("BLEU", Cell("1,057.26±9.0*", number=True))
    ({'BLEU': 54.65}, {'BLEU': 1057.26, 'BLEU ±': 9.0, 'BLEU *': '*'})
    """
    number = _NUMBER.fullmatch(cell.text) if cell.number else None
    if number is None:
        return {name: cell.text}
    values = {name: number["value"], f"{name} ±": number["spread"]}
    stars = {f"{name} *": number["mark"]} if number["mark"] else {}
    return {key: _as_number(value) for key, value in values.items() if value is not None} | stars


def _as_number(text: str) -> float | int:
    plain = text.replace(",", "").replace("−", "-")
    return float(plain) if "." in plain else int(plain)


def distinct(names: Sequence[str]) -> list[str]:
    """Names of which no two are alike: repeated ones are counted.

    >>> distinct(["p", "Score", "p"])
    ['p', 'Score', 'p 2']
    """
    return [name if name not in names[:i] else f"{name} {names[:i].count(name) + 1}" for i, name in enumerate(names)]


def slug(text: str) -> str:
    """Part of an id that a text has for its own.

    >>> slug("adequacy"), slug("a b") == slug("a-b")
    ('adequacy', False)
    """
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return plain if plain == text else f"{plain}-{crc32(text.encode('utf-8', 'surrogatepass')):08x}".lstrip("-")


def records_table(records: Sequence[Record], headings: Mapping[str, str], digits: int = 4) -> Table:
    """Some fields of records as a table, each under its heading; numbers with as many digits as count."""
    return Table(
        tuple(headings.values()),
        tuple(tuple(_cell(record.get(name), digits) for name in headings) for record in records),
    )


def _cell(value: Any, digits: int) -> Cell:
    if value is None:
        return Cell("–", number=True)
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int):
        return Cell(f"{value:,}", number=True)
    if isinstance(value, float):
        return Cell(f"{value:.{digits}g}", number=True)
    return Cell(str(value))


def sections_of(
    key: str, title: str, tables: Sequence[Table], records: Sequence[Sequence[Record]] = ()
) -> tuple[Section, ...]:
    """A section out of tables as they are printed: what each says in words comes first, how it came about last."""
    known = [*records, *([()] * (len(tables) - len(records)))]
    exhibits = tuple(
        Exhibit(f"{key}-{number}", table, tuple(of_table))
        for number, (table, of_table) in enumerate(zip(tables, known, strict=True), 1)
    )
    return (Section(key, title, exhibits=exhibits),)
