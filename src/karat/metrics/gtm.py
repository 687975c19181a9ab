"""GTM, the general text matcher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, ratio
from karat.metrics.words.pairs import PairMetric, best_pairs

if TYPE_CHECKING:
    from karat.metrics.framework.arithmetic import Floats
    from karat.metrics.words.pairs import WordPairs
    from karat.rows import Values


@register
@dataclass(frozen=True, kw_only=True)
class Gtm(PairMetric):
    r"""F-measure of words in common, in which long runs of them can count more.

    Formula
    -------
    $$\mathrm{GTM} = 100 \cdot \frac{2PR}{P+R} = 100 \cdot \frac{2 \sum_s M_s}{\sum_s |h_s| + \sum_s |r_s|}, \qquad
    M = \Bigl(\sum_{\text{runs}} \text{length}^e\Bigr)^{1/e}$$

    $P = M/|h|$ and $R = M/|r|$, from sums over segments. Runs are sequences of words that hypothesis and reference
    share; the longest run whose words are all free is taken, again and again. With exponent $e = 1$, $M$ is the number
    of words in common, whatever their order; the greater $e$, the more do long runs count.

    ``references=joined`` matches against all references of a segment put one behind the other; $|r|$ is their mean
    length, and $M$ at most the smaller of $|h|$ and $|r|$. That is what gtm.jar 1.4 does, whose numbers these are.
    ``references=best`` takes the one reference with the best score.

    Use when
    --------
    You want precision and recall of words in one number that is easy to explain, or a baseline for metrics of order.

    Do not use when
    ---------------
    Word order matters and the exponent is 1: any permutation of the reference is perfect then.

    Known failure
    -------------
    With joined references of different lengths, a hypothesis equal to the longest of them is not perfect. The greedy
    choice of runs is not always the best.

    Example
    -------
    >>> reference, hypothesis = "the cat sat on the mat", "on the mat sat the cat"
    >>> Gtm().prepare([reference]).rows([hypothesis]).score
    100.0
    >>> round(Gtm(exponent=2).prepare([reference]).rows([hypothesis]).score, 2)
    62.36
    """

    name: ClassVar[str] = "gtm"
    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "turian-etal-2003-evaluation"

    exponent: float = parameter(1.0, "how much more long runs count", within=(1, 100))
    references: str = parameter("joined", "how several references count", choices=("joined", "best"))

    @property
    def perfect_is_best(self) -> bool:  # type: ignore[override]
        """Not where the mean length of several references counts."""
        return self.references == "best"

    @property
    def columns(self) -> tuple[str, ...]:
        """The size of the matching, and what it is a share of."""
        return ("matching", "hypothesis_length", "reference_length")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "GTM"

    def rows_of(self, pairs: WordPairs) -> Values:
        """Matching and lengths."""
        if self.references == "joined":
            joined = kernels.gtm_segments(pairs.references, pairs.hypotheses, self.exponent, pairs.threads)
            hypothesis, reference, matching = as_columns(joined)
            return np.stack([np.minimum(matching, np.minimum(hypothesis, reference)), hypothesis, reference], axis=1)
        matchings = kernels.gtm_pairs(pairs.references, pairs.hypotheses, self.exponent, pairs.threads)
        hypothesis, reference, matching = as_columns(matchings)
        best = best_pairs(ratio(matching, hypothesis + reference), pairs.offsets)
        return np.stack([matching[best], hypothesis[best], reference[best]], axis=1)

    def aggregate(self, sums: Floats) -> Floats:
        """The F-measure."""
        return 200.0 * ratio(sums[..., 0], sums[..., 1] + sums[..., 2])

    def details(self, sums: Floats) -> dict[str, Any]:
        """Precision and recall."""
        return {"precision": float(ratio(sums[0], sums[1])), "recall": float(ratio(sums[0], sums[2]))}
