"""Distinct words: what is looked up about words is looked up once for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from karat import _native
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat._native import Tokens


class WordTypes(NamedTuple):
    """The distinct words of some columns by first appearance, and the columns as numbers of these words.

    `ids[c]` has one number per token of column c, `offsets[c]` where each segment starts in it, and the end.
    """

    types: list[str]
    ids: tuple[NDArray[np.int32], ...]
    offsets: tuple[NDArray[np.int64], ...]


def word_types(*columns: Tokens, threads: int | None = None) -> WordTypes:
    """Number the distinct words of all columns together.

    >>> from karat.kernels import Text, tokenize
    >>> found = word_types(tokenize(Text(["to be or not", "to be"]), "none"), tokenize(Text(["be it"]), "none"))
    >>> found.types
    ['to', 'be', 'or', 'not', 'it']
    >>> [ids.tolist() for ids in found.ids], [offsets.tolist() for offsets in found.offsets]
    ([[0, 1, 2, 3, 0, 1], [1, 4]], [[0, 4, 6], [0, 2]])
    """
    types, ids, offsets = _native.word_types(columns, thread_count(threads))
    return WordTypes(types, tuple(ids), tuple(offsets))


def spell_words(words: list[str], ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> Tokens:
    """Segments of words known by number, so that words replaced by others can go on to every kernel.

    >>> from karat.kernels import Text, tokenize
    >>> found = word_types(tokenize(Text(["two cats", "one cat"]), "none"))
    >>> spell_words([word[:3] for word in found.types], found.ids[0], found.offsets[0]).to_lists()
    [['two', 'cat'], ['one', 'cat']]
    """
    try:
        return _native.spell_words(_native.Text(words), ids, offsets)
    except ValueError as error:
        raise InputError(str(error)) from error
