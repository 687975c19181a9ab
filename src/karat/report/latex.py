"""Tables in LaTeX: with booktabs, and for a paper as a float that fits its column."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from karat.report.table import Cell, Table, column_kinds, visible

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
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "†": r"$\dagger$",
    "≤": r"$\leq$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
}
COLUMN_POINTS = 215
"""The width of a column in the two-column styles of the field, less a little."""
_NEEDS_FONTS = "% Needs XeLaTeX or LuaLaTeX, and a font that has the letters of all names"
_FIRST_ASIAN, _LAST_ASIAN, _FIRST_CJK = "\u0590", "\u1dff", "\u2e80"
"""Scripts that pdfLaTeX has no letters of: those of Asia and Africa in two runs, of which the second has no end."""
_GAP_POINTS = 12
_WIDE_POINTS, _USUAL_POINTS = 7.5, 4.7
"""How wide capitals and other signs are at most and on average, in nine-point type."""


def to_latex(table: Table) -> str:
    """A booktabs table: the best in bold, and below it remarks, and notes in small print."""
    lines = _float(table) if table.caption else _plain(table)
    return "\n".join([*([_NEEDS_FONTS] if _has_asian_letters(table) else []), *lines]) + "\n"


def _has_asian_letters(table: Table) -> bool:
    cells = (cell.text for row in table.rows for cell in row)
    text = chain.from_iterable([table.caption, *table.headings, *cells, *table.remarks, *table.notes])
    return any(_FIRST_ASIAN <= letter <= _LAST_ASIAN or letter >= _FIRST_CJK for letter in text)


def _plain(table: Table) -> Iterator[str]:
    yield from _tabular(table)
    yield from (rf"\par {latex_escape(remark)}" for remark in table.remarks)
    yield from (rf"\par{{\footnotesize {_code(note)}}}" for note in table.notes)


def _float(table: Table) -> Iterator[str]:
    """The table with its caption; one that is too wide for a column is shrunk to it."""
    yield r"% Needs \usepackage{booktabs}" + (r" and \usepackage{graphicx}" if _too_wide(table) else "")
    yield r"\begin{table}[t]"
    yield r"\centering\small"
    if _too_wide(table):
        yield r"\resizebox{\linewidth}{!}{%"
    yield from _tabular(table)
    if _too_wide(table):
        yield "}"
    yield rf"\caption{{{latex_escape(table.caption)}}}"
    if table.notes:
        yield r"\par\smallskip"
        yield r"\parbox{\linewidth}{\raggedright\scriptsize"
        yield "\n".join(rf"{_code(note)}\par" for note in table.notes)
        yield "}"
    yield r"\end{table}"


def _tabular(table: Table) -> Iterator[str]:
    alignment = "".join("r" if kind else "l" for kind in column_kinds(table))
    # Marks stand behind the numbers without a width of their own: the last column leaves room for them.
    room = r"@{\hspace{1.5em}}" if any(row[-1].mark for row in table.rows) else ""
    yield r"\begin{tabular}{" + alignment + room + "}"
    yield r"\toprule"
    yield " & ".join(_guarded(latex_escape(heading)) for heading in table.headings) + r" \\"
    yield r"\midrule"
    for number, row in enumerate(table.rows):
        if number in table.sections and number:
            yield r"\midrule"
        yield " & ".join(_cell(cell) for cell in row) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _cell(cell: Cell) -> str:
    text = latex_escape(cell.text)
    raised = rf"\rlap{{$^{{{latex_escape(cell.mark).replace('$', '')}}}$}}" if cell.mark else ""
    return (rf"\textbf{{{text}}}" if cell.best else _guarded(text)) + raised


def _guarded(text: str) -> str:
    """A cell that the end of the line before it does not take for its option."""
    return "{}" + text if text.lstrip()[:1] in ("[", "*") else text


def _code(text: str) -> str:
    """Fixed-width text that may be broken between the fields of a signature."""
    fields = (latex_escape(field) for field in text.split("|"))
    return r"\texttt{" + r"|\allowbreak ".join(fields) + "}"


def _too_wide(table: Table) -> bool:
    columns = zip(table.headings, *([cell.text for cell in row] for row in table.rows), strict=True)
    return sum(max(map(_points, column)) + _GAP_POINTS for column in columns) > COLUMN_POINTS


def _points(text: str) -> float:
    return sum(_WIDE_POINTS if character.isupper() else _USUAL_POINTS for character in text)


def latex_escape(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    return "".join(_LATEX_SPECIAL.get(character, character) for character in visible(text))
