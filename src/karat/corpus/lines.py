"""Lines and columns from bytes: the few places where a column is cut, joined or compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from karat.kernels import InvalidUtf8
from karat.text import TextColumn

NumberedRows = Iterator[tuple[int, list[str]]]
"""The cells of each row of a table, with the number of the line that the row starts at."""


def lines_of(data: bytes) -> TextColumn:
    r"""The lines of a file: ``\n`` and ``\r\n`` end a line and nothing else does; the last line needs no end.

    >>> lines_of(b"a\r\nb\rc\n\nd").to_list()
    ['a', 'b\rc', '', 'd']
    """
    return TextColumn.from_lines(data)


def decode(data: bytes) -> str:
    """UTF-8 as text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidUtf8(error.start, data.count(b"\n", 0, error.start) + 1) from error


def split_lines(text: str) -> list[str]:
    r"""Text cut at ``\n`` and ``\r\n`` only, unlike `str.splitlines`."""
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def delimiter_of(text: str) -> str:
    """What ends the cells of CSV: the one of comma, semicolon and tab that the header has outside quotes, else a comma.

    >>> delimiter_of('source;"a, b"\\n1,2;3'), delimiter_of("a;b,c")
    (';', ',')
    """
    header = re.sub(r'"[^"]*"', "", text.lstrip("\n\r").partition("\n")[0])
    present = [sign for sign in ",;\t" if sign in header]
    return present[0] if len(present) == 1 else ","


def repeated(names: Iterable[str]) -> str | None:
    """The first name that is there for a second time.

    >>> repeated(["a", "b", "b", "a"]), repeated(["a"])
    ('b', None)
    """
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]


def slice_of(column: TextColumn, start: int, stop: int) -> TextColumn:
    """The strings from start to before stop."""
    return column[start:stop]


def interleaved(columns: Sequence[TextColumn]) -> TextColumn:
    """The first strings of all columns, then the second ones: a1, b1, a2, b2, ..."""
    return TextColumn.interleave(columns)


def arena_of(column: TextColumn) -> bytes:
    """The UTF-8 bytes of all strings, one after the other."""
    return bytes(column.native.arena())


SAMPLE, SAMPLE_BYTES = 200, 100
"""How many segments are looked at where a sample will do, and how much of each."""


def sample_of(column: TextColumn, size: int = SAMPLE) -> str:
    r"""The beginnings of evenly spread strings, a line each.

    >>> sample_of(TextColumn.of(["a\nb", "c"]))
    'a b\nc'
    """
    arena, offsets = column.native.arena(), offsets_of(column)
    count = len(column)
    chosen = slice(None) if count <= size else np.linspace(0, count - 1, size).astype(np.intp)
    starts = offsets[:-1][chosen]
    ends = np.minimum(offsets[1:][chosen], starts + SAMPLE_BYTES).tolist()
    pieces = [bytes(arena[start:end]).replace(b"\n", b" ") for start, end in zip(starts.tolist(), ends, strict=True)]
    return b"\n".join(pieces).decode(errors="ignore")  # a piece may end inside a character


def offsets_of(column: TextColumn) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Where each string starts in the arena, and where the last ends."""
    return np.frombuffer(column.native.offsets(), dtype=np.int64)
