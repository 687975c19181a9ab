"""How ratings are analysed: the plan of an analysis, frozen and checked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field, fields
from typing import Literal

from karat.errors import InputError, SpecError, did_you_mean
from karat.human.mqm import NAMED_WEIGHTS, Weights
from karat.human.scales.quality import FLAGS, Limits
from karat.quick_dataclasses import dataclass
from karat.significance import DEFAULT_SEED, Options, Resampling
from karat.significance.blocks import OnProgress
from karat.significance.multiple import Correction, check_correction

HumanTest = Literal["randomization", "signed-rank", "rank-sum"]
TESTS: tuple[HumanTest, ...] = ("randomization", "signed-rank", "rank-sum")
ModelUse = Literal["auto", "always", "never"]
PAIR_PRESETS = ("wmt16",)
PRESET_RULES = ("test", "n", "alpha", "correction", "unpaired")
"""What a preset decides by itself."""
PAIR_PRESET_RULES = ("unit", "resamples")
"""What a preset of comparisons decides besides."""


def refuse_with_preset(preset: str | None, given: Collection[str]) -> None:
    """Refuse options that a preset leaves out of account, since it has its own."""
    ruled = [*PRESET_RULES, *(PAIR_PRESET_RULES if preset in PAIR_PRESETS else ())]
    for name in given if preset is not None else ():
        if name in ruled:
            option = f"-{name}" if len(name) == 1 else f"--{name}"
            raise InputError(f"--preset {preset} ranks as WMT did, and {option} has no say in that: leave out either")


@dataclass(frozen=True, kw_only=True)
class AnalysisPlan:
    """How systems are ranked and raters are looked at; the defaults are karat's own choice.

    `filtered` names the flags for which raters are left out in a second result. `unit` is what is drawn at random:
    documents where they are known, unless it says otherwise. `unpaired` compares systems on whatever was judged of
    each, instead of on the segments that both were judged on. `weights` are WMT's where errors are weighed without any.
    """

    preset: str | None = None
    test: HumanTest = "randomization"
    unit: Literal["segment", "document"] | None = None
    unpaired: bool = False
    seed: int = DEFAULT_SEED
    n: int | None = None
    resamples: int = 1000
    alpha: float = 0.05
    correction: Correction = "holm"
    model: ModelUse = "auto"
    weights: Weights | None = None
    filtered: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    threads: int | None = None
    progress: OnProgress | None = None

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise SpecError(f"there is no test called {self.test!r}.{did_you_mean(self.test, TESTS)}")
        check_correction(self.correction)
        refuse_with_preset(
            self.preset, [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        )
        if self.unpaired and self.test == "signed-rank":
            raise InputError("--test signed-rank pairs segments: leave out --unpaired, or take another test")
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha is between 0 and 1, such as 0.05, and not {self.alpha}")
        for flag in self.filtered:
            if flag not in FLAGS:
                raise SpecError(f"there is no flag called {flag!r}.{did_you_mean(flag, FLAGS)}")
        if self.resamples < 1000:
            raise InputError(f"{self.resamples} resamples are too few for an interval: take at least 1000")

    @property
    def error_weights(self) -> Weights:
        """What errors cost."""
        return NAMED_WEIGHTS["wmt"] if self.weights is None else self.weights

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
