"""What raters said, as rows of the table of ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from karat.campaigns.answers import Answer, widget_for
from karat.campaigns.questions import Asked
from karat.campaigns.widgets import Given, Row
from karat.campaigns.widgets.spans import columns_of

if TYPE_CHECKING:
    from karat.campaigns.material import Segment
    from karat.campaigns.parts import RatingTask
    from karat.campaigns.plan import CampaignPlan


def rows_of(
    plan: CampaignPlan, segments: Mapping[str, Segment], task: RatingTask, answers: Sequence[Answer], said: Row
) -> Iterator[Row]:
    """A row for each part, system and question, some of them several; `said` is what they share."""
    shown = {criterion: "+".join(sights) or "nothing" for criterion, sights in plan.shown().items()}
    for part in range(len(answers)):
        given = Given(plan, task, answers, part)
        marked = _marked(given)
        for asked in plan.asked_of(task, part):
            shared = {**said, **_about(given, segments, asked), "shown": shown[asked.question.criterion]}
            for own in widget_for(plan, asked).rows(given, asked):
                yield from _by_system(given, {**shared, **marked, **own})
                marked = {}


def time_of(seconds: float) -> datetime:
    """A moment as the table of ratings has it."""
    return datetime.fromtimestamp(seconds, UTC)


def _marked(given: Given) -> Row:
    """The spans that stand in the row of the first value, where values are asked for, too."""
    plan = given.plan
    if plan.protocol == "word-tags":
        return {}
    for question in plan.questions:
        if plan.widget(question) == "spans":
            return columns_of(given.answer.spans.get(question.criterion), given.judged.offered)
    return {}


def _about(given: Given, segments: Mapping[str, Segment], asked: Asked) -> dict[str, Any]:
    """What a row is about, and who is said to have done it how."""
    plan, task, answer, part = given.plan, given.task, given.answer, given.judged
    segment = segments.get(part.segment)
    in_sight = "source" in plan.shown()[asked.question.criterion]
    return {
        "segment": None if segment is None else segment.name,
        "document": None if segment is None else segment.document,
        "domain": None if segment is None else segment.domain,
        "language_pair": plan.language_pair,
        "protocol": plan.protocol,
        "item": str(task.number + 1),
        "control": task.control,
        "seconds": answer.seconds,
        "source": segment.source if segment is not None and in_sight else None,
        "target": None if segment is None else part.shown,
        "comment": answer.comment,
        "broken": answer.broken,
        **_uncovered(answer, asked),
    }


def _uncovered(answer: Answer, asked: Asked) -> Row:
    words = answer.words.get(asked.name)
    return {} if words is None else {"extra:words": str(words)}


def _by_system(given: Given, row: Row) -> Iterator[Row]:
    """The row once for each system whose output it is; one that names its system stays as it is."""
    if "system" in row:
        yield row
        return
    for system in given.systems:
        yield {**row, "system": system}
