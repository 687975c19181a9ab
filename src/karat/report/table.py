"""A table of results, and its forms for terminals, Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.quick_dataclasses import dataclass
from karat.report.fitting import ColumnSize, Strip, fit

if TYPE_CHECKING:
    from rich.console import Console

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What moves the cursor, ends a line, shows text in another order than it has, or is no character."""

_NARROW = re.compile(r"[ -~\xa0-\xac\xae-\u02ff\u0370-\u0482←-↓–—…−≈≠≤≥]*")
"""Signs that are one column wide on every terminal; not all of them."""

ENDLESS = 1_000_000
"""A width that no table has."""


@dataclass(frozen=True)
class Cell:
    """Text in a table; the best of its kind is marked, and `mark` stands raised behind it in a paper.

    `link` is where it leads on a page, where what may be chance is `faint`, and where several names in one cell keep
    their order if they stand `apart`.
    """

    text: str
    best: bool = False
    number: bool = False
    mark: str = ""
    link: str = ""
    faint: bool = False
    apart: bool = False


Line = tuple[Cell, ...]
"""One row of a table."""


@dataclass(frozen=True)
class Table:
    """Headings, rows of cells, and below them sentences and notes.

    `sections` are the rows before which a rule is drawn; `remarks` are what the table says, in words, and `notes` how
    it came about. A table with a `caption` is one for a paper.
    """

    headings: tuple[str, ...]
    rows: tuple[Line, ...]
    notes: tuple[str, ...] = ()
    sections: frozenset[int] = frozenset()
    title: str = ""
    remarks: tuple[str, ...] = ()
    caption: str = ""


def visible(text: str) -> str:
    """Text that cannot move the cursor or break the line: control characters are shown as escapes."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes; rich knows of signs that take two, or none."""
    if _NARROW.fullmatch(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def print_table(table: Table, console: Console) -> None:
    """Print to a terminal, or as plain text where there is none: the best in bold, notes below.

    On a terminal the table keeps to its width, as `fit` says; in a file or pipe it is as wide as it is.
    """
    from rich.text import Text

    if table.title:
        console.print(Text(visible(table.title), style="italic"), soft_wrap=not console.is_terminal)
    for number, strip in enumerate(fit(_sizes(table), console.width if console.is_terminal else ENDLESS)):
        if number:
            console.print()
        _print_strip(table, strip, console)
    if table.remarks:
        console.print()
    for remark in table.remarks:
        console.print(Text(visible(remark)), soft_wrap=not console.is_terminal)
    if table.remarks and table.notes:
        console.print()
    for note in table.notes:
        # What is longer than a line, such as a signature, is left in one piece to be copied.
        whole = not console.is_terminal or any(len(word) > console.width for word in note.split())
        console.print(Text(visible(note), style="dim"), soft_wrap=whole)


def _print_strip(table: Table, strip: Strip, console: Console) -> None:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    kinds = column_kinds(table)
    shown = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for i, width in zip(strip.columns, strip.widths, strict=True):
        heading = Text(visible(table.headings[i]))
        shown.add_column(heading, justify="right" if kinds[i] else "left", overflow="fold", width=width)
    for number, row in enumerate(table.rows):
        if number in table.sections:
            shown.add_section()
        cells = [row[i] for i in strip.columns]
        shown.add_row(*(Text(visible(cell.text), style="bold green" if cell.best else "") for cell in cells))
    width = console.width
    console.width = max(width, strip.width)
    console.print(shown)
    console.width = width


def _sizes(table: Table) -> list[ColumnSize]:
    """How wide the columns are and may be; numbers are never folded."""
    return [
        _size(table.headings[i], [row[i] for row in table.rows], number=kind)
        for i, kind in enumerate(column_kinds(table))
    ]


def _size(heading: str, cells: Sequence[Cell], *, number: bool) -> ColumnSize:
    full = [width_of(visible(text)) for text in (heading, *(cell.text for cell in cells))]
    words = [word for text in (heading, *(cell.text for cell in cells if not cell.number)) for word in text.split()]
    kept = [cell.text for cell in cells if cell.number]
    least = max((width_of(visible(text)) for text in (*words, *kept)), default=0)
    return ColumnSize(full=max(full), least=least, number=number)


def column_kinds(table: Table) -> list[bool]:
    """Whether each column has numbers."""
    return [any(row[i].number for row in table.rows) for i in range(len(table.headings))]


def to_markdown(table: Table) -> str:
    """A GitHub-flavoured Markdown table: the best in bold, notes as a list of code."""
    kinds = column_kinds(table)
    lines = [
        _markdown_line([markdown_escape(heading) for heading in table.headings]),
        _markdown_line(["---:" if kind else ":---" for kind in kinds]),
    ]
    for row in table.rows:
        texts = (markdown_escape(cell.text) for cell in row)
        lines.append(
            _markdown_line([f"**{text}**" if cell.best else text for text, cell in zip(texts, row, strict=True)])
        )
    for remark in table.remarks:
        lines += ["", markdown_escape(remark)]
    if table.notes:
        lines += ["", *(f"- `{visible(note).replace('`', 'ˋ')}`" for note in table.notes)]
    return "\n".join(lines) + "\n"


def _markdown_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def markdown_escape(text: str) -> str:
    """Text that Markdown shows as it stands."""
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", visible(text))


def to_html(table: Table) -> str:
    """A table of HTML, every text escaped: the best marked, remarks as paragraphs, notes in small print."""
    kinds = column_kinds(table)
    title = f"<h2>{_html(table.title)}</h2>" if table.title else ""
    head = "".join(f"<th>{_html(heading)}</th>" for heading in table.headings)
    lines = []
    for number, row in enumerate(table.rows):
        ruled = " class='section'" if number in table.sections and number else ""
        cells = "".join(_html_cell(cell, right=kind) for cell, kind in zip(row, kinds, strict=True))
        lines.append(f"<tr{ruled}>{cells}</tr>")
    remarks = "".join(f"<p>{_html(remark)}</p>" for remark in table.remarks)
    notes = "".join(f"<div class='notes'>{_html(note)}</div>" for note in table.notes)
    body = "\n".join(lines)
    return f"{title}<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>\n{remarks}{notes}"


def _html_cell(cell: Cell, *, right: bool) -> str:
    classes = [name for name, wanted in (("number", right), ("best", cell.best)) if wanted]
    marked = f" class='{' '.join(classes)}'" if classes else ""
    return f"<td{marked}>{_html(cell.text)}</td>"


def _html(text: str) -> str:
    from html import escape

    return escape(visible(text))
