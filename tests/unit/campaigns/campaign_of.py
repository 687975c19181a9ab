"""Small campaigns to test with."""

from __future__ import annotations

from typing import Any

from karat.campaigns import Assignment, CampaignPlan, Controls, Material, Question, Segment, work
from karat.campaigns.answers import Answer
from karat.campaigns.collected import ON_SCALE, collected
from karat.campaigns.store import Store

NOW = 1_700_000_000.0


def plan_of(**changed: Any) -> CampaignPlan:
    """Adequacy and fluency, fluency first and by itself."""
    assignment = Assignment(**changed.pop("assignment", {}))
    controls = Controls(**changed.pop("controls", {}))
    questions = (Question(criterion="fluency"), Question(criterion="adequacy", show=("reference",)))
    settings = {"name": "try", "protocol": "adequacy-fluency", "questions": questions} | changed
    return CampaignPlan(assignment=assignment, controls=controls, **settings)


def material_of(segments: int = 6, systems: int = 3, documents: int = 2) -> Material:
    """Texts that differ in every word."""
    return Material(
        segments=tuple(
            Segment(
                name=f"s{row}",
                document=f"d{row * documents // segments}",
                source=" ".join(f"q{row}w{word}" for word in range(8)),
                reference=" ".join(f"r{row}w{word}" for word in range(8)),
                outputs={f"sys{n}": " ".join(f"o{n}s{row}w{word}" for word in range(8)) for n in range(systems)},
            )
            for row in range(segments)
        )
    )


def begun(store: Store, plan: CampaignPlan | None = None, material: Material | None = None) -> CampaignPlan:
    """A campaign begun in the store."""
    plan, material = plan or plan_of(), material or material_of()
    store.begin("plan", material.written(), work(plan, material), plan.assignment.raters, NOW)
    return plan


def answer(fluency: float = 3, adequacy: float = 4) -> Answer:
    return Answer(values={"fluency": fluency, "adequacy": adequacy}, seconds=5.0)


def only_scales(protocol: str) -> bool:
    """Whether raters choose points on scales, and do nothing else."""
    how = collected(protocol)
    return how.widgets - {"choice"} == ON_SCALE and how.items is None and not how.whole and protocol != "task"
