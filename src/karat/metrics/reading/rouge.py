"""How ROUGE reads text: runs of ASCII letters and digits, stems, and sentences."""

from __future__ import annotations

from importlib import metadata
from string import ascii_letters, digits
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.errors import MissingExtraError
from karat.quick_dataclasses import dataclass
from karat.resources import stemmer
from karat.text import TextColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from karat.resources import Stemmer

_ASCII_WORDS = bytes(ord(chr(byte).lower()) if chr(byte) in ascii_letters + digits else ord(" ") for byte in range(256))
"""What becomes of each byte of UTF-8: a lower-case letter, a digit, or a space."""

_UNSTEMMED = 3
"""Words of so many characters are left alone, as in ROUGE-1.5.5."""

ASCII_IN_LOWER_CASE = "\u0130\u212a"
"""The only characters beyond ASCII whose lower case is not: I with a dot, and the Kelvin sign."""


def in_ascii_words(column: TextColumn) -> TextColumn:
    """In lower case, with spaces for whatever is no ASCII letter or digit; all strings in one go, byte for byte."""
    data = bytes(column.native.arena())
    # A single byte is found much faster than several, and these are rare.
    occurrences = (code[-1:] in data and code in data for code in map(str.encode, ASCII_IN_LOWER_CASE))
    if any(occurrences):
        column = column.lowered()
    return TextColumn(column.native.translate(_ASCII_WORDS))


class NltkPorter:
    """Porter's stemmer with NLTK's additions, which rouge-score uses."""

    def __init__(self) -> None:
        try:
            from nltk.stem.porter import PorterStemmer
        except ImportError as error:
            raise MissingExtraError("rouge(stemmer=nltk)", "rouge") from error
        self._stem = PorterStemmer().stem

    @property
    def signature(self) -> str:
        """The package, whose version decides the stems."""
        return f"nltk-porter:{metadata.version('nltk')}"

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each word."""
        return [str(self._stem(word)) for word in words]


def porter(name: str) -> Stemmer | NltkPorter:
    """Porter's stemmer, as he published it or as NLTK has it."""
    return NltkPorter() if name == "nltk" else stemmer("en", "porter")


def stemmed(tokens: kernels.Tokens, by: Stemmer | NltkPorter, threads: int | None) -> kernels.Tokens:
    """The same with stems for words of more than three characters; each distinct word is looked up once."""
    words, (ids,), (offsets,) = kernels.word_types(tokens, threads=threads)
    long = [i for i, word in enumerate(words) if len(word) > _UNSTEMMED]
    for i, stem in zip(long, by.stems([words[i] for i in long]), strict=True):
        words[i] = stem or words[i]
    return kernels.spell_words(words, ids, offsets)


@dataclass(frozen=True)
class Sentences:
    """Texts cut at newlines: the sentences of text i stand at starts[i] to starts[i + 1], one at least."""

    column: TextColumn
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, texts: TextColumn) -> Sentences:
        """The sentences of every text.

        >>> Sentences.of(TextColumn.of(["one\\ntwo", "three"])).starts.tolist()
        [0, 2, 3]
        """
        if b"\n" not in bytes(texts.native.arena()):
            return cls(texts, np.arange(len(texts) + 1, dtype=np.int64))
        cut = [text.split("\n") for text in texts]
        starts = np.cumsum([0, *map(len, cut)], dtype=np.int64)
        return cls(TextColumn.of([sentence for sentences in cut for sentence in sentences]), starts)
