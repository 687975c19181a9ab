"""Whether control items were answered as they should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from karat.campaigns.answers import Answer

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan
    from karat.campaigns.tasks import RatingTask

ROUNDING = 1e-9


def passed(
    plan: CampaignPlan, task: RatingTask, answers: Sequence[Answer], before: Sequence[Answer] | None
) -> bool | None:
    """Whether a control item was answered as it should be; None where that cannot be told.

    Gold wants its answers, up to the plan's tolerance. A repeat wants those that the rater gave `before`, likewise. A
    damaged translation wants less than the same one undamaged, unless that had the least already; who says that it is
    broken has seen it, too.
    """
    if task.control == "gold":
        return all(
            part.gold is None or _near(plan, answer.values, part.gold)
            for part, answer in zip(task.parts, answers, strict=True)
        )
    if before is None:
        return None
    pairs = list(zip(answers, before, strict=True))
    if task.control == "repeat":
        return all(_near(plan, now.values, earlier.values) for now, earlier in pairs)
    if task.control == "bad-reference":
        damaged, whole = (sum(_shares(plan, answer) for answer in side) for side in (answers, before))
        return damaged < whole - ROUNDING or whole <= ROUNDING
    return None


def _near(plan: CampaignPlan, values: Mapping[str, float], wanted: Mapping[str, float]) -> bool:
    return all(
        criterion in values and abs(values[criterion] - value) <= tolerance(plan, criterion) + ROUNDING
        for criterion, value in wanted.items()
    )


def tolerance(plan: CampaignPlan, criterion: str) -> float:
    """How far an answer may be from what is expected, in points of the criterion's scale."""
    scale = plan.scale(criterion)
    assert scale.minimum is not None and scale.maximum is not None
    return plan.controls.tolerance * (scale.maximum - scale.minimum)


def _shares(plan: CampaignPlan, answer: Answer) -> float:
    """What was given of all that could be, as a mean over criteria; nothing for what is said to be broken."""
    given = list(_normalised(plan, answer)) if answer.broken is None else []
    return sum(given) / len(given) if given else 0.0


def _normalised(plan: CampaignPlan, answer: Answer) -> Iterator[float]:
    for criterion, value in answer.values.items():
        share = plan.scale(criterion).normalised(value)
        assert share is not None
        yield share
