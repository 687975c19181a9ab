"""TESLA-M-style: bags of n-grams of words that are alike, matched in any portions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, ratio, weighted_harmonic_mean
from karat.metrics.framework.values import SHARES
from karat.metrics.words.lexicon import Lexicon, LexiconMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.framework.arithmetic import Floats


@register
@dataclass(frozen=True, kw_only=True)
class TeslaStyle(LexiconMetric):
    r"""F-measure of bags of n-grams that are matched by a linear programme: words of one lemma or sense are alike.

    Formula
    -------
    $$\mathrm{TESLA} = \frac{100}{N} \sum_{n=1}^{N} \frac{P_n R_n}{\alpha P_n + (1-\alpha) R_n}, \qquad
    P_n = \frac{S_n}{\sum_x w(x)}, \qquad R_n = \frac{S_n}{\sum_y w(y)}$$

    $$S_n = \max_{f \ge 0} \sum_{x,y} s(x,y) f(x,y) \quad \text{with} \quad \sum_y f(x,y) \le w(x), \;
    \sum_x f(x,y) \le w(y)$$

    $x$ and $y$ are the n-grams of hypothesis and reference. The weight $w$ of an n-gram is the product of those of its
    words: 1, and 0.1 for function words. The likeness $s$ of two n-grams is the mean of that of their words, place by
    place, and 0 if one place has none: words of one lemma are alike by 1, words that share a set of synonyms by
    `synonym`. $\alpha = 0.8$ favours recall, $N = 3$; orders that both sides are too short for are left out. Of several
    references the best counts. The corpus score is the mean of the segments. A segment with more than
    about 5,800 words on both sides is refused.

    No program of the authors is known, and this page was written without the paper at hand: the formulas come from
    notes on it, the product of weights and the likeness of n-grams partly from memory. So the name is TESLA-M-style,
    and equal numbers are not promised. What the paper describes:

    | component | here | without it |
    |---|---|---|
    | bags of n-grams, $n$ from 1 to 3 | present | ``max_order=1`` |
    | real-valued matching by a linear programme | present, solved exactly | |
    | words of one lemma are the same | present; a lemma is a Snowball stem | ``stems=false`` |
    | words that share a synset are alike | present; WordNet or METEOR for English, MyThes for others | ``synonym=0`` |
    | words with the same part of speech are alike by half | absent: no tagger comes with karat | |
    | function words weigh a tenth | present | ``function_weight=1`` |
    | F-measure with $\alpha = 0.8$ | present | ``alpha=0.5`` for the harmonic mean |
    | TESLA-B: bilingual phrases as pivots | absent | |
    | TESLA-F: language model and a trained ranker | absent | |

    With parts of speech, two words of one synset would be alike by 1 where their tags agree, by 0.5 where not; since a
    synset has one part of speech, they can agree, and `synonym` is 1.

    Use when
    --------
    Other words for the same thing shall not be errors, and function words shall not decide.

    Do not use when
    ---------------
    There are no synonyms for the language: then this is an F-measure of stems.

    Known failure
    -------------
    Words have many senses, and sharing any of them is enough: *bank* matches *trust*, whatever bank is meant. The
    order of words counts only within three of them.

    Example
    -------
    >>> prepared = TeslaStyle().prepare(["he bought a new car"])
    >>> texts = ["he bought a new automobile", "he bought a new house"]
    >>> [round(prepared.rows([text]).score, 1) for text in texts]
    [100.0, 63.6]
    """

    name: ClassVar[str] = "tesla-m-style"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "liu-etal-2010-tesla"

    max_order: int = parameter(3, "the longest n-grams that count", within=(1, 20))
    alpha: float = parameter(0.8, "how much recall counts in F, from 0 to 1", within=SHARES)
    stems: bool = parameter(True, "take words with one stem for the same")
    synonym: float = parameter(1.0, "how much words with a common sense are alike, from 0 to 1", within=SHARES)
    function_weight: float = parameter(0.1, "the weight of function words; others have 1", within=SHARES)

    @property
    def display_name(self) -> str:
        """The name as papers write it, and that it is not quite theirs."""
        return "TESLA-M-style"

    def lexicon(self) -> Lexicon:
        """What the parameters want to be known."""
        return Lexicon(
            self.language or "en",
            stems=self.stems,
            sounds=False,
            senses=self.synonym > 0,
            function_weight=self.function_weight,
        )

    def pair_scores(
        self, facts: kernels.WordFacts, words: kernels.WordTypes, offsets: NDArray[np.int64], threads: int | None
    ) -> Floats:
        """The mean of F over orders."""
        numbers = as_columns(
            kernels.tesla_pairs(facts, words, offsets, orders=self.max_order, synonym=self.synonym, threads=threads)
        )
        total, orders = np.zeros(len(numbers[0])), np.zeros(len(numbers[0]))
        for matched, hypothesis, reference in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
            shares = [ratio(matched, hypothesis), ratio(matched, reference)]
            total += weighted_harmonic_mean(shares, [1.0 - self.alpha, self.alpha])
            orders += (hypothesis > 0) | (reference > 0)
        return 100.0 * ratio(total, orders)
