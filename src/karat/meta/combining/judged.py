"""What a combination is learnt from: the scores of metrics for outputs that people judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Labels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class JudgedFeatures:
    """One row per judged output: its scores under all metrics, its judgement, its system and segment, and its group.

    Judgements are turned so that higher is better; `higher_is_better` tells of each metric which way its scores go.
    Groups, such as documents, are what is held out as a whole.
    """

    metrics: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    scores: Floats
    gold: Floats
    systems: Labels
    segments: Labels
    groups: Labels

    @classmethod
    def of(
        cls, metrics: Sequence[tuple[str, bool]], tables: Sequence[Floats], gold: Floats, groups: Labels
    ) -> JudgedFeatures:
        """The outputs judged, out of tables of systems by segments; `groups` has that of each segment."""
        systems, segments = np.nonzero(np.isfinite(gold))
        return cls(
            metrics=tuple(name for name, _ in metrics),
            higher_is_better=tuple(higher for _, higher in metrics),
            scores=np.stack([table[systems, segments] for table in tables], axis=1),
            gold=gold[systems, segments],
            systems=systems,
            segments=segments,
            groups=groups[segments],
        )

    def __len__(self) -> int:
        return len(self.gold)

    def taken(self, kept: NDArray[np.bool_] | Labels) -> JudgedFeatures:
        """Some of the outputs."""
        return replace(
            self,
            scores=self.scores[kept],
            gold=self.gold[kept],
            systems=self.systems[kept],
            segments=self.segments[kept],
            groups=self.groups[kept],
        )

    @property
    def columns(self) -> list[Floats]:
        """The scores under each metric."""
        return list(np.ascontiguousarray(self.scores.T))

    def preferences(self) -> tuple[Labels, Labels]:
        """Pairs of outputs of one segment, the better one first; none where people saw no difference."""
        place = np.full((self.systems.max(initial=-1) + 1, self.segments.max(initial=-1) + 1), -1, dtype=np.intp)
        place[self.systems, self.segments] = np.arange(len(self))
        better, worse = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
        for first, second in combinations(place, 2):
            both = (first >= 0) & (second >= 0)
            mine, other = first[both], second[both]
            sign = np.sign(self.gold[mine] - self.gold[other])
            better.append(np.where(sign > 0, mine, other)[sign != 0])
            worse.append(np.where(sign > 0, other, mine)[sign != 0])
        return np.concatenate(better), np.concatenate(worse)
