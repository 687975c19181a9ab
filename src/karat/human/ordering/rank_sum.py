"""Rank-sum tests of all segments that systems have, pair by pair."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.errors import InputError
from karat.human.ordering.order import Order, TestedOrder, correction_in_words
from karat.human.ordering.reach import smallest_adjusted, smallest_rank_sum_p
from karat.human.results import PairResult
from karat.human.scales.judgements import ItemMeans
from karat.significance import adjust

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.plan import AnalysisPlan
    from karat.human.scales.judgements import Judgements

    Floats = NDArray[np.float64]


def by_rank_sum(given: Judgements, plan: AnalysisPlan, *, higher_is_better: bool) -> TestedOrder:
    """Two-sided rank-sum tests of all segment means, corrected for the number of pairs.

    A system beats another in the direction of U, which need not be that of the means.
    """
    if plan.unit == "document":
        raise InputError("the rank-sum test takes segments: leave out --unit document, or use --test randomization")
    items = ItemMeans.of(given.ordinary)
    scores = items.system_means()
    couples = [pair for pair in combinations(range(len(scores)), 2) if np.isfinite(scores[list(pair)]).all()]
    columns = [items.rounded[items.present[:, i], i] for i in range(len(scores))]
    raw = [_rank_sum(columns[first], columns[second]) for first, second in couples]
    adjusted = adjust([p for p, _ in raw], plan.correction)
    p, beats = np.full((len(scores),) * 2, np.nan), np.zeros((len(scores),) * 2, dtype=bool)
    sizes = [len(column) for column in columns]
    reach = smallest_adjusted([smallest_rank_sum_p(sizes[i], sizes[j]) for i, j in couples], plan.correction)
    pairs = []
    for (first, second), (raw_p, direction), adjusted_p, smallest in zip(couples, raw, adjusted, reach, strict=True):
        favoured = direction if higher_is_better else -direction
        better, worse = (first, second) if favoured >= 0 else (second, first)
        p[better, worse], beats[better, worse] = adjusted_p, adjusted_p <= plan.alpha and favoured != 0
        pairs.append(
            PairResult(
                given.systems[first],
                given.systems[second],
                float(scores[first] - scores[second]),
                raw_p,
                float(adjusted_p),
                bool(beats[better, worse]),
                better=given.systems[better] if favoured else None,
                higher_is_better=higher_is_better,
                reachable=smallest <= plan.alpha,
                smallest_p=smallest,
            )
        )
    order = Order.from_wins(scores, p, beats, higher_is_better=higher_is_better)
    method = "mean over segments of mean over judgements; rank-sum test of segments, two-sided, "
    return TestedOrder(order, tuple(pairs), method + correction_in_words(plan), _out_of_reach(pairs, plan))


def _rank_sum(first: Floats, second: Floats) -> tuple[float, float]:
    """Two-sided p, and by how much U exceeds what it is where neither sample has the higher values."""
    from scipy.stats import mannwhitneyu

    test = mannwhitneyu(first, second, method="asymptotic")
    # All values alike have no variance, and no p.
    p = float(test.pvalue) if np.isfinite(test.pvalue) else 1.0
    return p, float(test.statistic) - len(first) * len(second) / 2


def _out_of_reach(pairs: list[PairResult], plan: AnalysisPlan) -> tuple[Diagnostic, ...]:
    if not pairs or any(pair.reachable or pair.significant for pair in pairs):
        return ()
    smallest = min(pair.smallest_p or 1.0 for pair in pairs)
    return (
        Diagnostic(
            "out-of-reach",
            "no system can be told from another, whatever the judgements: with so few segments the rank-sum test gives "
            f"p = {smallest:.2g} at best, and alpha is {plan.alpha:g}; judge more segments",
        ),
    )
