"""Ranks systems, and groups those that cannot be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.quick_dataclasses import dataclass
from karat.significance.blocks import OnProgress, Runner
from karat.significance.comparing import all_pairs, compare_pairs
from karat.significance.intervals import tables_of
from karat.significance.measured import Measured
from karat.significance.options import Options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.identity import Identity
    from karat.rows import Rows
    from karat.significance.comparison import Comparison


@dataclass(frozen=True, repr=False)
class Ranked(Measured):
    """The place of one system under one metric: ranks that it may have, and its cluster, counted from one."""

    identity: Identity
    system: str
    score: float
    rank_low: int
    rank_high: int
    cluster: int

    def __repr__(self) -> str:
        ranks = f"{self.rank_low}-{self.rank_high}"
        return f"Ranked({self.metric}: {self.system} = {self.score:.2f}, ranks {ranks}, cluster {self.cluster})"

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "ranking" of the JSON form."""
        return self.fields(("metric", "system", "score", "rank_low", "rank_high", "cluster"))


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
    progress: OnProgress | None = None,
) -> Ranking:
    """Compare all pairs of systems under each metric and order the systems.

    A system's ranks reach from one more than the number of systems that beat it significantly to the number of systems
    less those that it beats. A cluster ends where every system above beats every system below, as at WMT. The order is
    that of clusters, and within a cluster that of scores: a test on unit scores may not agree with these.
    """
    row_tables = tables_of(tables)
    comparisons = compare_pairs(row_tables, all_pairs(row_tables), options or Options(), Runner(threads, progress))
    ranked: list[Ranked] = []
    remaining = list(comparisons)
    for table in row_tables:
        count = len(table.names) * (len(table.names) - 1) // 2
        ranked += _ranked(table.names, remaining[:count])
        del remaining[:count]
    return Ranking(comparisons, tuple(ranked))


def _ranked(names: Sequence[str], comparisons: Sequence[Comparison]) -> list[Ranked]:
    scores = {pair.baseline: pair.baseline_score for pair in comparisons}
    scores |= {pair.system: pair.score for pair in comparisons}
    first = comparisons[0]
    by_score = sorted(names, key=lambda name: scores[name], reverse=first.higher_is_better)
    beats = beaten(by_score, comparisons)
    clusters = clusters_of(beats)
    places = [
        Ranked(
            identity=first.identity,
            system=name,
            score=scores[name],
            rank_low=1 + int(beats[:, i].sum()),
            rank_high=len(by_score) - int(beats[i].sum()),
            cluster=clusters[i],
        )
        for i, name in enumerate(by_score)
    ]
    return sorted(places, key=lambda place: place.cluster)


def beaten(ordered: Sequence[str], comparisons: Sequence[Comparison]) -> NDArray[np.bool_]:
    """Which system (row) is significantly better than which (column), by the test's own statistic."""
    place = {name: i for i, name in enumerate(ordered)}
    beats = np.zeros((len(ordered), len(ordered)), dtype=bool)
    for pair in comparisons:
        if (winner := pair.winner) is not None:
            beats[place[winner], place[pair.baseline if winner == pair.system else pair.system]] = True
    return beats


def clusters_of(beats: NDArray[np.bool_]) -> list[int]:
    """The cluster of each system, from which (row) beats which (column): all in one cluster beat all in later ones.

    Systems that beat all others have more wins less losses than these, so no other order can separate more of them.
    """
    balance = beats.sum(axis=1) - beats.sum(axis=0)
    order = np.argsort(-balance, kind="stable")
    above_beat_below = beats[np.ix_(order, order)]
    clusters = np.ones(len(beats), dtype=int)
    for place in range(1, len(order)):
        begins = above_beat_below[:place, place:].all()
        clusters[order[place]] = clusters[order[place - 1]] + int(begins)
    return [int(cluster) for cluster in clusters]
