"""Annotations that stand on a line each: trees in brackets, objects of JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from karat.corpus.jsontext import JsonError, parse_json
from karat.corpus.linefile import text_lines
from karat.corpus.readers.annotations.placed import Placed
from karat.errors import InputError
from karat.text.annotation import bracketed
from karat.text.annotation.jsonform import of_json

if TYPE_CHECKING:
    from karat.corpus.files import InputFile
    from karat.text.annotation import Annotation


def read_trees(file: InputFile) -> list[Placed]:
    """The trees of each segment on a line of its own; an empty line is an empty segment."""
    return _read(file, bracketed)


def read_jsonl(file: InputFile) -> list[Placed]:
    """An object with tokens and layers for each segment."""
    return _read(file, _of_line)


def _of_line(line: str) -> Annotation:
    try:
        return of_json(parse_json(line))
    except JsonError as error:
        raise InputError(str(error)) from error


def _read(file: InputFile, annotation: Callable[[str], Annotation]) -> list[Placed]:
    segments = []
    for number, line in enumerate(text_lines(file), 1):
        try:
            segments.append(Placed(number, annotation(line)))
        except InputError as error:
            raise InputError(f"{file.name}, line {number}: {error}; each segment stands on one line") from error
    return segments
