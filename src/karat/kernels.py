"""The only door to the compiled core: typed names, and errors that karat's users know."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from karat import _native
from karat._native import UNICODE_VERSION, PreparedBleu, PreparedChrf, PreparedWords, Text, Tokens, unicode_classes
from karat.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "UNICODE_VERSION",
    "InvalidUtf8",
    "PreparedBleu",
    "PreparedChrf",
    "PreparedWords",
    "TerAlignment",
    "TerShift",
    "Text",
    "Tokens",
    "bleu_rows",
    "chrf_rows",
    "edit_character_rows",
    "edit_word_rows",
    "eed_scores",
    "gtm_pairs",
    "gtm_segments",
    "lcs_pairs",
    "lepor_pairs",
    "overlap_pairs",
    "prepare_bleu",
    "prepare_chrf",
    "prepare_words",
    "ribes_pairs",
    "skip_bigram_pairs",
    "split_lines",
    "ter_alignment",
    "ter_rows",
    "tercom_normalize",
    "thread_count",
    "tokenize",
    "unicode_classes",
    "weighted_lcs_pairs",
]


class InvalidUtf8(InputError):  # noqa: N818 - named after what it is about
    """Bytes that are not UTF-8: `offset` is the first bad byte, `line` the line it stands in, from 1."""

    def __init__(self, offset: int, line: int) -> None:
        super().__init__(offset, line)
        self.offset = offset
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line} is not valid UTF-8 (byte offset {self.offset}): convert the text to UTF-8 first"


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: what was asked for, else KARAT_THREADS, else one per usable core."""
    if threads is None:
        threads = int(os.environ.get("KARAT_THREADS", "0"))
    if threads > 0:
        return threads
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def split_lines(data: bytes) -> Text:
    r"""The lines of a file, split at ``\n`` or ``\r\n`` and nothing else.

    >>> split_lines(b"one\r\ntwo\x0ctoo\nthree").to_list()
    ['one', 'two\x0ctoo', 'three']
    """
    try:
        return Text.from_lines(data)
    except _native.InvalidUtf8 as error:
        raise InvalidUtf8(*error.args) from None


def tokenize(text: Text, tokenizer: str, threads: int | None = None) -> Tokens:
    """Cut a column into tokens with one of the core's tokenizers."""
    return _native.tokenize(text, tokenizer, thread_count(threads))


def prepare_bleu(references: Tokens, offsets: NDArray[np.int64], threads: int | None = None) -> PreparedBleu:
    """Make references ready for BLEU; those of segment i stand at offsets[i] to offsets[i + 1]."""
    return PreparedBleu(references, offsets, thread_count(threads))


def bleu_rows(
    prepared: PreparedBleu, hypotheses: Tokens, max_order: int, reference_length: str, threads: int | None = None
) -> NDArray[np.int64]:
    """Hypothesis length, reference length ("closest", "shortest", or "total"), matches and n-grams of each order."""
    return prepared.rows(hypotheses, max_order, reference_length, thread_count(threads))


def prepare_chrf(
    references: Text,
    offsets: NDArray[np.int64],
    *,
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
    threads: int | None = None,
) -> PreparedChrf:
    """Make references ready for chrF; beta and eps_smoothing decide which of several references is the best."""
    return PreparedChrf(
        references, offsets, char_order, word_order, beta, whitespace, eps_smoothing, thread_count(threads)
    )


def chrf_rows(prepared: PreparedChrf, hypotheses: Text, threads: int | None = None) -> NDArray[np.int64]:
    """(hypothesis, reference, match) of each character order, then of each word order."""
    return prepared.rows(hypotheses, thread_count(threads))


def prepare_words(references: Tokens, offsets: NDArray[np.int64], threads: int | None = None) -> PreparedWords:
    """Make references ready to be compared with hypotheses pair by pair; rows come one per reference."""
    return PreparedWords(references, offsets, thread_count(threads))


def ribes_pairs(
    prepared: PreparedWords, hypotheses: Tokens, *, right_first: bool, threads: int | None = None
) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference, aligned words, and pairs of them that stand in ascending order."""
    return prepared.ribes(hypotheses, right_first, thread_count(threads))


def lepor_pairs(
    prepared: PreparedWords, hypotheses: Tokens, *, window: int, published: bool, threads: int | None = None
) -> NDArray[np.float64]:
    """Lengths of hypothesis and reference, aligned words, and the sum of how far they moved, as a share of lengths."""
    return prepared.lepor(hypotheses, window, published, thread_count(threads))


def overlap_pairs(
    prepared: PreparedWords, hypotheses: Tokens, orders: int, threads: int | None = None
) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference, and how many n-grams of each order they share."""
    return prepared.overlap(hypotheses, orders, thread_count(threads))


def lcs_pairs(prepared: PreparedWords, hypotheses: Tokens, threads: int | None = None) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference, and of their longest common subsequence."""
    return prepared.lcs(hypotheses, thread_count(threads))


def weighted_lcs_pairs(
    prepared: PreparedWords, hypotheses: Tokens, weight: float, threads: int | None = None
) -> NDArray[np.float64]:
    """Lengths of hypothesis and reference, and the weight of a common subsequence: runs to the power of `weight`."""
    return prepared.weighted_lcs(hypotheses, weight, thread_count(threads))


def skip_bigram_pairs(
    prepared: PreparedWords, hypotheses: Tokens, gap: int, threads: int | None = None
) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference; common pairs of words, common words, and those without the last words."""
    return prepared.skip_bigrams(hypotheses, gap, thread_count(threads))


def gtm_pairs(
    prepared: PreparedWords, hypotheses: Tokens, exponent: float, threads: int | None = None
) -> NDArray[np.float64]:
    """Lengths of hypothesis and reference, and the size of their matching by runs."""
    return prepared.gtm(hypotheses, exponent, thread_count(threads))


def gtm_segments(
    prepared: PreparedWords, hypotheses: Tokens, exponent: float, threads: int | None = None
) -> NDArray[np.float64]:
    """By segment: lengths of hypothesis and, in the mean, of references; the matching with all of them together."""
    return prepared.joined_gtm(hypotheses, exponent, thread_count(threads))


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
    hypotheses: Tokens, references: Tokens, offsets: NDArray[np.int64], kind: str, threads: int | None = None
) -> NDArray[np.int64]:
    """Rows of edit distances over words, against the first of the closest references of each segment.

    "levenshtein" and "cder" give edits and reference length; "operations" gives hits, substitutions, deletions,
    insertions and moves; "bag" gives errors, matches in any order, and both lengths.
    """
    try:
        return _native.edit_word_rows(hypotheses, references, offsets, kind, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def edit_character_rows(
    hypotheses: Text,
    references: Text,
    offsets: NDArray[np.int64],
    kind: str,
    *,
    spaces: bool,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """The same over characters; white space at both ends never counts, other white space if `spaces`."""
    try:
        return _native.edit_character_rows(hypotheses, references, offsets, kind, spaces, thread_count(threads))
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
