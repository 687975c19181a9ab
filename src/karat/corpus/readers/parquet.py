"""Parquet tables; `karat.corpus.records` says what the columns may be called.

A `references` column may be a list or a struct of texts, `systems` and `post_edits` a struct.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.parquet import parquet_frame
from karat.corpus.readers.base import RecordsFile, register
from karat.corpus.records import Record, RecordReader, layout_of

if TYPE_CHECKING:
    from polars import DataFrame


@register
class ParquetReader(RecordsFile):
    """Reads Parquet."""

    name = "parquet"
    description = "Parquet table"
    suffixes = (".parquet", ".pq")

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:  # noqa: ARG002
        """The columns that the schema names."""
        frame = parquet_frame(file)
        layout_of(frame.columns, file.name, self.columns)
        return RecordReader(file, columns=self.columns).contents(_rows(file, frame))

    def records(self, file: InputFile) -> Iterator[tuple[str, Record]]:
        """A record per row."""
        return _rows(file, parquet_frame(file))


def _rows(file: InputFile, frame: DataFrame) -> Iterator[tuple[str, Record]]:
    return ((f"{file.name}, row {number}", row) for number, row in enumerate(frame.iter_rows(named=True), 1))
