"""What is tested and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.arguments import check_share, check_whole
from karat.quick_dataclasses import dataclass
from karat.significance import paired
from karat.significance.draws import DEFAULT_SEED, ResampleKind
from karat.significance.intervals import DEFAULT_RESAMPLES, Method, Resampling
from karat.significance.multiple import Correction, check_correction, needed_resamples
from karat.significance.reach import RESAMPLING

if TYPE_CHECKING:
    from karat.significance.paired import TestName


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is tested and how; `n` is 10,000 for swaps and 1,000 for resamples where it is not given.

    `alpha` is the significance level, and `confidence` that of the intervals: 1 - alpha where it is not given.
    """

    test: TestName = "randomization"
    n: int | None = None
    seed: int = DEFAULT_SEED
    alpha: float = 0.05
    correction: Correction = "holm"
    unit: str = "segment"
    resample: ResampleKind = "full"
    interval: Method = "percentile"
    confidence: float | None = None
    interval_n: int = DEFAULT_RESAMPLES

    def __post_init__(self) -> None:
        paired.check_test(self.test)
        check_correction(self.correction)
        if self.n is not None:
            check_whole("n", self.n, 1, "better 1000")
        check_whole("interval_n", self.interval_n, 1, "better 1000")
        check_share("alpha", self.alpha, 0.05)
        self.resampling(1)

    @property
    def asked_n(self) -> int | None:
        """The number of draws asked for, or usual for the test; None where the test draws nothing."""
        usual = paired.DEFAULT_N.get(self.test)
        return usual if usual is None or self.n is None else self.n

    def enough_n(self, comparisons: int) -> int | None:
        """The number of draws: those asked for, or more where these could never reach alpha after the correction."""
        if self.asked_n is None:
            return None
        return max(self.asked_n, needed_resamples(comparisons, self.alpha, self.correction))

    def resampling(self, n: int | None) -> Resampling:
        """How the intervals are made; a test on resamples shares its draws with them."""
        shared = n if n is not None and self.test in RESAMPLING else self.interval_n
        return Resampling(
            n=shared,
            confidence=1 - self.alpha if self.confidence is None else self.confidence,
            method=self.interval,
            resample=self.resample,
            seed=self.seed,
            unit=self.unit,
        )
