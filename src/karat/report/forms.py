"""The forms that a table can be written in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from karat.report.table import Table, print_table, to_latex, to_markdown

FORMS = ("table", "json", "csv", "markdown", "latex")


def shower(form: str, out: TextIO) -> Callable[[Table], None]:
    """What writes a table in one of the forms for people: table, markdown or latex."""
    return _SHOW[form](out)


def _terminal(out: TextIO) -> Callable[[Table], None]:
    from rich.console import Console

    console = Console(file=out, highlight=False, markup=False, emoji=False)
    return lambda table: print_table(table, console)


def _markup(render: Callable[[Table], str]) -> Callable[[TextIO], Callable[[Table], None]]:
    def show_on(out: TextIO) -> Callable[[Table], None]:
        def show(table: Table) -> None:
            out.write(render(table))

        return show

    return show_on


_SHOW: dict[str, Callable[[TextIO], Callable[[Table], None]]] = {
    "table": _terminal,
    "markdown": _markup(to_markdown),
    "latex": _markup(to_latex),
}
