"""What a reader is, and how one is found."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from functools import cache
from typing import TYPE_CHECKING, ClassVar, TypeVar

from karat.arguments import check_choice
from karat.corpus.column_names import NO_NAMES, ColumnNames
from karat.errors import InputError, SpecError
from karat.plugins import load_plugins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.corpus.contents import Contents
    from karat.corpus.files import InputFile
    from karat.corpus.records import Record

R = TypeVar("R", bound="type[Reader]")

_registered: dict[str, type[Reader]] = {}

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
    package = importlib.import_module("karat.corpus.readers")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"karat.corpus.readers.{module.name}")
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
    recognising = [reader for reader in reader_classes().values() if reader.recognises(file)]
    return _checked(recognising[0] if recognising else reader_classes()[DEFAULT], file, columns)


def _checked(reader: type[Reader], file: InputFile, columns: ColumnNames) -> Reader:
    if file.is_directory and not reader.directory:
        raise InputError(
            f"{file.name} is a directory, but a file is wanted; a directory is read only if it has the layout of "
            "mt-metrics-eval (sources/, references/, system-outputs/)"
        )
    if reader.directory and not file.is_directory:
        raise InputError(f"{file.name} is not a directory, but the format {reader.name} is one")
    return reader(columns) if issubclass(reader, RecordsFile) else reader()
