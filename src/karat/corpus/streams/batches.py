"""Rows of a table, some at a time, whichever format they are in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from karat.corpus.files import InputFile
from karat.corpus.parquet import MARK
from karat.corpus.readers.base import RecordsFile, reader_for
from karat.corpus.streams.decoders import decoded
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from polars import DataFrame

    from karat.corpus.column_names import ColumnNames
    from karat.corpus.records import Record

BATCH_ROWS = 20_480
"""Rows of a batch; also those of a block, which are whole blocks of summation."""
BATCHES_AHEAD = 10
"""How many batches are asked for at a time."""
STREAMED = ("parquet", "jsonl", "tsv", "csv", "json")
"""Formats that are rows; the last two are read whole, and cut then."""


@dataclass(frozen=True)
class Batch:
    """Rows that follow each other; `columns` is None where they differ in their fields, and are `ragged`."""

    file: InputFile
    first_row: int
    places: Sequence[str]
    columns: Mapping[str, Sequence[Any]] | None = None
    ragged: Sequence[Record] = ()
    frame: DataFrame | None = None
    """The same rows with the types of their columns, where the format tells these."""

    def __len__(self) -> int:
        return len(self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields of all rows."""
        if self.columns is not None:
            return tuple(self.columns)
        return tuple(dict.fromkeys(name for record in self.ragged for name in record))

    def column(self, name: str) -> list[Any]:
        """The values of one field; None where a row has none."""
        if self.columns is not None:
            return list(self.columns[name])
        return [record.get(name) for record in self.ragged]

    def records(self) -> Iterator[tuple[str, Record]]:
        """The rows one by one, each with the place that it stands at."""
        if self.columns is None:
            return ((self.places[i], record) for i, record in enumerate(self.ragged))
        names = tuple(self.columns)
        rows = zip(*self.columns.values(), strict=True)
        return ((self.places[i], dict(zip(names, row, strict=True))) for i, row in enumerate(rows))


@dataclass(frozen=True)
class Described:
    """What is known of a table before its rows are read: their number and the types of columns only of Parquet."""

    rows: int | None
    columns: tuple[str, ...]
    kinds: Mapping[str, str]


@dataclass(frozen=True)
class TableFile:
    """A file of rows."""

    file: InputFile
    reader: RecordsFile

    @classmethod
    def of(cls, file: InputFile, format: str | None, columns: ColumnNames) -> TableFile:  # noqa: A002
        """The table in a file; other formats than those of rows are refused."""
        reader = reader_for(file, format, columns)
        if not (isinstance(reader, RecordsFile) and reader.name in STREAMED):
            raise InputError(
                f"{file.name} is read as {reader.name}, which does not come in rows: several files at once, and "
                f"--engine, take {', '.join(STREAMED)}"
            )
        return cls(file, reader)

    @property
    def is_parquet(self) -> bool:
        """Whether rows can be found without those before them."""
        return self.reader.name == "parquet"

    @property
    def has_header(self) -> bool:
        """Whether all rows have the same columns by the nature of the format."""
        return self.reader.name not in ("jsonl", "json")

    @property
    def empty_is_missing(self) -> bool:
        """Whether an empty cell of a reference is a reference that is missing."""
        return self.reader.name in ("tsv", "csv")

    def described(self) -> Described:
        """How many rows there are, where that is known beforehand, and what the columns are."""
        if not self.is_parquet:
            first = next(self.batches(at_once=1), None)
            if first is None:
                raise InputError(f"{self.file.name} is empty: it has no segment")
            return Described(None, first.names, {})
        self._refuse_other_files()
        request = {"path": self.file.given, "kind": "parquet", "describe": True}
        (schema,) = decoded(request, self.file.name)
        if not schema.height:
            raise InputError(f"{self.file.name} is empty: it has no column")
        return Described(
            schema["rows"][0], tuple(schema["name"]), dict(zip(schema["name"], schema["kind"], strict=True))
        )

    def batches(self, start: int = 0, rows: int | None = None, at_once: int = BATCH_ROWS) -> Iterator[Batch]:
        """The rows from one on, counted from 0; all that follow, or so many."""
        if self.is_parquet:
            return self._of_parquet(start, rows, at_once)
        return self._of_records(start, rows, at_once)

    def _of_parquet(self, start: int, rows: int | None, at_once: int) -> Iterator[Batch]:
        self._refuse_other_files()
        first = start
        for frame in _recut(self._frames(start, rows, at_once), at_once):
            columns = _Lists(frame)
            places = _Places(self.file.name, first + 1, frame.height)
            yield Batch(self.file, first + 1, places, columns, frame=frame)
            first += frame.height

    def _frames(self, start: int, rows: int | None, at_once: int) -> Iterator[DataFrame]:
        """Frames of any length; no request is for so much that what is read ahead could grow with the file."""
        end = None if rows is None else start + rows
        while end is None or start < end:
            wanted = BATCHES_AHEAD * at_once if end is None else min(end - start, BATCHES_AHEAD * at_once)
            request = {"path": self.file.given, "kind": "parquet", "start": start, "rows": wanted, "block": at_once}
            height = 0
            for frame in decoded(request, self.file.name):
                height += frame.height
                yield frame
            if height < wanted:
                return
            start += height

    def _refuse_other_files(self) -> None:
        """Tell somebody whose file is no Parquet, or not all of it, before it is decoded."""
        if self.file.is_remote:
            return
        chunks = self.file.chunks(len(MARK))
        if (begin := next(chunks, b"")) != MARK:
            problem = "is not a Parquet file: it does not start as one" if begin else "is empty"
            raise InputError(f"{self.file.name} {problem}")
        with self.file.path.open("rb") as stream:
            stream.seek(-len(MARK), 2)
            if stream.read() != MARK:
                raise InputError(f"{self.file.name} is a Parquet file that is cut short: copy it again")

    def _of_records(self, start: int, rows: int | None, at_once: int) -> Iterator[Batch]:
        first, stop = 0, None if rows is None else start + rows
        for places, records in self.reader.batches(self.file, at_once):
            begin, end = max(0, start - first), len(records) if stop is None else stop - first
            if begin < min(end, len(records)):
                yield _batch(self.file, first + begin + 1, places[begin:end], records[begin:end])
            first += len(records)
            if stop is not None and first >= stop:
                return


def _batch(file: InputFile, first_row: int, places: Sequence[str], records: Sequence[Record]) -> Batch:
    """Rows as columns, where all have the same fields."""
    names = records[0].keys()
    if any(record.keys() != names for record in records):
        return Batch(file, first_row, places, ragged=records)
    return Batch(file, first_row, places, {name: [record[name] for record in records] for name in names})


class _Places(Sequence[str]):
    """Where rows of a file stand, said only for those that somebody asks about."""

    def __init__(self, name: str, first_row: int, count: int) -> None:
        self._name, self._first_row, self._count = name, first_row, count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        return f"{self._name}, row {self._first_row + index}"


class _Lists(Mapping[str, list[Any]]):
    """Columns of a frame as lists, made when they are asked for."""

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame
        self._made: dict[str, list[Any]] = {}

    def __getitem__(self, name: str) -> list[Any]:
        if name not in self._made:
            self._made[name] = self._frame[name].to_list()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._frame.columns)

    def __len__(self) -> int:
        return self._frame.width


def _recut(frames: Iterable[DataFrame], at_once: int) -> Iterator[DataFrame]:
    """Frames of so many rows each, but for the last one, whatever the lengths of those that come."""
    import polars

    held: list[DataFrame] = []
    for frame in frames:
        held.append(frame)
        while (count := sum(frame.height for frame in held)) >= at_once:
            whole = held[0] if len(held) == 1 else polars.concat(held)
            yield whole[:at_once]
            held = [whole[at_once:]] if count > at_once else []
    if any(frame.height for frame in held):
        yield polars.concat(held)
