"""Ranks systems, and groups those that cannot be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

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
    that of scores; a test on unit scores may let a system beat one that stands above it.
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
    ordered = sorted(names, key=lambda name: scores[name], reverse=first.higher_is_better)
    beats = _beats(ordered, comparisons)
    clusters = _clusters(beats)
    return [
        Ranked(
            identity=first.identity,
            system=name,
            score=scores[name],
            rank_low=1 + int(beats[:, i].sum()),
            rank_high=len(ordered) - int(beats[i].sum()),
            cluster=clusters[i],
        )
        for i, name in enumerate(ordered)
    ]


def _beats(ordered: Sequence[str], comparisons: Sequence[Comparison]) -> NDArray[np.bool_]:
    """Which system (row) is significantly better than which (column), by the test's own statistic."""
    place = {name: i for i, name in enumerate(ordered)}
    beats = np.zeros((len(ordered), len(ordered)), dtype=bool)
    for pair in comparisons:
        if pair.winner is not None and pair.loser is not None:
            beats[place[pair.winner], place[pair.loser]] = True
    return beats


def _clusters(beats: NDArray[np.bool_]) -> list[int]:
    """The cluster of each system in order: a new one begins where all above beat all below."""
    clusters, current = [], 1
    for i in range(len(beats)):
        if i and beats[:i, i:].all():
            current += 1
        clusters.append(current)
    return clusters
