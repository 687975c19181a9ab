"""What outputs are held against: source, references, other systems; and what every check asks of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.corpus.scripts import SCRIPTS
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.flaws.lines import Counts, Pieces, SegmentTexts, Sought
    from karat.analysis.flaws.shared_words import SharedWords
    from karat.analysis.flaws.terms import Term
    from karat.corpus import Corpus

NO_PIECES: Counts = {}
_NOTHING = (NO_PIECES, NO_PIECES)


class Place(NamedTuple):
    """Where a check found something, counted from 0, and the pieces that it is about."""

    segment: int
    lost: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Situation:
    """The texts of one test set; `references` may lack segments, which `present` tells where any does.

    `scores` are those of segments by system, where there are references to score against.
    """

    systems: Mapping[str, SegmentTexts]
    source: SegmentTexts | None = None
    references: tuple[SegmentTexts, ...] = ()
    present: tuple[NDArray[np.bool_], ...] = ()
    source_language: str | None = None
    target_language: str | None = None
    terms: tuple[Term, ...] = ()
    scores: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    documents: Sequence[str] | None = None
    identify_languages: bool = False
    _judges: dict[Sought, list[Judgement]] = field(default_factory=dict, init=False)
    _bounds: dict[Sought, Bounds] = field(default_factory=dict, init=False)

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        *,
        terms: Sequence[Term] = (),
        scores: Mapping[str, NDArray[np.float64]] | None = None,
        identify_languages: bool = False,
    ) -> Situation:
        """The texts of a corpus."""
        from karat.analysis.flaws.lines import SegmentTexts

        columns = [column.to_list() for column in corpus.references.values()]
        return cls(
            systems={name: SegmentTexts(column.to_list(), column) for name, column in corpus.systems.items()},
            source=None if corpus.source is None else SegmentTexts(corpus.source.to_list(), corpus.source),
            references=tuple(SegmentTexts([text or "" for text in column]) for column in columns),
            present=tuple(np.array([text is not None for text in column]) for column in columns),
            source_language=_base(corpus.source_language),
            target_language=_base(corpus.target_language),
            terms=tuple(terms),
            scores=scores or {},
            documents=corpus.documents,
            identify_languages=identify_languages,
        )

    def __len__(self) -> int:
        return len(next(iter(self.systems.values())))

    def references_of(self, segment: int) -> list[str]:
        """The references of a segment."""
        return [texts.lines[segment] for texts, present in self._with_presence() if present[segment]]

    def _with_presence(self) -> Iterator[tuple[SegmentTexts, NDArray[np.bool_]]]:
        return zip(self.references, self.present, strict=True)

    def judges(self, sought: Sought) -> list[Judgement]:
        """What the source and every reference have of a pattern; the source comes first where it is given."""
        if sought not in self._judges:
            everywhere = np.ones(len(self), dtype=bool)
            columns = [] if self.source is None else [(self.source, everywhere)]
            self._judges[sought] = [
                Judgement(texts.pieces(sought), present) for texts, present in (*columns, *self._with_presence())
            ]
        return self._judges[sought]

    def bounds(self, sought: Sought) -> Bounds:
        """What all judges of a segment have of a pattern, and what any of them has, where some judge has anything."""
        if sought not in self._bounds:
            judges = self.judges(sought)
            self._bounds[sought] = {
                segment: _least_and_most([judge.pieces.get(segment, NO_PIECES) for judge in there])
                for segment in {place for judge in judges for place in judge.pieces}
                if (there := [judge for judge in judges if judge.present[segment]])
            }
        return self._bounds[sought]

    def judged(self, segment: int) -> bool:
        """Whether there is anything that a segment can be held against."""
        return self.source is not None or any(present[segment] for present in self.present)

    def any_reference(self, condition: Callable[[str], bool], segment: int) -> bool:
        """Whether some reference of the segment is like that."""
        return any(map(condition, self.references_of(segment)))

    @cached_property
    def expected_lengths(self) -> NDArray[np.float64]:
        """How long a translation of each segment is expected to be: the mean of its references, or as the source is."""
        if not self.references:
            return np.zeros(len(self)) if self.source is None else self.source.lengths.astype(float)
        lengths = np.array([texts.lengths for texts in self.references], dtype=float)
        counts = np.array(self.present, dtype=float)
        return np.asarray((lengths * counts).sum(axis=0) / np.maximum(counts.sum(axis=0), 1))

    @cached_property
    def target_script(self) -> int | None:
        """The script that most letters of the references are in; without references, of all outputs together."""
        return dominant_script(self.references or tuple(self.systems.values()))

    @cached_property
    def source_script(self) -> int | None:
        """The script that most letters of the source are in."""
        return None if self.source is None else dominant_script((self.source,))

    @cached_property
    def shared_words(self) -> SharedWords:
        """Which words outputs share with the source."""
        from karat.analysis.flaws.shared_words import SharedWords

        assert self.source is not None
        return SharedWords.of(self.source, self.references, tuple(self.systems.values()))

    @cached_property
    def capitals_mark_names(self) -> bool:
        """Whether words inside sentences of the target language are capitalised because they are names."""
        if self.target_language in CAPITALISED_NOUNS:
            return False
        inside = [word for texts in self.references for line in texts.lines for word in line.split()[1:]]
        capitalised = sum(word[0].isupper() for word in inside)
        return 0 < capitalised <= MOST_NAMES * len(inside)


class Judgement(NamedTuple):
    """What one text that outputs are held against has, and which of its segments are there."""

    pieces: Pieces
    present: NDArray[np.bool_]


Bounds = Mapping[int, tuple[Mapping[str, int], Mapping[str, int]]]
"""By segment what all judges have, and what any of them has."""

CAPITALISED_NOUNS = frozenset({"de", "lb", "gsw", "nds"})
MOST_NAMES = 0.2
"""More capitals than this inside sentences are no longer names alone."""
DOMINANT = 0.7


def dominant_script(columns: Sequence[SegmentTexts]) -> int | None:
    """The script of most letters, if there is one."""
    counts = sum((texts.scripts.sum(axis=0) for texts in columns), start=np.zeros(len(SCRIPTS), dtype=np.int64))[1:]
    best = int(np.argmax(counts))
    return best + 1 if counts.sum() and counts[best] >= DOMINANT * counts.sum() else None


def _base(language: str | None) -> str | None:
    return None if language is None else language.replace("_", "-").split("-")[0].lower()


def _least_and_most(judged: Sequence[Counts]) -> tuple[Counts, Counts]:
    first, *others = judged
    if all(pieces == first for pieces in others):
        return first, first
    least = most = Counter(first)
    for pieces in map(Counter, others):
        least, most = least & pieces, most | pieces
    return least, most


def lost_and_added(
    situation: Situation, output: SegmentTexts, sought: Sought
) -> Iterator[tuple[int, Counter[str], Counter[str]]]:
    """What an output lacks that the source and every reference have, and what it has that none of them does."""
    bounds, own = situation.bounds(sought), output.pieces(sought)
    for segment in sorted({*own, *bounds}):
        if segment not in bounds and not situation.judged(segment):
            continue
        mine = own.get(segment, NO_PIECES)
        least, most = bounds.get(segment, _NOTHING)
        if mine == least and mine == most:  # as nearly everywhere
            continue
        lost, added = Counter(least) - Counter(mine), Counter(mine) - Counter(most)
        if lost or added:
            yield segment, lost, added
