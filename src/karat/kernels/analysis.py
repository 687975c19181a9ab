"""Errors of words, and tables of n-grams, over words known by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat import _native
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat._native import Tokens

NO_MARK = 255
"""The mark of words of references that do not count."""


class WordMarks(NamedTuple):
    """The reference that counts of each segment, by position among all, and one mark for each word of both sides.

    The three lowest bits of a mark are the class (0 right, 1 inflection, 2 order, 3 missing, 4 extra, 5 lexical), the
    next two the operation of Levenshtein's alignment (0 match, 1 substitution, 2 deletion or insertion), the next two
    whether the word is missing in the bag of the other side (1), where perhaps its base form is left (2).
    """

    chosen: NDArray[np.int64]
    hypotheses: NDArray[np.uint8]
    references: NDArray[np.uint8]


class NumberedColumn(NamedTuple):
    """Segments of words known by number; those of segment i stand at offsets[i] to offsets[i + 1]."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]


class NgramOccurrences(NamedTuple):
    """How often n-grams stand in segments, by n-gram and then by segment."""

    ngrams: NDArray[np.int32]
    segments: NDArray[np.int32]
    counts: NDArray[np.int32]


class NgramTable(NamedTuple):
    """N-gram i is the n-gram previous[i] (-1 is none) followed by the word last[i]; then what each column has."""

    previous: NDArray[np.int32]
    last: NDArray[np.int32]
    columns: tuple[NgramOccurrences, ...]


class NgramTally(NamedTuple):
    """How often n-grams count for (`more`) and against (`less`) something, by n-gram and then by segment."""

    ngrams: NDArray[np.int32]
    segments: NDArray[np.int32]
    more: NDArray[np.int32]
    less: NDArray[np.int32]


class NgramKinds(NamedTuple):
    """N-grams that count equally often: how often, how many, and in `first` the first ones of each kind, in order.

    Those of kind k stand from starts[k] to starts[k + 1].
    """

    more: NDArray[np.int64]
    less: NDArray[np.int64]
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    first: NDArray[np.int32]


def word_errors(
    hypotheses: NumberedColumn,
    references: NumberedColumn,
    starts: NDArray[np.int64],
    *,
    hypothesis_bases: NDArray[np.int32],
    reference_bases: NDArray[np.int32],
    threads: int | None = None,
) -> WordMarks:
    """Mark every word of hypotheses, and of the closest of their references.

    The references of hypothesis i are those from starts[i] to starts[i + 1]; bases are the numbers of base forms.
    """
    try:
        arrays = _native.word_errors(
            *hypotheses, *references, starts, hypothesis_bases, reference_bases, thread_count(threads)
        )
    except ValueError as error:
        raise InputError(str(error)) from error
    return WordMarks(*arrays)


def ngram_table(columns: Sequence[NumberedColumn], orders: int, *, threads: int | None = None) -> NgramTable:
    """Count the n-grams of all columns, of up to so many words."""
    previous, last, arrays = _native.ngram_table(
        [(column.ids, column.offsets) for column in columns], orders, thread_count(threads)
    )
    return NgramTable(previous, last, tuple(NgramOccurrences(*column) for column in arrays))


class PhraseRun(NamedTuple):
    """A phrase that is said over and over: its segment, where it begins, and how many tokens it has."""

    segment: int
    start: int
    length: int


def phrase_runs(tokens: Tokens, *, longest: int, times: int, times_alone: int) -> list[PhraseRun]:
    """Phrases said so many times in a row, by segment and length; those of one token `times_alone` times.

    >>> from karat.kernels import Text, tokenize
    >>> phrase_runs(tokenize(Text(["no no no", "to be to be or"]), "none"), longest=2, times=2, times_alone=3)
    [PhraseRun(segment=0, start=0, length=1), PhraseRun(segment=1, start=0, length=2)]
    """
    columns = _native.phrase_runs(tokens, longest, times, times_alone)
    return [*map(PhraseRun._make, zip(*(column.tolist() for column in columns), strict=True))]


def shared_ngrams(a: NgramOccurrences, b: NgramOccurrences) -> NgramOccurrences:
    """How often both columns of a table have an n-gram in a segment."""
    return NgramOccurrences(*_native.shared_ngrams(a, b))


def ngram_tally(a: NgramOccurrences, b: NgramOccurrences, *, apart: bool) -> NgramTally:
    """How often each of two columns has an n-gram in a segment; `apart`, by how much one has it more often."""
    return NgramTally(*_native.ngram_tally(a, b, apart))


def ngram_kinds(tally: NgramTally, kept: int) -> NgramKinds:
    """The n-grams of a tally by how often they count, with the first `kept` of each kind."""
    return NgramKinds(*_native.ngram_kinds(tally.ngrams, tally.more, tally.less, kept))
