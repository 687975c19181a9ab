"""chrF, chrF+ and chrF++ with sacreBLEU's options, numbers and strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams, merge_scores
from karat.metrics.chrf import Chrf

if TYPE_CHECKING:
    from numpy.typing import NDArray

EPSILON = 1e-16


class CHRFSignature(Signature):
    """Case, smoothing, orders and whitespace."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update(case="c", eff="e", nc="nc", nw="nw", space="s")
        self.info.update(
            case="lc" if args["lowercase"] else "mixed",
            eff="yes" if not args["eps_smoothing"] else "no",
            nc=args["char_order"],
            nw=args["word_order"],
            space="yes" if args["whitespace"] else "no",
        )


class CHRFScore(Score):
    """A chrF score; the name tells beta and the word order, as in chrF2++."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}" + "+" * word_order, score)


class CHRF(Metric):
    """chrF; see the options of `sacrebleu.metrics.CHRF`.

    >>> CHRF(word_order=2).corpus_score(["The dog bit the man."], [["The dog had bit the man."]])
    chrF2++ = 70.39
    """

    CHAR_ORDER: ClassVar = 6
    WORD_ORDER: ClassVar = 0
    BETA: ClassVar = 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Streams | None = None,
    ) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        metric = Chrf(
            char_order=char_order,
            word_order=word_order,
            beta=beta,
            lowercase=lowercase,
            whitespace=whitespace,
            eps_smoothing=eps_smoothing,
        )
        super().__init__(metric, references)

    def _compute_score_from_stats(self, stats: Sequence[float]) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)

    def _compute_f_score(self, statistics: Sequence[float]) -> float:
        hypothesis, reference, match = statistics[0::3], statistics[1::3], statistics[2::3]
        counts = zip(hypothesis, reference, match, strict=True)
        return self._mean_of_f(counts) if self.eps_smoothing else self._f_of_means(counts)

    def _f_of_means(self, counts: Any) -> float:
        """One F of the mean precision and the mean recall over the orders that both sides have."""
        factor = self.beta**2
        precision = recall = 0.0
        orders = 0
        for hypothesis, reference, match in counts:
            if hypothesis > 0 and reference > 0:
                precision += match / hypothesis
                recall += match / reference
                orders += 1
        if orders == 0 or precision + recall == 0:
            return 0.0
        precision /= orders
        recall /= orders
        return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))

    def _mean_of_f(self, counts: Any) -> float:
        """The mean over all orders of the F of each, with epsilon for what is missing."""
        factor = self.beta**2
        total = 0.0
        for hypothesis, reference, match in counts:
            precision = match / hypothesis if hypothesis > 0 else EPSILON
            recall = match / reference if reference > 0 else EPSILON
            weighted = factor * precision + recall
            total += (1 + factor) * precision * recall / weighted if weighted > 0 else EPSILON
        return 100 * total / self.order

    def _resampled_scores(self, sums: NDArray[Any]) -> NDArray[Any]:
        regular = (sums > 0).all(axis=1)
        return merge_scores(regular, self._regular_scores(sums[regular]), lambda i: self._compute_f_score(sums[i]))  # type: ignore[arg-type]

    def _regular_scores(self, sums: NDArray[Any]) -> NDArray[Any]:
        """chrF of rows that match in every order, step by step as `_compute_f_score`."""
        factor = self.beta**2
        precision = sums[:, 2::3] / sums[:, 0::3]
        recall = sums[:, 2::3] / sums[:, 1::3]
        if self.eps_smoothing:
            scores = (1 + factor) * precision * recall / (factor * precision + recall)
            mean: NDArray[Any] = 100 * _add_up(scores) / self.order
            return mean
        mean_precision, mean_recall = _add_up(precision) / self.order, _add_up(recall) / self.order
        f: NDArray[Any] = (1 + factor) * mean_precision * mean_recall / (factor * mean_precision + mean_recall)
        return 100 * f


def _add_up(values: NDArray[Any]) -> NDArray[Any]:
    """The sum over columns, from the first to the last: NumPy's own would add them in pairs."""
    total = np.zeros(len(values), dtype=values.dtype)
    for column in values.T:
        total += column
    return total
