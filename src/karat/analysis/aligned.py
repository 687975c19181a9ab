"""Words of all systems beside those of the references: known by number, matched and marked once for all analyses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.errors import InputError
from karat.kernels import NO_MARK, NumberedColumn
from karat.quick_dataclasses import dataclass
from karat.text import tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Corpus
    from karat.corpus.references import References
    from karat.text import TextColumn

    Numbers = NDArray[np.int32]
    Positions = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Marks:
    """What the core says of words, and what that means."""

    marks: NDArray[np.uint8]

    @cached_property
    def classes(self) -> NDArray[np.uint8]:
        """The class of each word."""
        return np.bitwise_and(self.marks, np.uint8(7))

    @cached_property
    def operations(self) -> NDArray[np.uint8]:
        """What the alignment makes of each word: 0 a match, 1 a substitution, 2 a word without a partner."""
        return np.asarray(self.marks >> 3 & 3, dtype=np.uint8)

    @cached_property
    def misaligned(self) -> NDArray[np.bool_]:
        """Which words are errors of the alignment."""
        return np.asarray(self.operations > 0)

    @cached_property
    def matched(self) -> NDArray[np.bool_]:
        """Which words are in the bag of words of the other side."""
        return np.asarray((self.marks >> 5 & 3) == 0)


EVERY_MARK = Marks(np.arange(NO_MARK, dtype=np.uint8))
"""All marks that a word that counts can have."""


@dataclass(frozen=True, eq=False)
class Side(Marks):
    """Words of one side that count: their marks, numbers and segments; `places` are their positions in the column."""

    ids: Numbers
    segments: Positions
    places: Positions


@dataclass(frozen=True, eq=False)
class NumberedTexts:
    """Words of systems and references by number, before they are matched."""

    tokenize: str
    lowercase: bool
    types: list[str]
    systems: Mapping[str, NumberedColumn]
    references: NumberedColumn
    starts: NDArray[np.int64]

    @property
    def segment_count(self) -> int:
        """The number of segments."""
        return len(self.starts) - 1

    def aligned(
        self, bases: Mapping[str, Numbers] | None = None, reference_bases: Numbers | None = None, *, threads: int | None
    ) -> AlignedWords:
        """Match and mark all words; without base forms, no word is an inflection of another."""
        own = self.references.ids if reference_bases is None else reference_bases
        marks = {
            name: self._marks(name, column.ids if bases is None else bases[name], own, threads)
            for name, column in self.systems.items()
        }
        return AlignedWords(self, marks)

    def _marks(self, name: str, bases: Numbers, reference_bases: Numbers, threads: int | None) -> kernels.WordMarks:
        try:
            return kernels.word_errors(
                self.systems[name],
                self.references,
                self.starts,
                hypothesis_bases=bases,
                reference_bases=reference_bases,
                threads=threads,
            )
        except InputError as error:
            raise InputError(f"system {name}, {error}") from error


@dataclass(frozen=True, eq=False)
class AlignedWords:
    """The words of systems and references by number; `marks` are those of each system and its closest references."""

    texts: NumberedTexts
    marks: Mapping[str, kernels.WordMarks]
    _hypotheses: dict[str, Side] = field(default_factory=dict, init=False)
    _references: dict[str, Side] = field(default_factory=dict, init=False)
    _places: dict[bytes, tuple[Numbers, Positions, Positions]] = field(default_factory=dict, init=False)

    def hypothesis(self, system: str) -> Side:
        """The words of a system."""
        if system not in self._hypotheses:
            self._hypotheses[system] = self._hypothesis(system)
        return self._hypotheses[system]

    def reference(self, system: str) -> Side:
        """The words of the references that are closest to a system's output."""
        if system not in self._references:
            self._references[system] = self._reference(system)
        return self._references[system]

    def _hypothesis(self, system: str) -> Side:
        column = self.texts.systems[system]
        segments = np.repeat(np.arange(self.texts.segment_count), np.diff(column.offsets))
        return Side(self.marks[system].hypotheses, column.ids, segments, np.arange(len(column.ids)))

    def _reference(self, system: str) -> Side:
        marks, chosen = self.marks[system].references, self.marks[system].chosen
        # Systems share these where they share their closest references, as all do where there is one.
        key = chosen.tobytes()
        if key not in self._places:
            lengths = np.diff(self.texts.references.offsets)[chosen]
            segments = np.repeat(np.arange(self.texts.segment_count), lengths)
            places = np.flatnonzero(marks != NO_MARK)
            self._places[key] = self.texts.references.ids[places], segments, places
        ids, segments, places = self._places[key]
        return Side(marks[places], ids, segments, places)

    def closest(self, system: str) -> NumberedColumn:
        """The closest references as a column of their own."""
        side = self.reference(system)
        lengths = np.bincount(side.segments, minlength=self.texts.segment_count)
        return NumberedColumn(side.ids, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def numbered(corpus: Corpus, *, tokenize: str, lowercase: bool = False, threads: int | None = None) -> NumberedTexts:
    """Cut all texts into words and number these."""
    references: References = corpus.references_for()
    cut = tokenizer(tokenize)

    def tokens(column: TextColumn) -> kernels.Tokens:
        return (column.lowered() if lowercase else column).tokens(cut, threads)

    columns = [*corpus.systems.values(), references.column]
    numbers = kernels.word_types(*map(tokens, columns), threads=threads)
    *systems, theirs = (NumberedColumn(*both) for both in zip(numbers.ids, numbers.offsets, strict=True))
    named = dict(zip(corpus.systems, systems, strict=True))
    return NumberedTexts(tokenize, lowercase, numbers.types, named, theirs, references.offsets)
