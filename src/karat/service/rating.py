"""What a rater's page does with a campaign: each call is one transaction, and what returns is on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.campaigns import CampaignPlan, Material, Question, TaskPart
from karat.campaigns.answers import LONGEST_REMARK, Answer, RefusedAnswerError, checked
from karat.campaigns.stages import refuse_unsettled, settling, sights_at
from karat.campaigns.store import ConflictError, Feedback, GoneError, Offer, OwnProgress, Stored, StoreError

if TYPE_CHECKING:
    from karat.service.campaigns import Running

__all__ = [
    "LONGEST_REMARK",
    "Answer",
    "CampaignPlan",
    "ConflictError",
    "Feedback",
    "GoneError",
    "Material",
    "Offer",
    "Question",
    "RefusedAnswerError",
    "StoreError",
    "TaskPart",
    "enter",
    "entered",
    "history",
    "next_task",
    "progress",
    "set_bilingual",
    "settle",
    "sights_at",
    "submit",
    "task",
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
    """The task that is open or comes next; None where nothing is left to do."""
    return campaign.store.next_task(rater, campaign.plan.assignment, campaign.clock())


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
