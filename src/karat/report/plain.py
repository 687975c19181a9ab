"""Tables as plain text in aligned columns, without rules or boxes: for prompts and for pipes."""

from __future__ import annotations

from collections.abc import Sequence

from karat.report.table import Table, column_kinds, visible

GAP = "  "
MOST_ROWS, MOST_COLUMNS = 10, 120
"""How much of a table is shown where it must be short."""


def to_text(table: Table) -> str:
    """The whole table: title, headings and rows, then what they say and how they came about."""
    blocks = ([*filter(None, [table.title]), *aligned(table)], table.remarks, table.notes)
    return "\n\n".join("\n".join(map(visible, block)) for block in blocks if block)


def aligned(table: Table) -> list[str]:
    """The headings and the rows, a line each."""
    from rich.cells import cell_len

    kinds = column_kinds(table)
    lines = [[visible(text) for text in table.headings], *([visible(cell.text) for cell in row] for row in table.rows)]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]

    def padded(text: str, width: int, number: bool) -> str:
        room = " " * (width - cell_len(text))
        return room + text if number else text + room

    return [GAP.join(map(padded, line, widths, kinds)).rstrip() for line in lines]


def glimpse(tables: Sequence[Table]) -> str:
    """The beginning of the first table, and how much more there is."""
    first = tables[0]
    lines = [line if len(line) <= MOST_COLUMNS else line[: MOST_COLUMNS - 1] + "…" for line in aligned(first)]
    hidden = {"row": len(first.rows) - MOST_ROWS, "table": len(tables) - 1}
    more = [f"{count} more {thing}{'s' * (count > 1)}" for thing, count in hidden.items() if count > 0]
    return "\n".join([*lines[: MOST_ROWS + 1], *([f"... and {' and '.join(more)}"] if more else [])])
