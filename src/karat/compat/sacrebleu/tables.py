"""How the command line prints scores: one system, or a table of several."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from karat.compat.sacrebleu.metrics.base import Signature
from karat.compat.sacrebleu.significance import Result

Columns = Mapping[str, Sequence["str | Result"]]
"""The names of systems under "System", and their scores under the name of each metric."""

SIGNIFICANT = 0.05
HEADER_PADDING = 2

_COLORS = {"red": 31, "yellow": 33, "cyan": 36}
_LATEX = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "^": r"\^{}",
        "~": r"\textasciitilde{}",
        "\\": r"\textbackslash{}",
        "<": r"\ensuremath{<}",
        ">": r"\ensuremath{>}",
    }
)

_NOTES = """\
 - Every system is compared with the baseline alone{shown}.

 - The null hypothesis is that system and baseline are equally good, and that chance alone,
   in the choice of the segments, made the difference between their scores. The p-value says
   how often chance makes one as large.

 - Differences with p < 0.05 are marked with "*": there the null hypothesis is rejected.
   A system that differs from the baseline may be better or worse: look at the scores.
"""


class Color:
    """Colours for terminals."""

    ENABLE_COLORS = False

    @staticmethod
    def format(msg: str, color: str) -> str:
        """The text in a colour, where colours are on."""
        if not Color.ENABLE_COLORS or color not in _COLORS:
            return msg
        return f"\x1b[{_COLORS[color]}m{msg}\x1b[0m"


def use_colors(wanted: bool) -> None:
    """Colours are for terminals only."""
    Color.ENABLE_COLORS = wanted and sys.stdout.isatty()


def print_single_results(results: Sequence[str], style: str, score_only: bool) -> None:
    """The scores of one system: JSON, or text with the equals signs below each other."""
    if len(results) == 1:
        print(results[0])
    elif style == "json":
        print("[\n" + ",\n".join(results) + "\n]")
    elif score_only:
        print("\n".join(results))
    else:
        margin = max(line.index(" = ") for line in results)
        print("\n".join(" " * (margin - line.index(" = ")) + line for line in results))


def print_results_table(
    columns: Columns, signatures: Mapping[str, Signature], style: str, width: int, short: bool, test: str | None
) -> None:
    """The scores of several systems as JSON, text or LaTeX; `test` describes the paired test, if there was one."""
    if style == "json":
        print(json.dumps(_records(columns), indent=4))
        return
    tested = any(isinstance(cell, Result) and cell.mean is not None for cells in columns.values() for cell in cells)
    headers = [name if name == "System" or not tested else f"{name} (μ ± 95% CI)" for name in columns]
    cells = [[_lines(cell, width) for cell in column] for column in columns.values()]
    rows = list(zip(*cells, strict=True))
    print(_latex(headers, rows) if style == "latex" else _grid(headers, rows, test is not None))
    if test:
        _print_heading(test)
        print(_NOTES.format(shown=", with the mean of its resamples and their 95% interval" if tested else ""), end="")
    _print_heading("Metric signatures")
    for name, signature in signatures.items():
        print(f" - {name:<10} {signature.format(short)}")


def _print_heading(text: str) -> None:
    print(f"\n{'-' * len(text)}\n{text}\n{'-' * len(text)}")


def _records(columns: Columns) -> list[dict[str, Any]]:
    names = ["system" if name == "System" else name for name in columns]
    return [
        {name: _record(cell) for name, cell in zip(names, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]


def _record(cell: str | Result) -> Any:
    if isinstance(cell, str):
        return cell
    return {name: None if value is None else float(value) for name, value in vars(cell).items()}


def _lines(cell: str | Result, width: int) -> list[str]:
    if isinstance(cell, str):
        return [cell.strip()]
    score = f"{cell.score:.{width}f}"
    if cell.mean is not None:
        score += f" ({cell.mean:.{width}f} ± {cell.ci:.{width}f})"
    if cell.p_value is None:
        return [score]
    return [score, f"(p = {cell.p_value:.4f})" + ("*" if cell.p_value < SIGNIFICANT else "")]


Cells = Sequence[Sequence[list[str]]]


def _widths(headers: Sequence[str], rows: Iterable[Sequence[list[str]]]) -> list[int]:
    widths = [len(header) + HEADER_PADDING for header in headers]
    for row in rows:
        widths = [max(width, *map(len, cell)) for width, cell in zip(widths, row, strict=True)]
    return widths


def _align(text: str, width: int, column: int, color: str = "") -> str:
    """Names to the right, scores in the middle."""
    aligned = f"{text:>{width}}" if column == 0 else f"{text:^{width}}"
    return aligned.replace(text, Color.format(text, color)) if color and text else aligned


def _grid(headers: Sequence[str], rows: Cells, first_is_baseline: bool) -> str:
    widths = _widths(headers, rows)

    def rule(left: str, line: str, crossing: str, right: str) -> str:
        return left + crossing.join(line * (width + 2) for width in widths) + right

    def row_lines(row: Sequence[list[str]], color: str) -> list[str]:
        height = max(map(len, row))
        lines = []
        for i in range(height):
            texts = [cell[i] if i < len(cell) else "" for cell in row]
            colors = [color or _p_value_color(text) for text in texts]
            padded = [_align(t, w, n, c) for n, (t, w, c) in enumerate(zip(texts, widths, colors, strict=True))]
            lines.append("│ " + " │ ".join(padded) + " │")
        return lines

    out = [rule("╒", "═", "╤", "╕"), *row_lines([[header] for header in headers], "cyan"), rule("╞", "═", "╪", "╡")]
    for number, row in enumerate(rows):
        if number:
            out.append(rule("├", "─", "┼", "┤"))
        out += row_lines(row, "yellow" if first_is_baseline and number == 0 else "")
    return "\n".join([*out, rule("╘", "═", "╧", "╛")])


def _p_value_color(text: str) -> str:
    return "red" if text.startswith("(p = ") and not text.endswith("*") else ""


def _latex(headers: Sequence[str], rows: Cells) -> str:
    joined = [[[" ".join(cell)] for cell in row] for row in rows]
    widths = _widths(headers, joined)

    def line(texts: Iterable[str]) -> str:
        padded = [_align(t, w, n).translate(_LATEX) for n, (t, w) in enumerate(zip(texts, widths, strict=True))]
        return " " + " & ".join(padded) + " \\\\"

    return "\n".join(
        [
            f"\\begin{{tabular}}{{r{'c' * (len(headers) - 1)}}}",
            "\\toprule",
            line(headers),
            "\\midrule",
            *(line(cell[0] for cell in row) for row in joined),
            "\\bottomrule",
            "\\end{tabular}",
        ]
    )
