"""What is known of single tokens: a label or base form for each, one segment per line, or CoNLL-U.

Of CoNLL-U the columns LEMMA and UPOS are read; each sentence is a segment. Words that are written as one (1-2) and
empty nodes (1.1) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from karat.corpus.files import InputFile
from karat.corpus.linefile import text_lines
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

What = Literal["label", "base form"]
CONLLU = (".conllu", ".conll")
_COLUMNS = 10
_LEMMA, _UPOS = 2, 3


@dataclass(frozen=True)
class TokenLine:
    """The labels of one segment, and the line that they begin at."""

    line: int
    labels: tuple[str, ...]


def read_token_labels(path: str, what: What = "label") -> list[TokenLine]:
    """The labels, or the base forms, of all tokens, segment by segment."""
    file = InputFile(path)
    if file.suffix in CONLLU:
        return list(_conllu(file, _UPOS if what == "label" else _LEMMA))
    return [TokenLine(number, tuple(line.split())) for number, line in enumerate(text_lines(file), 1)]


def _conllu(file: InputFile, column: int) -> Iterator[TokenLine]:
    labels: list[str] = []
    start = 0
    for number, line in enumerate([*text_lines(file), ""], 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if start:
                yield TokenLine(start, tuple(labels))
            labels, start = [], 0
            continue
        cells = line.split("\t")
        if len(cells) != _COLUMNS:
            raise InputError(
                f"{file.name}, line {number}: {len(cells)} columns; a word of CoNLL-U has {_COLUMNS}, with tabs between"
            )
        start = start or number
        if cells[0].isdecimal():
            labels.append(cells[column])


def check_token_labels(
    path: str, given: Sequence[TokenLine], whose: str, offsets: NDArray[np.int64], tokenize: str, what: What = "label"
) -> list[str]:
    """The labels of all tokens in one list, once their numbers are those of the tokens; `offsets` cut these."""
    segments = len(offsets) - 1
    if len(given) != segments:
        line = given[segments].line if len(given) > segments else (given[-1].line if given else 1)
        raise InputError(
            f"{path}, line {line}: there are {what}s of {len(given)} segments, but {whose} has {segments}: "
            "give one line, or one sentence of CoNLL-U, per segment"
        )
    for number, (entry, (begin, end)) in enumerate(zip(given, pairwise(offsets.tolist()), strict=True), 1):
        if len(entry.labels) != end - begin:
            raise InputError(
                f"{path}, line {entry.line}: {len(entry.labels)} {what}s, but segment {number} of {whose} has "
                f"{end - begin} words by the tokenizer {tokenize}: give one for each word, or take the tokenizer that "
                "the file was made with (none splits at spaces)"
            )
    return [label for entry in given for label in entry.labels]
