"""Words that outputs share with the source of the same segment: known by number, so that all are looked at at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.analysis.flaws.lines import bare
from karat.kernels import word_types
from karat.quick_dataclasses import dataclass
from karat.text import tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.flaws.lines import SegmentTexts

    Numbers = NDArray[np.int64]

TELLING_LETTERS = 4


class Shared(NamedTuple):
    """The words of an output that the source has in the same segment: where each stands, and which it is.

    By segment, `foreign` counts other words, and `pieces` all that stands between spaces, lone signs as well.
    """

    segments: Numbers
    words: Numbers
    foreign: Numbers
    pieces: Numbers


class _Words(NamedTuple):
    """All words of a text: the segment of each, and its number; 0 is none, but signs alone."""

    segments: Numbers
    words: Numbers


@dataclass(frozen=True, eq=False)
class SharedWords:
    """What each output shares with the source.

    `words` are all words by number, without case and signs; `telling` are those of the source that no reference of the
    test set ever has, and that are long enough to be no accident.
    """

    words: list[str]
    telling: NDArray[np.bool_]
    outputs: Mapping[SegmentTexts, Shared]

    @classmethod
    def of(
        cls, source: SegmentTexts, references: Sequence[SegmentTexts], outputs: Sequence[SegmentTexts]
    ) -> SharedWords:
        """The words of some outputs, and of what they translate."""
        words, (given, *others) = _numbered((source, *references, *outputs))
        anywhere = np.zeros(len(words), dtype=bool)
        anywhere[given.words] = True
        anywhere[0] = False
        keys = np.sort(given.segments * len(words) + given.words)
        known, written = others[: len(references)], others[len(references) :]
        return cls(
            words,
            _telling(words, given, known),
            {output: _shared(len(source), anywhere, keys, own) for output, own in zip(outputs, written, strict=True)},
        )


def _numbered(texts: Sequence[SegmentTexts]) -> tuple[list[str], list[_Words]]:
    cut = tokenizer("none")
    types = word_types(*(text.column.tokens(cut, 1) for text in texts), threads=1)
    numbers = {"": 0}
    of_type = np.array([numbers.setdefault(word, len(numbers)) for word in bare(types.types)], dtype=np.int64)
    columns = [
        _Words(np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)), of_type[ids])
        for ids, offsets in zip(types.ids, types.offsets, strict=True)
    ]
    return list(numbers), columns


def _telling(words: Sequence[str], given: _Words, known: Sequence[_Words]) -> NDArray[np.bool_]:
    telling = np.zeros(len(words), dtype=bool)
    telling[given.words] = True
    for reference in known:
        telling[reference.words] = False
    for number in np.flatnonzero(telling).tolist():
        telling[number] = len(words[number]) >= TELLING_LETTERS and words[number].isalpha()
    return telling


def _shared(segments: int, anywhere: NDArray[np.bool_], keys: Numbers, own: _Words) -> Shared:
    """What a text shares with the source, whose words are the `keys`; those it has not `anywhere` are put aside."""
    candidates = np.flatnonzero(anywhere[own.words])
    wanted = own.segments[candidates] * len(anywhere) + own.words[candidates]
    shared = candidates[keys[np.searchsorted(keys, wanted) % max(1, len(keys))] == wanted]
    counts = [np.bincount(own.segments[kept], minlength=segments) for kept in (own.words > 0, shared, slice(None))]
    return Shared(own.segments[shared], own.words[shared], counts[0] - counts[1], counts[2])
