"""What an organiser has to write before a campaign can begin, as items to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from karat.campaigns.collected import FIXED_OPTIONS, Needed
from karat.campaigns.questions import Item

if TYPE_CHECKING:
    from karat.campaigns.material import Material, Segment
    from karat.campaigns.plan import CampaignPlan

QUESTIONS: Mapping[Needed, int] = {"options": 6, "answers": 1, "elements": 1}
"""How many items of each criterion there are at first; others can be added, or taken away."""
OWN_OPTIONS = 4
CUT = re.compile(r"(?<=[,;:.!?，；：。！？、؛،])\s*")
"""Where references are cut into fragments at first."""


def items_to_fill_in(plan: CampaignPlan, material: Material) -> tuple[Item, ...]:
    """The items of every passage: fragments of its reference, and else with nothing in them."""
    needed = plan.how.items
    if needed is None:
        return ()
    passages = material.documents() if plan.unit == "document" else {each.name: [each] for each in material.segments}
    return tuple(item for name, group in passages.items() for item in _items(plan, needed, name, group))


def _items(plan: CampaignPlan, needed: Needed, name: str, group: list[Segment]) -> Iterator[Item]:
    place: dict[str, Any] = {"document": name} if plan.unit == "document" else {"segment": name}
    if needed == "fragments":
        (question,) = plan.questions
        for number, text in enumerate(fragments_of(group), 1):
            yield Item(criterion=question.criterion, name=f"f{number}", text=text, **place)
        return
    for question in plan.questions:
        start = question.criterion if needed == "elements" else "q"
        for number in range(1, QUESTIONS[needed] + 1):
            options = _options(plan) if needed == "options" else ()
            place |= {"criterion": question.criterion, "name": f"{start}{number}"}
            yield Item(text="", options=options, right=("",), **place)


def _options(plan: CampaignPlan) -> tuple[str, ...]:
    fixed = FIXED_OPTIONS if plan.protocol == "informativeness" else ()
    return ("",) * OWN_OPTIONS + fixed


def fragments_of(group: list[Segment]) -> list[str]:
    """The references of a passage, cut where they are punctuated."""
    texts = (segment.reference or segment.source or "" for segment in group)
    return [fragment.strip() for text in texts for fragment in CUT.split(text) if fragment.strip()]


def incomplete(plan: CampaignPlan, items: tuple[Item, ...]) -> bool:
    """Whether something is left for the organiser to write."""
    return any(not item.text or "" in item.right for item in items) or (plan.how.whole and "" in plan.names.values())
