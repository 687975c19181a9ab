"""Orders systems, and tells which of them cannot be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.significance.blocks import Progress, Runner
from karat.significance.comparison import Comparison, Options, all_pairs, compare_pairs
from karat.significance.intervals import tables_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.rows import Rows


@dataclass(frozen=True)
class Ranked:
    """The place of one system under one metric: ranks that it may have, and its cluster, counted from one."""

    metric: str
    system: str
    score: float
    rank_low: int
    rank_high: int
    cluster: int

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "ranking" of the JSON form."""
        return dict(vars(self))


@dataclass(frozen=True)
class Ranking:
    """All pairs, and the systems in order: for each metric the best first."""

    comparisons: tuple[Comparison, ...]
    ranking: tuple[Ranked, ...]


def rank(
    tables: Sequence[Mapping[str, Rows]],
    options: Options | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Ranking:
    """Compare all pairs of systems under each metric and order the systems.

    A system's ranks reach from one more than the number of systems that beat it significantly to the number of systems
    less those that it beats. A cluster ends where every system above beats every system below, as at WMT.
    """
    made = tables_of(tables)
    comparisons = compare_pairs(made, all_pairs(made), options or Options(), Runner(threads, progress))
    ranked: list[Ranked] = []
    remaining = list(comparisons)
    for table in made:
        count = len(table.names) * (len(table.names) - 1) // 2
        ranked += _ranked(table.names, remaining[:count])
        del remaining[:count]
    return Ranking(comparisons, tuple(ranked))


def _ranked(names: Sequence[str], comparisons: Sequence[Comparison]) -> list[Ranked]:
    scores = {one.baseline: one.baseline_score for one in comparisons} | {one.system: one.score for one in comparisons}
    first = comparisons[0]
    ordered = sorted(names, key=lambda name: scores[name], reverse=first.higher_is_better)
    beats = _beats(ordered, comparisons)
    clusters = _clusters(beats)
    return [
        Ranked(
            metric=first.metric,
            system=name,
            score=scores[name],
            rank_low=1 + int(beats[:, i].sum()),
            rank_high=len(ordered) - int(beats[i].sum()),
            cluster=clusters[i],
        )
        for i, name in enumerate(ordered)
    ]


def _beats(ordered: Sequence[str], comparisons: Sequence[Comparison]) -> NDArray[np.bool_]:
    """Which system (row) is significantly better than which (column)."""
    place = {name: i for i, name in enumerate(ordered)}
    beats = np.zeros((len(ordered), len(ordered)), dtype=bool)
    for one in comparisons:
        if one.significant and one.better is not None:
            other = one.baseline if one.better == one.system else one.system
            beats[place[one.better], place[other]] = True
    return beats


def _clusters(beats: NDArray[np.bool_]) -> list[int]:
    """The cluster of each system in order: a new one begins where all above beat all below."""
    clusters, current = [], 1
    for i in range(len(beats)):
        if i and beats[:i, i:].all():
            current += 1
        clusters.append(current)
    return clusters
