"""Judgements being collected: what is asked of whom, in which order, and where the answers are kept.

What needs SQLAlchemy is in `karat.campaigns.store`, which others import where they need it.
"""

from karat.campaigns.material import Material, Segment
from karat.campaigns.plan import Assignment, CampaignPlan, Controls, Gold, read_plan, written_plan
from karat.campaigns.questions import Item, OwnScale, Question, RankingRules, SpanRules, TextRules
from karat.campaigns.said import Answer, AnsweredSpan, Edit, Log, Mark, Written
from karat.campaigns.tasks import RatingTask, Slot, TaskPart, Work, work

__all__ = [
    "Answer",
    "AnsweredSpan",
    "Assignment",
    "CampaignPlan",
    "Controls",
    "Edit",
    "Gold",
    "Item",
    "Log",
    "Mark",
    "Material",
    "OwnScale",
    "Question",
    "RankingRules",
    "RatingTask",
    "Segment",
    "Slot",
    "SpanRules",
    "TaskPart",
    "TextRules",
    "Work",
    "Written",
    "read_plan",
    "work",
    "written_plan",
]
