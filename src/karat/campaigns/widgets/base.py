"""What a widget is: how a question is declared, which answers it takes, and what they become in a table of ratings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from karat.campaigns.questions import Asked, Question, WidgetName
from karat.campaigns.said import Answer
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan
    from karat.campaigns.tasks import RatingTask, TaskPart

Row = dict[str, Any]
ROUNDING = 1e-9

Made = TypeVar("Made", bound="type[Widget]")
_widgets: dict[str, Widget] = {}


@dataclass(frozen=True)
class Given:
    """What was answered about one part of a task, and the parts and answers beside it."""

    plan: CampaignPlan
    task: RatingTask
    answers: Sequence[Answer]
    part: int

    @property
    def answer(self) -> Answer:
        return self.answers[self.part]

    @property
    def judged(self) -> TaskPart:
        """What the answer is about."""
        return self.task.parts[self.part]

    @property
    def beside(self) -> range:
        """The parts of the same row: translations of one segment."""
        columns = self.task.columns
        first = self.part - self.part % columns
        return range(first, first + columns)

    @property
    def systems(self) -> tuple[str, ...]:
        """Whose output was judged."""
        return self.task.systems_of(self.judged)


class Widget(ABC):
    """One way to answer a question."""

    names: ClassVar[tuple[WidgetName, ...]]

    @abstractmethod
    def problems(self, plan: CampaignPlan, question: Question) -> Iterator[str]:
        """What is wrong with a question that is to be answered so."""

    @abstractmethod
    def lacks(self, given: Given, asked: Asked) -> Iterator[str]:
        """What keeps the answer from being stored."""

    @abstractmethod
    def rows(self, given: Given, asked: Asked) -> Iterator[Row]:
        """What the answer says, in columns of the table of ratings."""

    @abstractmethod
    def answered(self, asked: Asked, answer: Answer) -> bool:
        """Whether there is an answer at all."""

    def near(self, plan: CampaignPlan, asked: Asked, answer: Answer, wanted: Answer) -> bool | None:  # noqa: ARG002
        """Whether an answer is as good as the same as another; None where that cannot be told."""
        if asked.name not in wanted.values:
            return None
        return answer.values.get(asked.name) == wanted.values[asked.name]

    def share(self, plan: CampaignPlan, asked: Asked, answer: Answer) -> float | None:  # noqa: ARG002 - few widgets can
        """What was given of all that could be; None where that cannot be told."""
        return None


def register_widget(kind: Made) -> Made:
    """Make a widget known under its names."""
    for name in kind.names:
        _widgets[name] = kind()
    return kind


def widget_of(name: WidgetName) -> Widget:
    """The widget of that name."""
    return _widgets[name]


def place_of(asked: Asked) -> Mapping[str, Any]:
    """Where a row about an item belongs, and which question it answers."""
    if asked.item is None:
        return {}
    if asked.item.document is not None:
        return {"segment": None, "document": asked.item.document, "question": asked.item.name}
    return {"question": asked.item.name}
