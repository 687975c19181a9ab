"""LEPOR, hLEPOR and nLEPOR: length, position and harmonic mean of precision and recall."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.metrics.annotated.metric import GIVEN, annotator_resources
from karat.metrics.annotated.sequences import WORD, SequenceMetric
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, length_penalty, ratio, weighted_harmonic_mean
from karat.metrics.framework.values import ORDERS, WEIGHTS
from karat.metrics.words.pairs import PairMetric, best_pairs

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.metrics.words.pairs import WordPairs
    from karat.rows import Values
    from karat.text import TextColumn
    from karat.text.annotation import Layer


@dataclass(frozen=True, kw_only=True)
class LeporFactors(PairMetric):
    """What the three metrics share: the factors of a pair, and two ways to a corpus score."""

    alpha: float = parameter(9.0, "the weight of recall", within=WEIGHTS)
    beta: float = parameter(1.0, "the weight of precision", within=WEIGHTS)
    window: int = parameter(2, "how many neighbours on either side tell equal words apart", within=(0, 1_000_000))
    alignment: str = parameter(
        "published", "how equal words are told apart", choices=("published", "hlepor-0.0.4", "perl")
    )
    corpus: str = parameter(
        "segments", "the mean of segment scores, or the score of mean factors", choices=("segments", "factors")
    )

    def check(self) -> None:
        """Refuse weights that make no sense."""
        super().check()
        if self.alpha + self.beta == 0:
            raise SpecError(f"{self.name} needs a weight of recall (alpha) or precision (beta) above 0")

    @property
    def columns(self) -> tuple[str, ...]:
        """The score of the segment, or its factors; and 1 to count it."""
        if self.corpus == "segments":
            return ("score", "segments")
        return ("length_penalty", "position_penalty", "precision_recall", "segments")

    @abstractmethod
    def combine(self, length: Floats, position: Floats, precision_recall: Floats) -> Floats:
        """The score of three factors, from 0 to 1."""

    def rows_of(self, pairs: WordPairs) -> Values:
        """The score, or the factors, of the best reference of each segment."""
        alignments = kernels.lepor_pairs(
            pairs.references, pairs.hypotheses, window=self.window, alignment=self.alignment, threads=pairs.threads
        )
        hypothesis, reference, aligned, moved = as_columns(alignments)
        length = length_penalty(np.maximum(hypothesis, reference), np.minimum(hypothesis, reference))
        position = np.exp(-ratio(moved, hypothesis))
        precision_recall = self.precision_recall(pairs, aligned, hypothesis, reference)
        scores = self.combine(length, position, precision_recall)
        best = best_pairs(scores, pairs.offsets)
        values = [scores] if self.corpus == "segments" else [length, position, precision_recall]
        return np.stack([*(value[best] for value in values), np.ones(len(best))], axis=1)

    def precision_recall(
        self,
        pairs: WordPairs,  # noqa: ARG002
        aligned: Floats,
        hypothesis: Floats,
        reference: Floats,
    ) -> Floats:
        """The harmonic mean of precision and recall of words."""
        return self.harmonic(aligned, hypothesis, reference)

    def harmonic(self, matches: Floats, hypothesis: Floats, reference: Floats) -> Floats:
        """The weighted harmonic mean of recall and precision."""
        return weighted_harmonic_mean([ratio(matches, reference), ratio(matches, hypothesis)], [self.alpha, self.beta])

    def aggregate(self, sums: Floats) -> Floats:
        """The mean of the scores, or the score of the mean factors."""
        if self.corpus == "segments":
            return 100.0 * ratio(sums[..., 0], sums[..., 1])
        means = [ratio(sums[..., column], sums[..., 3]) for column in range(3)]
        return 100.0 * self.combine(*means)


@register
@dataclass(frozen=True, kw_only=True)
class Lepor(LeporFactors):
    r"""Length penalty times position penalty times the harmonic mean of recall and precision.

    Formula
    -------
    $$\mathrm{LEPOR} = 100 \cdot \mathrm{LP} \cdot e^{-\mathrm{NPD}} \cdot \frac{\alpha+\beta}{\alpha/R+\beta/P},
    \qquad \mathrm{LP} = e^{1-\max(|h|,|r|)/\min(|h|,|r|)}, \qquad
    \mathrm{NPD} = \frac{1}{|h|}\sum_{(i,j)} \Bigl|\frac{i}{|h|}-\frac{j}{|r|}\Bigr|$$

    The sum runs over aligned words, positions counted from 1. From left to right, a word is aligned to the nearest
    equal word of the reference that is still free and shares a neighbour with it, at most `window` words away on either
    side; without such a one, to the nearest that is free. $P$ and $R$ are the aligned words as a share of hypothesis
    and reference. The score is 0 where nothing is aligned. Of several references the best counts.

    ``corpus=segments`` is the mean of the segments (the paper's LEPOR_A), ``corpus=factors`` multiplies the means of
    the three factors (LEPOR_B).

    The formula is that of the paper and of its authors' Perl script, whose recorded scores ours equal in three of six
    segments. ``alignment=perl`` repeats slips of the script and equals all six, with LEPOR and with hLEPOR:

    - Matched words are counted apart from the alignment, and position 1 is taken for used when one of 10 to 19 is, 2
      when one of 20 to 29 is, and so on (rests on one segment).
    - Any order is forgiven if the lengths agree and all words match (one segment).
    - The alignment takes no place for used, so that several words may go to the same (two segments).
    - The index of the nearest place that shares a neighbour is looked up in the list of all places (one segment).
    - A neighbour before the first word is counted from the end of the sentence (one segment).

    The last three were worked out from the scores, not read in the script. Of some 100,000 ways to align that were
    tried, all that fit take no place for used. The last two slips, which hLepor 0.0.4 has in similar form, are not the
    only ones that fit: so does sending a word that the hypothesis has once to the nearest place, and any other to the
    last that shares a neighbour. Over 300 segments of WMT21 (English to German) that changes hLEPOR in 142 segments, by
    at most 0.6, and its mean by 0.04.

    ``alignment=hlepor-0.0.4`` aligns as PyPI's hLepor 0.0.4: at the beginning of a sentence it mostly sees no
    neighbours to the left, and of several places that share a neighbour it may take another than the nearest.

    Use when
    --------
    Length, order and words shall count together in one number that punishes long output as well as short.

    Do not use when
    ---------------
    Segments are short: the length penalty of one word too many in three is 0.72.

    Known failure
    -------------
    A position is a share of the length, so an extra word at the beginning moves all the others. PyPI's ``lepor`` 0.1.0
    is no rival to compare with: its length penalty exceeds 1.

    Example
    -------
    >>> prepared = Lepor().prepare(["the cat is sitting on the mat"])
    >>> round(prepared.rows(["the cat sat on the mat"]).score, 2)
    59.9
    """

    name: ClassVar[str] = "lepor"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "han-etal-2012-lepor"

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "LEPOR"

    def combine(self, length: Floats, position: Floats, precision_recall: Floats) -> Floats:
        """Their product."""
        return length * position * precision_recall


@register
@dataclass(frozen=True, kw_only=True)
class Hlepor(SequenceMetric, LeporFactors):
    r"""Weighted harmonic mean of length penalty, position penalty, and the harmonic mean of recall and precision.

    Formula
    -------
    $$\mathrm{hLEPOR} = 100 \cdot \frac{w_1+w_2+w_3}{w_1/\mathrm{LP}+w_2/e^{-\mathrm{NPD}}+w_3/\mathrm{HPR}}, \qquad
    \mathrm{HPR} = \frac{\alpha+\beta}{\alpha/R+\beta/P}$$

    The factors and the alignment are those of LEPOR. The weights are 2 : 1 : 7. The score is 0 where a factor with a
    weight is 0. ``corpus=segments`` is the mean of the segments, ``corpus=factors`` the harmonic mean of the mean
    factors.

    The numbers of PyPI's hLepor 0.0.4 (on tokens split at spaces, in lower case) are those of
    ``hlepor(tokenize=none,lowercase=true,alignment=hlepor-0.0.4)``. The default corrects two slips of its alignment:
    see LEPOR. ``hlepor(tokenize=none,alignment=perl)`` equals the six recorded scores of the authors' script by slips
    that LEPOR's page lists.

    ``of=pos`` scores sequences of tags in place of words. The hybrid of the paper is the weighted mean of both, segment
    by segment: $(\mathrm{hLEPOR} + w\,\mathrm{hLEPOR_{POS}})/(1+w)$ with ``weight_pos`` for $w$. Of several references
    each of the two takes its best.

    Use when
    --------
    You want LEPOR with factors that can be weighted for a language pair.

    Do not use when
    ---------------
    No one has tuned the weights for the language, and chrF would do.

    Known failure
    -------------
    Recall counts nine times as much as precision, so extra words cost little but for the length penalty.

    Example
    -------
    >>> prepared = Hlepor().prepare(["the cat is sitting on the mat"])
    >>> round(prepared.rows(["the cat sat on the mat"]).score, 2)
    76.65
    """

    name: ClassVar[str] = "hlepor"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "han-etal-2013-language"
    aliases: ClassVar[dict[str, dict[str, Any]]] = {"pos-hlepor": {"of": "pos"}}

    weight_length: float = parameter(2.0, "the weight of the length penalty", within=WEIGHTS)
    weight_position: float = parameter(1.0, "the weight of the position penalty", within=WEIGHTS)
    weight_precision_recall: float = parameter(7.0, "the weight of precision and recall", within=WEIGHTS)
    weight_pos: float = parameter(0.0, "the weight of the score over tags, where that over words has 1", within=WEIGHTS)

    def check(self) -> None:
        """Refuse weights that make no sense."""
        super().check()
        if sum(self._weights) == 0:
            raise SpecError("hlepor needs a weight above 0")
        if self.weight_pos and (self.of != WORD or self.corpus != "segments"):
            raise SpecError("hlepor(weight_pos=...) adds tags to words, segment by segment: leave out of and corpus")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Tags, where they count beside words or in their place."""
        return ("pos",) if self.weight_pos else super().layers

    @property
    def resources(self) -> dict[str, str]:
        """The tokenizer's versions, the backend's, or both."""
        return {**super().resources, **(annotator_resources(self.annotate) if self.weight_pos else {})}

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once, as words, tags or both."""
        if not self.weight_pos:
            return super().row_function(references, threads)
        words = replace(self, weight_pos=0.0, annotate=GIVEN).row_function(references, threads)
        tags = replace(self, weight_pos=0.0, of="pos", lowercase=False).row_function(references, threads)

        def rows(hypotheses: TextColumn) -> Values:
            return (words(hypotheses) + self.weight_pos * tags(hypotheses)) / (1 + self.weight_pos)

        return rows

    @property
    def _weights(self) -> list[float]:
        return [self.weight_length, self.weight_position, self.weight_precision_recall]

    @property
    def display_name(self) -> str:
        """The name as papers write it, POS-hLEPOR over tags."""
        return self.over("hybrid hLEPOR" if self.weight_pos else "hLEPOR")

    def combine(self, length: Floats, position: Floats, precision_recall: Floats) -> Floats:
        """Their weighted harmonic mean; nothing without a match."""
        score = weighted_harmonic_mean([length, position, precision_recall], self._weights)
        return np.where(precision_recall > 0, score, 0.0)


@register
@dataclass(frozen=True, kw_only=True)
class Nlepor(LeporFactors):
    r"""LEPOR with n-grams: the geometric mean over orders of the harmonic mean of recall and precision.

    Formula
    -------
    $$\mathrm{nLEPOR} = 100 \cdot \mathrm{LP} \cdot e^{-\mathrm{NPD}} \cdot
    \exp\Bigl(\frac{1}{N}\sum_{n=1}^{N} \log \mathrm{HPR}_n\Bigr), \qquad
    \mathrm{HPR}_n = \frac{\alpha+\beta}{\alpha/R_n+\beta/P_n}$$

    $P_n$ and $R_n$ are clipped matches of n-grams as a share of those of hypothesis and reference; the other factors
    are those of LEPOR. An order without a match makes the score 0; orders that hypothesis and reference are both too
    short for are left out.

    This follows the published formula. No program to compare with is known: the script of that name which the authors
    distribute computes plain LEPOR. $N$ and the weights of the orders, here equal, are free in the paper.

    Use when
    --------
    Fluency shall count beside words and order, as in BLEU, but recall shall count too.

    Do not use when
    ---------------
    Segments are short or far from the reference: one order without a match is enough for 0.

    Known failure
    -------------
    There is no smoothing, so that most segments of a weak system score 0 with four orders.

    Example
    -------
    >>> prepared = Nlepor(max_order=2).prepare(["the cat is sitting on the mat"])
    >>> round(prepared.rows(["the cat sat on the mat"]).score, 2)
    50.17
    """

    name: ClassVar[str] = "nlepor"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "han-etal-2014-lepor"

    max_order: int = parameter(4, "the longest n-grams that count", within=ORDERS)

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "nLEPOR"

    def precision_recall(
        self,
        pairs: WordPairs,
        aligned: Floats,  # noqa: ARG002
        hypothesis: Floats,
        reference: Floats,
    ) -> Floats:
        """The geometric mean over orders."""
        overlap = kernels.overlap_pairs(pairs.references, pairs.hypotheses, self.max_order, pairs.threads)
        _, _, *matches_by_order = as_columns(overlap)
        logs, orders = np.zeros(len(hypothesis)), np.zeros(len(hypothesis))
        for shorter_by, matches in enumerate(matches_by_order):
            grams, reference_grams = (np.maximum(length - shorter_by, 0.0) for length in (hypothesis, reference))
            counted = (grams > 0) | (reference_grams > 0)
            mean = self.harmonic(matches, grams, reference_grams)
            with np.errstate(divide="ignore"):
                logs += np.where(counted, np.log(mean), 0.0)
            orders += counted
        return np.where(orders > 0, np.exp(ratio(logs, orders)), 0.0)

    def combine(self, length: Floats, position: Floats, precision_recall: Floats) -> Floats:
        """Their product."""
        return length * position * precision_recall
