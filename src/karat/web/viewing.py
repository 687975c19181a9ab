"""Campaigns, tasks and answers as a rater's device hears of them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from karat.service.rating import (
    Answer,
    CampaignPlan,
    Material,
    Question,
    RatingTask,
    Segment,
    Tutorial,
    hash_of,
    highest_rank,
    ranking_rules,
    sights_at,
    span_rules,
    text_rules,
)
from karat.web import views

if TYPE_CHECKING:
    from karat.service.rating import Asked, Feedback, Mark, Offer


def question_view(plan: CampaignPlan, question: Question) -> views.QuestionView:
    """A question with what may be answered."""
    widget = plan.widget(question)
    return views.QuestionView(
        name=question.criterion,
        criterion=question.criterion,
        help=question.help,
        items=plan.by_items(question),
        reveal=question.reveal,
        span_below=question.span_below,
        show=question.show,
        widget=widget,
        own_labels=bool(question.labels),
        spans=views.SpanRulesView(**vars(span_rules(question))) if widget == "spans" else None,
        ranking=views.RankingRulesView(**vars(ranking_rules(question))) if widget == "ranking" else None,
        text=views.TextRulesView(**vars(text_rules(question))) if widget == "text" else None,
        **_values(plan, question),
    )


def _values(plan: CampaignPlan, question: Question) -> dict[str, Any]:
    """The numbers that may be answered."""
    widget = plan.widget(question)
    if widget == "choice":
        points = _options(question.options)
        return {"minimum": 0.0, "maximum": float(max(len(points) - 1, 0)), "whole": True, "points": points}
    if widget == "ranking":
        return {
            "minimum": 1.0,
            "maximum": float(highest_rank(ranking_rules(question), plan.together)),
            "whole": True,
            "points": (),
        }
    if widget in ("spans", "text"):
        return {"minimum": 0.0, "maximum": 0.0, "whole": True, "points": ()}
    scale = plan.scale(question.criterion)
    minimum, maximum = scale.minimum or 0.0, scale.maximum or 0.0
    labels = dict(scale.labels)
    values = [minimum + step for step in range(round(maximum - minimum) + 1)] if widget == "points" else sorted(labels)
    shown = tuple(views.PointView(value=value, label=labels.get(value)) for value in values)
    return {"minimum": minimum, "maximum": maximum, "whole": scale.whole, "points": shown}


def _options(options: Sequence[str]) -> tuple[views.PointView, ...]:
    return tuple(views.PointView(value=float(number), label=option) for number, option in enumerate(options))


def task_view(plan: CampaignPlan, material: Material, offer: Offer) -> views.TaskView:
    """A task as the rater may see it."""
    task, shown = offer.task, sights_at(plan, offer.stage)
    before, after = material.around(task, plan.context)
    return views.TaskView(
        public=offer.public,
        version=offer.version,
        stage=offer.stage,
        columns=task.columns,
        tutorial=task.control == "tutorial",
        before=tuple(_context(task, segment, shown) for segment in before),
        after=tuple(_context(task, segment, shown) for segment in after),
        parts=tuple(_part(plan, material, task, part, shown) for part in range(len(task.parts))),
        settled=tuple(_settled(part) for part in offer.settled or ()),
        answers=tuple(answer_view(answer) for answer in offer.answers),
        feedback=feedback_view(offer.feedback),
    )


def _context(task: RatingTask, segment: Segment, shown: Container[str]) -> views.ContextView:
    """A text around the task's, by the same systems."""
    columns = task.parts[: task.columns]
    return views.ContextView(
        source=segment.source if "source" in shown else None,
        translations=tuple(segment.outputs.get(task.systems_of(part)[0], "") for part in columns),
    )


def _part(
    plan: CampaignPlan, material: Material, task: RatingTask, number: int, shown: Container[str]
) -> views.PartView:
    part = task.parts[number]
    whole = plan.unit == "system"
    segment = None if whole else material.segment(part.segment)
    source = segment.source if segment is not None and "source" in shown else None
    return views.PartView(
        translation=None if whole or part.scratch else part.shown,
        title=plan.names.get(task.system) if whole else None,
        source=source,
        reference=segment.reference if segment is not None and "reference" in shown else None,
        hashes=views.HashesView(
            hypothesis=hash_of("" if part.scratch else part.shown), source=None if source is None else hash_of(source)
        ),
        offered=tuple(_mark(mark) for mark in part.offered),
        items=tuple(_item(asked) for asked in plan.asked_of(task, number) if asked.item is not None),
    )


def _mark(mark: Mark) -> views.MarkView:
    return views.MarkView(**vars(mark))


def _item(asked: Asked) -> views.ItemView:
    assert asked.item is not None
    text, options = asked.item.text, _options(asked.options)
    return views.ItemView(criterion=asked.question.criterion, name=asked.name, text=text, points=options)


def feedback_view(feedback: Feedback | None) -> views.FeedbackView | None:
    """What is told of an answer; None where nothing is."""
    if feedback is None:
        return None
    right = feedback.expected
    expected = None if right is None else tuple(answer_view(answer.stored()) for answer in right)
    return views.FeedbackView(passed=feedback.passed, explanation=feedback.explanation, expected=expected)


def _settled(said: Mapping[str, Any]) -> views.SettledView:
    """What is settled of a part."""
    known = answer_view({**said, "seconds": 0.0})
    return views.SettledView(**{name: getattr(known, name) for name in views.SettledView.model_fields})


def answer_view(stored: Mapping[str, Any]) -> views.AnswerView:
    """An answer out of the database."""
    answer = Answer.read(stored)
    return views.AnswerView(
        values=dict(answer.values),
        spans={name: tuple(views.SpanView(**vars(span)) for span in spans) for name, spans in answer.spans.items()},
        texts={name: _written(text.text, text.log) for name, text in answer.texts.items()},
        words=dict(answer.words),
        seconds=answer.seconds,
        broken=answer.broken,
        comment=answer.comment,
    )


def _written(text: str, log: Any) -> views.WrittenView:
    if log is None:
        return views.WrittenView(text=text, log=None)
    edits = tuple(views.EditView(**vars(edit)) for edit in log.edits)
    kept = {"seconds": log.seconds, "pauses": log.pauses, "keystrokes": log.keystrokes}
    return views.WrittenView(text=text, log=views.LogView(edits=edits, **kept))


def tutorial_view(tutorial: Tutorial | None) -> views.TutorialView | None:
    """How far the rater is with the tutorial; None where there is none."""
    return None if tutorial is None else views.TutorialView(**vars(tutorial), failed=tutorial.failed)
