"""TSV and CSV tables with a header; `karat.corpus.records` says what the columns may be called.

TSV has no quoting: a tab always ends a cell and a line end always ends a row. CSV has the usual quoting, with line ends
allowed inside quotes; where its header has no comma, semicolons or tabs end the cells. An empty cell of a reference is
a missing reference.
"""

from __future__ import annotations

import csv
from abc import abstractmethod
from collections.abc import Iterable, Iterator

from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.linefile import numbered_lines, text_lines
from karat.corpus.lines import NumberedRows, delimiter_of, repeated
from karat.corpus.readers.base import PlacedRecords, RecordsFile, chunked, register
from karat.corpus.records import Record, RecordReader, layout_of
from karat.errors import InputError


class _TableReader(RecordsFile):
    @abstractmethod
    def rows(self, file: InputFile) -> NumberedRows:
        """Every row, and the number of the line it starts at."""

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:  # noqa: ARG002
        """The columns that the header names."""
        header, rows = self._parts(file)
        layout_of(header, f"{file.name}, line 1", self.columns)
        reader = RecordReader(file, empty_is_missing=True, columns=self.columns)
        return reader.contents(_records(file, header, rows))

    def records(self, file: InputFile) -> Iterator[tuple[str, Record]]:
        """A record per row."""
        return _records(file, *self._parts(file))

    def _parts(self, file: InputFile) -> tuple[list[str], NumberedRows]:
        """The header, and the rows below it."""
        return self._checked(file, self.rows(file))

    def _checked(self, file: InputFile, rows: NumberedRows) -> tuple[list[str], NumberedRows]:
        _, header = next(rows, (1, []))
        if not header:
            raise InputError(f"{file.name} is empty: expected a header and a row per segment")
        if (twice := repeated(header)) is not None:
            raise InputError(f"{file.name}, line 1: two columns are called {twice!r}")
        return header, rows


def _records(file: InputFile, header: list[str], rows: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[str, Record]]:
    for line, row in rows:
        where = f"{file.name}, line {line}"
        if len(row) != len(header):
            raise InputError(
                f"{where}: {len(row)} cell{'' if len(row) == 1 else 's'}, but the header has {len(header)} columns"
            )
        yield where, dict(zip(header, row, strict=True))


@register
class TsvReader(_TableReader):
    """Reads tab-separated tables."""

    name = "tsv"
    description = "tab-separated table with a header, no quoting"
    suffixes = (".tsv", ".tab")

    def rows(self, file: InputFile) -> NumberedRows:
        """A line is a row, a tab ends a cell."""
        for number, line in enumerate(text_lines(file), 1):
            yield number, line.split("\t")

    def batches(self, file: InputFile, at_once: int) -> Iterator[PlacedRecords]:
        """The same, read forward."""
        rows = ((number, line.split("\t")) for number, line in numbered_lines(file, at_once))
        return chunked(_records(file, *self._checked(file, rows)), at_once)


@register
class CsvReader(_TableReader):
    """Reads comma-separated tables."""

    name = "csv"
    description = "comma-separated table with a header, quoted where needed; semicolons or tabs are found out"
    suffixes = (".csv",)

    def rows(self, file: InputFile) -> NumberedRows:
        """Rows may span lines inside quotes; an entirely empty line is no row."""
        text = file.text()
        reader = csv.reader(_with_ends(text), strict=True, delimiter=delimiter_of(text))
        start = 1
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise InputError(
                    f"{file.name}, line {start}: not a valid row of CSV ({error}); "
                    "is a quotation mark left open, or not doubled inside quotes?"
                ) from error
            if row is None:
                return
            if row:
                yield start, row
            start = reader.line_num + 1


def _with_ends(text: str) -> Iterator[str]:
    r"""The lines with their ends, cut at ``\n`` only."""
    position = 0
    while position < len(text):
        end = text.find("\n", position) + 1 or len(text)
        yield text[position:end]
        position = end
