"""What raters answer, and whether an answer may be stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from karat.campaigns.declared import is_text
from karat.errors import InputError

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan, Question
    from karat.campaigns.tasks import RatingTask

LONGEST_REMARK = 5_000
LONGEST_SECONDS = 7 * 24 * 3600.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a rater says of one translation: a value by criterion, or why it cannot be judged.

    `seconds` is how long it was in front of the rater, pauses left out.
    """

    values: Mapping[str, float]
    seconds: float
    broken: str | None = None
    comment: str | None = None

    def stored(self) -> dict[str, Any]:
        """As JSON has it."""
        known = {"values": dict(self.values), "seconds": self.seconds, "broken": self.broken, "comment": self.comment}
        return {name: value for name, value in known.items() if value is not None}


@dataclass(frozen=True)
class Lack:
    """What keeps an answer from being stored: of which part, counted from 0, and of which criterion."""

    part: int
    criterion: str | None
    reason: str


class RefusedAnswerError(InputError):
    """Answers that are not stored, and all that they lack."""

    def __init__(self, lacks: Sequence[Lack]) -> None:
        self.lacks = tuple(lacks)
        super().__init__("; ".join(f"translation {lack.part + 1}: {lack.reason}" for lack in lacks))


def checked(
    plan: CampaignPlan, task: RatingTask, answers: Sequence[Answer], questions: Sequence[Question] | None = None
) -> tuple[Answer, ...]:
    """The answers to a task, or to some of its questions, if they are complete and within their scales."""
    if len(answers) != len(task.parts):
        reason = f"the task has {len(task.parts)} translations, and {len(answers)} were answered"
        raise RefusedAnswerError([Lack(0, None, reason)])
    asked = plan.questions if questions is None else questions
    lacks = [lack for part, answer in enumerate(answers) for lack in _lacks(asked, plan, part, answer)]
    if lacks:
        raise RefusedAnswerError(lacks)
    return tuple(answers)


def _lacks(questions: Iterable[Question], plan: CampaignPlan, part: int, answer: Answer) -> Iterator[Lack]:
    asked = {question.criterion for question in questions}
    for criterion in answer.values.keys() - asked:
        yield Lack(part, None, f"nobody asked for {criterion!r}")
    for question in questions:
        value = answer.values.get(question.criterion)
        if value is None and answer.broken is None:
            yield Lack(part, question.criterion, f"{question.criterion} is missing")
        elif value is not None and not plan.scale(question.criterion).holds(value):
            yield Lack(part, question.criterion, f"{question.criterion} is {plan.scale(question.criterion).says()}")
    if not 0 <= answer.seconds <= LONGEST_SECONDS:
        yield Lack(part, None, "the time is impossible")
    for name, remark in (("the reason", answer.broken), ("the comment", answer.comment)):
        if remark is not None and len(remark) > LONGEST_REMARK:
            yield Lack(part, None, f"{name} is longer than {LONGEST_REMARK:,} characters")
        if remark is not None and not is_text(remark):
            yield Lack(part, None, f"{name} has a sign that is no text")
    if answer.broken is not None and not answer.broken.strip():
        yield Lack(part, None, "say what is broken")
