"""What a statistic of agreement is, what it is counted on, and how it is registered."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

import karat.human.agreement
from karat.docstrings import sectioned
from karat.errors import SpecError
from karat.human.comparing.comparisons import Comparisons
from karat.human.couples import crossed
from karat.plugins import load_plugins
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.agreement.value import AgreementValue
    from karat.human.scales.judgements import Judgements
    from karat.significance import Resampling
    from karat.significance.blocks import OnProgress

    Codes = NDArray[np.intp]

MOST_ANSWERS = 11
"""Up to so many different whole values count as answers that can be the same; beyond, only distances make sense."""
SECTIONS = ("Formula", "What karat does", "Example")


@dataclass(frozen=True)
class MarkedSpan:
    """Code points from `start` up to, not including, `end`, marked with a severity."""

    start: int
    end: int
    severity: str = "minor"


@dataclass(frozen=True, eq=False)
class MarkedOutputs:
    """For each output the spans of each rater who judged it."""

    outputs: Sequence[Sequence[Sequence[MarkedSpan]]]


@dataclass(frozen=True, eq=False)
class ScaleAnswers:
    """Values on a scale: judgements, the points of the scale where they are known, and how intervals are made.

    `repeated` also holds what raters said of an item once more; it is `given` where that holds everything.
    """

    given: Judgements
    points: int | None = None
    resampling: Resampling | None = None
    progress: OnProgress | None = None
    repeated: Judgements | None = None

    @cached_property
    def ordinary(self) -> Judgements:
        """The judgements that are no control items."""
        return self.given.ordinary

    @cached_property
    def discrete(self) -> bool:
        """Whether there are few whole values, so that two answers can be the same."""
        value = self.ordinary.value
        return len(np.unique(value)) <= MOST_ANSWERS and bool((value == np.rint(value)).all())

    @cached_property
    def first_answers(self) -> tuple[Codes, Codes, Codes]:
        """Rater, item and answer of each rater's first judgement of an item, as codes."""
        used, first = self.ordinary, self._first
        _, answer = np.unique(used.value, return_inverse=True)
        _, item = np.unique(used.item, return_inverse=True)
        return used.rater[first], item[first].astype(np.intp), answer[first].astype(np.intp)

    @property
    def first_values(self) -> NDArray[np.float64]:
        """The values of the same judgements."""
        return self.ordinary.value[self._first]

    @cached_property
    def _first(self) -> Codes:
        _, first = np.unique(crossed(self.ordinary.rater, self.ordinary.item), return_index=True)
        return first


J = TypeVar("J")


class AgreementStatistic(ABC, Generic[J]):
    """A way to tell how far raters agree.

    The docstring is its page in the docs: a sentence, then the sections *Formula*, *What karat does* and *Example*.
    `place` says where it stands among the others in tables.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    place: ClassVar[int] = 1000
    counted_on: ClassVar[type]

    @abstractmethod
    def applies(self, judged: J) -> bool:
        """Whether it makes sense for these judgements."""

    @abstractmethod
    def evaluate(self, judged: J) -> tuple[AgreementValue, ...]:
        """Its value, or values where it has several forms."""


class ScaleStatistic(AgreementStatistic[ScaleAnswers]):
    """A statistic of values on a scale."""

    counted_on = ScaleAnswers

    def applies(self, judged: ScaleAnswers) -> bool:
        """Whether there is a value."""
        return len(judged.ordinary) > 0


class AnswerStatistic(ScaleStatistic):
    """A statistic of answers that are the same or not: it needs a scale of few whole values."""

    def applies(self, judged: ScaleAnswers) -> bool:
        """Whether two answers can be the same."""
        return super().applies(judged) and judged.discrete


class PairStatistic(AgreementStatistic[Comparisons]):
    """A statistic of comparisons of two outputs."""

    counted_on = Comparisons

    def applies(self, judged: Comparisons) -> bool:
        """Whether anything was compared."""
        return len(judged) > 0


class SpanStatistic(AgreementStatistic[MarkedOutputs]):
    """A statistic of spans that raters marked."""

    counted_on = MarkedOutputs

    def applies(self, judged: MarkedOutputs) -> bool:
        """Whether an output has two raters."""
        return any(len(raters) > 1 for raters in judged.outputs)


StatisticClass = type[AgreementStatistic[Any]]
S = TypeVar("S", bound=StatisticClass)
_registered: dict[str, StatisticClass] = {}


def register(statistic: S) -> S:
    """Class decorator: make a statistic known under its name."""
    if statistic.name in _registered:
        raise SpecError(f"there are two statistics of agreement named {statistic.name!r}")
    _registered[statistic.name] = statistic
    return statistic


@cache
def _load() -> None:
    for module in pkgutil.iter_modules(karat.human.agreement.__path__):
        importlib.import_module(f"karat.human.agreement.{module.name}")
    load_plugins("karat.agreement", _registered)


def statistics() -> dict[str, StatisticClass]:
    """Every statistic karat has, its own and those of installed plugins, by name, in the order of tables."""
    _load()
    return dict(sorted(_registered.items(), key=lambda entry: (entry[1].place, entry[0])))


def agreement_on(judged: ScaleAnswers | Comparisons | MarkedOutputs) -> tuple[AgreementValue, ...]:
    """The values of every registered statistic that applies to these judgements and has something to count."""
    known = [statistic() for statistic in statistics().values() if isinstance(judged, statistic.counted_on)]
    values = (value for statistic in known if statistic.applies(judged) for value in statistic.evaluate(judged))
    return tuple(value for value in values if value.n)


@dataclass(frozen=True)
class StatisticPage:
    """What a statistic's class says about itself."""

    name: str
    title: str
    summary: str
    citation: str
    formula: str
    choice: str
    example: str


def described(statistic: StatisticClass) -> StatisticPage:
    """Take the docstring of a statistic apart; a section that is missing is an error of its author."""
    docstring = sectioned(statistic, SECTIONS)
    return StatisticPage(
        statistic.name,
        statistic.title,
        docstring.summary,
        statistic.citation,
        *(docstring.sections[title] for title in SECTIONS),
    )
