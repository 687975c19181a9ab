"""The files that are scored part by part: what is known of them before they are read, and how they are cut."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from karat.address_space import threads_with_room
from karat.corpus.column_names import ColumnNames
from karat.corpus.files import InputFile
from karat.corpus.records import layout_of, text_columns
from karat.corpus.streams.batches import TableFile
from karat.corpus.streams.decoders import end_decoders
from karat.corpus.streams.files import files_of, names_below
from karat.corpus.streams.pieces import ONLY_SYSTEM, Shape
from karat.engine.parts import Stretch
from karat.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from karat.corpus.column_names import Pairs

DESCRIBED_AT_ONCE = 8
_TEXT = "String"
"""The type of columns in formats that have none."""


@dataclass(frozen=True)
class SourceFile:
    """A file to be scored, and what is known of it."""

    file: InputFile
    name: str
    rows: int | None
    columns: tuple[str, ...]
    kinds: Mapping[str, str]
    stamp: tuple[int, ...]

    @property
    def path(self) -> str:
        """Where workers find it, whatever directory they are in."""
        return self.file.given if self.file.is_remote else os.path.abspath(self.file.given)  # noqa: PTH100

    @property
    def size(self) -> int:
        """Bytes, or 1 where nobody says."""
        return self.stamp[0] if self.stamp else 1

    def to_json(self) -> dict[str, Any]:
        """What a later run compares it with."""
        return {"name": self.name, "rows": self.rows, "stamp": list(self.stamp)}


def stretches_of(source: SourceFile, part_rows: int) -> Iterator[Stretch]:
    """The stretches of a file: parts, where rows can be found without those before them."""
    if source.rows is None:
        yield Stretch(source.path, source.name, weight=source.size)
        return
    for start in range(0, source.rows, part_rows):
        rows = min(part_rows, source.rows - start)
        yield Stretch(source.path, source.name, start, rows, weight=source.size * rows / source.rows)


def stamp_of(file: InputFile) -> tuple[int, ...]:
    """What changes when a file is written to; nothing in an object store tells it."""
    if file.is_remote:
        return ()
    known = file.path.stat()
    return known.st_size, known.st_mtime_ns, known.st_ctime_ns, known.st_ino


class Sources:
    """All files of a corpus, in the order of their names whatever order they were found in."""

    def __init__(self, corpus: str, format: str | None, columns: Pairs) -> None:  # noqa: A002
        self._format = format
        self._columns = text_columns(ColumnNames.of(columns, whole=True))
        files = files_of(corpus)
        names = names_below(files)
        with ThreadPoolExecutor(threads_with_room(min(DESCRIBED_AT_ONCE, len(files)))) as pool:
            described = pool.map(lambda file: self._described(file, names[file]), files)
            self.files = sorted(described, key=lambda source: source.name)
        end_decoders()
        if all(source.rows == 0 for source in self.files):
            raise InputError(f"{self.files[0].file.name} is empty: it has no segment")
        self.shape = self._shape()

    def _described(self, file: InputFile, name: str) -> SourceFile:
        if not file.is_lasting:
            if file.is_directory or not file.is_nameless:
                next(file.chunks(1), b"")
            raise InputError(f"{file.name} cannot be read twice: --engine takes files")
        known = self._table(file).described()
        return SourceFile(file, name, known.rows, known.columns, known.kinds, stamp_of(file))

    def _table(self, file: InputFile) -> TableFile:
        return TableFile.of(file, self._format, self._columns)

    def _shape(self) -> Shape:
        """What the columns are, which must be the same in all files."""
        shapes = [Shape.of(s.file.name, layout_of(s.columns, s.file.name, self._columns)) for s in self.files]
        for source, shape in zip(self.files, shapes, strict=True):
            if self._table(source.file).has_header:
                shapes[0].refuse_other(shape)
        return shapes[0]

    def carried(self, names: Sequence[str]) -> tuple[str, ...]:
        """Columns that are carried over, which must have one type in all files."""
        known = self.known(names, "--keep")
        first = self.files[0]
        for source in self.files:
            for name in known:
                if source.kinds.get(name, _TEXT) != first.kinds.get(name, _TEXT):
                    raise InputError(
                        f"--keep {name}: the column is {first.kinds.get(name, _TEXT)} in {first.file.name}, but "
                        f"{source.kinds.get(name, _TEXT)} in {source.file.name}: give it one type, or leave it out"
                    )
        return known

    def known(self, names: Sequence[str], option: str) -> tuple[str, ...]:
        """Names of columns that all files have, as far as these tell before they are read."""
        for source in self.files:
            for name in names:
                if name not in source.columns:
                    what = "" if self._table(source.file).has_header else " in its first row"
                    raise InputError(
                        f"{option} {name}: {source.file.name} has no such column{what}."
                        f"{did_you_mean(name, source.columns)}"
                    )
        return tuple(dict.fromkeys(names))

    def refuse_other_systems(self, asked: Sequence[str]) -> None:
        """Refuse names that no column has; of tables in long form nothing is known before they are read."""
        prefix = "system:"
        known = [role.removeprefix(prefix) for role in self.shape.roles if role.startswith(prefix)]
        known += [ONLY_SYSTEM] if "hypothesis" in self.shape.roles else []
        if self.shape.is_long or "systems" in self.shape.roles:
            return
        for name in asked:
            if name not in known:
                where = self.files[0].file.name
                raise InputError(f"there is no system {name!r} in {where}.{did_you_mean(name, known)}")

    def first_system(self) -> str:
        """The system of the first row, of a table in long form."""
        source = next(source for source in self.files if source.rows != 0)
        batch = next(self._table(source.file).batches(0, 1, at_once=1))
        name = layout_of(batch.names, source.file.name, self._columns).single["system"]
        return str(batch.column(name)[0])
