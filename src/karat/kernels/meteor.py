"""METEOR's alignments, and tables of paraphrases."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat import _native
from karat._native import ParaphraseCompiler, ParaphraseIndex, Text, WordKnowledge
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

METEOR_MODULES = ("exact", "stem", "synonym", "paraphrase")
METEOR_COLUMNS = (
    *("hypothesis_length", "reference_length", "hypothesis_function_words", "reference_function_words"),
    *(
        f"{module}_{side}_{kind}"
        for module in METEOR_MODULES
        for kind in ("content", "function")
        for side in ("hypothesis", "reference")
    ),
    *("chunks", "hypothesis_matches", "reference_matches"),
)
"""What METEOR counts in a pair: lengths, function words, matches by module, and totals."""


class NumberedText(NamedTuple):
    """Segments as numbers of word types: one per token, and where each segment starts."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def taken(self, segments: NDArray[np.int64]) -> NumberedText:
        """Some segments, one after the other."""
        starts, lengths = self.offsets[segments], self.offsets[segments + 1] - self.offsets[segments]
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return NumberedText(self.ids[places], offsets)


def meteor_normalize(
    text: Text,
    language: str,
    *,
    punctuation: bool,
    always: Iterable[str] = (),
    before_numbers: Iterable[str] = (),
    threads: int | None = None,
) -> Text:
    """Rewrite every string as METEOR's normaliser does, but for case; the words stand between single spaces.

    `always` are abbreviations, which keep their point, and `before_numbers` those that are such before a number only.

    >>> lines = Text(["It's Mr. Hale, No. 5 of the U.S."])
    >>> meteor_normalize(lines, "en", punctuation=True, always=["Mr"], before_numbers=["No"]).to_list()
    ["It 's Mr. Hale , No. 5 of the US"]
    """
    prefixes = Text(list(always)), Text(list(before_numbers))
    return _native.meteor_normalize(text, language, punctuation, *prefixes, thread_count(threads))


def compile_paraphrases(blocks: Iterable[bytes]) -> NDArray[np.uint64]:
    """The image of a table in METEOR's format, given piece by piece: probability, phrase, paraphrase, a line each."""
    compiler = ParaphraseCompiler()
    try:
        for block in blocks:
            compiler.add(block)
        image: NDArray[np.uint64] = compiler.finish()
    except ValueError as error:
        raise InputError(str(error)) from error
    return image


def word_knowledge(
    function: NDArray[np.uint8],
    *,
    stems: NDArray[np.int32] | None = None,
    synsets: tuple[NDArray[np.int64], NDArray[np.int32]] | None = None,
    paraphrases: ParaphraseIndex | None = None,
    exact: bool = True,
) -> WordKnowledge:
    """What METEOR's modules know about each word type; a module without knowledge is not used.

    `function` has 1 for a function word, `stems` equal numbers for equal stems, `synsets` where those of each type
    start and all of them, ascending within a type.
    """
    offsets, numbers = synsets or (None, None)
    try:
        return WordKnowledge(function, stems, offsets, numbers, paraphrases, exact)
    except ValueError as error:
        raise InputError(str(error)) from error


def meteor_pairs(
    knowledge: WordKnowledge,
    hypotheses: NumberedText,
    references: NumberedText,
    offsets: NDArray[np.int64],
    *,
    search: str,
    beam: int,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """`METEOR_COLUMNS` of every pair; the references of segment i are those from offsets[i] to offsets[i + 1]."""
    try:
        return _native.meteor_rows(knowledge, *hypotheses, *references, offsets, search, beam, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def staged_pairs(
    knowledge: WordKnowledge,
    hypotheses: NumberedText,
    references: NumberedText,
    offsets: NDArray[np.int64],
    *,
    beam: int,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference, words matched in the stages of METEOR 2005, chunks, and crossings."""
    try:
        return _native.staged_rows(knowledge, *hypotheses, *references, offsets, beam, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def staged_partners(
    knowledge: WordKnowledge,
    hypotheses: NumberedText,
    references: NumberedText,
    *,
    beam: int,
    threads: int | None = None,
) -> NDArray[np.int32]:
    """For each hypothesis word the position of its partner in the reference of the same number; -1 for none."""
    try:
        return _native.staged_partners(knowledge, *hypotheses, *references, beam, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error
