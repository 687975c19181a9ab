"""What a reader is, and how one is found."""

from __future__ import annotations

import importlib
import os
import pkgutil
from abc import ABC, abstractmethod
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, TypeVar

from karat.arguments import check_choice
from karat.corpus.column_names import NO_NAMES, ColumnNames
from karat.errors import InputError, SpecError
from karat.plugins import are_installed, load_plugins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.corpus.contents import Contents
    from karat.corpus.files import InputFile
    from karat.corpus.records import Record

try:
    from karat.corpus.reader_index import MODULES, SUFFIXES
except ImportError:  # not made yet: then readers are found by loading them all
    MODULES, SUFFIXES = (), {}

R = TypeVar("R", bound="type[Reader]")

PlacedRecords = tuple[list[str], list["Record"]]
"""The places of some records, and the records."""

_registered: dict[str, type[Reader]] = {}

_PACKAGE = "karat.corpus.readers"

DEFAULT = "text"
"""The format of a file whose suffix says nothing: `.de`, `.hyp` and the like are plain text."""


class Reader(ABC):
    """Reads one format."""

    name: ClassVar[str]
    description: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    directory: ClassVar[bool] = False

    @classmethod
    def recognises(cls, file: InputFile) -> bool:
        """Whether the file's name says that it is of this format."""
        return not file.is_directory and file.suffix in cls.suffixes

    @abstractmethod
    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:
        """All that the file holds; the language pair chooses where a file has several."""


class RecordsFile(Reader):
    """Reads a format that is made of records with named fields, whatever these are about."""

    def __init__(self, columns: ColumnNames = NO_NAMES) -> None:
        self.columns = columns

    @abstractmethod
    def records(self, file: InputFile) -> Iterator[tuple[str, Record]]:
        """Every record, with the place that it stands at."""

    def batches(self, file: InputFile, at_once: int) -> Iterator[PlacedRecords]:
        """The same, so many at a time; formats that can be read so override it, and hold no more."""
        return chunked(self.records(file), at_once)


def chunked(records: Iterator[tuple[str, Record]], at_once: int) -> Iterator[PlacedRecords]:
    """Records with their places, so many at a time."""
    while taken := list(islice(records, at_once)):
        yield [where for where, _ in taken], [record for _, record in taken]


def register(reader: R) -> R:
    """Class decorator: make a reader known under its name and suffixes."""
    taken = {suffix: other.name for other in _registered.values() for suffix in other.suffixes}
    if reader.name in _registered:
        raise SpecError(f"there are two readers named {reader.name!r}")
    for suffix in reader.suffixes:
        if suffix in taken:
            raise SpecError(f"the readers {taken[suffix]!r} and {reader.name!r} both claim {suffix}")
    _registered[reader.name] = reader
    return reader


@cache
def reader_classes() -> dict[str, type[Reader]]:
    """Every reader karat has, its own and those of installed plugins, by name."""
    for module in pkgutil.iter_modules(importlib.import_module(_PACKAGE).__path__):
        importlib.import_module(f"{_PACKAGE}.{module.name}")
    load_plugins("karat.readers", _registered)
    return dict(sorted(_registered.items()))


def reader_for(
    file: InputFile,
    format: str | None = None,  # noqa: A002
    columns: ColumnNames = NO_NAMES,
) -> Reader:
    """The reader of that name, else the one that the file's name asks for, else plain text."""
    file.refuse_spreadsheet()
    if format is not None:
        check_choice("format", format, tuple(reader_classes()))
        return _checked(reader_classes()[format], file, columns)
    return _checked(_recognising(file), file, columns)


def _recognising(file: InputFile) -> type[Reader]:
    """The reader that the file's name asks for; only its module is loaded where the index names it."""
    if file.is_directory or not _is_indexed(file.suffix):
        recognising = [reader for reader in reader_classes().values() if reader.recognises(file)]
        return recognising[0] if recognising else reader_classes()[DEFAULT]
    importlib.import_module(SUFFIXES.get(file.suffix, f"{_PACKAGE}.{DEFAULT}"))
    recognised = next((reader for reader in _registered.values() if reader.recognises(file)), None)
    return recognised or _registered[DEFAULT]


def _is_indexed(suffix: str) -> bool:
    """Whether the index knows what the suffix stands for; a plug-in can only read files of another one."""
    return _is_complete() and (suffix in SUFFIXES or not are_installed("karat.readers"))


@cache
def _is_complete() -> bool:
    """Whether the index has all the modules that there are."""
    try:
        files = os.listdir(importlib.import_module(_PACKAGE).__path__[0])  # noqa: PTH208 - ten times as fast
    except OSError:  # in an archive
        return False
    return {name.removesuffix(".py") for name in files if name.endswith(".py")} == {"__init__", *MODULES}


def _checked(reader: type[Reader], file: InputFile, columns: ColumnNames) -> Reader:
    if file.is_directory and not reader.directory:
        raise InputError(
            f"{file.name} is a directory, but a file is wanted; a directory is read only if it has the layout of "
            "mt-metrics-eval (sources/, references/, system-outputs/)"
        )
    if reader.directory and not file.is_directory:
        raise InputError(f"{file.name} is not a directory, but the format {reader.name} is one")
    return reader(columns) if issubclass(reader, RecordsFile) else reader()
