"""BMA: BM with the arithmetic mean over orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.metrics.base import register
from karat.metrics.ngrams.recurrence import RecurrenceBleu

if TYPE_CHECKING:
    from karat.metrics.framework.arithmetic import Floats


@register
@dataclass(frozen=True, kw_only=True)
class Bma(RecurrenceBleu):
    r"""BM with the arithmetic mean over orders in the place of the geometric one, as NIST has it.

    Formula
    -------
    $$\mathrm{BMA} = \mathrm{BP}\cdot\frac{1}{N}\sum_{n=1}^{N} R_n\,P_n$$

    $R_n$, $P_n$ and BP are those of BM, with the same readings as parameters: its page gives the reasons. The paper
    says in words only that the averaging strategy of BM is changed to that of NIST. NIST sums over orders; a mean is
    the sum divided by the number of orders, which changes no ranking.

    Use when
    --------
    There are several references, and an order without a match should not make the score vanish. The paper finds the
    best correlation with fluency of all metrics that it compares, over systems.

    Do not use when
    ---------------
    There is one reference, or scores of sets with different numbers of references are to be compared.

    Known failure
    -------------
    As with BM, a perfect hypothesis does not score 100. Low orders, where nearly everything matches, weigh least in
    $R$ but have by far the greatest $P$.

    Example
    -------
    >>> references = [["The gunman was shot to death by the police.", "The gunman was shot dead by the police."]]
    >>> rows = Bma(lowercase=True).prepare(references).rows(["Gunman is shot dead by police."])
    >>> round(rows.score, 2)
    7.65
    """

    name: ClassVar[str] = "bma"

    def aggregate(self, sums: Floats) -> Floats:
        """The arithmetic mean over orders, times the brevity penalty."""
        precisions, parts = self.weighted_precisions(sums)
        mean: Floats = precisions.mean(axis=-1)
        return parts.penalty * mean
