"""How ratings are analysed: the plan of an analysis, frozen and checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from karat.errors import InputError, SpecError, did_you_mean
from karat.human.mqm import NAMED_WEIGHTS, Weights
from karat.human.scales.quality import FLAGS, Limits
from karat.significance import DEFAULT_SEED, Options, Resampling
from karat.significance.blocks import OnProgress
from karat.significance.multiple import Correction, check_correction

HumanTest = Literal["randomization", "signed-rank", "rank-sum"]
TESTS: tuple[HumanTest, ...] = ("randomization", "signed-rank", "rank-sum")
ModelUse = Literal["auto", "always", "never"]
PAIR_PRESETS = ("wmt16",)


@dataclass(frozen=True, kw_only=True)
class AnalysisPlan:
    """How systems are ranked and raters are looked at; the defaults are karat's own choice.

    `filtered` names the flags for which raters are left out in a second result. `unit` is what is drawn at random:
    documents where they are known, unless it says otherwise.
    """

    preset: str | None = None
    test: HumanTest = "randomization"
    unit: Literal["segment", "document"] | None = None
    seed: int = DEFAULT_SEED
    n: int | None = None
    resamples: int = 1000
    alpha: float = 0.05
    correction: Correction = "holm"
    model: ModelUse = "auto"
    weights: Weights = field(default_factory=lambda: NAMED_WEIGHTS["wmt"])
    filtered: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    threads: int | None = None
    progress: OnProgress | None = None

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise SpecError(f"there is no test called {self.test!r}.{did_you_mean(self.test, TESTS)}")
        check_correction(self.correction)
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha is between 0 and 1, such as 0.05, and not {self.alpha}")
        for flag in self.filtered:
            if flag not in FLAGS:
                raise SpecError(f"there is no flag called {flag!r}.{did_you_mean(flag, FLAGS)}")
        if self.resamples < 1000:
            raise InputError(f"{self.resamples} resamples are too few for an interval: take at least 1000")

    @property
    def confidence(self) -> float:
        """The share of cases in which an interval is to hold the true value."""
        return 1 - self.alpha

    def options(self, unit: str) -> Options:
        """The options of a paired test."""
        return Options(
            test="wilcoxon" if self.test == "signed-rank" else "randomization",
            n=self.n,
            seed=self.seed,
            alpha=self.alpha,
            correction=self.correction,
            unit=unit,
        )

    def resampling(self, unit: str) -> Resampling:
        """How intervals are made."""
        return Resampling(n=self.resamples, confidence=self.confidence, seed=self.seed, unit=unit)
