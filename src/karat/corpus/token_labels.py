"""What is known of single tokens: a label or base form for each, one segment per line, or a file of annotations.

The labels of annotations are universal tags, or the annotator's own where it has no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from karat.corpus.files import InputFile
from karat.corpus.linefile import text_lines
from karat.corpus.readers.annotations import is_annotations, read_placed
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.corpus.readers.annotations.placed import Placed

What = Literal["label", "base form"]


@dataclass(frozen=True)
class TokenLine:
    """The labels of one segment, and the line that they begin at."""

    line: int
    labels: tuple[str, ...]


def read_token_labels(path: str, what: What = "label") -> list[TokenLine]:
    """The labels, or the base forms, of all tokens, segment by segment."""
    file = InputFile(path)
    if is_annotations(file):
        return [_labels(file, placed, what) for placed in read_placed(file)]
    return [TokenLine(number, tuple(line.split())) for number, line in enumerate(text_lines(file), 1)]


def _labels(file: InputFile, placed: Placed, what: What) -> TokenLine:
    line, known = placed
    labels = known.lemmas if what == "base form" else known.pos or known.tags
    if labels is None:
        raise InputError(f"{file.name}, line {line}: no {what}s of the words are told")
    return TokenLine(line, labels)


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
