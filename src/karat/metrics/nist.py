"""NIST: matches weighted by how much information an n-gram carries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.annotated.sequences import WORD, SequenceMetric
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.framework.values import ORDERS
from karat.metrics.ngrams.context import NgramContextMetric, Weighing
from karat.text import TextColumn, tokenizer

if TYPE_CHECKING:
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values

BETA = math.log(0.5) / math.log(1.5) ** 2
"""Makes the penalty one half where the hypothesis has two thirds of the words of the mean reference."""

ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@register
@dataclass(frozen=True, kw_only=True)
class Nist(SequenceMetric, NgramContextMetric):
    r"""Matched n-grams weighted by their information in the whole set of references, times a penalty for short output.

    Formula
    -------
    $$\mathrm{NIST} = \sum_{n=1}^{N}\frac{\sum_s\sum_{g\in G_n(h_s)} \mathrm{info}(g)\,
    \min\bigl(c_{h_s}(g), \max_r c_{r_s}(g)\bigr)}{\sum_s |G_n(h_s)|}\cdot
    \exp\Bigl(\beta\,\ln^2\min\bigl(1, \tfrac{|h|}{\overline{|r|}}\bigr)\Bigr),\qquad
    \mathrm{info}(w_1\ldots w_n) = \log_2\frac{c(w_1\ldots w_{n-1})}{c(w_1\ldots w_n)}$$

    $c$ without an index counts over all references of all segments, and for $n = 1$ the numerator is the number of
    their words; single segments, documents and resamples keep these weights. $\overline{|r|}$ is the mean length of a
    segment's references, summed over segments, and $\beta = \ln 0.5/\ln^2 1.5$ halves the score of output that has two
    thirds of the length. The score is not a share of anything: it starts at 0 and has no upper end.

    With `mode=mteval` two slips of the official script (mteval-v13a) are followed: after the word `0`, which Perl
    takes for false, bigrams are weighed as if all words of the set stood in its place; and `lowercase` touches the
    letters A to Z alone. Most texts score the same in both modes.

    ``of=pos`` weighs n-grams of tags in place of words, ``of=lemma``, ``tag``, ``chunk`` or ``iob`` those of what its
    name says, as `annotate` finds them: Asiya's SP-NIST.

    Use when
    --------
    Rare, informative words should count more than frequent ones, or numbers of the NIST evaluations are to be compared
    with. It depends on unigrams for most of its value, so it follows adequacy more than fluency.

    Do not use when
    ---------------
    Scores of different test sets are to be compared: weights and scale depend on the references. Neither when
    references or segments were added since: then all information weights change.

    Known failure
    -------------
    What recurs in the references counts least although translators agree on it (Qin and Specia 2015). Hypotheses in
    which the most informative words stand in any order score nearly as high as good sentences.

    Example
    -------
    >>> references = [["The gunman was shot to death by the police.", "Police killed the gunman."]]
    >>> prepared = Nist(lowercase=True).prepare(references)
    >>> round(prepared.rows(["Gunman is shot dead by police."]).score, 4)
    2.4785
    """

    name: ClassVar[str] = "nist"
    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "doddington-2002-automatic"
    aliases: ClassVar[dict[str, dict[str, Any]]] = {"pos-nist": {"of": "pos"}}
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    perfect_is_best: ClassVar[bool] = False

    max_order: int = parameter(5, "the longest n-grams that count", within=ORDERS)
    mode: str = parameter("published", "follow the paper, or the official script", choices=("published", "mteval"))

    @property
    def display_name(self) -> str:
        """NIST, or POS-NIST over tags, whatever the other parameters."""
        return self.over("NIST")

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths, information of matches, and totals."""
        orders = range(1, self.max_order + 1)
        sums = (f"{what}_{n}" for what in ("information", "total") for n in orders)
        return ("hypothesis_length", "reference_length", *sums)

    @property
    def context_key(self) -> str:
        """Counts of words as the metric reads them, and the script's way of lowercasing is another."""
        read = f", of={self.of}, annotate={self.annotate}" if self.of != WORD else ""
        return super().context_key + (" (A to Z)" if self._lowers_ascii else "") + read

    @property
    def _lowers_ascii(self) -> bool:
        return self.lowercase and self.mode == "mteval" and self.of == WORD

    def tokens(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        """The words of every string."""
        if not self._lowers_ascii:
            return super().tokens(column, threads)
        lowered = TextColumn.of([line.translate(ASCII_LOWER) for line in column.to_list()])
        return lowered.tokens(tokenizer(self.tokenize), threads)

    def rows_of(self, weighing: Weighing) -> Values:
        """Lengths, information of matches, and totals."""
        weighted = weighing.rows(["information"], after_zero=self.mode == "mteval")
        information = weighted[:, 3 + 2 * self.max_order :]
        return np.concatenate([weighted[:, :2], information, self.totals(weighted[:, 0])], axis=1)

    def aggregate(self, sums: Floats) -> Floats:
        """Information per n-gram, summed over orders, times the penalty."""
        information, totals = np.split(sums[..., 2:], 2, axis=-1)
        gains: Floats = ratio(information, totals).sum(axis=-1)
        return gains * length_penalty(sums[..., 0], sums[..., 1])

    def details(self, sums: Floats) -> dict[str, Any]:
        """What each order adds, the penalty, and lengths."""
        information, totals = np.split(sums[2:], 2)
        return {
            "orders": ratio(information, totals).tolist(),
            "penalty": float(length_penalty(sums[0], sums[1])),
            "hypothesis_length": int(sums[0]),
            "reference_length": float(sums[1]),
        }


def length_penalty(hypothesis: Floats, reference: Floats) -> Floats:
    """1 for output as long as the mean reference, one half at two thirds of that, and 0 for none.

    >>> length_penalty(np.array([3.0, 2.0, 0.0]), np.array([3.0, 3.0, 3.0])).round(6).tolist()
    [1.0, 0.5, 0.0]
    """
    share = np.minimum(ratio(hypothesis, reference), 1.0)
    share = np.where(reference > 0, share, 1.0)
    logarithm = np.log(share, out=np.zeros(np.shape(share)), where=share > 0)
    return np.where(share > 0, np.exp(BETA * logarithm**2), 0.0)
