"""Which files hold annotations, and whether they are those of a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from karat.corpus.files import FilePath, InputFile
from karat.corpus.readers.annotations.conllu import read_conllu
from karat.corpus.readers.annotations.lines import read_jsonl, read_trees
from karat.errors import InputError
from karat.text.annotation import Annotations

if TYPE_CHECKING:
    from karat.corpus.readers.annotations.placed import Placed
    from karat.text import TextColumn

_READERS: dict[str, Callable[[InputFile], list[Placed]]] = {
    **dict.fromkeys((".conllu", ".conll"), read_conllu),
    **dict.fromkeys((".mrg", ".ptb", ".trees"), read_trees),
    **dict.fromkeys((".jsonl", ".ndjson"), read_jsonl),
}

SUFFIXES = tuple(_READERS)

_ENOUGH = 0.5
"""The share of words, and of segments, by which annotations pass for those of a text."""


def is_annotations(file: InputFile) -> bool:
    """Whether the name says that a file holds annotations."""
    return file.suffix in _READERS


def read_placed(file: InputFile) -> list[Placed]:
    """The annotations of all segments, each with its line."""
    if not is_annotations(file):
        raise InputError(
            f"{file.name} cannot be read as annotations: name it .conllu, .trees (trees in brackets, those of a "
            "segment on one line) or .jsonl"
        )
    return _READERS[file.suffix](file)


def read_annotations(path: FilePath, column: TextColumn, whose: str) -> Annotations:
    """The annotations of a text, checked to be of as many segments, and of the same words."""
    file = InputFile.of(path)
    segments = read_placed(file)
    if len(segments) != len(column):
        line = segments[len(column)].line if len(segments) > len(column) else (segments[-1].line if segments else 1)
        counted = "1 segment" if len(segments) == 1 else f"{len(segments)} segments"
        raise InputError(
            f"{file.name}, line {line}: there are annotations of {counted}, but {whose} has {len(column)}: each "
            "needs one; CoNLL-U can tell the sentences of a segment by comments, # segment = 1"
        )
    _refuse_other_words(file, segments, column, whose)
    return Annotations.of(segment.annotation for segment in segments)


def _refuse_other_words(file: InputFile, segments: list[Placed], column: TextColumn, whose: str) -> None:
    """Refuse annotations of another text: parsers change some words, but not most of most segments."""
    texts = column.to_list()
    foreign = [number for number, segment in enumerate(segments) if not _are_of(segment, texts[number])]
    if len(foreign) > _ENOUGH * len(texts):
        first = foreign[0]
        raise InputError(
            f"{file.name}, line {segments[first].line}: most of the words are not in segment {first + 1} of {whose}, "
            f"nor those of {len(foreign) - 1} other segments in theirs: is it a file of another text?"
        )


def _are_of(segment: Placed, text: str) -> bool:
    tokens = segment.annotation.tokens
    lowered = text.lower()
    there = sum(token.lower() in lowered for token in tokens)
    return there >= _ENOUGH * len(tokens) and (bool(tokens) or not text.strip())
