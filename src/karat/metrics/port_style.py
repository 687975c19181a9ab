"""PORT-style: precision, order and recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, geometric_mean, length_penalty, ratio, weighted_harmonic_mean
from karat.metrics.framework.values import ORDERS, WEIGHTS
from karat.metrics.words.pairs import PairMetric, best_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.framework.arithmetic import Floats
    from karat.metrics.words.pairs import WordPairs
    from karat.rows import Values


@register
@dataclass(frozen=True, kw_only=True)
class PortStyle(PairMetric):
    r"""Quadratic mean of n-gram precision and recall, each with a strict penalty, then harmonic mean with word order.

    Formula
    -------
    $$\mathrm{PORT} = 100 \cdot \frac{2}{1/Q + 1/v^{\alpha}}, \qquad
    Q = \sqrt{\tfrac{1}{2}\bigl((P \cdot \mathrm{SBP})^2 + (R \cdot \mathrm{SRP})^2\bigr)}, \qquad
    P = \Bigl(\prod_{n=1}^{N} p_n\Bigr)^{1/N}, \qquad R = \Bigl(\prod_{n=1}^{N} r_n\Bigr)^{1/N}$$

    $$\mathrm{SBP} = e^{1-\sum |r| / \sum \min(|h|,|r|)}, \qquad \mathrm{SRP} = e^{1-\sum \max(|h|,|r|) / \sum |r|},
    \qquad v = \frac{\sum |r| v_s}{\sum |r|}, \qquad v_s = \frac{2}{1/v_1+1/v_2}$$

    $$v_1 = 1 - \frac{\sum_i |\pi_i - i|}{n(n+1)/2}, \qquad
    v_2 = 1 - \frac{\sum_i |\pi_i - \pi_{i-1} - 1|}{n^2-1}, \qquad \pi_0 = 0$$

    $p_n$ and $r_n$ are clipped matches of n-grams as a share of those of hypothesis and reference, from sums over
    segments. $\pi_i$ is the rank in the reference of the $i$-th of $n$ aligned words of the hypothesis; with a single
    one $v_s = 1$, with none 0. Orders that hypothesis and reference are both too short for are left out; any other
    without a match makes the score 0. Of several references the one counts whose score, with one added to all counts
    of n-grams, is the best.

    No program of the authors is known, and this page was written without the paper at hand: the shape of $Q$, of the
    penalties and of the last mean, and $\alpha$ of about 0.25, come from notes on it, $v_1$, $v_2$ and the mean over
    segments from memory. So the name is PORT-style, and equal numbers are not promised. What the paper describes:

    | component | here | without it |
    |---|---|---|
    | precision of n-grams | present | |
    | recall of n-grams | present | |
    | quadratic mean of both | present | ``mean=arithmetic`` |
    | strict brevity penalty, by segment | present | ``brevity=false`` |
    | strict redundancy penalty, by segment | present | ``redundancy=false`` |
    | order by distance of ranks, $v_1$ | present | ``order=jumps`` |
    | order by width of jumps, $v_2$ | present | ``order=moves``; ``order=none`` for neither |
    | weight $\alpha$ of order, tuned by language pair | present, not tuned | ``alpha=0`` |
    | order taken from word alignments of both texts with the source | absent: equal words are aligned, as in LEPOR | |

    Use when
    --------
    You want to see what a metric made for tuning says that punishes short and long output alike and looks at order.

    Do not use when
    ---------------
    Single segments are compared: without smoothing, one order of n-grams with no match is enough for 0.

    Known failure
    -------------
    The quadratic mean forgives imbalance: a fragment with perfect precision scores above a text with the same mean of
    precision and recall. Only the penalties of length stand against that.

    Example
    -------
    >>> prepared = PortStyle(max_order=2).prepare(["the cat sat on the mat"])
    >>> [round(prepared.rows([text]).score, 2) for text in ("the cat sat on a mat", "on the mat the cat sat")]
    [82.84, 78.51]
    """

    name: ClassVar[str] = "port-style"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "chen-etal-2012-port"

    max_order: int = parameter(4, "the longest n-grams that count", within=ORDERS)
    alpha: float = parameter(0.25, "the power of word order", within=WEIGHTS)
    mean: str = parameter("quadratic", "the mean of precision and recall", choices=("quadratic", "arithmetic"))
    brevity: bool = parameter(True, "punish segments that are shorter than their reference")
    redundancy: bool = parameter(True, "punish segments that are longer than their reference")
    order: str = parameter("both", "how order is measured", choices=("both", "moves", "jumps", "none"))

    @property
    def display_name(self) -> str:
        """The name as papers write it, and that it is not quite theirs."""
        return "PORT-style"

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths, word order times length, then matches and n-grams of each order on both sides."""
        kinds = ("matches", "hypothesis", "reference")
        by_order = (f"{kind}_{n}" for kind in kinds for n in range(1, self.max_order + 1))
        return ("shorter", "longer", "ordered", *by_order)

    def rows_of(self, pairs: WordPairs) -> Values:
        """The numbers of each segment against its best reference."""
        overlap = kernels.overlap_pairs(pairs.references, pairs.hypotheses, self.max_order, pairs.threads)
        hypothesis, reference, *matches = as_columns(overlap)
        grams = [np.maximum(side - n, 0.0) for side in (hypothesis, reference) for n in range(self.max_order)]
        ordered = reference * self._ordering(kernels.order_pairs(pairs.references, pairs.hypotheses, pairs.threads))
        lengths = [np.minimum(hypothesis, reference), np.maximum(hypothesis, reference), ordered]
        rows = np.stack([*lengths, *matches, *grams], axis=1)
        return rows[best_pairs(self._score(rows, added=1.0), pairs.offsets)]

    def _ordering(self, orders: NDArray[np.int64]) -> Floats:
        """How well the order of aligned words agrees, from 0 to 1, pair by pair."""
        _, _, aligned, _, moves, jumps, *_ = as_columns(orders)
        by_moves = 1.0 - ratio(2.0 * moves, aligned * (aligned + 1.0))
        by_jumps = 1.0 - ratio(jumps, aligned**2 - 1.0)
        chosen = {"both": [1.0, 1.0], "moves": [1.0, 0.0], "jumps": [0.0, 1.0], "none": [0.0, 0.0]}[self.order]
        mean = weighted_harmonic_mean([by_moves, by_jumps], chosen) if any(chosen) else np.ones(len(aligned))
        return np.where(aligned > 0, mean, 0.0)

    def aggregate(self, sums: Floats) -> Floats:
        """The score of summed counts."""
        return 100.0 * self._score(sums, added=0.0)

    def _score(self, sums: Floats, added: float) -> Floats:
        """From 0 to 1; `added` goes to each count of n-grams."""
        overlap = self._precision_recall(sums, added)
        if self.order == "none":
            return overlap
        ordering = ratio(sums[..., 2], sums[..., 3 + 2 * self.max_order]) ** self.alpha
        return weighted_harmonic_mean([overlap, ordering], [1.0, 1.0])

    def _precision_recall(self, sums: Floats, added: float) -> Floats:
        """The mean of precision and recall, with their penalties."""
        matches, hypothesis, reference = np.split(sums[..., 3:], 3, axis=-1)
        counted = (hypothesis > 0) | (reference > 0)
        precision, recall = (
            geometric_mean(ratio(matches + added, grams + added), counted) for grams in (hypothesis, reference)
        )
        if self.brevity:
            precision = precision * length_penalty(reference[..., 0], sums[..., 0])
        if self.redundancy:
            recall = recall * length_penalty(sums[..., 1], reference[..., 0])
        if self.mean == "arithmetic":
            return (precision + recall) / 2.0
        mean: Floats = np.sqrt((precision**2 + recall**2) / 2.0)
        return mean

    def details(self, sums: Floats) -> dict[str, Any]:
        """How well the order agrees."""
        return {"ordering": float(ratio(sums[2], sums[3 + 2 * self.max_order]))}
