"""Tables of text as frames, with the number of the line that each row starts at."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import islice

import polars as pl

from karat.corpus.files import InputFile
from karat.corpus.linefile import text_lines
from karat.corpus.lines import NumberedRows, delimiter_of, repeated
from karat.corpus.ratings.model import BadRow
from karat.errors import InputError

LINE = "line"
"""The column of line numbers, which no file's own column may be called after."""

_CHUNK = 1 << 16


def tab_rows(file: InputFile) -> NumberedRows:
    """Every line as a row: a tab ends a cell, and quotation marks mean nothing."""
    return ((number, line.split("\t")) for number, line in enumerate(_lines(file), 1))


def space_rows(file: InputFile) -> NumberedRows:
    """Every line as a row: any run of tabs and spaces ends a cell, as in files that mix both."""
    return ((number, line.split()) for number, line in enumerate(_lines(file), 1))


def _lines(file: InputFile) -> list[str]:
    """The lines, without blank ones at the end."""
    lines = text_lines(file)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def quoted_rows(file: InputFile) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Rows of CSV, which may span lines inside quotes; a row that is none comes as its error."""
    text = file.text()
    lines = StringIO(text, newline="\n")  # lines end at \n only, not at U+2028 and the like
    reader = csv.reader(lines, delimiter=delimiter_of(text), strict=True)
    start = 1
    while True:
        try:
            row: list[str] | csv.Error | None = next(reader, None)
        except csv.Error as error:
            row = error
        if row is None:
            return
        if row:
            yield start, row
        start = reader.line_num + 1


def frame_of(
    file: InputFile, header: Sequence[str], rows: Iterator[tuple[int, list[str] | csv.Error]]
) -> tuple[pl.DataFrame, list[BadRow]]:
    """The rows that have as many cells as the header has names, and the others as bad."""
    bad: list[BadRow] = []
    frames = [_empty(header)]
    while chunk := list(islice(rows, _CHUNK)):
        good = [(line, row) for line, row in chunk if isinstance(row, list) and len(row) == len(header)]
        if len(good) < len(chunk):
            kept = {line for line, _ in good}
            bad += [_misshapen(file, line, row, len(header)) for line, row in chunk if line not in kept]
        if good:
            cells = zip(*(row for _, row in good), strict=True)
            columns = dict(zip(header, map(list, cells), strict=True))
            frames.append(pl.DataFrame({LINE: [line for line, _ in good], **columns}))
    return pl.concat(frames), bad


def language_pair(source: str, target: str) -> pl.Expr:
    """The language pair from the columns of its languages; null where both are empty."""
    pair = pl.concat_str(source, target, separator="-")
    return pl.when(pair != "-").then(pair).alias("language_pair")


def tab_frame(file: InputFile, header: Sequence[str], skip: int = 0) -> tuple[pl.DataFrame, list[BadRow]]:
    """The lines of a table without quoting, cut at tabs; `skip` leaves out the first ones."""
    return _cut(file, header, _lines(file)[skip:], "\t", skip + 1)


def quoted_frame(file: InputFile, header: Sequence[str], skip: int = 0) -> tuple[pl.DataFrame, list[BadRow]]:
    """The rows of CSV without the first ones; without any quotation mark, lines are cut at once, which is faster."""
    text = file.text()
    if '"' not in text and "\r" not in text.replace("\r\n", "\n") and not text.startswith(("\n", "\r")):
        return _cut(file, header, _lines(file)[skip:], delimiter_of(text), skip + 1, blank_is_no_row=True)
    rows = quoted_rows(file)
    for _ in range(skip):
        next(rows, None)
    return frame_of(file, header, rows)


def _cut(
    file: InputFile,
    header: Sequence[str],
    lines: list[str],
    separator: str,
    first: int,
    *,
    blank_is_no_row: bool = False,
) -> tuple[pl.DataFrame, list[BadRow]]:
    """Lines cut at every separator, all at once."""
    numbered = pl.DataFrame({"text": lines}, schema={"text": pl.String}).with_row_index(LINE, first)
    if blank_is_no_row:
        numbered = numbered.filter(pl.col("text") != "")
    cells = pl.col("text").str.count_matches(separator, literal=True) + 1
    wrong = numbered.filter(cells != len(header)).select(LINE, "text")
    bad = [_misshapen(file, line, text.split(separator), len(header)) for line, text in wrong.iter_rows()]
    good = numbered.filter(cells == len(header)) if bad else numbered
    parts = pl.col("text").str.split_exact(separator, len(header) - 1).struct.rename_fields(list(header))
    frame = good.select(pl.col(LINE).cast(pl.Int64), parts.alias("cells")).unnest("cells")
    return frame, bad


def header_of(file: InputFile, rows: Iterator[tuple[int, list[str] | csv.Error]], wanted: str) -> list[str]:
    """The first row, which names the columns; `wanted` says what an empty file should have held."""
    _, header = next(rows, (1, []))
    if isinstance(header, csv.Error):
        raise InputError(f"{file.name}, line 1: not a valid row of CSV ({header})")
    names = [name.strip() for name in header]
    if not any(names):
        raise InputError(f"{file.name} is empty: expected {wanted}")
    twice = "" if "" in names else repeated(names)
    if twice is not None:
        raise InputError(f"{file.name}, line 1: {names.count(twice)} columns are called {twice!r}")
    return names


def _empty(header: Sequence[str]) -> pl.DataFrame:
    return pl.DataFrame(schema={LINE: pl.Int64, **dict.fromkeys(header, pl.String)})


def _misshapen(file: InputFile, line: int, row: list[str] | csv.Error, columns: int) -> BadRow:
    if isinstance(row, csv.Error):
        problem = f"not a valid row of CSV ({row}); is a quotation mark left open, or not doubled inside quotes?"
    else:
        problem = f"{len(row)} cell{'' if len(row) == 1 else 's'}, but the header has {columns} columns"
    return BadRow(file.name, line, "row", problem)
