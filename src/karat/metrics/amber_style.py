"""AMBER-style: BLEU made over, with recall, many penalties, and several ways to write the same words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, geometric_mean, length_penalty, ratio, weighted_harmonic_mean
from karat.metrics.framework.values import ORDERS, SHARES, WEIGHTS
from karat.metrics.words.pairs import SegmentMean, best_rows
from karat.resources import stemmer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.resources import Stemmer
    from karat.rows import Values
    from karat.text import TextColumn

_SHORT_WORD = 3
_PREFIX = 4
_FRAGMENTATION = 0.5
_FRAGMENTATION_POWER = 3


@register
@dataclass(frozen=True, kw_only=True)
class AmberStyle(SegmentMean):
    r"""N-gram precision and recall times nine penalties of length and order, mean over words, prefixes and stems.

    Formula
    -------
    $$\mathrm{AMBER} = \frac{100}{V} \sum_{v=1}^{V} S_v \prod_i \mathrm{pen}_{v,i}^{w_i}, \qquad
    S = \theta_1 \mathrm{AvgP} + \theta_2 \mathrm{Fmean} + \theta_3 \mathrm{AvgF}, \qquad
    F = \frac{PR}{\alpha P + (1-\alpha) R}$$

    AvgP is the geometric mean of n-gram precision up to order $N$; Fmean takes $P$ as the arithmetic mean of n-gram
    precision and $R$ as recall of words; AvgF is the mean over orders of $F$ of that order's precision and recall;
    $\alpha = 0.9$, and $\theta = (0.3, 0.5, 0.2)$. Orders that hypothesis and reference are both too short for are left
    out. The penalties, with $L$ for lengths in words or characters, and $n$ words aligned as in LEPOR:

    | penalty | formula | parameter and weight |
    |---|---|---|
    | strict brevity | $e^{1-L_r/\min(L_h,L_r)}$ | ``brevity`` 0.3, of characters ``character_brevity`` 0.15 |
    | strict redundancy | $e^{1-\max(L_h,L_r)/L_r}$ | ``redundancy`` 0.1, of characters ``character_redundancy`` 0.05 |
    | short words | $e^{-\lvert U_h-U_r \rvert / L_r}$, $U$ words of at most three letters | ``short_words`` 0.1 |
    | long words | the same for all other words | ``long_words`` 0.2 |
    | chunks | $1 - \frac{1}{2}\bigl(\frac{c-1}{n-1}\bigr)^3$, $c$ runs of neighbours in both | ``chunks`` 1 |
    | Spearman's correlation | $(1+\rho)/2$ | ``spearman`` 0.5 |
    | Kendall's correlation | share of pairs in order | ``kendall`` 2 |

    A weight of 0 takes a penalty out. Of several references the best counts; the corpus score is the mean of segments.

    No program of the authors is known, and this page was written without the paper at hand: the parts of $S$, the list
    of penalties and all weights come from notes on it that found them in one program of other people; the formulas of
    short and long words and of chunks, whose two constants are METEOR's, are from memory. So the name is AMBER-style,
    and equal numbers are not promised. What the paper describes:

    | component | here | without it |
    |---|---|---|
    | average precision | present | ``precision=0`` |
    | F-measure of average precision and recall | present | ``f_mean=0`` |
    | average F-measure | present | ``average_f=0`` |
    | strict penalties of length, in words and in characters | present | the four weights above |
    | differences of short and of long words | present | ``short_words=0``, ``long_words=0`` |
    | chunk penalty | present | ``chunks=0`` |
    | continuity penalty | absent: no formula for it was found | |
    | Spearman's and Kendall's correlation, from 0 to 1 | present | ``spearman=0``, ``kendall=0`` |
    | text in lower case | present | ``lowercase=true``, off by default as in all metrics here |
    | text cut to prefixes of four letters | present | ``prefixes=false`` |
    | text cut to stems | present, by Snowball; English where no ``language`` is given | ``stems=false`` |
    | text cut into morphemes by Morfessor, and other ways of cutting words | absent | |

    Use when
    --------
    You want BLEU's precision together with recall, order and forms of words, or to see what each of many penalties
    does: every one has its weight.

    Do not use when
    ---------------
    A number must be explained: too many parts move it at once.

    Known failure
    -------------
    Penalties multiply, and Kendall's counts squared: two clauses that change places take most of the score away.

    Example
    -------
    >>> prepared = AmberStyle().prepare(["the two boats were sold to his brother"])
    >>> texts = ["the two boats are sold to his brother", "to his brother the two boats were sold"]
    >>> [round(prepared.rows([text]).score, 1) for text in texts]
    [65.0, 9.6]
    """

    name: ClassVar[str] = "amber-style"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "chen-kuhn-2011-amber"

    language: str | None = parameter(None, "the language of the stems; English if not given")
    prefixes: bool = parameter(True, "compare words cut to four letters, too")
    stems: bool = parameter(True, "compare stems, too")
    max_order: int = parameter(4, "the longest n-grams that count", within=ORDERS)
    alpha: float = parameter(0.9, "how much recall counts in F, from 0 to 1", within=SHARES)
    precision: float = parameter(0.3, "the weight of the geometric mean of n-gram precision", within=WEIGHTS)
    f_mean: float = parameter(0.5, "the weight of F of mean n-gram precision and recall of words", within=WEIGHTS)
    average_f: float = parameter(0.2, "the weight of the mean of F over orders", within=WEIGHTS)
    brevity: float = parameter(0.3, "the power of the penalty for too few words", within=WEIGHTS)
    redundancy: float = parameter(0.1, "the power of the penalty for too many words", within=WEIGHTS)
    character_brevity: float = parameter(0.15, "the power of the penalty for too few characters", within=WEIGHTS)
    character_redundancy: float = parameter(0.05, "the power of the penalty for too many characters", within=WEIGHTS)
    short_words: float = parameter(0.1, "the power of the penalty for another number of short words", within=WEIGHTS)
    long_words: float = parameter(0.2, "the power of the penalty for another number of long words", within=WEIGHTS)
    chunks: float = parameter(1.0, "the power of the penalty for words that match in many pieces", within=WEIGHTS)
    spearman: float = parameter(0.5, "the power of Spearman's correlation of the order", within=WEIGHTS)
    kendall: float = parameter(2.0, "the power of Kendall's correlation of the order", within=WEIGHTS)

    def check(self) -> None:
        """Refuse weights that make no sense."""
        super().check()
        if self.precision + self.f_mean + self.average_f == 0:
            raise SpecError("amber-style needs a weight of precision, f_mean or average_f above 0")

    @property
    def display_name(self) -> str:
        """The name as papers write it, and that it is not quite theirs."""
        return "AMBER-style"

    @property
    def resources(self) -> dict[str, str]:
        """The stemmer."""
        return {**super().resources, **({"stems": self._stemmer.signature} if self.stems else {})}

    @property
    def _stemmer(self) -> Stemmer:
        return stemmer(self.language or "en")

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare every spelling of the references."""
        reference_spellings = self._spell(self.tokens(references.column, threads), threads)
        prepared = [kernels.prepare_words(words, references.offsets, threads) for words in reference_spellings.spelled]
        counts = np.diff(references.offsets)

        def rows(hypotheses: TextColumn) -> Values:
            hypothesis_spellings = self._spell(self.tokens(hypotheses, threads), threads)
            spellings = zip(prepared, hypothesis_spellings.spelled, strict=True)
            score = sum((self._score(*spelling, threads) for spelling in spellings), start=np.zeros(counts.sum()))
            score *= self._length_penalties(
                hypothesis_spellings.counts.repeat(counts, axis=1), reference_spellings.counts
            )
            return best_rows(100.0 * score / len(prepared), references.offsets)

        return rows

    def _spell(self, tokens: kernels.Tokens, threads: int | None) -> _Spellings:
        """Words as they are, cut to four letters, and cut to their stems."""
        distinct = kernels.word_types(tokens, threads=threads)
        ids, offsets = distinct.ids[0], distinct.offsets[0]
        spelled = [tokens]
        if self.prefixes:
            spelled.append(kernels.spell_words([word[:_PREFIX] for word in distinct.types], ids, offsets))
        if self.stems:
            stems = self._stemmer.stems([word.lower() for word in distinct.types])
            words = [stem or word for stem, word in zip(stems, distinct.types, strict=True)]
            spelled.append(kernels.spell_words(words, ids, offsets))
        letters = np.array([len(word) for word in distinct.types], dtype=np.int64)[ids]
        by_word = np.stack([np.ones_like(letters), letters, letters <= _SHORT_WORD])
        sums = np.concatenate([np.zeros((3, 1), dtype=np.int64), by_word.cumsum(axis=1)], axis=1)[:, offsets]
        return _Spellings(spelled, np.ascontiguousarray(np.diff(sums, axis=1), dtype=np.float64))

    def _length_penalties(self, hypothesis: Floats, reference: Floats) -> Floats:
        """What every spelling has in common: the penalties of lengths and of short and long words."""
        words, letters, short = hypothesis
        wanted_words, wanted_letters, wanted_short = reference
        long, wanted_long = words - short, wanted_words - wanted_short
        brevity = length_penalty(wanted_words, np.minimum(words, wanted_words)) ** self.brevity
        redundancy = length_penalty(np.maximum(words, wanted_words), wanted_words) ** self.redundancy
        thin = length_penalty(wanted_letters, np.minimum(letters, wanted_letters)) ** self.character_brevity
        thick = length_penalty(np.maximum(letters, wanted_letters), wanted_letters) ** self.character_redundancy
        by_length = self.short_words * np.abs(short - wanted_short) + self.long_words * np.abs(long - wanted_long)
        penalty: Floats = brevity * redundancy * thin * thick * np.exp(-ratio(by_length, wanted_words))
        return penalty

    def _score(self, prepared: kernels.PreparedWords, words: kernels.Tokens, threads: int | None) -> Floats:
        """The score of one spelling with the penalties of its order, pair by pair."""
        hypothesis, reference, *matches = as_columns(kernels.overlap_pairs(prepared, words, self.max_order, threads))
        hypothesis_grams, reference_grams = (
            np.stack([np.maximum(side - n, 0.0) for n in range(self.max_order)], axis=1)
            for side in (hypothesis, reference)
        )
        counted = (hypothesis_grams > 0) | (reference_grams > 0)
        precision, recall = (ratio(np.stack(matches, axis=1), side) for side in (hypothesis_grams, reference_grams))
        orders = counted.sum(axis=1).astype(np.float64)
        mean_precision = ratio(precision.sum(axis=1), orders)
        parts = [
            (self.precision, geometric_mean(precision, counted)),
            (self.f_mean, self._f(mean_precision, np.ascontiguousarray(recall[:, 0]))),
            (self.average_f, ratio(self._f(precision, recall).sum(axis=1), orders)),
        ]
        total = sum((weight * part for weight, part in parts), start=np.zeros(len(hypothesis)))
        weights = self.precision + self.f_mean + self.average_f
        score: Floats = total / weights * self._order_penalties(kernels.order_pairs(prepared, words, threads))
        return score

    def _f(self, precision: Floats, recall: Floats) -> Floats:
        return weighted_harmonic_mean([precision, recall], [1.0 - self.alpha, self.alpha])

    def _order_penalties(self, pairs: NDArray[np.int64]) -> Floats:
        """What words in another order cost, pair by pair."""
        _, _, aligned, chunks, _, _, squares, ascending = as_columns(pairs)
        fragments = ratio(chunks - 1.0, aligned - 1.0)
        unbroken = (1.0 - _FRAGMENTATION * fragments**_FRAGMENTATION_POWER) ** self.chunks
        spearman = (1.0 - ratio(3.0 * squares, aligned * (aligned**2 - 1.0))) ** self.spearman
        kendall = np.where(aligned > 1, ratio(2.0 * ascending, aligned * (aligned - 1.0)), 1.0) ** self.kendall
        return np.where(aligned > 0, unbroken * spearman * kendall, 0.0)


class _Spellings(NamedTuple):
    """The same words written in several ways; and words, letters and short words of each segment."""

    spelled: list[kernels.Tokens]
    counts: Floats
