"""The forms that a table can be written in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TextIO

from karat.report.latex import latex_escape, to_latex
from karat.report.plain import ruled
from karat.report.table import Table, markdown_escape, print_table, to_markdown

if TYPE_CHECKING:
    from rich.console import Console

FORMS = ("table", "json", "csv", "markdown", "latex")
HEADINGS: dict[str, Callable[[str], str]] = {
    "markdown": lambda title: f"### {markdown_escape(title)}\n\n",
    "latex": lambda title: f"\\paragraph{{{latex_escape(title)}}}\n",
}
"""The title of a table, in forms whose tables have none of their own."""


def show_tables(tables: Iterable[Table], form: str, out: TextIO) -> None:
    """Write tables in one of the forms for people, with an empty line between them."""
    show = shower(form, out)
    for number, table in enumerate(tables):
        if number:
            out.write("\n")
        if table.title and not table.caption and form in HEADINGS:
            out.write(HEADINGS[form](table.title))
        show(table)


def shower(form: str, out: TextIO) -> Callable[[Table], None]:
    """A function that writes a table in one of the forms for people: table, markdown or latex."""
    return _SHOW[form](out)


def console_on(out: TextIO) -> Console:
    """A console that writes texts as they are, and leaves it to the caller what happens when nobody reads them."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Plain(file=out, highlight=False, markup=False, emoji=False)


def _lines(out: TextIO) -> Callable[[Table], None]:
    if _is_plain(out):
        return _markup(ruled)(out)
    console = console_on(out)
    return lambda table: print_table(table, console)


def _is_plain(out: TextIO) -> bool:
    """Whether it is a file or pipe that takes every sign and that nobody has declared a terminal, as rich lets them."""
    if any(name in os.environ for name in ("FORCE_COLOR", "TTY_COMPATIBLE")):
        return False
    return not out.isatty() and (out.encoding or "utf-8").lower().startswith("utf")


def _markup(render: Callable[[Table], str]) -> Callable[[TextIO], Callable[[Table], None]]:
    def show_on(out: TextIO) -> Callable[[Table], None]:
        def show(table: Table) -> None:
            out.write(render(table))

        return show

    return show_on


_SHOW: dict[str, Callable[[TextIO], Callable[[Table], None]]] = {
    "table": _lines,
    "markdown": _markup(to_markdown),
    "latex": _markup(to_latex),
}
