"""F-measure of word n-grams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.annotated.sequences import SequenceMetric
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.framework.values import ORDERS, WEIGHTS
from karat.metrics.words.pairs import PairMetric, best_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.framework.arithmetic import Floats
    from karat.metrics.words.pairs import WordPairs
    from karat.rows import Values


@register
@dataclass(frozen=True, kw_only=True)
class NgramF(SequenceMetric, PairMetric):
    r"""Mean over orders of the F-measure of word n-grams.

    Formula
    -------
    $$\mathrm{F} = \frac{100}{N}\sum_{n=1}^{N} \frac{(1+\beta^2) P_n R_n}{\beta^2 P_n + R_n}$$

    $P_n$ and $R_n$ are clipped matches of n-grams as a share of those of hypotheses and references, from sums over
    segments. Orders without a single n-gram on either side are left out of the mean. Of several references the one
    with the best score of the segment counts.

    Use when
    --------
    You want what BLEU measures with recall in place of a brevity penalty, and orders without a match that do not make
    the score vanish. Over tags in place of words (``of=pos``) it is the POSF score of Popović and Ney; ``of=lemma``,
    ``tag``, ``chunk`` and ``iob`` are other sequences that it can see.

    Do not use when
    ---------------
    Words of the language have many forms: chrF does the same over characters, where a wrong ending costs less.

    Known failure
    -------------
    As with BLEU, a synonym counts as little as a blunder.

    Example
    -------
    >>> prepared = NgramF(max_order=1).prepare(["the cat is sitting on the mat"])
    >>> round(prepared.rows(["the cat sat on the mat"]).score, 2)
    76.92
    """

    name: ClassVar[str] = "ngram-f"
    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "popovic-ney-2009-syntax"
    aliases: ClassVar[dict[str, dict[str, Any]]] = {"pos-f": {"of": "pos"}}

    beta: float = parameter(1.0, "how much more recall counts than precision", within=WEIGHTS)
    max_order: int = parameter(4, "the longest n-grams that count", within=ORDERS)

    @property
    def columns(self) -> tuple[str, ...]:
        """For each order the n-grams of the hypothesis, of the reference, and matches."""
        orders = range(1, self.max_order + 1)
        return tuple(f"{what}_{n}" for what in ("hypothesis", "reference", "match") for n in orders)

    @property
    def display_name(self) -> str:
        """The measure and its orders."""
        return self.over(f"{self.max_order}-gram F{self.beta:g}")

    def rows_of(self, pairs: WordPairs) -> Values:
        """Counts against the best reference."""
        overlap = kernels.overlap_pairs(pairs.references, pairs.hypotheses, self.max_order, pairs.threads)
        lengths, matches = overlap[:, :2], overlap[:, 2:]
        hypothesis, reference = (np.maximum(lengths[:, [side]] - np.arange(self.max_order), 0) for side in (0, 1))
        rows = np.concatenate([hypothesis, reference, matches], axis=1)
        best: NDArray[np.int64] = rows[best_pairs(self.aggregate(rows.astype(np.float64)), pairs.offsets)]
        return best

    def aggregate(self, sums: Floats) -> Floats:
        """The mean of the F-measures of all orders."""
        hypothesis, reference, matches = np.split(sums, 3, axis=-1)
        square = self.beta**2
        scores = ratio((1 + square) * matches, hypothesis + square * reference)
        counted = (hypothesis > 0) | (reference > 0)
        return 100.0 * ratio(scores.sum(axis=-1), counted.sum(axis=-1).astype(np.float64))
