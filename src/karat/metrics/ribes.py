"""RIBES."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, ratio
from karat.metrics.framework.values import WEIGHTS
from karat.metrics.words.pairs import MeanOfSegments

if TYPE_CHECKING:
    from karat.metrics.framework.arithmetic import Floats
    from karat.metrics.words.pairs import WordPairs


@register
@dataclass(frozen=True, kw_only=True)
class Ribes(MeanOfSegments):
    r"""Rank correlation of word order, times powers of unigram precision and of a brevity penalty.

    Formula
    -------
    $$\mathrm{RIBES} = 100 \cdot \tau \cdot P^{\alpha} \cdot \mathrm{BP}^{\beta}, \qquad
    \tau = \frac{\text{ascending pairs}}{n(n-1)/2}, \qquad P = \frac{n}{|h|}, \qquad
    \mathrm{BP} = \min\bigl(1, e^{1-|r|/|h|}\bigr)$$

    $n$ is the number of aligned words: a word that hypothesis and reference have once each is aligned; any other by the
    shortest n-gram that begins or ends with it and that both have once. A pair of aligned words is
    ascending if the reference has them in the same order. With fewer than two aligned words the score is 0, unless the
    reference is that one word: then $\tau = 1$. Of several references the best counts. The corpus score is the mean of
    the segments.

    Where two such n-grams are equally short, RIBES.py 1.03.1 takes the one that ends with the word (``context=left``),
    and so do we; ``context=right`` takes the one that begins with it, as NLTK does. The paper's example, which stands
    below, has 17 ascending pairs by the first way and 21 by the second. RIBES.py expects tokenised text
    (``tokenize=none``) and ignores case by default (``lowercase=true``).

    Use when
    --------
    Word order is what systems get wrong, as between Japanese or Chinese and English, and BLEU does not tell a sentence
    from the same phrases in a misleading order.

    Do not use when
    ---------------
    Word choice matters more than order: precision counts with the power 0.25 only. Nor to tune a system alone.

    Known failure
    -------------
    Words that neither side has once, and that no context makes unique, are left out of the order but cost precision.
    Two words of the hypothesis can be aligned to one of the reference.

    Example
    -------
    >>> reference = "he was interested in world history because he read the book"
    >>> hypothesis = "he read the book because he was interested in world history"
    >>> round(Ribes().prepare([reference]).rows([hypothesis]).score, 2)
    30.91
    >>> round(Ribes(context="right").prepare([reference]).rows([hypothesis]).score, 2)
    38.18
    """

    name: ClassVar[str] = "ribes"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "isozaki-etal-2010-automatic"

    alpha: float = parameter(0.25, "the power of unigram precision", within=WEIGHTS)
    beta: float = parameter(0.10, "the power of the brevity penalty", within=WEIGHTS)

    context: str = parameter(
        "left", "which neighbours are tried first to tell equal words apart", choices=("left", "right")
    )

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "RIBES"

    def pair_scores(self, pairs: WordPairs) -> Floats:
        """The score of every pair."""
        right_first = self.context == "right"
        alignments = kernels.ribes_pairs(
            pairs.references, pairs.hypotheses, right_first=right_first, threads=pairs.threads
        )
        hypothesis, reference, aligned, ascending = as_columns(alignments)
        tau = ratio(2.0 * ascending, aligned * (aligned - 1))
        tau[(aligned == 1) & (reference == 1)] = 1.0
        precision = ratio(aligned, hypothesis)
        brevity = np.minimum(1.0, np.exp(1.0 - ratio(reference, hypothesis)))
        scores: Floats = 100.0 * tau * precision**self.alpha * brevity**self.beta
        return scores
