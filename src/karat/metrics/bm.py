"""BM: BLEU in which n-grams that recur in several references count more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.base import register
from karat.metrics.ngrams.recurrence import RecurrenceBleu

if TYPE_CHECKING:
    from karat.metrics.framework.arithmetic import Floats


@register
@dataclass(frozen=True, kw_only=True)
class Bm(RecurrenceBleu):
    r"""BLEU with each order's precision weighted by how many references have the matched n-grams.

    Formula
    -------
    $$\mathrm{BM} = \mathrm{BP}\cdot\exp\Bigl(\frac{1}{N}\sum_{n=1}^{N}\log(R_n\,P_n)\Bigr),\qquad
    R(g) = D_n\,\log_{10}\Bigl(n + \frac{M(g)}{K}\Bigr),\qquad
    D_n = \frac{\text{different n-grams of the references}}{\text{all n-grams of the references}}$$

    $P_n$ and BP are those of BLEU, $K$ is the number of references of the segment, and $M(g)$ how many of them have the
    n-gram $g$. `weight=zipf` puts $R'(g) = \log_{10}(1 + r(g) f(g)/K)$ in the place of $R$, with frequency and rank of
    $g$ in all references of the set. The paper leaves open what follows; each reading is a parameter, and the default
    is the one that its sentences speak for:

    - *One weight for each n-gram* (`per=ngram`): the paper gives weights to n-grams, so $R_n P_n$ is
      $\sum_g R(g)\,\mathrm{match}(g)$ over the n-grams of the hypothesis. Its equation, though, has one $R$ beside
      $P_n$: with `per=order` this is $D_n\log_{10}(n + \overline{M/K})$ over the matched n-grams. As the logarithm
      bends little, both are close.
    - *M counts references* (`recurrence=references`), for the text says that an n-gram "may be contained in all
      references" where $M/K$ is 1; `occurrences` counts how often they have it all together, which can be more.
    - *Divergence of a segment's references* (`divergence=segment`), for the examples are single segments, and over a
      whole set (`divergence=set`) it would measure the size of the set more than how far translators disagree.
      Segments are averaged by their number of n-grams.
    - *Smoothing* (`smooth=exp`): the text says add-one, but the BLEU it prints for its example (0.3217) comes out with
      NIST's exponential smoothing alone. For $R$ an order without any match has the weight of an n-gram that is in no
      reference, $D_n\log_{10} n$. For $R'$ that would be 0 and undo the smoothing. By Zipf's law, though, $r f$ is
      about the same for rare n-grams as for frequent ones, so such an order has the weight of the rarest n-gram that it
      is ranked with.
    - *Ranks* (`ranks=all`) are those among n-grams of all orders, as in the work that the paper follows; `order` ranks
      each order by itself. N-grams of the same frequency share the mean of their ranks.
    - *Logarithms* have the base 10, as the paper's numbers have; another base would multiply all scores alike.

    Use when
    --------
    There are three or more references, and agreement among translators should count. The paper finds a slightly better
    correlation with fluency than BLEU's, over systems.

    Do not use when
    ---------------
    There is one reference: then the weights are constants. Neither for single segments, where the paper finds it worse
    than smoothed BLEU. Never compare scores of sets with different numbers of references.

    Known failure
    -------------
    A perfect hypothesis does not score 100, and the more the references agree, the less it scores: in the paper's
    example a copy of one of four references scores 20.7, and with that reference alone 48.1. What recurs most are
    function words and punctuation.

    Example
    -------
    >>> references = [["The gunman was shot to death by the police.", "The gunman was shot dead by the police."]]
    >>> rows = Bm(lowercase=True).prepare(references).rows(["Gunman is shot dead by police."])
    >>> round(rows.score, 2)
    7.28
    """

    name: ClassVar[str] = "bm"

    def aggregate(self, sums: Floats) -> Floats:
        """The geometric mean over orders, times the brevity penalty."""
        precisions, parts = self.weighted_precisions(sums)
        positive = (precisions > 0).all(axis=-1) & parts.matched
        logs = np.log(precisions, out=np.zeros_like(precisions), where=precisions > 0)
        return np.where(positive, parts.penalty * np.exp(logs.mean(axis=-1)), 0.0)
