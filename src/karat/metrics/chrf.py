"""chrF, chrF+ and chrF++."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.metrics.base import Metric, format_value, parameter, register
from karat.metrics.framework.crossing import CrossedStrings
from karat.metrics.framework.values import WEIGHTS
from karat.rows import mean_score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn

SACREBLEU_VERSION = "2.6.0"
EPSILON = 1e-16
"""What a precision, recall or F counts that has nothing to be computed from, under eps_smoothing."""


@register
@dataclass(frozen=True, kw_only=True)
class Chrf(Metric):
    r"""F score of character n-grams, and of word n-grams where a word order is given.

    Formula
    -------
    $$\mathrm{chrF}_\beta = (1+\beta^2)\,\frac{P\cdot R}{\beta^2 P + R},\qquad
    P = \frac{1}{K}\sum_{k=1}^{K}\frac{m_k}{h_k},\qquad R = \frac{1}{K}\sum_{k=1}^{K}\frac{m_k}{r_k}$$

    $m_k$, $h_k$ and $r_k$ are the numbers of n-grams of order $k$ that match (each at most as often as both sides have
    it), of the hypothesis and of the reference, summed over all segments. $K$ counts the character orders (white space
    left out, unless `whitespace`) and the word orders that both sides have; words are what white space separates, with
    one ASCII punctuation mark cut off at the end or else at the start. `eps_smoothing` takes the mean of F over all
    orders instead, with $10^{-16}$ for what is missing. Of several references the one with the highest F counts for a
    segment. `average=macro` is the mean of the segments' F instead of the F of the summed counts.

    Use when
    --------
    The target language is rich in word forms or has no spaces: no tokenizer is needed, and inflected forms of the right
    word get part of the credit. chrF2++ (`word_order=2`) sees word order too.

    Do not use when
    ---------------
    Meaning or fluency matters more than form; all surface metrics miss paraphrases. Do not compare scores of different
    orders, `beta` or averages with each other.

    Known failure
    -------------
    Recall counts beta squared times as much as precision, so output that is too long loses little. Words that look
    alike get credit although they mean something else, and the order of distant words is hardly seen.

    Example
    -------
    >>> prepared = Chrf().prepare(["the cat sat on the mat"])
    >>> round(prepared.rows(["the cat is on the mat"]).score, 2)
    61.93
    """

    name: ClassVar[str] = "chrf"
    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "popovic-2015-chrf"
    aliases: ClassVar[dict[str, dict[str, Any]]] = {"chrf+": {"word_order": 1}, "chrf++": {"word_order": 2}}

    char_order: int = parameter(6, "the longest character n-grams that count", within=(0, 100))
    word_order: int = parameter(0, "the longest word n-grams that count; 0 for none", within=(0, 100))
    beta: float = parameter(2.0, "how much recall counts against precision", within=WEIGHTS)
    whitespace: bool = parameter(False, "let white space be characters too")
    lowercase: bool = parameter(False, "ignore case")
    eps_smoothing: bool = parameter(False, "mean of F over all orders, as in chrF++.py, Moses and NLTK")
    average: str = parameter("micro", "F of summed counts, or mean F of segments", choices=("micro", "macro"))

    def check(self) -> None:
        """Refuse parameters that make no sense, alone or together."""
        if self.char_order + self.word_order == 0:
            raise SpecError("chrf needs a char_order or a word_order of at least 1")

    @property
    def columns(self) -> tuple[str, ...]:
        """Counts per order, or the score of a segment and how many there are."""
        if self.average == "macro":
            return ("score", "n")
        orders = [("char", n + 1) for n in range(self.char_order)] + [("word", n + 1) for n in range(self.word_order)]
        return tuple(f"{what}_{unit}_{n}" for unit, n in orders for what in ("hypothesis", "reference", "match"))

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once; the result turns hypotheses into rows."""
        prepared = kernels.prepare_chrf(
            self._text(references.column),
            references.offsets,
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
            threads=threads,
        )

        def rows(hypotheses: TextColumn) -> Values:
            return self._averaged(kernels.chrf_rows(prepared, self._text(hypotheses), threads))

        return rows

    def crossing(self, strings: TextColumn, groups: NDArray[np.int64], threads: int | None) -> CrossedStrings:
        """Count the n-grams of every string once."""
        native = kernels.chrf_crossing(
            self._text(strings),
            groups,
            char_order=self.char_order,
            word_order=self.word_order,
            whitespace=self.whitespace,
            threads=threads,
        )
        return CrossedStrings(native, averages=True, finish=self._averaged)

    def _averaged(self, values: Values) -> Values:
        """The rows of segments, given their counts."""
        if self.average == "micro":
            return values
        scores = self._score(values.astype(np.float64))
        return np.column_stack([scores, np.ones_like(scores)])

    def _text(self, column: TextColumn) -> kernels.Text:
        return (column.lowered() if self.lowercase else column).native

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of summed rows, elementwise over leading axes."""
        sums = np.asarray(sums, dtype=np.float64)
        return mean_score(sums) if self.average == "macro" else self._score(sums)

    def _score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        hypothesis, reference, match = counts[..., 0::3], counts[..., 1::3], counts[..., 2::3]
        if self.eps_smoothing:
            missing = np.full_like(match, EPSILON)
            precision = np.divide(match, hypothesis, out=missing.copy(), where=hypothesis > 0)
            recall = np.divide(match, reference, out=missing.copy(), where=reference > 0)
            return np.asarray(100.0 * self._f(precision, recall, EPSILON).mean(axis=-1))
        both = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(both.sum(axis=-1), 1)
        where = True if both.all() else both  # a mask takes several times as long
        precision = np.divide(match, hypothesis, out=np.zeros_like(match), where=where).sum(axis=-1) / orders
        recall = np.divide(match, reference, out=np.zeros_like(match), where=where).sum(axis=-1) / orders
        return 100.0 * self._f(precision, recall, 0.0)

    def _f(self, precision: NDArray[np.float64], recall: NDArray[np.float64], empty: float) -> NDArray[np.float64]:
        factor = self.beta**2
        denominator = factor * precision + recall
        product = (1 + factor) * precision * recall
        return np.divide(product, denominator, out=np.full_like(denominator, empty), where=denominator > 0)

    def details(self, sums: NDArray[np.float64]) -> dict[str, Any]:
        """The parameters that a chrF score object carries, and the counts of one summed row."""
        order = {"char_order": self.char_order, "word_order": self.word_order, "beta": self.beta}
        if self.average == "macro":
            return order
        counts = [int(count) for count in sums]
        return {**order, "hypothesis": counts[0::3], "reference": counts[1::3], "match": counts[2::3]}

    @property
    def display_name(self) -> str:
        """chrF, its beta, and a plus for each word order: chrF2++; macro averages say so."""
        name = f"chrF{format_value(float(self.beta))}{'+' * self.word_order}"
        return f"{name} (macro)" if self.average == "macro" else name

    def sacrebleu_signature(self, references: str) -> str | None:
        """The signature that sacreBLEU prints for the same score, where there is one."""
        if self.average != "micro" or not float(self.beta).is_integer():
            return None
        parts = {
            "nrefs": references,
            "case": "lc" if self.lowercase else "mixed",
            "eff": "no" if self.eps_smoothing else "yes",
            "nc": str(self.char_order),
            "nw": str(self.word_order),
            "space": "yes" if self.whitespace else "no",
            "version": SACREBLEU_VERSION,
        }
        return "|".join(f"{key}:{text}" for key, text in parts.items())
