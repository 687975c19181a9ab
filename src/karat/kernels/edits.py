"""Edit distances, with and without movement."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from karat import _native
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat._native import Text, Tokens


class TerShift(NamedTuple):
    """A block of `length` words from `start` on that moves; its first word stands at `target` afterwards."""

    start: int
    length: int
    target: int


class TerAlignment(NamedTuple):
    """How a hypothesis becomes a reference: the shifts, one after the other, then the operations from left to right.

    Operations are ``=`` (keep), ``S`` (substitute), ``D`` (drop a hypothesis word), ``I`` (insert a reference word).
    """

    edits: int
    shifts: list[TerShift]
    operations: str


def tercom_normalize(
    text: Text, *, normalized: bool, no_punct: bool, asian_support: bool, threads: int | None = None
) -> Text:
    """Rewrite every string as tercom's tokenizer does; the tokens stand between single spaces."""
    return _native.tercom_normalize(text, normalized, no_punct, asian_support, thread_count(threads))


def ter_rows(
    hypotheses: Tokens,
    references: Tokens,
    offsets: NDArray[np.int64],
    *,
    full: bool = False,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Fewest edits over the references of each segment, and the mean length of those references."""
    try:
        return _native.ter_rows(hypotheses, references, offsets, full, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def ter_alignment(
    hypotheses: Tokens, references: Tokens, hypothesis: int, reference: int, *, full: bool = False
) -> TerAlignment:
    """The edits that turn one hypothesis into one reference, both given by their position."""
    try:
        edits, shifts, operations = _native.ter_alignment(hypotheses, references, hypothesis, reference, full)
    except ValueError as error:
        raise InputError(str(error)) from error
    return TerAlignment(edits, [TerShift(*shift) for shift in shifts], operations)


def edit_word_rows(
    hypotheses: Tokens,
    references: Tokens,
    offsets: NDArray[np.int64],
    kind: str,
    *,
    choice: str,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Rows of edit distances over words, against one reference of each segment.

    "levenshtein" and "cder" give edits and reference length; "operations" gives hits, substitutions, deletions,
    insertions and moves; "bag" gives errors, matches in any order, and both lengths. The reference is the first with
    the "fewest-edits", or that with the lowest "error-rate"; for operations also "match-error-rate", "information-lost"
    or "error-rate-with-moves".
    """
    try:
        return _native.edit_word_rows(hypotheses, references, offsets, kind, choice, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def edit_character_rows(
    hypotheses: Text,
    references: Text,
    offsets: NDArray[np.int64],
    kind: str,
    *,
    choice: str,
    spaces: bool,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """The same over characters; white space at both ends never counts, other white space if `spaces`."""
    try:
        return _native.edit_character_rows(hypotheses, references, offsets, kind, choice, spaces, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def eed_scores(
    hypotheses: Tokens,
    references: Tokens,
    offsets: NDArray[np.int64],
    *,
    jump: float,
    coverage: float,
    deletion: float,
    insertion: float,
    count_start: bool,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """The least extended edit distance, from 0 to 1, of each segment over its references."""
    try:
        return _native.eed_scores(
            hypotheses,
            references,
            offsets,
            jump,
            coverage,
            deletion,
            insertion,
            count_start,
            thread_count(threads),
        )[:, 0]
    except ValueError as error:
        raise InputError(str(error)) from error


def character_scores(
    hypotheses: Tokens, references: Tokens, offsets: NDArray[np.int64], threads: int | None = None
) -> NDArray[np.float64]:
    """The least CharacTER, from 0 to 1, of each segment over its references."""
    try:
        return _native.character_scores(hypotheses, references, offsets, thread_count(threads))[:, 0]
    except ValueError as error:
        raise InputError(str(error)) from error


def hyter_rows(
    hypotheses: Tokens,
    pieces: Tokens,
    steps: NDArray[np.int32],
    network_starts: NDArray[np.int64],
    offsets: NDArray[np.int64],
    *,
    choice: str,
    window: int = 1,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Edits to the best string of the networks of each segment, and the length of that string.

    The best string is that with the lowest "error-rate" or with the "fewest-edits", the longest of those.
    A network is a run of steps: the number of a piece, whose words follow one another, or -1 to open a group of
    alternatives, -2 between two of them, -3 to close it. That of reference k starts at network_starts[k].
    """
    try:
        return _native.hyter_rows(
            hypotheses, pieces, steps, network_starts, offsets, window, choice, thread_count(threads)
        )
    except ValueError as error:
        raise InputError(str(error)) from error
