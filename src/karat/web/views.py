"""What a rater's device hears, and what it may say: types of their own, with no field for anything else.

Nothing here has a place for a system, for the kind of an item, or for what others answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from karat.service.rating import LONGEST_REMARK, Answer, sights_at

if TYPE_CHECKING:
    from karat.service.rating import CampaignPlan, Feedback, Material, Offer, Question, TaskPart


Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A number as JSON has it: true and "3" are none."""


class View(BaseModel):
    """Immutable, and nothing but its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LackView(View):
    """What keeps an answer from being stored."""

    part: int
    criterion: str | None
    reason: str


class Refusal(View):
    """Why something was not done; of answers, what they lack, or which version is stored."""

    detail: str
    lacks: tuple[LackView, ...] | None = None
    version: int | None = None
    answers: tuple[AnswerView, ...] | None = None


class PointView(View):
    """A value of a scale, and what stands beside it."""

    value: float
    label: str | None


class QuestionView(View):
    """A question: what is shown for it, and what may be answered. Labels are the campaign's own, or the protocol's."""

    criterion: str
    show: tuple[str, ...]
    widget: str
    minimum: float
    maximum: float
    whole: bool
    points: tuple[PointView, ...]
    own_labels: bool


class PartView(View):
    """A translation, with what is given to be read beside it so far."""

    translation: str
    source: str | None
    reference: str | None


class AnswerView(View):
    """What the rater said of a part before."""

    values: dict[str, float]
    seconds: float
    broken: str | None = None
    comment: str | None = None


class FeedbackView(View):
    """What is told of an answer at once: whether it was as it should be, and if not, perhaps why."""

    passed: bool
    explanation: str | None


class SettledView(View):
    """What the rater had said of a part before a text to compare with was given."""

    values: dict[str, float]
    broken: str | None = None


class TaskView(View):
    """What is on the screen; nobody is told anything of an answer before it is given.

    `stage` is the last question whose texts are among the parts, and `settled` what was answered before they were.
    """

    public: str
    version: int
    stage: int
    parts: tuple[PartView, ...]
    settled: tuple[SettledView, ...]
    answers: tuple[AnswerView, ...]
    feedback: FeedbackView | None


class MessagesView(View):
    """The words of the page in one language."""

    language: str
    messages: dict[str, str]


class StateView(View):
    """Where the rater is, and the key under which the device keeps what is unsent."""

    key: str
    campaign: str
    protocol: str
    guidelines: str | None
    source_language: str | None
    target_language: str | None
    questions: tuple[QuestionView, ...]
    csrf: str
    bilingual: bool | None
    done: int
    planned: int
    history: tuple[str, ...]


class Entry(View):
    """The secret of a link."""

    secret: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Entered(View):
    """What goes with each change from now on."""

    csrf: str


class AnswerBody(View):
    """An answer about one part."""

    values: dict[str, Number]
    seconds: Number
    broken: Annotated[str, StringConstraints(max_length=LONGEST_REMARK)] | None = None
    comment: Annotated[str, StringConstraints(max_length=LONGEST_REMARK)] | None = None

    def answer(self) -> Answer:
        return Answer(values=self.values, seconds=self.seconds, broken=self.broken, comment=self.comment)


class Submit(View):
    """Answers about all parts of a task; the uuid is the device's, and the same when it tries again."""

    uuid: UUID
    base_version: Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
    answers: Annotated[list[AnswerBody], Field(max_length=1000)]


class Settle(View):
    """Answers to all questions before a stage, counted from 0, whose texts are wanted."""

    stage: Annotated[int, Field(strict=True, ge=1, le=1000)]
    answers: Annotated[list[AnswerBody], Field(max_length=1000)]


class Kept(View):
    """A submit that is on the disk."""

    version: int
    again: bool
    feedback: FeedbackView | None


class Profile(View):
    """What raters say of themselves."""

    bilingual: Annotated[bool, Field(strict=True)]


class Left(View):
    """What a withdrawal erased."""

    judgements: int


def question_view(plan: CampaignPlan, question: Question) -> QuestionView:
    """A question with its scale."""
    scale = plan.scale(question.criterion)
    minimum, maximum = scale.minimum or 0.0, scale.maximum or 0.0
    labels = dict(scale.labels)
    widget = plan.widget(question)
    values = [minimum + step for step in range(round(maximum - minimum) + 1)] if widget == "points" else sorted(labels)
    return QuestionView(
        criterion=question.criterion,
        show=question.show,
        widget=widget,
        minimum=minimum,
        maximum=maximum,
        whole=scale.whole,
        points=tuple(PointView(value=value, label=labels.get(value)) for value in values),
        own_labels=bool(question.labels),
    )


def task_view(plan: CampaignPlan, material: Material, offer: Offer) -> TaskView:
    """A task as the rater may see it by now."""
    shown = sights_at(plan, offer.stage)

    def view(part: TaskPart) -> PartView:
        segment = material.segment(part.segment)
        return PartView(
            translation=part.shown,
            source=segment.source if "source" in shown else None,
            reference=segment.reference if "reference" in shown else None,
        )

    return TaskView(
        public=offer.public,
        version=offer.version,
        stage=offer.stage,
        parts=tuple(view(part) for part in offer.task.parts),
        settled=tuple(SettledView(**part) for part in offer.settled or ()),
        answers=tuple(answer_view(answer) for answer in offer.answers),
        feedback=feedback_view(offer.feedback),
    )


def feedback_view(feedback: Feedback | None) -> FeedbackView | None:
    """What is told of an answer; None where nothing is."""
    return None if feedback is None else FeedbackView(passed=feedback.passed, explanation=feedback.explanation)


def answer_view(stored: dict[str, Any]) -> AnswerView:
    """An answer out of the database."""
    return AnswerView(**stored)
