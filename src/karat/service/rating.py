"""What a rater's page does with a campaign: each call is one transaction, and what returns is on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.campaigns import (
    AnsweredSpan,
    CampaignPlan,
    Edit,
    Log,
    Mark,
    Material,
    Question,
    RatingTask,
    Segment,
    TaskPart,
    Written,
)
from karat.campaigns.answers import LONGEST_REMARK, Answer, RefusedAnswerError, checked
from karat.campaigns.questions import Asked
from karat.campaigns.said import hash_of
from karat.campaigns.stages import refuse_unsettled, settling, sights_at
from karat.campaigns.store import ConflictError, Feedback, GoneError, Offer, OwnProgress, Stored, StoreError, Tutorial
from karat.campaigns.widgets.ranking import highest as highest_rank
from karat.campaigns.widgets.ranking import rules_of as ranking_rules
from karat.campaigns.widgets.spans import rules_of as span_rules
from karat.campaigns.widgets.text import rules_of as text_rules

if TYPE_CHECKING:
    from karat.service.campaigns import Running

__all__ = [
    "LONGEST_REMARK",
    "Answer",
    "AnsweredSpan",
    "Asked",
    "CampaignPlan",
    "ConflictError",
    "Edit",
    "Feedback",
    "GoneError",
    "Log",
    "Mark",
    "Material",
    "Offer",
    "Question",
    "RatingTask",
    "RefusedAnswerError",
    "Segment",
    "StoreError",
    "TaskPart",
    "Tutorial",
    "Written",
    "enter",
    "entered",
    "hash_of",
    "highest_rank",
    "history",
    "hters",
    "next_task",
    "progress",
    "ranking_rules",
    "set_bilingual",
    "settle",
    "sights_at",
    "span_rules",
    "submit",
    "task",
    "text_rules",
    "tutorial",
    "withdraw",
]


def enter(campaign: Running, secret: str) -> tuple[str, str]:
    """A cookie, and what its holder says with each change, for the secret of a link."""
    return campaign.store.enter(secret, campaign.clock())


def entered(campaign: Running, cookie: str) -> tuple[int, str] | None:
    """The rater of a cookie and what goes with each change; None where it opens nothing."""
    return campaign.store.entered(cookie)


def progress(campaign: Running, rater: int) -> OwnProgress:
    """How far the rater is, and what is known of the rater's languages."""
    return campaign.store.rater(rater)


def history(campaign: Running, rater: int) -> tuple[str, ...]:
    """What the rater has answered, in order."""
    return campaign.store.history(rater)


def set_bilingual(campaign: Running, rater: int, *, bilingual: bool) -> None:
    """What the rater says of the own languages."""
    campaign.store.set_bilingual(rater, bilingual)


def withdraw(campaign: Running, rater: int) -> int:
    """Erase the judgements of a rater and who it was; how many there were."""
    return campaign.store.withdraw(rater, campaign.clock())


def next_task(campaign: Running, rater: int) -> Offer | None:
    """The task that is open or comes next; None where nothing is left, or too little of the tutorial was right."""
    known = tutorial(campaign, rater)
    if known is not None and known.failed:
        return None
    return campaign.store.next_task(rater, campaign.plan.assignment, campaign.clock())


def tutorial(campaign: Running, rater: int) -> Tutorial | None:
    """How far the rater is with the tutorial; None where there is none."""
    if not campaign.plan.tutorial:
        return None
    return campaign.store.tutorial(rater, campaign.plan.pass_mark)


def task(campaign: Running, rater: int, public: str) -> Offer:
    """A task that the rater has had, with the answers stored so far."""
    return campaign.store.task(rater, public)


def settle(campaign: Running, rater: int, public: str, stage: int, answers: Sequence[Answer]) -> Offer:
    """The task with the texts of a stage, for the answers to all questions before it, which stay as they are."""
    offer = campaign.store.task(rater, public)
    settled = settling(campaign.plan, offer.task, stage, answers)
    return campaign.store.settle(rater, public, stage, settled, campaign.clock())


def submit(
    campaign: Running, rater: int, public: str, uuid: str, base_version: int, answers: Sequence[Answer]
) -> Stored:
    """Store answers that are complete and on their scales; refuse others with all that they lack."""
    offer = campaign.store.task(rater, public)
    complete = checked(campaign.plan, offer.task, answers)
    refuse_unsettled(campaign.plan, offer.stage, offer.settled, complete)
    return campaign.store.submit(rater, public, uuid, base_version, complete, campaign.clock(), campaign.plan)


def hters(campaign: Running, rater: int, public: str, answers: Sequence[Answer]) -> tuple[float | None, ...] | None:
    """The HTER of each part, where the campaign asks for post-edits; None of what was not edited."""
    plan = campaign.plan
    if plan.protocol != "post-edit":
        return None
    from karat.human.effort import hter

    (name,) = (question.criterion for question in plan.questions)
    parts = campaign.store.task(rater, public).task.parts
    edited = [answer.texts[name].text if name in answer.texts else None for answer in answers]
    measured = hter([part.shown for part in parts], [text or "" for text in edited])
    return tuple(None if text is None else float(value) for text, value in zip(edited, measured, strict=True))
