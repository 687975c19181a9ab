"""Annotations of files, each with the line that it stands at."""

from __future__ import annotations

from typing import Any, NamedTuple

from karat.corpus.files import InputFile
from karat.errors import InputError
from karat.text.annotation import Annotation


class Placed(NamedTuple):
    """The annotation of a segment, and the line that it begins at."""

    line: int
    annotation: Annotation


def placed(file: InputFile, line: int, **layers: Any) -> Placed:
    """The annotation of these layers; what contradicts itself is refused with its place."""
    try:
        return Placed(line, Annotation(**layers))
    except InputError as error:
        raise InputError(f"{file.name}, line {line}: {error}") from error
