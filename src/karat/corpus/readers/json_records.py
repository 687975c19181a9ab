"""JSON: one object per line (JSONL), or one list of objects; `karat.corpus.records` says what the fields may be called.

A line of JSONL may look like this::

    {"segment": "1", "document": "news-1", "domain": "news", "source": "A house",
     "references": {"refA": "Ein Haus", "refB": "Das Haus"}, "systems": {"neural": "Ein Haus"}}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.jsontext import JsonError, parse_flat_objects, parse_json
from karat.corpus.linefile import LineFile, text_lines
from karat.corpus.readers.base import PlacedRecords, RecordsFile, chunked, register
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
        return RecordReader(file, columns=self.columns).contents(_lines(file))

    def records(self, file: InputFile) -> Iterator[tuple[str, Record]]:
        """A record per line."""
        return _lines(file)

    def batches(self, file: InputFile, at_once: int) -> Iterator[PlacedRecords]:
        """The same, so many at a time, parsed together where that is possible."""
        lines = LineFile(file)
        while texts := lines.take(at_once).to_list():
            first = lines.lines_read - len(texts) + 1
            flat = parse_flat_objects(texts)
            if flat is not None:
                yield [f"{file.name}, line {number}" for number in range(first, first + len(texts))], [*flat]
            else:
                behind = _behind(lines, at_once) if not texts[-1].strip() else []
                yield from chunked(_records(file, [*texts, *behind], first), len(texts))


@register
class JsonReader(RecordsFile):
    """Reads a JSON list of objects."""

    name = "json"
    description = "a JSON list of objects"
    suffixes = (".json",)

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:  # noqa: ARG002
        """The columns that the fields name."""
        return RecordReader(file, columns=self.columns).contents(self.records(file))

    def records(self, file: InputFile) -> Iterator[tuple[str, Record]]:
        """A record per object."""
        text = file.text()
        if not text.strip():
            raise InputError(f"{file.name} is empty: expected a JSON list of objects")
        values = _parsed(text, file, None)
        if not isinstance(values, list):
            raise InputError(f"{file.name}: expected a JSON list with one object per segment (or JSONL, named .jsonl)")
        for number, value in enumerate(values, 1):
            where = f"{file.name}, entry {number}"
            yield where, _checked(value, where)


def _lines(file: InputFile) -> Iterator[tuple[str, Record]]:
    lines = text_lines(file)
    return _records(file, lines)


def _behind(lines: LineFile, at_once: int) -> list[str]:
    """Lines behind one that is blank, up to one that is not: blank lines may stand at the end of a file only."""
    behind: list[str] = []
    while (texts := lines.take(at_once).to_list()) and not any(text.strip() for text in texts):
        behind = texts
    return behind + texts


def _records(file: InputFile, lines: list[str], first: int = 1) -> Iterator[tuple[str, Record]]:
    while lines and not lines[-1].strip():
        lines.pop()
    for number, line in enumerate(lines, first):
        where = f"{file.name}, line {number}"
        if not line.strip():
            raise InputError(f"{where}: the line is blank, but a JSON object is wanted")
        yield where, _checked(_parsed(line, file, number), where)


def _parsed(text: str, file: InputFile, line: int | None) -> Any:
    """The value of a line, or of the whole file where line is None."""
    try:
        return parse_json(text)
    except JsonError as error:
        at = line or error.line
        place = f"{file.name}{f', line {at}' if at else ''}{f', column {error.column}' if error.column else ''}"
        raise InputError(f"{place}: {error}") from error


def _checked(value: Any, where: str) -> Record:
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected a JSON object")
    return value
