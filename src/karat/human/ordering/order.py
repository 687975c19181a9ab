"""Systems in order: their scores, who beats whom, and the ranks and clusters that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.human.ordering.rank_ranges import Ranges, clusters_from_wins, ranges_from_wins
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.diagnostics import Diagnostic
    from karat.human.plan import AnalysisPlan
    from karat.human.results import PairResult

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

CORRECTIONS = {"holm": "Holm's correction", "bh": "Benjamini and Hochberg's correction", "none": "no correction"}


@dataclass(frozen=True, eq=False)
class Order:
    """Systems ordered: the score of each, who beats whom, and what follows; all in the order of `Judgements.systems`.

    `p[i, j]` is that of i being better than j, NaN where the preset has none or did not look.
    """

    scores: Floats
    p: Floats
    beats: Bools
    ranges: Ranges
    clusters: list[int]

    @property
    def ranked(self) -> Bools:
        """Which systems were tested against any other; the rest is in no order."""
        tested = np.isfinite(self.p)
        return np.asarray(tested.any(axis=0) | tested.any(axis=1))

    @classmethod
    def from_wins(cls, scores: Floats, p: Floats, beats: Bools, *, higher_is_better: bool) -> Order:
        """Ranks and clusters from who beats whom; systems that were not tested may have any rank, and come last.

        A cluster whose systems beat all others has more wins in each of them than any other system has, so that the
        number of wins puts clusters in order, whatever the scores say.
        """
        size = len(scores)
        unordered = cls(scores, p, beats, [(1, size)] * size, [1] * size)
        tested = np.flatnonzero(unordered.ranked)
        gain = scores if higher_is_better else -scores
        order = tested[np.lexsort((-gain[tested], -beats[tested].sum(axis=1)))]
        ordered = beats[np.ix_(order, order)]
        placed = list(zip(order.tolist(), ranges_from_wins(ordered), clusters_from_wins(ordered), strict=True))
        ranges, clusters = list(unordered.ranges), [1 + max((cluster for *_, cluster in placed), default=0)] * size
        for system, ranks, cluster in placed:
            ranges[system], clusters[system] = ranks, cluster
        return cls(scores, p, beats, ranges, clusters)


@dataclass(frozen=True, eq=False)
class TestedOrder:
    """What one way of testing says: the order, every pair, how it was done in words, and what is to be known."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    order: Order
    pairs: tuple[PairResult, ...]
    method: str
    notes: tuple[Diagnostic, ...] = ()


def correction_in_words(plan: AnalysisPlan) -> str:
    """The correction for many pairs, and alpha."""
    return f"{CORRECTIONS[plan.correction]}, alpha {plan.alpha:g}"
