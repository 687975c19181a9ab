"""What raters get to see when: a text that a question shows is given once the questions before it are answered.

What was answered until then is settled: nobody can unsee the text, so it stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from karat.campaigns.answers import Answer, Lack, RefusedAnswerError, checked
from karat.errors import InputError

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan, Sight
    from karat.campaigns.tasks import RatingTask

Settled = Mapping[str, Any]
"""What is settled of a part, as answers are stored: of each kind by criterion, and what is `broken`, if that."""

_PASSING = ("seconds", "comment")
"""What is told with each submit anew."""


def sights_at(plan: CampaignPlan, stage: int) -> frozenset[Sight]:
    """What is in sight while the question of that number is asked, counted from 0."""
    return frozenset(sight for question in plan.questions[: stage + 1] for sight in question.show)


def stage_of_everything(plan: CampaignPlan) -> int:
    """The first stage at which all that the plan shows is in sight."""
    last = len(plan.questions) - 1
    return next(stage for stage in range(last + 1) if sights_at(plan, stage) == sights_at(plan, last))


def settling(plan: CampaignPlan, task: RatingTask, stage: int, answers: Sequence[Answer]) -> tuple[Settled, ...]:
    """What is settled when a stage is reached, if all questions before it are answered."""
    if not 1 <= stage < len(plan.questions):
        raise InputError(f"there is no stage {stage}: the questions are {len(plan.questions)}")
    before = checked(plan, task, answers, plan.questions[:stage])
    return tuple({kind: said for kind, said in answer.stored().items() if kind not in _PASSING} for answer in before)


def refuse_unsettled(
    plan: CampaignPlan, stage: int, settled: Sequence[Settled] | None, answers: Sequence[Answer]
) -> None:
    """Refuse answers about what was not in sight yet, and other answers than those that are settled.

    A translation that is broken needs no text beside it.
    """
    whole = any(answer.broken is None for answer in answers)
    if whole and stage < stage_of_everything(plan):
        criterion = plan.questions[stage_of_everything(plan)].criterion
        raise RefusedAnswerError([Lack(0, criterion, f"{criterion} is asked when the text to compare with is shown")])
    if lacks := [lack for part, own in enumerate(settled or ()) for lack in _changed(part, own, answers[part])]:
        raise RefusedAnswerError(lacks)


def _changed(part: int, settled: Settled, answer: Answer) -> Iterator[Lack]:
    stays = "it was answered before the text to compare with was shown, so it stays as it was"
    now = answer.stored()
    for kind, said in settled.items():
        if kind == "broken" and kind not in now:
            yield Lack(part, None, f"what is broken: {stays}")
        elif kind != "broken":
            changed = (criterion for criterion, value in said.items() if now.get(kind, {}).get(criterion) != value)
            yield from (Lack(part, criterion, f"{criterion}: {stays}") for criterion in changed)
