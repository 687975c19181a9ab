"""What a format of ratings is, and how one is found."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cache
from typing import ClassVar, TypeVar

import polars as pl

from karat.corpus.column_names import NO_NAMES, ColumnNames
from karat.corpus.files import InputFile
from karat.corpus.ratings.model import Ratings
from karat.corpus.ratings.schema import EXTRA
from karat.corpus.ratings.spans import FIELDS
from karat.errors import InputError, SpecError, did_you_mean
from karat.quick_dataclasses import dataclass

F = TypeVar("F", bound="type[RatingsFormat]")

_registered: dict[str, type[RatingsFormat]] = {}

PARQUET = b"PAR1"
"""What a Parquet file starts with."""

HEAD = 1 << 16
"""How much of a file is looked at to tell its format."""


@dataclass(frozen=True)
class LoadedFile(InputFile):
    """A file whose bytes have been read, so that standard input can be looked at and then read."""

    data: bytes = b""

    def chunks(self, size: int = -1) -> Iterator[bytes]:  # noqa: ARG002
        """The bytes, all at once."""
        yield self.data

    @property
    def head(self) -> list[str]:
        """The first lines, as far as they are text."""
        if self.data.startswith(PARQUET):
            return [""]
        return self.data[:HEAD].decode("utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n")


def loaded(file: InputFile) -> LoadedFile:
    """The file with its bytes; a directory has none."""
    if isinstance(file, LoadedFile):
        return file
    return LoadedFile(file.given, b"" if file.is_directory else file.stored())


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What the reader is told beyond the file: what its rows are about where the file does not say."""

    skip_bad: bool = False
    protocol: str | None = None
    criterion: str | None = None
    system: str | None = None
    language_pair: str | None = None
    columns: ColumnNames = NO_NAMES


class RatingsFormat(ABC):
    """Reads one format of ratings, and writes it if `write` is overridden."""

    name: ClassVar[str]
    description: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    directory: ClassVar[bool] = False
    priority: ClassVar[int] = 0
    """Of two formats that recognise a file, the one with the higher priority reads it."""
    holds: ClassVar[frozenset[str]] = frozenset()
    """The columns that it can write."""
    partly: ClassVar[Mapping[str, pl.Expr]] = {}
    """Of columns that it can write for some rows only: for which."""
    span_holds: ClassVar[frozenset[str]] = frozenset(FIELDS)
    """What it can write of a span."""
    takes_columns: ClassVar[bool] = False
    """Whether columns may be named otherwise than the format does."""
    keeps_unjudged: ClassVar[bool] = False
    """Whether it lists outputs without a judgement."""

    @classmethod
    @abstractmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """Whether the file's name or its first lines say that it is of this format."""

    @abstractmethod
    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """All judgements of the file."""

    def writable(self, ratings: Ratings) -> pl.Series:
        """Which rows the format can hold."""
        return pl.repeat(value=True, n=len(ratings), eager=True)

    def write(self, ratings: Ratings) -> bytes:
        """The ratings in this format."""
        raise SpecError(f"karat reads {self.name}, but does not write it ({len(ratings)} ratings)")

    def files(self, ratings: Ratings) -> dict[str, bytes]:
        """The files of a format that is a directory, by name."""
        raise SpecError(f"karat reads {self.name}, but does not write it ({len(ratings)} ratings)")

    @classmethod
    def writes(cls) -> bool:
        """Whether the format can be written."""
        return cls.write is not RatingsFormat.write or cls.files is not RatingsFormat.files

    def unwritten(self, frame: pl.DataFrame, name: str) -> int:
        """How many values of a column the format has no place for."""
        if name in self.partly:
            absent = pl.col(name).is_not_null() & ~self.partly[name].fill_null(value=False)
            return int(frame.select(absent.sum()).item())
        held = name in self.holds or (name.startswith(EXTRA) and EXTRA in self.holds)
        return 0 if held else len(frame) - frame[name].null_count()

    def lost(self, ratings: Ratings) -> dict[str, int]:
        """How many values of which columns the format has no place for."""
        counts = {name: self.unwritten(ratings.frame, name) for name in ratings.frame.columns}
        if "spans" in self.holds:
            spans = ratings.frame["spans"].drop_nulls().explode().drop_nulls()
            parts = [name for name in FIELDS if name not in self.span_holds]
            counts |= {f"spans.{name}": len(spans) - spans.struct.field(name).null_count() for name in parts}
        return {name: count for name, count in counts.items() if count}


def position(*within: str) -> pl.Expr:
    """The number of a row among those of the same values: what a rater is called whom a file does not name."""
    return pl.int_range(1, pl.len() + 1).over(within).cast(pl.String)


def register_format(cls: F) -> F:
    """Class decorator: make a format known under its name."""
    if cls.name in _registered:
        raise SpecError(f"there are two formats of ratings named {cls.name!r}")
    _registered[cls.name] = cls
    return cls


@cache
def formats() -> dict[str, type[RatingsFormat]]:
    """Every format of ratings, by name."""
    package = importlib.import_module("karat.corpus.ratings.formats")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"karat.corpus.ratings.formats.{module.name}")
    return dict(sorted(_registered.items()))


def format_named(name: str) -> RatingsFormat:
    """The format of that name."""
    if name not in formats():
        raise SpecError(f"there is no format of ratings {name!r}.{did_you_mean(name, formats())}")
    return formats()[name]()


def format_of(file: LoadedFile) -> RatingsFormat:
    """The format that recognises the file."""
    recognising = [
        candidate
        for candidate in formats().values()
        if candidate.directory == file.is_directory and candidate.recognises(file)
    ]
    if not recognising:
        able = ", ".join(name for name, candidate in formats().items() if candidate.directory == file.is_directory)
        if file.is_directory:
            raise InputError(
                f"{file.name} is a directory without ratings that karat knows: name a file in it, or its format with "
                f"--input-format (karat convert: --from; Python: format=): {able}"
            )
        raise InputError(
            f"{file.name}: the format is not known by its name or first lines: "
            f"name it with --input-format (karat convert: --from; Python: format=), as one of {able}"
        )
    return max(recognising, key=lambda candidate: candidate.priority)()
