"""Facts about words that are looked up once for each, however many systems use it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from karat.kernels import NumberedText

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_REMEMBERED = 1_000_000


class KnownFacts(NamedTuple):
    """Columns with one number for each word, and a list of numbers for each."""

    columns: tuple[NDArray[Any], ...]
    lists: NumberedText

    def taken(self, words: NDArray[np.int64]) -> KnownFacts:
        """The facts about some of the words, in the order asked for."""
        return KnownFacts(tuple(column[words] for column in self.columns), self.lists.taken(words))

    def followed_by(self, other: KnownFacts) -> KnownFacts:
        """The facts about these words and then about others."""
        columns = zip(self.columns, other.columns, strict=True)
        offsets = [self.lists.offsets, other.lists.offsets[1:] + self.lists.offsets[-1]]
        lists = NumberedText(np.concatenate([self.lists.ids, other.lists.ids]), np.concatenate(offsets))
        return KnownFacts(tuple(np.concatenate(pair) for pair in columns), lists)


class Numbering:
    """Numbers for values, equal ones for equal values, in the order of their first occurrence."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def number(self, value: Hashable) -> int:
        """The number of a value, new or known."""
        return self._numbers.setdefault(value, len(self._numbers))

    def numbers(self, values: Iterable[Hashable]) -> NDArray[np.int32]:
        """The numbers of several."""
        return np.array([self.number(value) for value in values], dtype=np.int32)


LookUp = Callable[[list[str], Numbering], KnownFacts]
"""Looks up words that are new; numbers are the same for as long as the numbering is."""


def lists_of(values: Sequence[Sequence[int]]) -> NumberedText:
    """Lists of numbers, one after the other."""
    flat = np.array([number for numbers in values for number in numbers], dtype=np.int32)
    return NumberedText(flat, np.cumsum([0, *map(len, values)], dtype=np.int64))


class KnownWords:
    """Remembers the facts about words, until they are too many; usable from several threads at once."""

    def __init__(self, look_up: LookUp) -> None:
        self._look_up = look_up
        self._lock = Lock()
        self._forget()

    def of(self, words: Sequence[str]) -> KnownFacts:
        """The facts about these words, each given once, by their place in the list."""
        with self._lock:
            if len(self._places) > _MOST_REMEMBERED:
                self._forget()
            self._learn([word for word in words if word not in self._places])
            places = np.fromiter(map(self._places.__getitem__, words), dtype=np.int64, count=len(words))
            facts = self._facts
        return facts.taken(places)

    def _forget(self) -> None:
        self._places: dict[str, int] = {}
        self._numbering = Numbering()
        self._facts = self._look_up([], self._numbering)

    def _learn(self, new: list[str]) -> None:
        if new:
            self._facts = self._facts.followed_by(self._look_up(new, self._numbering))
            self._places.update((word, place) for place, word in enumerate(new, len(self._places)))
