"""What raters answer, and whether an answer may be stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from karat.campaigns.declared import is_text
from karat.campaigns.said import Answer
from karat.campaigns.widgets import Given, Widget, widget_of
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan
    from karat.campaigns.questions import Asked, Question, WidgetName
    from karat.campaigns.tasks import RatingTask

__all__ = ["LONGEST_REMARK", "Answer", "Lack", "RefusedAnswerError", "checked", "widget_for"]

KINDS: Mapping[WidgetName, str] = {"spans": "spans", "text": "texts"}
"""Where the answers of a widget are; those of the others are values."""

LONGEST_REMARK = 5_000
LONGEST_SECONDS = 7 * 24 * 3600.0


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
    """The answers to a task, or to some of its questions, if they are complete and each is what its widget takes."""
    if len(answers) != len(task.parts):
        reason = f"the task has {len(task.parts)} translations, and {len(answers)} were answered"
        raise RefusedAnswerError([Lack(0, None, reason)])
    asked = plan.questions if questions is None else questions
    lacks = [lack for part in range(len(answers)) for lack in _lacks(asked, Given(plan, task, answers, part))]
    if lacks:
        raise RefusedAnswerError(lacks)
    return tuple(answers)


def _lacks(questions: Iterable[Question], given: Given) -> Iterator[Lack]:
    part, answer = given.part, given.answer
    every = [asked for question in questions for asked in given.plan.asked_by(question, given.task, part)]
    yield from (Lack(part, None, f"nobody asked for {name!r}") for name in _unasked(given.plan, every, answer))
    for asked in every:
        if widget_for(given.plan, asked).answered(asked, answer):
            yield from (Lack(part, asked.name, reason) for reason in widget_for(given.plan, asked).lacks(given, asked))
        elif answer.broken is None:
            yield Lack(part, asked.name, f"{asked.name} is missing")
        yield from (Lack(part, asked.name, reason) for reason in _lacks_of_words(given, asked))
    yield from (Lack(part, None, reason) for reason in _lacks_of_remarks(answer))


def widget_for(plan: CampaignPlan, asked: Asked) -> Widget:
    """The widget by which a question is answered."""
    return widget_of(plan.widget(asked.question))


def _unasked(plan: CampaignPlan, every: Iterable[Asked], answer: Answer) -> list[str]:
    """The names of answers to what was not asked, or not asked so."""
    kinds: dict[str, set[str]] = {"values": set(), "spans": set(), "texts": set(), "words": set()}
    for asked in every:
        kinds[KINDS.get(plan.widget(asked.question), "values")].add(asked.name)
        if asked.question.reveal:
            kinds["words"].add(asked.name)
    return sorted(name for kind, names in kinds.items() for name in getattr(answer, kind).keys() - names)


def _lacks_of_words(given: Given, asked: Asked) -> Iterator[str]:
    """How many words were uncovered is told where they were covered."""
    if not asked.question.reveal or given.answer.broken is not None:
        return
    words = given.answer.words.get(asked.name)
    if words is None:
        yield f"how many words were uncovered for {asked.name} is missing"
    elif not 0 <= words <= len(given.judged.shown):
        yield f"{asked.name}: the text has no {words} words"


def _lacks_of_remarks(answer: Answer) -> Iterator[str]:
    if not 0 <= answer.seconds <= LONGEST_SECONDS:
        yield "the time is impossible"
    for name, remark in (("the reason", answer.broken), ("the comment", answer.comment)):
        if remark is not None and len(remark) > LONGEST_REMARK:
            yield f"{name} is longer than {LONGEST_REMARK:,} characters"
        if remark is not None and not is_text(remark):
            yield f"{name} has a sign that is no text"
    if answer.broken is not None and not answer.broken.strip():
        yield "say what is broken"
