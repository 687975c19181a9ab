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
    found = read_placed(file)
    if len(found) != len(column):
        line = found[len(column)].line if len(found) > len(column) else (found[-1].line if found else 1)
        raise InputError(
            f"{file.name}, line {line}: there are annotations of {len(found)} segments, but {whose} has {len(column)}: "
            "each segment needs one; CoNLL-U can tell the sentences of a segment by comments, # segment = 1"
        )
    _refuse_other_words(file, found, column, whose)
    return Annotations.of(one.annotation for one in found)


def _refuse_other_words(file: InputFile, found: list[Placed], column: TextColumn, whose: str) -> None:
    """Refuse annotations of another text: parsers change some words, but not most of most segments."""
    texts = column.to_list()
    foreign = [number for number, one in enumerate(found) if not _are_of(one, texts[number])]
    if len(foreign) > _ENOUGH * len(texts):
        first = foreign[0]
        raise InputError(
            f"{file.name}, line {found[first].line}: most of the words are not in segment {first + 1} of {whose}, nor "
            f"those of {len(foreign) - 1} other segments in theirs: is it a file of another text?"
        )


def _are_of(one: Placed, text: str) -> bool:
    tokens = one.annotation.tokens
    lowered = text.lower()
    there = sum(token.lower() in lowered for token in tokens)
    return there >= _ENOUGH * len(tokens) and (bool(tokens) or not text.strip())
