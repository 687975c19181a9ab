"""Which translations stand together on a screen, and in which order: drawn once, and stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

from karat.campaigns.parts import RatingTask, TaskPart

if TYPE_CHECKING:
    from karat.campaigns.material import Material, Segment
    from karat.campaigns.plan import CampaignPlan


def screens(
    plan: CampaignPlan, material: Material, groups: Sequence[Sequence[Segment]], random: Random
) -> Iterator[RatingTask]:
    """A task for each segment or document and each system, or for each with several systems beside each other."""
    systems = plan.systems or material.systems
    made = _compared(plan, groups, systems, random) if plan.together > 1 else _alone(plan, groups, systems, random)
    for number, (group, system, parts) in enumerate(made):
        yield RatingTask(number=number, system=system, parts=parts, document=group[0].document if group else None)


Screen = tuple["Sequence[Segment]", str, tuple[TaskPart, ...]]


def _alone(
    plan: CampaignPlan, groups: Sequence[Sequence[Segment]], systems: Sequence[str], random: Random
) -> Iterator[Screen]:
    """One system on a screen."""
    scratch = _from_scratch(plan, len(groups), len(systems), random)
    for row, group in enumerate(groups):
        for column, system in enumerate(systems):
            if plan.unit == "system":
                yield group, system, (TaskPart(segment="", shown=""),)
            else:
                anew = (row, column) in scratch
                had = [segment for segment in group if system in segment.outputs]
                parts = tuple(part_of(plan, segment, system, scratch=anew) for segment in had)
                if parts:
                    yield group, system, parts


def _from_scratch(plan: CampaignPlan, rows: int, columns: int, random: Random) -> set[tuple[int, int]]:
    """What is translated without a system's output where that is compared with post-editing: half of each system's."""
    if plan.protocol != "productivity":
        return set()
    return {(row, column) for column in range(columns) for row in random.sample(range(rows), rows // 2)}


def part_of(
    plan: CampaignPlan, segment: Segment, system: str, systems: tuple[str, ...] = (), *, scratch: bool = False
) -> TaskPart:
    """One translation as it is shown, with its source where that is marked, too."""
    marks = any("source" in question.spans.texts for question in plan.questions if question.spans is not None)
    return TaskPart(
        segment=segment.name,
        shown=segment.outputs[system],
        systems=systems,
        source=segment.source if marks else None,
        offered=segment.spans.get(system, ()),
        scratch=scratch,
    )


def _compared(
    plan: CampaignPlan, groups: Sequence[Sequence[Segment]], systems: Sequence[str], random: Random
) -> Iterator[Screen]:
    """Several systems side by side in random order; where nothing differs, there is nothing to compare."""
    used: Counter[frozenset[str]] = Counter()
    ordered = any(plan.widget(question) == "ranking" for question in plan.questions)
    for group in groups:
        able = [system for system in systems if all(system in segment.outputs for segment in group)]
        chosen = _chosen_together(able, plan.together, used, random)
        columns = _columns(group, chosen)
        if len(columns) > ordered:
            yield group, "", tuple(part_of(plan, segment, each[0], each) for segment in group for each in columns)


def _chosen_together(systems: Sequence[str], count: int, used: Counter[frozenset[str]], random: Random) -> list[str]:
    """So many systems, those first that met each other, and were chosen, the least."""
    order = list(systems)
    random.shuffle(order)
    chosen: list[str] = []
    while len(chosen) < min(count, len(systems)):
        rest = [system for system in order if system not in chosen]
        chosen.append(min(rest, key=lambda system: _met(system, chosen, used)))
    used.update(frozenset({system}) for system in chosen)
    used.update(map(frozenset, combinations(chosen, 2)))
    random.shuffle(chosen)
    return chosen


def _met(system: str, chosen: Sequence[str], used: Counter[frozenset[str]]) -> tuple[int, int]:
    return sum(used[frozenset({system, other})] for other in chosen), used[frozenset({system})]


def _columns(group: Sequence[Segment], systems: Sequence[str]) -> list[tuple[str, ...]]:
    """The systems of each column: those whose output is the same share one."""
    columns: dict[tuple[str, ...], list[str]] = {}
    for system in systems:
        columns.setdefault(tuple(segment.outputs[system] for segment in group), []).append(system)
    return [tuple(each) for each in columns.values()]
