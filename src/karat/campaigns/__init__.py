"""Judgements being collected: what is asked of whom, in which order, and where the answers are kept.

What needs SQLAlchemy is in `karat.campaigns.store`, which others import where they need it.
"""

from karat.campaigns.material import Material, Segment
from karat.campaigns.plan import (
    Assignment,
    CampaignPlan,
    Controls,
    Gold,
    OwnScale,
    Question,
    read_plan,
    written_plan,
)
from karat.campaigns.tasks import RatingTask, Slot, TaskPart, Work, work

__all__ = [
    "Assignment",
    "CampaignPlan",
    "Controls",
    "Gold",
    "Material",
    "OwnScale",
    "Question",
    "RatingTask",
    "Segment",
    "Slot",
    "TaskPart",
    "Work",
    "read_plan",
    "work",
    "written_plan",
]
