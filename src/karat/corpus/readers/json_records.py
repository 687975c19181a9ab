"""JSON: one object per line (JSONL), or one list of objects; `karat.corpus.records` says what the fields may be called.

A line of JSONL may look like this::

    {"segment": "1", "document": "news-1", "domain": "news", "source": "A house",
     "references": {"refA": "Ein Haus", "refB": "Das Haus"}, "systems": {"neural": "Ein Haus"}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.lines import split_lines
from karat.corpus.readers.base import Reader, RecordsFile, register
from karat.corpus.records import Record, RecordReader
from karat.errors import InputError


@register
class JsonLinesReader(RecordsFile):
    """Reads one JSON object per line."""

    name = "jsonl"
    description = "one JSON object per line"
    suffixes = (".jsonl", ".ndjson")

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:  # noqa: ARG002
        """The columns that the fields name."""
        return RecordReader(file).contents(_lines(file))

    def records(self, file: InputFile) -> Iterator[tuple[str, Record]]:
        """A record per line."""
        return _lines(file)


@register
class JsonReader(Reader):
    """Reads a JSON list of objects."""

    name = "json"
    description = "a JSON list of objects"
    suffixes = (".json",)

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:  # noqa: ARG002
        """The columns that the fields name."""
        text = file.text()
        if not text.strip():
            raise InputError(f"{file.name} is empty: expected a JSON list of objects")
        values = _parsed(text, file, None)
        if not isinstance(values, list):
            raise InputError(f"{file.name}: expected a JSON list with one object per segment (or JSONL, named .jsonl)")
        return RecordReader(file).contents(
            (f"{file.name}, entry {number}", _checked(value, f"{file.name}, entry {number}"))
            for number, value in enumerate(values, 1)
        )


def _lines(file: InputFile) -> Iterator[tuple[str, Record]]:
    lines = split_lines(file.text())
    while lines and not lines[-1].strip():
        lines.pop()
    for number, line in enumerate(lines, 1):
        where = f"{file.name}, line {number}"
        if not line.strip():
            raise InputError(f"{where}: the line is blank, but a JSON object is wanted")
        yield where, _checked(_parsed(line, file, number), where)


def _parsed(text: str, file: InputFile, line: int | None) -> Any:
    """The value of a line, or of the whole file where line is None."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        at = error.lineno if line is None else line
        raise InputError(f"{file.name}, line {at}, column {error.colno}: not valid JSON ({error.msg})") from error
    except _RepeatedNameError as error:
        where = file.name if line is None else f"{file.name}, line {line}"
        raise InputError(f"{where}: {str(error)!r} is there twice in one object: give each its own name") from error
    except RecursionError as error:
        raise InputError(f"{file.name}: the JSON is nested too deeply") from error


class _RepeatedNameError(Exception):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name is lost to a second one."""
    named = dict(pairs)
    if len(named) < len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedNameError(next(name for name in names if names.count(name) > 1))
    return named


def _checked(value: Any, where: str) -> Record:
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected a JSON object")
    return value
