"""How alike words are by their senses, and by what these are kinds of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.resources import Hierarchy, Synonyms

Steps = Mapping[int, int]
"""Sets of synonyms that a word leads to, and the least number of steps to each."""


class TypeLikeness:
    """How alike the distinct words of some texts are, looked up once for each and compared once for each pair."""

    def __init__(self, types: Sequence[str], synonyms: Synonyms, hierarchy: Hierarchy | None) -> None:
        self._words = [word.lower() for word in types]
        senses = synonyms.synsets(self._words)
        self._steps: list[Steps] = [
            dict.fromkeys(sets, 0) if hierarchy is None else hierarchy.ancestors(sets) for sets in senses
        ]
        self._known: dict[tuple[int, int], float] = {}

    def mean_of_best(self, words: Sequence[int], others: Sequence[int]) -> float:
        """The mean over words of how alike the one most like it among the others is."""
        kinds = set(others)
        best = {word: max(self.between(word, other) for other in kinds) for word in set(words)}
        return sum(best[word] for word in words) / len(words)

    def between(self, first: int, second: int) -> float:
        """How alike two words are, by their places in the list."""
        if first == second:
            return 1.0
        pair = (first, second) if first < second else (second, first)
        if pair not in self._known:
            self._known[pair] = self._compared(*pair)
        return self._known[pair]

    def _compared(self, first: int, second: int) -> float:
        if self._words[first] == self._words[second]:
            return 1.0
        fewer, more = sorted((self._steps[first], self._steps[second]), key=len)
        distances = [steps + more[synset] for synset, steps in fewer.items() if synset in more]
        return 1 / (1 + min(distances)) if distances else 0.0
