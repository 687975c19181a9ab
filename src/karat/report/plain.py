"""Tables as plain text in aligned columns: for prompts and for pipes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.report.fitting import GAP as RULED_GAP
from karat.report.table import Table, column_kinds, visible, width_of

GAP = "  "
MOST_ROWS, MOST_COLUMNS = 10, 120
"""How much of a table is shown where it must be short."""


def to_text(table: Table) -> str:
    """The whole table: title, headings and rows, then what they say and how they came about."""
    blocks = ([*filter(None, [table.title]), *aligned(table)], table.remarks, table.notes)
    return "\n\n".join("\n".join(map(visible, block)) for block in blocks if block)


def aligned(table: Table) -> list[str]:
    """The headings and the rows, a line each."""
    return [line.rstrip() for line in _padded(table, GAP)]


def ruled(table: Table) -> str:
    """The table with a rule below its headings: what `print_table` shows where there is no terminal, without rich.

    Rich takes longer to load than most tables take to be filled.
    """
    heading, *rows = _padded(table, " " * RULED_GAP)
    sections = [i for i in table.sections if 0 < i < len(rows)]
    for i in sorted(sections, reverse=True):
        rows.insert(i, " " * width_of(heading))
    lines = [*filter(None, [visible(table.title)]), heading, "─" * width_of(heading), *rows]
    if table.remarks:
        lines += ["", *map(visible, table.remarks)]
    if table.remarks and table.notes:
        lines.append("")
    return "".join(f"{line}\n" for line in (*lines, *map(visible, table.notes)))


def _padded(table: Table, gap: str) -> Iterator[str]:
    """The headings and the rows, a line each, every cell as wide as its column."""
    kinds = column_kinds(table)
    lines = [[visible(text) for text in table.headings], *([visible(cell.text) for cell in row] for row in table.rows)]
    widths = [max(map(width_of, column)) for column in zip(*lines, strict=True)]

    def padded(text: str, width: int, number: bool) -> str:
        shown = text.rstrip(" ") if number else text
        room = " " * (width - width_of(shown))
        return room + shown if number else shown + room

    return (gap.join(map(padded, line, widths, kinds)) for line in lines)


def glimpse(tables: Sequence[Table]) -> str:
    """The beginning of the first table, and how much more there is."""
    first = tables[0]
    lines = [line if len(line) <= MOST_COLUMNS else line[: MOST_COLUMNS - 1] + "…" for line in aligned(first)]
    hidden = {"row": len(first.rows) - MOST_ROWS, "table": len(tables) - 1}
    more = [f"{count} more {thing}{'s' * (count > 1)}" for thing, count in hidden.items() if count > 0]
    return "\n".join([*lines[: MOST_ROWS + 1], *([f"... and {' and '.join(more)}"] if more else [])])
