"""What a comparison of two systems under one metric found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.quick_dataclasses import dataclass
from karat.significance import paired
from karat.significance.measured import Measured
from karat.significance.reach import out_of_reach

if TYPE_CHECKING:
    from karat.identity import Identity
    from karat.significance.draws import ResampleKind
    from karat.significance.intervals import Interval
    from karat.significance.multiple import Correction
    from karat.significance.paired import TestName


@dataclass(frozen=True, repr=False)
class Comparison(Measured):
    """One system against a baseline under one metric; `difference` is system minus baseline.

    `statistic` is what the test looked at, again system minus baseline: the difference itself, or for `permutation` the
    mean difference of unit scores and for `wilcoxon` the sum of positive ranks less that of negative ones. `p` is its
    p, over all flips where `exact`; it cannot be below `smallest_p`. The systems differ in at least `differing` units.
    `wins`, `losses` and `ties` are shares of resamples, seen from the system. `effect_size` is the difference in
    standard deviations of a unit's influence on it: for a mean of unit scores, their mean difference over the standard
    deviation of their differences. `family` comparisons were adjusted together. `score_is_mean` tells that the scores
    are the means of unit scores.
    """

    identity: Identity
    baseline: str
    system: str
    baseline_score: float
    score: float
    difference: float
    interval: Interval
    statistic: float
    p: float
    p_adjusted: float
    smallest_p: float
    smallest_p_adjusted: float
    differing: int
    exact: bool
    wins: float
    losses: float
    ties: float
    effect_size: float | None
    test: TestName
    n: int | None
    interval_n: int
    resample: ResampleKind
    seed: int
    unit: str
    units: int
    alpha: float
    correction: Correction
    family: int
    score_is_mean: bool = False
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        bounds = f"[{self.interval.low:.2f}, {self.interval.high:.2f}]"
        difference = f"{self.system} - {self.baseline} = {self.difference:.2f} {bounds}"
        return f"Comparison({self.metric}: {difference}, adjusted p = {self.p_adjusted:.4g})"

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most alpha, and the test favours one of the two systems at all."""
        return self.p_adjusted <= self.alpha and self.better is not None

    @property
    def reachable(self) -> bool:
        """Whether the adjusted p could have been at most alpha, with these units and this family."""
        return self.smallest_p_adjusted <= self.alpha

    @property
    def identical(self) -> bool:
        """Whether the two systems are alike in every unit, for this test."""
        return self.differing == 0

    @property
    def better(self) -> str | None:
        """The system that the test's own statistic favours, significantly or not; None where it favours none."""
        return self._favoured(self.statistic)

    @property
    def better_scored(self) -> str | None:
        """The system with the better score; None where the scores are equal."""
        return self._favoured(self.difference)

    def _favoured(self, quantity: float) -> str | None:
        if quantity == 0:
            return None
        return self.system if (quantity > 0) == self.higher_is_better else self.baseline

    @property
    def winner(self) -> str | None:
        """The system that is significantly better by the test; None where there is none."""
        return self.better if self.significant else None

    @property
    def loser(self) -> str | None:
        """The other of the two where there is a winner."""
        winner = self.winner
        if winner is None:
            return None
        return self.baseline if winner == self.system else self.system

    @property
    def against_score(self) -> bool:
        """Whether there is a winner that does not have the better score."""
        return self.winner is not None and self.winner != self.better_scored

    @property
    def draws(self) -> str:
        """How many draws p rests on and their seed, in words; nothing where the test draws nothing."""
        if self.n is None:
            return ""
        return f"all {self.n:,} flips" if self.exact else f"n = {self.n:,}, seed {self.seed}"

    def out_of_reach(self) -> str:
        """Why no difference could be significant, and what helps; only where it is not reachable."""
        return out_of_reach(
            units=self.units,
            unit=self.unit,
            smallest=self.smallest_p,
            alpha=self.alpha,
            correction=self.correction,
            family=self.family,
            differing=self.differing,
        )

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "comparisons" of the JSON form."""
        names = (
            *("metric", "baseline", "system", "baseline_score", "score", "difference"),
            *("p", "p_adjusted", "wins", "losses", "ties", "effect_size", "test", "unit", "units"),
            *("n", "interval_n", "resample", "seed", "alpha", "correction", "family", "significant"),
            *("higher_is_better", "signature", "statistic", "better", "exact"),
            *("smallest_p", "smallest_p_adjusted", "reachable", "better_scored", "against_score"),
        )
        computed = {"statistic_name": paired.STATISTICS[self.test], "level": self.alpha, **self.interval.to_json()}
        return {**self.fields(names), **computed, "warnings": list(self.warnings)}
