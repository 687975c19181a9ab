"""Text files read forward, any number of lines at a time, with exact positions in errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from karat.corpus.files import InputFile, invalid_utf8, without_bom
from karat.corpus.lines import lines_of, split_lines
from karat.errors import InputError
from karat.kernels import InvalidUtf8
from karat.text import TextColumn

CHUNK = 1 << 20
LONGEST_LINE = 16 << 20
"""Bytes of a line; whatever has more is no text with a segment per line."""
_START = 4096


class LineFile:
    """A plain text file, compressed or not; holds no more than what is asked for and one chunk."""

    def __init__(self, file: InputFile) -> None:
        self.file = file
        self.lines_read = 0
        self._bytes_read = 0
        self._chunks: Iterator[bytes] | None = None
        self._pending: list[bytes] = []
        self._newlines = 0
        self._unended = 0

    @property
    def share_read(self) -> float | None:
        """Which part of the file has been taken; None where its length is not known, as in a pipe."""
        size = self.file.size
        return None if size is None else min(1.0, self._bytes_read / size)

    def take(self, count: int) -> TextColumn:
        """The next lines: fewer than asked for at the end of the file, none after it."""
        self._start()
        while self._newlines < count and self._fetch():
            pass
        data = b"".join(self._pending)
        if self._newlines >= count:
            end = int(np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10)[count - 1]) + 1
            self._pending, self._newlines, data = [data[end:]], self._newlines - count, data[:end]
        else:
            self._pending, self._newlines = [], 0
        return self._column(data)

    def rest(self) -> TextColumn:
        """All lines that are left."""
        self._start()
        while self._fetch():
            pass
        data, self._pending, self._newlines = b"".join(self._pending), [], 0
        return self._column(data)

    def count_rest(self) -> int:
        """How many lines are left; reads on to the end of the file without keeping anything."""
        self._start()
        newlines, last = self._newlines, b"".join(self._pending)[-1:]
        for chunk in self._chunks or ():
            self._refuse_long_line(chunk)
            newlines, last = newlines + chunk.count(b"\n"), chunk[-1:]
        return newlines + (last not in (b"", b"\n"))

    def _start(self) -> None:
        """Open the file and look at its first bytes."""
        if self._chunks is not None:
            return
        self._chunks = self.file.chunks(CHUNK)
        start = b""
        while len(start) < _START and (chunk := next(self._chunks, None)):
            start += chunk
        start, self._bytes_read = without_bom(start, self.file.name)
        self._keep(start)

    def _fetch(self) -> bool:
        chunk = next(self._chunks, None) if self._chunks else None
        if chunk is None:
            return False
        self._keep(chunk)
        return True

    def _keep(self, chunk: bytes) -> None:
        self._refuse_long_line(chunk)
        self._pending.append(chunk)
        self._newlines += chunk.count(b"\n")

    def _refuse_long_line(self, chunk: bytes) -> None:
        """A chunk is shorter than the longest line, so only what ends in it or goes on behind it can be too long."""
        self._unended += len(chunk) if (end := chunk.find(b"\n")) < 0 else end
        if self._unended > LONGEST_LINE:
            raise long_line(self.file.name, self.lines_read + self._newlines + 1)
        if end >= 0:
            self._unended = len(chunk) - chunk.rfind(b"\n") - 1

    def _column(self, data: bytes) -> TextColumn:
        try:
            column = lines_of(data)
        except InvalidUtf8 as error:
            raise invalid_utf8(self.file.name, data, error, self.lines_read, self._bytes_read) from error
        self.lines_read += len(column)
        self._bytes_read += len(data)
        return column


def text_lines(file: InputFile) -> list[str]:
    """All lines of a file that is held whole."""
    lines = split_lines(file.text())
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise long_line(file.name, number)
    return lines


def numbered_lines(file: InputFile, at_once: int = 20_480) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, of which never more than so many are held."""
    lines = LineFile(file)
    while column := lines.take(at_once):
        yield from enumerate(column.to_list(), lines.lines_read - len(column) + 1)


def long_line(name: str, line: int) -> InputError:
    """The error for a line that nobody meant as one."""
    return InputError(
        f"{name}, line {line}: the line is longer than {LONGEST_LINE >> 20} MiB; is it a text file with line ends?"
    )


def refuse_different_lengths(counts: Sequence[tuple[str, int]], unit: str = "line") -> None:
    """Refuse files of different lengths; names who has how many, and where the shorter one ends."""
    if len({count for _, count in counts}) <= 1:
        return
    first_name, first = counts[0]
    parts = [_difference(name, count, first_name, first, unit) for name, count in counts[1:] if count != first]
    shown = "; ".join(parts[:5]) + (f"; and {len(parts) - 5} more" if len(parts) > 5 else "")
    raise InputError(
        f"{shown}. All files must have one {unit} per segment, in the same order: "
        f"look for a {unit} that was lost, split or joined"
    )


def _difference(name: str, count: int, first_name: str, first: int, unit: str) -> str:
    if count > first:
        name, count, first_name, first = first_name, first, name, count
    longer = f"{first_name} has {first} {unit}{'' if first == 1 else 's'}"
    return f"{name} is empty, but {longer}" if count == 0 else f"{name} ends after {unit} {count}, but {longer}"
