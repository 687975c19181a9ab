"""A table of results, and its forms for terminals, Markdown, LaTeX and CSV."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True)
class Cell:
    """Text in a table; the best of its kind is marked."""

    text: str
    best: bool = False
    number: bool = False


Line = tuple[Cell, ...]
"""One row of a table."""


@dataclass(frozen=True)
class Table:
    """Headings, rows of cells, and below them sentences and notes.

    `sections` are the rows before which a rule is drawn; `remarks` are what the table says, in words, and `notes` how
    it came about.
    """

    headings: tuple[str, ...]
    rows: tuple[Line, ...]
    notes: tuple[str, ...] = ()
    sections: frozenset[int] = frozenset()
    title: str = ""
    remarks: tuple[str, ...] = ()


def visible(text: str) -> str:
    """Text that cannot move the cursor or break the line: control characters are shown as escapes."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def print_table(table: Table, console: Console, *, fold: bool = False) -> None:
    """Print to a terminal, or as plain text where there is none: the best in bold, notes below.

    Numbers are never broken: a table that is wider than the terminal stays as wide as it is, unless it holds text to be
    folded.
    """
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    rich_table = RichTable(
        box=box.SIMPLE_HEAD, show_edge=False, title=table.title or None, title_justify="left", pad_edge=False
    )
    for heading, kind in zip(table.headings, column_kinds(table), strict=True):
        rich_table.add_column(Text(visible(heading)), justify="right" if kind else "left", overflow="fold")
    for number, row in enumerate(table.rows):
        if number in table.sections:
            rich_table.add_section()
        rich_table.add_row(*(Text(visible(cell.text), style="bold green" if cell.best else "") for cell in row))
    width = console.width
    if not fold:
        endless = console.options.update(max_width=100_000)
        needed = console.measure(rich_table, options=endless).maximum
        console.width = max(width, needed)
        if len(table.title) > needed:
            # A title that is longer than its table would be broken into lines as short as that.
            rich_table.title = None
            console.print(Text(visible(table.title), style="italic"))
    console.print(rich_table)
    console.width = width
    if table.remarks:
        console.print()
    for remark in table.remarks:
        console.print(Text(visible(remark)), soft_wrap=not console.is_terminal)
    if table.remarks and table.notes:
        console.print()
    for note in table.notes:
        console.print(Text(visible(note), style="dim"), soft_wrap=True)


def column_kinds(table: Table) -> list[bool]:
    """Which columns hold numbers."""
    return [any(row[i].number for row in table.rows) for i in range(len(table.headings))]


def to_markdown(table: Table) -> str:
    """A GitHub-flavoured Markdown table: the best in bold, notes as a list of code."""
    kinds = column_kinds(table)
    lines = [
        _markdown_line([_markdown_escape(heading) for heading in table.headings]),
        _markdown_line(["---:" if kind else ":---" for kind in kinds]),
    ]
    for row in table.rows:
        texts = (_markdown_escape(cell.text) for cell in row)
        lines.append(
            _markdown_line([f"**{text}**" if cell.best else text for text, cell in zip(texts, row, strict=True)])
        )
    for remark in table.remarks:
        lines += ["", _markdown_escape(remark)]
    if table.notes:
        lines += ["", *(f"- `{visible(note).replace('`', 'ˋ')}`" for note in table.notes)]
    return "\n".join(lines) + "\n"


def _markdown_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown_escape(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", visible(text))


def to_latex(table: Table) -> str:
    """A booktabs table: the best in bold, notes as comments and in a footnote-sized paragraph."""
    alignment = "".join("r" if kind else "l" for kind in column_kinds(table))
    lines = [r"\begin{tabular}{" + alignment + "}", r"\toprule"]
    lines.append(" & ".join(latex_escape(heading) for heading in table.headings) + r" \\")
    lines.append(r"\midrule")
    for number, row in enumerate(table.rows):
        if number in table.sections and number:
            lines.append(r"\midrule")
        texts = (latex_escape(cell.text) for cell in row)
        cells = [rf"\textbf{{{text}}}" if cell.best else text for text, cell in zip(texts, row, strict=True)]
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par {latex_escape(remark)}" for remark in table.remarks]
    lines += [rf"\par{{\footnotesize \texttt{{{latex_escape(note)}}}}}" for note in table.notes]
    return "\n".join(lines) + "\n"


def latex_escape(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    return "".join(_LATEX_SPECIAL.get(character, character) for character in visible(text))


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
    return escape(visible(text))
