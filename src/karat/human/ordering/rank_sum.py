"""Rank-sum tests of the segments of systems, pair by pair."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.errors import InputError
from karat.human.ordering.order import TestedOrder, correction_in_words
from karat.human.ordering.paired import MEAN, order_of
from karat.human.ordering.reach import smallest_adjusted, smallest_rank_sum_p
from karat.human.ordering.shared import Couple, couples
from karat.significance import adjust

if TYPE_CHECKING:
    from karat.human.plan import AnalysisPlan
    from karat.human.results import PairResult
    from karat.human.scales.judgements import Floats, ItemMeans


def by_rank_sum(names: Sequence[str], items: ItemMeans, plan: AnalysisPlan, *, higher_is_better: bool) -> TestedOrder:
    """Two-sided rank-sum tests of segment means, corrected for the number of pairs.

    The segments are those that both systems have, though the test takes them for independent samples, or all that each
    has where they are unpaired. A system beats another in the direction of U, which need not be that of the means.
    """
    if plan.unit == "document":
        raise InputError("the rank-sum test takes segments: leave out --unit document, or use --test randomization")
    every = couples(items, unpaired=plan.unpaired)
    known = [couple.untested(names, items, higher_is_better=higher_is_better) for couple in every]
    tested = [i for i, couple in enumerate(every) if plan.unpaired or couple.shared > 1]
    samples = [_samples(items, every[i]) for i in tested]
    pairs = list(known)
    for i, pair in zip(tested, _with_tests([known[i] for i in tested], samples, plan), strict=True):
        pairs[i] = pair
    order = order_of(names, items.system_means(), pairs, higher_is_better=higher_is_better)
    which = "all segments of each system" if plan.unpaired else "the segments that both systems have"
    test = f"rank-sum test, unpaired by definition, of {which}, two-sided, {correction_in_words(plan)}"
    reach = _out_of_reach([pairs[i] for i in tested], plan)
    return TestedOrder(order, tuple(pairs), f"{MEAN}; {test}" if tested else MEAN, reach)


def _samples(items: ItemMeans, couple: Couple) -> tuple[Floats, Floats]:
    """The values of both systems, of the segments of the comparison."""
    first, second = (items.rounded[couple.kept & items.present[:, i], i] for i in (couple.first, couple.second))
    return first, second


def _with_tests(
    pairs: Sequence[PairResult], samples: Sequence[tuple[Floats, Floats]], plan: AnalysisPlan
) -> Iterator[PairResult]:
    """The pairs with their p's, corrected together."""
    raw = [_rank_sum(*both) for both in samples]
    adjusted = adjust([p for p, _ in raw], plan.correction).tolist() if raw else []
    smallest = [smallest_rank_sum_p(len(first), len(second)) for first, second in samples]
    reach = smallest_adjusted(smallest, plan.correction)
    for pair, of_pair, p, least, least_adjusted in zip(pairs, raw, adjusted, smallest, reach, strict=True):
        known = replace(
            pair, smallest_p=least, smallest_p_adjusted=least_adjusted, reachable=least_adjusted <= plan.alpha
        )
        yield _with_test(known, of_pair, p, plan)


def _with_test(pair: PairResult, raw: tuple[float, float], adjusted: float, plan: AnalysisPlan) -> PairResult:
    """The pair, whose reach is known, with its p, in the direction of U."""
    p, direction = raw
    favoured = direction if pair.higher_is_better else -direction
    return replace(
        pair,
        p=p,
        p_adjusted=adjusted,
        significant=adjusted <= plan.alpha and favoured != 0,
        better=None if favoured == 0 else pair.first if favoured > 0 else pair.second,
        segments=None if plan.unpaired else pair.segments,
    )


def _rank_sum(first: Floats, second: Floats) -> tuple[float, float]:
    """Two-sided p, and by how much U exceeds what it is where neither sample has the higher values."""
    from scipy.stats import mannwhitneyu

    test = mannwhitneyu(first, second, method="asymptotic")
    # All values alike have no variance, and no p.
    p = float(test.pvalue) if np.isfinite(test.pvalue) else 1.0
    return p, float(test.statistic) - len(first) * len(second) / 2


def _out_of_reach(pairs: Collection[PairResult], plan: AnalysisPlan) -> tuple[Diagnostic, ...]:
    if not pairs or any(pair.reachable or pair.significant for pair in pairs):
        return ()
    smallest = min(pair.smallest_p_adjusted or 1.0 for pair in pairs)
    return (
        Diagnostic(
            "out-of-reach",
            "no system can be told from another, whatever the judgements: with so few segments the rank-sum test gives "
            f"p = {smallest:.2g} at best, and alpha is {plan.alpha:g}; judge more segments",
        ),
    )
