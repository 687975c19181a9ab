"""Whether control items were answered as they should be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.campaigns.answers import Answer, widget_for
from karat.campaigns.said import AnsweredSpan, Mark
from karat.campaigns.widgets.base import ROUNDING

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan
    from karat.campaigns.tasks import RatingTask, TaskPart


def passed(
    plan: CampaignPlan, task: RatingTask, answers: Sequence[Answer], before: Sequence[Answer] | None
) -> bool | None:
    """Whether a control item was answered as it should be; None where that cannot be told.

    Gold wants its answers, up to the plan's tolerance, and so do items of a tutorial. A repeat wants those that the
    rater gave `before`, likewise. A damaged translation wants less than the same one undamaged, unless that had the
    least already; who says that it is broken has seen it, too.
    """
    if task.control in ("gold", "tutorial"):
        return all(near is not False for near in _near(plan, task, answers, list(map(right_answer, task.parts))))
    if before is None:
        return None
    if task.control == "repeat":
        return all(near is not False for near in _near(plan, task, answers, before))
    if task.control == "bad-reference":
        damaged, whole = (
            sum(_share(plan, task, side, part) for part in range(len(side))) for side in (answers, before)
        )
        return damaged < whole - ROUNDING or whole <= ROUNDING
    return None


def right_answer(part: TaskPart) -> Answer:
    """What an organiser calls right, as if a rater had said it."""
    marks = {name: tuple(map(_as_said, each)) for name, each in (part.gold_spans or {}).items()}
    return Answer(values=dict(part.gold or {}), spans=marks, seconds=0.0)


def _as_said(mark: Mark) -> AnsweredSpan:
    return AnsweredSpan(**vars(mark), hash="")


def _near(
    plan: CampaignPlan, task: RatingTask, answers: Sequence[Answer], wanted: Sequence[Answer]
) -> Iterator[bool | None]:
    for part, (answer, right) in enumerate(zip(answers, wanted, strict=True)):
        for asked in plan.asked_of(task, part):
            yield widget_for(plan, asked).near(plan, asked, answer, right)


def _share(plan: CampaignPlan, task: RatingTask, answers: Sequence[Answer], part: int) -> float:
    """What was given of all that could be, as a mean over questions; nothing for what is said to be broken."""
    if answers[part].broken is not None:
        return 0.0
    shares = [widget_for(plan, asked).share(plan, asked, answers[part]) for asked in plan.asked_of(task, part)]
    given = [share for share in shares if share is not None]
    return sum(given) / len(given) if given else 0.0
