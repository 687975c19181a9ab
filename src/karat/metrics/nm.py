"""NM: NIST in which n-grams that recur in several references count more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.framework.values import ORDERS
from karat.metrics.ngrams.recurrence import RecurrenceMetric
from karat.metrics.nist import length_penalty

if TYPE_CHECKING:
    from karat.metrics.framework.arithmetic import Floats


@register
@dataclass(frozen=True, kw_only=True)
class Nm(RecurrenceMetric):
    r"""NIST with each matched n-gram weighted by how many references have it.

    Formula
    -------
    $$\mathrm{NM} = \sum_{n=1}^{N}\frac{\sum_s\sum_{g\in G_n(h_s)} R(g)\,\mathrm{info}(g)\,\mathrm{match}(g)}
    {\sum_s |G_n(h_s)|}\cdot\exp\Bigl(\beta\,\ln^2\min\bigl(1, \tfrac{|h|}{\overline{|r|}}\bigr)\Bigr)$$

    Information and penalty are those of NIST, $R$ and its readings those of BM: its page gives the reasons. With
    `per=order` each order's term of NIST is multiplied by the one weight $D_n\log_{10}(n + \overline{M/K})$ of its
    matched n-grams, as the paper's equation can be read. The logarithm of the penalty is squared as in NIST; the paper
    prints $\log_2$, with which its own number for NIST does not come out.

    Use when
    --------
    There are several references, and NIST's preference for what only one translator wrote should be balanced. The paper
    finds it the best of its metrics over documents.

    Do not use when
    ---------------
    There is one reference: then information alone speaks, at another scale. Neither to compare test sets.

    Known failure
    -------------
    Information and recurrence pull in opposite directions: what all references share has little of the one and much of
    the other.

    Example
    -------
    >>> references = [["The gunman was shot to death by the police.", "The gunman was shot dead by the police."]]
    >>> rows = Nm(lowercase=True).prepare(references).rows(["Gunman is shot dead by police."])
    >>> round(rows.score, 3)
    0.315
    """

    name: ClassVar[str] = "nm"
    extra: ClassVar[tuple[str, ...]] = ("information",)

    max_order: int = parameter(5, "the longest n-grams that count", within=ORDERS)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Information times the weight of each n-gram, or what the weight of an order is made of; and information."""
        if self.per == "order":
            return ("rank-share" if self.weight == "zipf" else "share", "information")
        return ("informed-zipf" if self.weight == "zipf" else "informed-recurrence", "information")

    @property
    def length_column(self) -> int:
        """The mean length, as NIST has it."""
        return 1

    def aggregate(self, sums: Floats) -> Floats:
        """Weighted information per n-gram, summed over orders, times the penalty."""
        sums = np.asarray(sums, dtype=np.float64)
        _, total, _, weighted, information = self.by_order(sums)
        if self.per == "order":
            weighted = self.order_weights(sums) * information
        gains: Floats = ratio(weighted, total).sum(axis=-1)
        return gains * length_penalty(sums[..., 0], sums[..., 1])
