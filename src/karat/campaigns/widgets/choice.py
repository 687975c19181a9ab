"""One of several options, such as the answers to a question about a passage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from karat.campaigns.questions import Asked, Question
from karat.campaigns.said import Answer
from karat.campaigns.widgets.base import Given, Row, Widget, place_of, register_widget

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan


@register_widget
class ChoiceWidget(Widget):
    """The number of an option, counted from 0."""

    names = ("choice",)

    def problems(self, plan: CampaignPlan, question: Question) -> Iterator[str]:
        items = [item for item in plan.items if item.criterion == question.criterion]
        known = {
            f"item {item.name!r} of {item.segment or item.document}": Asked(question, item).options for item in items
        }
        # Where a protocol needs items, their lack is told once the passages are known.
        without = {} if plan.how.items else {question.criterion: question.options}
        for place, options in (known or without).items():
            if len(options) < 2:
                yield f"{place} has {'one option' if options else 'no options'}: there must be at least two"
            elif len(set(options)) < len(options) and "" not in options:
                yield f"{place} has an option twice"
        if plan.controls.degraded:
            yield "controls.degraded: no control tells how a choice about damaged translations is right; take repeats"

    def lacks(self, given: Given, asked: Asked) -> Iterator[str]:
        value = given.answer.values[asked.name]
        if value not in range(len(asked.options)):
            yield f"{asked.name} is one of the {len(asked.options)} options, counted from 0"

    def rows(self, given: Given, asked: Asked) -> Iterator[Row]:
        number = given.answer.values.get(asked.name)
        chosen = None if number is None else asked.options[int(number)]
        right = () if asked.item is None else asked.item.right
        value = number if not right or chosen is None else float(chosen in right)
        yield {"criterion": asked.question.criterion, "value": value, "answer": chosen, **place_of(asked)}

    def answered(self, asked: Asked, answer: Answer) -> bool:
        return asked.name in answer.values
