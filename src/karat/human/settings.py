"""What an analysis of judgements may be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from karat.errors import InputError, SpecError, did_you_mean
from karat.human.mqm import NAMED_WEIGHTS, Weights
from karat.human.quality import FLAGS, Limits
from karat.significance import DEFAULT_SEED, Options, Resampling
from karat.significance.blocks import Progress
from karat.significance.multiple import Correction, check_correction

HumanTest = Literal["randomization", "signed-rank", "rank-sum"]
TESTS: tuple[HumanTest, ...] = ("randomization", "signed-rank", "rank-sum")
ModelUse = Literal["auto", "always", "never"]
PAIR_PRESETS = ("wmt16",)


@dataclass(frozen=True, kw_only=True)
class Settings:
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
    level: float = 0.05
    correction: Correction = "holm"
    model: ModelUse = "auto"
    weights: Weights = field(default_factory=lambda: NAMED_WEIGHTS["wmt"])
    filtered: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    threads: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise SpecError(f"there is no test called {self.test!r}.{did_you_mean(self.test, TESTS)}")
        check_correction(self.correction)
        for flag in self.filtered:
            if flag not in FLAGS:
                raise SpecError(f"there is no flag called {flag!r}.{did_you_mean(flag, FLAGS)}")
        if self.resamples < 1000:
            raise InputError(f"{self.resamples} resamples are too few for an interval: take at least 1000")

    def options(self, unit: str) -> Options:
        """The options of a paired test."""
        return Options(
            test="wilcoxon" if self.test == "signed-rank" else "randomization",
            n=self.n,
            seed=self.seed,
            level=self.level,
            correction=self.correction,
            unit=unit,
        )

    def resampling(self, unit: str) -> Resampling:
        """How intervals are made."""
        return Resampling(n=self.resamples, level=1 - self.level, seed=self.seed, unit=unit)
