"""wBLEU: BLEU in which n-grams with rare words count more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.base import parameter, register
from karat.metrics.bleu import SMOOTHING_VALUES, Bleu
from karat.metrics.framework.values import WEIGHTS
from karat.metrics.ngrams.context import NgramContextMetric, Weighing

if TYPE_CHECKING:
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values


@register
@dataclass(frozen=True, kw_only=True)
class WBleu(NgramContextMetric):
    r"""BLEU with each n-gram weighted by the TF-IDF of its words, so that salient words count more.

    Formula
    -------
    $$p_n = \frac{\sum_s\sum_g w_s(g)\,\mathrm{match}_s(g)}{\sum_s\sum_g w_s(g)\,c_{h_s}(g)},\qquad
    w_s(g) = \max\Bigl(1, \max_{t\in g} \mathrm{tfidf}_s(t)\Bigr),\qquad
    \mathrm{tfidf}_s(t) = (1 + \ln \mathrm{tf}_s(t))\,\ln\frac{S}{\mathrm{df}(t)}$$

    $p_n$ takes the place of BLEU's precision; brevity penalty, mean and smoothing are BLEU's. $\mathrm{tf}_s(t)$ is how
    often a reference of segment $s$ has the word $t$ (the greatest number of several references), $\mathrm{df}(t)$ in
    how many of the $S$ segments a reference has it. A word that no reference of the segment has weighs nothing, and an
    n-gram never less than 1, its weight in BLEU.

    This is karat's reading of Babych and Hartley (2004), written from what is commonly told of their method, without a
    script to compare with. What differs, or may differ, from the paper: its TF-IDF is over documents, which
    references do not have here, so that a segment takes a document's place; counts of n-grams "increased" by
    the salience of the words they contain are read as the greatest one (`words=max`; `sum` adds those of all words);
    unmatched n-grams are weighted as well, so that precision stays a share; recall, which the paper reports beside
    precision, and its second weight (the S-score) are left out.

    Use when
    --------
    Names, numbers and terms should count more than articles, and the scale of BLEU should stay: 100 is a perfect match.

    Do not use when
    ---------------
    The set has few segments: then no word is rarer than another, and with one segment the score is that of BLEU. Scores
    of different test sets cannot be compared, for the weights are those of the set.

    Known failure
    -------------
    A rare word in the reference is not always a salient one: misspellings and oddities of one translator weigh most.

    Example
    -------
    >>> references = ["the cat sat on the mat", "the dog sat on the log", "the bird sat on the twig"]
    >>> prepared = WBleu(tokenize="none", max_order=1).prepare(references)
    >>> hypotheses = ["a cat was in a mat", "the log sat on a dog", "the twig sat on the bird"]
    >>> prepared.rows(hypotheses).unit_scores().round(1).tolist()
    [35.5, 83.9, 100.0]
    """

    name: ClassVar[str] = "wbleu"
    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "babych-hartley-2004-extending"

    words: str = parameter("max", "how weights of words become that of an n-gram", choices=("max", "sum"))
    smooth: str = parameter("exp", "what an order without a match counts", choices=tuple(SMOOTHING_VALUES))
    smooth_value: float | None = parameter(
        None, "the value of floor (0.1 if not given) or the k of add-k (1)", within=WEIGHTS
    )

    @property
    def display_name(self) -> str:
        """As BLEU is written."""
        return "wBLEU"

    @property
    def bleu(self) -> Bleu:
        """BLEU with the same smoothing."""
        return Bleu(max_order=self.max_order, smooth=self.smooth, smooth_value=self.smooth_value)

    def check(self) -> None:
        """Refuse what BLEU refuses."""
        super().check()
        _ = self.bleu

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths, weighted matches and weighted totals."""
        return self.bleu.columns

    def rows_of(self, weighing: Weighing) -> Values:
        """Lengths, weighted matches and weighted totals."""
        kinds = ("tf-idf", "tf-idf-total")
        weighted = weighing.rows(kinds, sum_of_words=self.words == "sum")
        return np.concatenate([weighted[:, [0, 2]], weighted[:, 3 + 2 * self.max_order :]], axis=1)

    def aggregate(self, sums: Floats) -> Floats:
        """BLEU of weighted counts."""
        return self.bleu.aggregate(sums)
