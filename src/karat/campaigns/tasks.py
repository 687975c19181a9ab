"""The work of a campaign: which translations are judged, how often, by whom and in which order.

All of it follows from the plan, the texts and the seed, so that the same file gives the same work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from karat.campaigns.damage import damaged
from karat.campaigns.parts import RatingTask, TaskPart
from karat.campaigns.screens import part_of, screens
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.campaigns.material import Material, Segment
    from karat.campaigns.plan import CampaignPlan, Gold

__all__ = ["RatingTask", "Slot", "TaskPart", "Work", "work"]

Kind = tuple[str, bool]

APART = 10
"""How many tasks a repeat or a damaged translation is away from the task that it goes with, if there are so many."""


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One judgement wanted of a task: by which rater, counted from 0, and at which place in that rater's order."""

    task: int
    number: int
    rater: int
    place: int


@dataclass(frozen=True, kw_only=True)
class Work:
    """All tasks, and the slots in which they are to be done."""

    tasks: tuple[RatingTask, ...]
    slots: tuple[Slot, ...]

    def of_rater(self, rater: int) -> list[RatingTask]:
        """The tasks of a rater in order."""
        own = sorted((slot for slot in self.slots if slot.rater == rater), key=lambda slot: slot.place)
        return [self.tasks[slot.task] for slot in own]


def work(plan: CampaignPlan, material: Material) -> Work:
    """The work that the plan asks for, drawn by its seed."""
    material.refuse_unfit(plan)
    random = Random(plan.seed)
    ordinary = list(screens(plan, material, _groups(plan, material, random), random))
    shares = _shared_out(plan, ordinary, random)
    texts = [task.parts[0].shown for task in ordinary]
    tasks, slots = list(ordinary), []
    for rater, share in enumerate(shares):
        random.shuffle(share)
        controls = list(_controls(plan, share, texts, len(tasks), random))
        controls += _known(plan, material, plan.gold, "gold", len(tasks) + len(controls), random)
        tutorial = list(_known(plan, material, plan.tutorial, "tutorial", len(tasks) + len(controls), random))
        tasks += [*controls, *tutorial]
        ordered = [*tutorial, *_in_order(share, controls, random)]
        slots += [(task.number, rater, place) for place, task in enumerate(ordered)]
    return Work(tasks=tuple(tasks), slots=tuple(_numbered(slots)))


def _groups(plan: CampaignPlan, material: Material, random: Random) -> list[list[Segment]]:
    """What is on a screen each; where systems are judged as a whole, no text is."""
    return [[]] if plan.unit == "system" else _chosen(plan, material, random)


def _chosen(plan: CampaignPlan, material: Material, random: Random) -> list[list[Segment]]:
    """The segments that make a task each: a sample of at least so many segments, in the order of the texts."""
    documents = material.documents()
    groups = list(documents.values()) if plan.unit == "document" else [[segment] for segment in material.segments]
    if plan.segments is None:
        return groups
    order = list(range(len(groups)))
    random.shuffle(order)
    chosen: list[int] = []
    while sum(len(groups[index]) for index in chosen) < plan.segments:
        chosen.append(order[len(chosen)])
    return [groups[index] for index in sorted(chosen)]


def _shared_out(plan: CampaignPlan, tasks: Sequence[RatingTask], random: Random) -> list[list[RatingTask]]:
    """The tasks of each rater: as much for one as for another, and of each system as many, up to one task.

    System by system, a task goes to those who have least to do, of them to those who have fewest of its system. Where
    one source is to be seen in one system only, those who have had it are left out.
    """
    loads = [0] * plan.assignment.raters
    shares: list[list[RatingTask]] = [[] for _ in loads]
    of_system: Counter[tuple[int, Kind]] = Counter()
    seen: list[set[str]] = [set() for _ in loads]
    for task in _system_by_system(tasks, random):
        source = task.parts[0].segment
        kind = _kind(task)
        free = [
            rater for rater in range(len(loads)) if plan.assignment.same_source == "any" or source not in seen[rater]
        ]
        random.shuffle(free)
        free.sort(key=lambda rater: (loads[rater], of_system[rater, kind]))
        for rater in free[: plan.assignment.judgements]:
            shares[rater].append(task)
            loads[rater] += len(task.parts)
            of_system[rater, kind] += 1
            seen[rater].add(source)
    return shares


def _system_by_system(tasks: Sequence[RatingTask], random: Random) -> list[RatingTask]:
    order = list(tasks)
    random.shuffle(order)
    kinds = list(dict.fromkeys(map(_kind, order)))
    return sorted(order, key=lambda task: kinds.index(_kind(task)))


def _kind(task: RatingTask) -> Kind:
    """What each rater has as much of as of any other: a system, and of it what is made from scratch or not."""
    return task.system, task.parts[0].scratch


def _controls(
    plan: CampaignPlan, share: Sequence[RatingTask], texts: Sequence[str], first: int, random: Random
) -> Iterator[RatingTask]:
    """The repeats and the damaged translations of a rater, each of another task of that rater."""
    repeats = round(len(share) * plan.controls.repeats)
    damages = min(round(len(share) * plan.controls.degraded), len(share) - repeats)
    for number, task in enumerate(random.sample(list(share), repeats + damages)):
        control, kind = ("repeat", "repeats") if number < repeats else ("bad-reference", "degraded")
        parts = task.parts if control == "repeat" else tuple(_damaged(task.parts, texts, random))
        yield RatingTask(
            number=first + number,
            system=task.system,
            parts=parts,
            document=task.document,
            control=control,
            origin=task.number,
            loud=kind in plan.controls.loud,
        )


def _known(
    plan: CampaignPlan, material: Material, items: Iterable[Gold], control: str, first: int, random: Random
) -> Iterator[RatingTask]:
    """The items whose answers are known, each on a screen like others: where documents are judged, in its document.

    Of those of a tutorial raters are told at once.
    """
    groups = {segment.name: group for group in material.documents().values() for segment in group}
    for number, gold in enumerate(items, first):
        group = groups[gold.segment] if plan.unit == "document" else [material.segment(gold.segment)]
        columns = random.sample(gold.systems, len(gold.systems)) if gold.ranks else gold.systems
        parts = (
            part_of(plan, segment, system, (system,) if gold.ranks else ())
            for segment in group
            if all(system in segment.outputs for system in columns)
            for system in columns
        )
        yield RatingTask(
            number=number,
            system=gold.system or "",
            parts=tuple(_golden(plan, part, gold) if part.segment == gold.segment else part for part in parts),
            document=group[0].document,
            control=control,
            loud=control == "tutorial" or "gold" in plan.controls.loud,
            explanation=gold.explanation,
        )


def _golden(plan: CampaignPlan, part: TaskPart, gold: Gold) -> TaskPart:
    """A part with its right answers, and perhaps another translation."""
    if gold.ranks:
        ranked = (question.criterion for question in plan.questions if plan.widget(question) == "ranking")
        return replace(part, gold=dict.fromkeys(ranked, gold.ranks[part.systems[0]]))
    shown = part.shown if gold.translation is None else gold.translation
    spans = dict(gold.spans) or None
    offered = part.offered if gold.translation is None else ()
    return replace(part, shown=shown, offered=offered, gold=dict(gold.values), gold_spans=spans)


def _damaged(parts: Iterable[TaskPart], texts: Sequence[str], random: Random) -> Iterator[TaskPart]:
    for part in parts:
        yield replace(part, shown=damaged(part.shown, texts, random), offered=())


def _in_order(share: Sequence[RatingTask], controls: Iterable[RatingTask], random: Random) -> list[RatingTask]:
    """The controls among the rest, each at random, but some way from the task that it goes with.

    A loud one comes after that task, since it is told at once whether the two answers go together.
    """
    ordered = list(share)
    for control in controls:
        places = list(range(len(ordered) + 1))
        if control.origin is not None:
            home = next(place for place, task in enumerate(ordered) if task.number == control.origin)
            apart = min(APART, len(ordered) // 2)
            before = -1 if control.loud else home - apart
            places = [place for place in places if place > home + apart or place < before]
        ordered.insert(random.choice(places or [len(ordered)]), control)
    return ordered


def _numbered(slots: Iterable[tuple[int, int, int]]) -> Iterator[Slot]:
    """The slots of a task, numbered."""
    count: Counter[int] = Counter()
    for task, rater, place in slots:
        yield Slot(task=task, number=count[task], rater=rater, place=place)
        count[task] += 1
