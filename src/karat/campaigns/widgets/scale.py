"""Points on a scale, one by one or on a slider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from karat.arguments import LARGEST_SCORE
from karat.campaigns.questions import Asked, Question
from karat.campaigns.said import Answer
from karat.campaigns.widgets.base import ROUNDING, Given, Row, Widget, register_widget
from karat.corpus.ratings.protocols import Scale

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan

MOST_POINTS = 11
"""Up to so many points are shown one by one; a finer scale is a slider."""


@register_widget
class ScaleWidget(Widget):
    """A number."""

    names = ("points", "slider")

    def problems(self, plan: CampaignPlan, question: Question) -> Iterator[str]:
        yield from _problems_of_values(plan, question)
        if question.widget == "points" and not few_points(plan.scale(question.criterion)):
            yield f"{question.criterion} has more values than {MOST_POINTS} points: take the widget slider"
        below = question.span_below
        if below is not None and all(other.spans is None for other in plan.questions):
            yield f"span_below of {question.criterion} needs a question with the widget spans"

    def lacks(self, given: Given, asked: Asked) -> Iterator[str]:
        criterion, value = asked.question.criterion, given.answer.values[asked.name]
        if not given.plan.scale(criterion).holds(value):
            yield f"{asked.name} is {given.plan.scale(criterion).says()}"
        below = asked.question.span_below
        if below is not None and value < below and not any(_marked(given.answer)):
            yield f"mark what is wrong: {asked.name} is below {below:g}"

    def rows(self, given: Given, asked: Asked) -> Iterator[Row]:
        row: Row = {"criterion": asked.question.criterion, "value": given.answer.values.get(asked.name)}
        if asked.item is not None:
            passage = asked.item.document or asked.item.segment
            row |= {"document": passage, "segment": f"{passage}.{asked.item.name}"}
        yield row

    def answered(self, asked: Asked, answer: Answer) -> bool:
        return asked.name in answer.values

    def near(self, plan: CampaignPlan, asked: Asked, answer: Answer, wanted: Answer) -> bool | None:
        if asked.name not in wanted.values:
            return None
        if asked.name not in answer.values:
            return False
        scale = plan.scale(asked.question.criterion)
        assert scale.minimum is not None and scale.maximum is not None
        tolerance = plan.controls.tolerance * (scale.maximum - scale.minimum)
        return abs(answer.values[asked.name] - wanted.values[asked.name]) <= tolerance + ROUNDING

    def share(self, plan: CampaignPlan, asked: Asked, answer: Answer) -> float | None:
        value = answer.values.get(asked.name)
        return None if value is None else plan.scale(asked.question.criterion).normalised(value)


def few_points(scale: Scale) -> bool:
    """Whether the whole numbers of a scale are few enough to be shown one by one.

    >>> [few_points(Scale(minimum=0, maximum=end)) for end in (6, 100, 0.5)]
    [True, False, False]
    """
    if scale.minimum is None or scale.maximum is None or scale.minimum % 1 or scale.maximum % 1:
        return False
    return scale.maximum - scale.minimum < MOST_POINTS


def _marked(answer: Answer) -> Iterator[bool]:
    return (span.fate != "removed" for spans in answer.spans.values() for span in spans)


def _problems_of_values(plan: CampaignPlan, question: Question) -> Iterator[str]:
    """What is wrong with the values that may be answered."""
    name = question.criterion
    if question.scale is not None and not plan.asked.open_criteria:
        yield f"{plan.protocol} has its own scale for {name}: leave scale out, or take the protocol custom"
    scale = plan.scale(name)
    assert scale.minimum is not None and scale.maximum is not None
    if not -LARGEST_SCORE <= scale.minimum < scale.maximum <= LARGEST_SCORE:
        yield f"the scale of {name} goes from {scale.minimum:g} to {scale.maximum:g}: it must go up"
    if scale.whole and (scale.minimum % 1 or scale.maximum % 1):
        yield f"the scale of {name} has whole numbers only, so its ends must be such: or say whole = false"
    for value in question.labels:
        if not scale.holds(float(value)):
            yield f"a label of {name} stands beside {value}, which is not {scale.says()}"
