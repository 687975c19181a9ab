"""ATEC-style: word choice by form, stem, sound and sense, times word order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, ratio, weighted_harmonic_mean
from karat.metrics.framework.values import SHARES
from karat.metrics.words.lexicon import Lexicon, LexiconMetric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.metrics.framework.arithmetic import Floats


@register
@dataclass(frozen=True, kw_only=True)
class AtecStyle(LexiconMetric):
    r"""F-measure of words aligned by form, stem, sound and sense, times penalties for position and sequence.

    Formula
    -------
    $$\mathrm{ATEC} = 100 \cdot \frac{PR}{\alpha P + (1-\alpha) R} \cdot
    \Bigl(1 - \lambda_p \frac{1}{m}\sum_{(i,j)} \Bigl|\frac{i}{|h|}-\frac{j}{|r|}\Bigr|\Bigr) \cdot
    \Bigl(1 - \lambda_s \frac{\text{pairs out of order}}{m(m-1)/2}\Bigr)$$

    $$P = \frac{\sum_{(i,j)} c_{ij} \, w(h_i)}{\sum_i w(h_i)}, \qquad
    R = \frac{\sum_{(i,j)} c_{ij} \, w(r_j)}{\sum_j w(r_j)}$$

    The sums run over $m$ aligned words. Stage by stage, words that are still free are aligned, from left to right and
    each to the nearest: equal words ($c = 1$), words of one stem, words that sound alike (equal codes by the rules of
    Soundex, not cut to four places), and words that share a sense. $w$ is how much a word says: 1, less for function
    words. Of several references the best counts. The corpus score is the mean of the segments. A segment with more than
    about 5,800 words on both sides is refused.

    No program of the authors is known, and this page was written without the papers at hand: that word choice is
    multiplied by order, and the parts of both, come from notes on them; every constant, the two measures of order and
    the way words are aligned are ours. So the name is ATEC-style, and equal numbers are not promised. What the papers
    describe:

    | component | here | without it |
    |---|---|---|
    | words of one surface form | present | |
    | words of one stem | present, by Snowball | ``stem=0`` |
    | words that sound alike | present, by Soundex, which is made for English names | ``sound=0`` |
    | words of one sense | present; WordNet or METEOR for English, MyThes for others | ``sense=0`` |
    | similarity of senses that differ | absent: a sense is shared or not | |
    | informativeness of words | present in two grades; the papers take it from frequencies | ``function_weight=1`` |
    | precision and recall in one F-measure | present | |
    | penalty for other positions | present | ``position=0`` |
    | penalty for another sequence | present | ``sequence=0`` |
    | parameters optimised on human judgements | absent | |

    Use when
    --------
    You want to see what stems, spellings and synonyms are worth beside plain words: each has its own parameter.

    Do not use when
    ---------------
    The language is not written in Latin letters, or sounds are not what its letters suggest to English ears: switch
    ``sound`` off there.

    Known failure
    -------------
    Words that sound alike need not mean the same: *desert* matches *dessert*.

    Example
    -------
    >>> prepared = AtecStyle().prepare(["the colour of his new car"])
    >>> texts = ["the color of his new automobile", "his new car of the colour"]
    >>> [round(prepared.rows([text]).score, 1) for text in texts]
    [80.0, 47.5]
    """

    name: ClassVar[str] = "atec-style"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "wong-kit-2009-atec"

    alpha: float = parameter(0.5, "how much recall counts in F, from 0 to 1", within=SHARES)
    stem: float = parameter(0.9, "what words of one stem are worth, from 0 to 1", within=SHARES)
    sound: float = parameter(0.6, "what words that sound alike are worth, from 0 to 1", within=SHARES)
    sense: float = parameter(0.8, "what words with a common sense are worth, from 0 to 1", within=SHARES)
    function_weight: float = parameter(0.25, "how much function words say; others say 1", within=SHARES)
    position: float = parameter(0.5, "the weight of the penalty for other positions, from 0 to 1", within=SHARES)
    sequence: float = parameter(0.5, "the weight of the penalty for another sequence, from 0 to 1", within=SHARES)

    @property
    def display_name(self) -> str:
        """The name as papers write it, and that it is not quite theirs."""
        return "ATEC-style"

    def lexicon(self) -> Lexicon:
        """What the parameters want to be known."""
        return Lexicon(
            self.language or "en",
            stems=self.stem > 0,
            sounds=self.sound > 0,
            senses=self.sense > 0,
            function_weight=self.function_weight,
        )

    def pair_scores(
        self, facts: kernels.WordFacts, words: kernels.WordTypes, offsets: NDArray[np.int64], threads: int | None
    ) -> Floats:
        """Word choice times order."""
        worths = (1.0, self.stem, self.sound, self.sense)
        numbers = as_columns(kernels.atec_pairs(facts, words, offsets, worths=worths, threads=threads))
        found_in_hypothesis, found_in_reference, hypothesis, reference, aligned, moved, ordered = numbers
        shares = [ratio(found_in_hypothesis, hypothesis), ratio(found_in_reference, reference)]
        choice = weighted_harmonic_mean(shares, [1.0 - self.alpha, self.alpha])
        pairs = aligned * (aligned - 1.0) / 2.0
        position = 1.0 - self.position * ratio(moved, aligned)
        sequence = 1.0 - self.sequence * ratio(pairs - ordered, pairs)
        scores: Floats = 100.0 * (choice * position * sequence)
        return scores
