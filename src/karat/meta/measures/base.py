"""What a measure of agreement is, what it needs to know, and what it gives back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from karat.errors import InputError, SpecError
from karat.evidence import LEVELS
from karat.meta.jackknife import jackknife_interval
from karat.meta.points import GROUPINGS
from karat.significance.draws import DEFAULT_SEED

if TYPE_CHECKING:
    from karat.evidence import Level
    from karat.meta.averages import Averaged
    from karat.meta.points import Grouping, JudgedScores, Points

M = TypeVar("M", bound="type[AgreementMeasure]")

registry: dict[str, AgreementMeasure] = {}
"""The measures registered so far, by name."""


def register(cls: M) -> M:
    """Class decorator: make a measure known under its name."""
    if cls.name in registry:
        raise SpecError(f"there are two measures named {cls.name!r}")
    registry[cls.name] = cls()
    return cls


@dataclass(frozen=True, kw_only=True)
class MeasureSettings:
    """What measures need to know: WMT's threshold, draws and seed of soft accuracy, the confidence of intervals.

    `epsilon` ties scores in place of the calibrated one. `threads` are those of the core, which alter no number.
    """

    minimum: float = 0.0
    epsilon: float | None = None
    draws: int = 1000
    seed: int = DEFAULT_SEED
    confidence: float = 0.95
    threads: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise InputError(f"confidence must be between 0 and 1, such as 0.95, not {self.confidence}")
        if self.draws < 1:
            raise InputError(f"{self.draws} draws were asked for; it takes at least 1, better 1000")
        if self.minimum < 0 or (self.epsilon is not None and self.epsilon < 0):
            raise InputError("thresholds are not negative: give 25, for instance")


DEFAULTS = MeasureSettings()


@dataclass(frozen=True, kw_only=True)
class MeasuredAgreement:
    """A measure of one table of scores; NaN where it is not defined, with the groups that had no value counted."""

    measure: str
    grouping: Grouping
    value: float
    n: int
    groups: int
    groups_undefined: int
    interval: tuple[float, float] | None
    units: int
    pairs: int | None = None
    epsilon: float | None = None
    minimum: float | None = None
    draws: int | None = None

    def to_json(self) -> dict[str, Any]:
        """What is said of the value in the JSON form."""
        optional = {"pairs": self.pairs, "epsilon": self.epsilon, "minimum": self.minimum, "draws": self.draws}
        return {
            "grouping": self.grouping,
            "measure": self.measure,
            "value": None if np.isnan(self.value) else self.value,
            "n": self.n,
            **{key: value for key, value in optional.items() if value is not None},
            "groups": self.groups,
            "groups_undefined": self.groups_undefined,
            "interval": None if self.interval is None else list(self.interval),
            "units": self.units,
        }


class AgreementMeasure(ABC):
    """One way to say how well the scores of a metric agree with judgements of the same units.

    Its docstring has a sentence and the sections *Formula*, *Use when*, *Do not use when*, *What karat does* and
    *Example*, which become its page.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    short_title: ClassVar[str]
    """What it is called in tables."""
    family: ClassVar[str]
    citation: ClassVar[str]
    """A key of docs/references.bib."""
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    standard: ClassVar[bool] = True
    """Whether it is computed if nothing is asked for."""
    levels: ClassVar[tuple[Level, ...]] = LEVELS
    groupings: ClassVar[tuple[Grouping, ...]] = GROUPINGS
    """Where it says something that no other measure or grouping says."""
    wants_segments: ClassVar[bool] = False
    """Whether it is made of the scores of segments at whatever level it applies."""
    orients_scores: ClassVar[bool] = True
    """Whether scores of which lower ones are better are turned round first; else the sign or the scale is kept."""
    comparable: ClassVar[bool] = False
    """Whether metrics can be tested against each other under it."""
    tests_of_correlations: ClassVar[bool] = False
    """Whether the tests of Williams, Hotelling and Steiger are about it."""
    order_of_systems_matters: ClassVar[bool] = False
    """Whether the value may depend on which of two systems comes first."""
    pools_tasks: ClassVar[bool] = False
    """Whether tasks are also averaged by their numbers of pairs."""

    @abstractmethod
    def evaluate(self, judged: JudgedScores, grouping: Grouping, settings: MeasureSettings) -> MeasuredAgreement:
        """How well the scores agree with the judgements."""

    def applies(self, level: Level, grouping: Grouping) -> bool:
        """Whether it is computed at a level and grouping."""
        return level in self.levels and grouping in self.groupings

    @property
    def pooled_name(self) -> str:
        """The name of the mean over tasks that is weighted by pairs."""
        return f"{self.name}-pooled"

    def why_undefined(self, settings: MeasureSettings) -> str:  # noqa: ARG002
        """What groups are like that have no value, after "groups"."""
        return "without variance"

    def goodness(self, value: float, *, metric_higher_is_better: bool) -> float:
        """The value, turned round so that the better metric has the greater one."""
        turned = not self.higher_is_better or not (self.orients_scores or metric_higher_is_better)
        return -value if turned else value


class PointMeasure(AgreementMeasure):
    """A measure that is made of points in groups, and can be had without each cluster of them."""

    comparable = True

    @abstractmethod
    def averaged(self, points: Points, settings: MeasureSettings = DEFAULTS) -> Averaged:
        """The value of all groups, and the values without one cluster each."""

    def details(self, points: Points, settings: MeasureSettings) -> dict[str, Any]:  # noqa: ARG002
        """What else is to be said of the value: the optional fields of `MeasuredAgreement`."""
        return {}

    def evaluate(self, judged: JudgedScores, grouping: Grouping, settings: MeasureSettings) -> MeasuredAgreement:
        """The value with the jackknife's interval."""
        points = judged.points(grouping, oriented=self.orients_scores)
        averaged = self.averaged(points, settings)
        return MeasuredAgreement(
            measure=self.name,
            grouping=grouping,
            value=averaged.value,
            n=len(points),
            groups=averaged.groups,
            groups_undefined=averaged.undefined,
            interval=jackknife_interval(averaged.value, averaged.left_out, settings.confidence, bounds=self.bounds),
            units=points.cluster_count,
            **self.details(points, settings),
        )
