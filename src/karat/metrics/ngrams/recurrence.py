"""N-grams weighted by how many references have them: what BM, BMA and NM share."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.base import parameter
from karat.metrics.bleu import SMOOTHING_VALUES, Bleu
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.framework.values import WEIGHTS
from karat.metrics.ngrams.context import NgramContextMetric, Weighing
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.metrics.bleu import BleuParts
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values


@dataclass(frozen=True, kw_only=True)
class RecurrenceMetric(NgramContextMetric):
    """A metric that weighs n-grams by R or R' of Qin and Specia (2015)."""

    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "qin-specia-2015-truly"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    perfect_is_best: ClassVar[bool] = False
    extra: ClassVar[tuple[str, ...]] = ()
    """Further sums by order, after those that all have."""

    weight: str = parameter("recurrence", "R or, by ranks of frequency, R'", choices=("recurrence", "zipf"))
    per: str = parameter("ngram", "one weight for each n-gram, or one for each order", choices=("ngram", "order"))
    recurrence: str = parameter(
        "references", "M: references that have an n-gram, or its occurrences", choices=("references", "occurrences")
    )
    divergence: str = parameter(
        "segment", "of the references of a segment, or of the whole set", choices=("segment", "set")
    )
    ranks: str = parameter("all", "of zipf: among n-grams of all orders, or of one", choices=("all", "order"))

    @property
    def ranking(self) -> str:
        """Ranks are wanted by R' alone."""
        return self.ranks if self.weight == "zipf" else "none"

    @property
    def display_name(self) -> str:
        """The name in capitals, with a prime where R' takes the place of R."""
        return self.name.upper() + ("'" if self.weight == "zipf" else "")

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths; for each order matches, totals, what weighs an order without a match, and the sum of weights.

        The third is totals times divergence, or for R' totals times rank and share of the rarest n-gram.
        """
        orders = range(1, self.max_order + 1)
        kinds = ("correct", "total", "rarest" if self.weight == "zipf" else "spread", "weighted", *self.extra)
        return ("hypothesis_length", "reference_length", *(f"{what}_{n}" for what in kinds for n in orders))

    @property
    @abstractmethod
    def kinds(self) -> tuple[str, ...]:
        """What the core sums up: the weights, then what else the metric needs."""

    @property
    @abstractmethod
    def length_column(self) -> int:
        """Which of the core's lengths of references counts: 1, the mean, or 2, the closest."""

    def rows_of(self, weighing: Weighing) -> Values:
        """The columns, from what the core sums up."""
        occurrences = self.recurrence == "occurrences"
        kinds = (*self.kinds, "rarest-rank-share") if self.weight == "zipf" else self.kinds
        summed = weighing.rows(kinds, occurrences=occurrences)
        correct, divergence, weighted, *others = np.split(summed[:, 3:], 2 + len(kinds), axis=1)
        totals = self.totals(summed[:, 0])
        if self.weight == "zipf":
            unmatched = others.pop()
        else:
            if self.divergence == "set":
                divergence = np.broadcast_to(weighing.context.divergence, divergence.shape)
            unmatched = divergence * totals
            weighted = divergence * weighted if self.per == "ngram" else weighted
        lengths = summed[:, [0, self.length_column]]
        return np.concatenate([lengths, correct, totals, unmatched, weighted, *others], axis=1)

    def by_order(self, sums: Floats) -> list[Floats]:
        """The sums of each kind."""
        return np.split(sums[..., 2:], 4 + len(self.extra), axis=-1)

    def order_weights(self, sums: Floats) -> Floats:
        """R of each order: the mean over matched n-grams, or where none matched what stands for one.

        For R that is an n-gram in no reference. R' of such a one would be 0 and undo all smoothing, so there it is the
        rarest of the references.
        """
        correct, total, unmatched, weighted = self.by_order(sums)[:4]
        mean, of_unmatched = ratio(weighted, correct), ratio(unmatched, total)
        if self.weight == "zipf":
            of_order = np.log10(1 + np.where(correct > 0, mean, of_unmatched))
        else:
            of_order = of_unmatched * np.log10(np.arange(1, self.max_order + 1) + mean)
        return of_order if self.per == "order" else np.where(correct > 0, mean, of_order)


@dataclass(frozen=True, kw_only=True)
class RecurrenceBleu(RecurrenceMetric):
    """BLEU with weights: what BM and BMA share."""

    smooth: str = parameter("exp", "what an order without a match counts", choices=tuple(SMOOTHING_VALUES))
    smooth_value: float | None = parameter(
        None, "the value of floor (0.1 if not given) or the k of add-k (1)", within=WEIGHTS
    )

    def check(self) -> None:
        """Refuse what BLEU refuses."""
        super().check()
        _ = self.bleu

    @property
    def bleu(self) -> Bleu:
        """BLEU with the same smoothing."""
        return Bleu(max_order=self.max_order, smooth=self.smooth, smooth_value=self.smooth_value)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The logarithm for each n-gram, or what stands in it."""
        if self.weight == "zipf":
            return ("zipf",) if self.per == "ngram" else ("rank-share",)
        return ("recurrence",) if self.per == "ngram" else ("share",)

    @property
    def length_column(self) -> int:
        """The closest reference, as BLEU has it."""
        return 2

    def weighted_precisions(self, sums: Floats) -> tuple[Floats, BleuParts]:
        """R times P of each order, in percent, and what BLEU is made of."""
        sums = np.asarray(sums, dtype=np.float64)
        parts = self.bleu.parts(sums[..., : 2 + 2 * self.max_order])
        return self.order_weights(sums) * parts.precisions, parts
