"""BLEU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.metrics.annotated.sequences import WORD, SequenceMetric
from karat.metrics.base import parameter, register
from karat.metrics.framework.crossing import CrossedStrings
from karat.metrics.framework.values import ORDERS, WEIGHTS
from karat.text import tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn

SMOOTHING_VALUES = {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}
"""The smoothing methods, and the value that a method takes when none is given."""

LOG_OF_ZERO = -9999999999.0
"""What sacreBLEU takes for log 0: low enough to make the geometric mean vanish, and still finite."""

SACREBLEU_VERSION = "2.6.0"
SACREBLEU_TOKENIZERS = ("13a", "intl", "zh", "char", "none", "flores101", "flores200", "spBLEU-1K")
SACREBLEU_DICTIONARIES = ("ja-mecab", "ko-mecab")
"""Tokenizers that sacreBLEU signs with the version of their dictionary."""


@register
@dataclass(frozen=True, kw_only=True)
class Bleu(SequenceMetric):
    r"""Geometric mean of clipped n-gram precisions, times a penalty for output that is shorter than the reference.

    Formula
    -------
    $$\mathrm{BLEU} = \mathrm{BP}\cdot\exp\Bigl(\frac{1}{N}\sum_{n=1}^{N}\log p_n\Bigr),\qquad
    p_n = \frac{\sum_s\sum_{g\in G_n(h_s)}\min\bigl(c_{h_s}(g), \max_r c_{r_s}(g)\bigr)}{\sum_s |G_n(h_s)|},\qquad
    \mathrm{BP} = \begin{cases}1 & c \ge r\\ e^{1-r/c} & c < r\end{cases}$$

    $G_n(h_s)$ are the n-grams of the hypothesis of segment $s$, $c$ is the summed hypothesis length and $r$ the summed
    reference length; of several references the one whose length is closest counts, the shorter of two that are equally
    close. A precision without a match is smoothed: `exp` halves an imagined match for each such order, `floor` puts a
    small value in its place, `add-k` adds k to matches and totals of every order above 1, `none` leaves 0. Without any
    match at all the score is 0. With `effective_order` the mean runs over the orders that the hypothesis is long enough
    for. `weights` (not negative, divided by their sum) take the place of $1/N$. ``of=pos`` counts n-grams of tags in
    place of words, and ``of=lemma``, ``tag``, ``chunk`` or ``iob`` those of what its name says, as `annotate` finds
    them.

    Use when
    --------
    Systems of the same kind are compared on one test set of some hundred segments or more, and the number must be
    comparable with earlier publications (Post 2018: give the signature).

    Do not use when
    ---------------
    Single segments are judged, the systems are of different kinds (rule-based against neural, human against machine),
    or the target language needs a tokenizer that nobody else uses. Prefer chrF for morphologically rich languages.

    Known failure
    -------------
    Many orders of the same phrases have the same score or a better one, and a synonym counts as little as a blunder
    (Callison-Burch et al. 2006). Sentence-level BLEU+1 (`add-k` with k = 1) favours short output: the matches are
    smoothed but the brevity penalty is not, so tuning on it yields translations that are too short (Nakov et al. 2012).
    A perfect segment of fewer than `max_order` tokens scores 0 without `effective_order` or `add-k`.

    Example
    -------
    >>> metric = Bleu(tokenize="none")
    >>> prepared = metric.prepare([["the cat sat on the mat", "a cat was on the mat"]])
    >>> round(prepared.rows(["the cat was on the mat"]).score, 2)
    84.09
    """

    name: ClassVar[str] = "bleu"
    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "papineni-etal-2002-bleu"
    aliases: ClassVar[dict[str, dict[str, Any]]] = {
        "bleu+1": {"smooth": "add-k", "smooth_value": 1.0},
        "pos-bleu": {"of": "pos"},
        "sentence-bleu": {"effective_order": True},
    }

    smooth: str = parameter("exp", "what an order without a match counts", choices=tuple(SMOOTHING_VALUES))
    smooth_value: float | None = parameter(
        None, "the value of floor (0.1 if not given) or the k of add-k (1)", within=WEIGHTS
    )
    max_order: int = parameter(4, "the longest n-grams that count", within=ORDERS)
    weights: tuple[float, ...] | None = parameter(None, "a weight for each order instead of equal ones", within=WEIGHTS)
    effective_order: bool = parameter(False, "leave out orders that the hypothesis is too short for")
    reference_length: str = parameter(
        "closest", "which length of several references counts", choices=("closest", "shortest", "average")
    )

    def check(self) -> None:
        """Refuse parameters that make no sense, alone or together."""
        super().check()
        if self.smooth_value is not None and SMOOTHING_VALUES[self.smooth] is None:
            raise SpecError(f"bleu(smooth={self.smooth}) takes no smooth_value: leave it out, or use floor or add-k")
        if self.weights is not None:
            self._check_weights(self.weights)

    def _check_weights(self, weights: tuple[float, ...]) -> None:
        if len(weights) != self.max_order:
            raise SpecError(f"bleu has {self.max_order} orders, but {len(weights)} weights: give one for each order")
        if sum(weights) <= 0:
            raise SpecError("one of the weights of bleu must be greater than 0")

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths, matches and totals."""
        orders = range(1, self.max_order + 1)
        counts = (f"{what}_{n}" for what in ("correct", "total") for n in orders)
        return ("hypothesis_length", "reference_length", *counts)

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once; the result turns hypotheses into rows."""
        prepared = kernels.prepare_bleu(self.tokens(references.column, threads), references.offsets)
        average = self.reference_length == "average"
        counts = references.counts if average else None

        def rows(hypotheses: TextColumn) -> Values:
            tokens = self.tokens(hypotheses, threads)
            length = "total" if average else self.reference_length
            values = kernels.bleu_rows(prepared, tokens, self.max_order, length, threads)
            return values if counts is None else _with_mean_length(values, counts)

        return rows

    def crossing(self, strings: TextColumn, groups: NDArray[np.int64], threads: int | None) -> CrossedStrings:
        """Count the n-grams of every string once; with one reference it does not matter which length counts."""
        tokens = self.tokens(strings, threads)
        return CrossedStrings(kernels.bleu_crossing(tokens, groups, self.max_order, threads), averages=True)

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of summed rows, elementwise over leading axes."""
        sums = np.asarray(sums, dtype=np.float64)
        if self.weights is None and self.smooth != "add-k" and (sums[..., 2:] > 0).all():
            return self._with_matches_of_every_order(sums)
        parts = self.parts(sums)
        logs = np.log(parts.precisions, out=np.full_like(parts.precisions, LOG_OF_ZERO), where=parts.precisions > 0)
        weights = np.where(parts.counted, 1.0 if self.weights is None else np.array(self.weights), 0.0)
        weight = weights.sum(axis=-1)
        mean = np.divide((weights * logs).sum(axis=-1), weight, out=np.full_like(weight, LOG_OF_ZERO), where=weight > 0)
        return np.where(parts.matched, parts.penalty * np.exp(mean), 0.0)

    def _with_matches_of_every_order(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same where there is nothing to smooth or leave out, as in nearly all sums of many segments: quicker."""
        correct, total = sums[..., 2 : 2 + self.max_order], sums[..., 2 + self.max_order :]
        mean = np.log(100.0 * correct / total).sum(axis=-1) / self.max_order
        return np.asarray(_brevity_penalty(sums[..., 0], sums[..., 1]) * np.exp(mean))

    def parts(self, sums: NDArray[np.float64]) -> BleuParts:
        """Precisions after smoothing, and the brevity penalty, elementwise over leading axes."""
        correct, total = sums[..., 2 : 2 + self.max_order], sums[..., 2 + self.max_order :]
        matched = np.asarray((correct > 0).any(axis=-1))
        if self.smooth == "add-k":
            # Never on the first order, and not at all where nothing matches.
            k = self._smooth_value * matched[..., np.newaxis] * (np.arange(self.max_order) > 0)
            correct, total = correct + k, total + k
        possible = np.logical_and.accumulate(total > 0, axis=-1)
        missing = possible & (correct == 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = 100.0 * correct / total
            if missing.any():
                precisions = np.where(missing, self._smoothed(missing, total), precisions)
        precisions[~(possible & matched[..., np.newaxis])] = 0.0
        counted = possible if self.effective_order else np.ones_like(possible)
        return BleuParts(correct, total, precisions, counted, matched, _brevity_penalty(sums[..., 0], sums[..., 1]))

    def _smoothed(self, missing: NDArray[np.bool_], total: NDArray[np.float64]) -> NDArray[np.float64]:
        """Precisions of orders without a match, in percent; `missing` says which orders these are."""
        if self.smooth == "exp":
            return 100.0 / (2.0 ** np.cumsum(missing, axis=-1) * total)
        if self.smooth == "floor":
            return 100.0 * self._smooth_value / total
        return np.zeros_like(total)

    @property
    def _smooth_value(self) -> float:
        default = SMOOTHING_VALUES[self.smooth]
        return self.smooth_value if self.smooth_value is not None else default or 0.0

    def details(self, sums: NDArray[np.float64]) -> dict[str, Any]:
        """Precisions, brevity penalty, length ratio, lengths and counts of one summed row."""
        parts = self.parts(np.asarray(sums, dtype=np.float64))
        hypothesis, reference = float(sums[0]), float(sums[1])
        return {
            "precisions": parts.precisions.tolist(),
            "bp": float(parts.penalty),
            "ratio": hypothesis / reference if reference else 0.0,
            "hypothesis_length": _whole(hypothesis),
            "reference_length": _whole(reference),
            "counts": [_whole(count) for count in parts.correct.tolist()],
            "totals": [_whole(count) for count in parts.total.tolist()],
        }

    @property
    def for_segments(self) -> Bleu:
        """Sentence BLEU: orders that a segment is too short for are left out."""
        return self.changed(effective_order=True)

    @property
    def display_name(self) -> str:
        """BLEU, or POS-BLEU over tags, whatever the other parameters."""
        return self.over("BLEU")

    def sacrebleu_signature(self, references: str) -> str | None:
        """The signature that sacreBLEU prints for the same score, where there is one."""
        tok = self._sacrebleu_tokenizer()
        if tok is None or self.of != WORD or self.weights is not None or self.reference_length != "closest":
            return None
        value = "" if SMOOTHING_VALUES[self.smooth] is None else f"[{self._smooth_value:.2f}]"
        parts = {
            "nrefs": references,
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes" if self.effective_order else "no",
            "tok": tok,
            "smooth": self.smooth + value,
            "version": SACREBLEU_VERSION,
        }
        return "|".join(f"{key}:{text}" for key, text in parts.items())

    def _sacrebleu_tokenizer(self) -> str | None:
        if self.tokenize == "spm":
            return "flores101"
        if self.tokenize in SACREBLEU_DICTIONARIES:
            return tokenizer(self.tokenize).signature
        return self.tokenize if self.tokenize in SACREBLEU_TOKENIZERS else None


@dataclass(frozen=True)
class BleuParts:
    """What a score is made of, after smoothing; precisions are in percent."""

    correct: NDArray[np.float64]
    total: NDArray[np.float64]
    precisions: NDArray[np.float64]
    counted: NDArray[np.bool_]
    matched: NDArray[np.bool_]
    penalty: NDArray[np.float64]


def _brevity_penalty(hypothesis: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    excess = np.divide(reference, hypothesis, out=np.ones_like(hypothesis), where=hypothesis > 0)
    short = np.where(hypothesis > 0, np.exp(1.0 - np.maximum(excess, 1.0)), 0.0)
    return np.where(hypothesis < reference, short, 1.0)


def _with_mean_length(values: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rows whose second column, the length of all references together, becomes their mean length."""
    rows = values.astype(np.float64)
    rows[:, 1] /= counts
    return rows


def _whole(number: float) -> float | int:
    return int(number) if number.is_integer() else number
