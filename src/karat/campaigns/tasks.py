"""The work of a campaign: which translations are judged, how often, by whom and in which order.

All of it follows from the plan, the texts and the seed, so that the same file gives the same work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from karat.campaigns.damage import damaged
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.campaigns.material import Material, Segment
    from karat.campaigns.plan import CampaignPlan

APART = 10
"""How many tasks a repeat or a damaged translation is away from the task that it goes with, if there are so many."""


@dataclass(frozen=True, kw_only=True)
class TaskPart:
    """One translation that gets its own answers; `shown` is what raters read, which controls may have changed.

    `gold` are the right answers by criterion, where they are known.
    """

    segment: str
    shown: str
    gold: Mapping[str, float] | None = None


@dataclass(frozen=True, kw_only=True)
class RatingTask:
    """What a rater has on one screen: one segment, or a document, of one system.

    `control` is that of ratings, and `origin` the task that a repeat or a damaged translation goes with. Where it is
    `loud`, raters are told at once whether they answered well, and if not, the `explanation`.
    """

    number: int
    system: str
    parts: tuple[TaskPart, ...]
    document: str | None = None
    control: str | None = None
    origin: int | None = None
    loud: bool = False
    explanation: str | None = None


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
    ordinary = list(_ordinary(plan, material, random))
    shares = _shared_out(plan, ordinary, random)
    texts = [task.parts[0].shown for task in ordinary]
    tasks, slots = list(ordinary), []
    for rater, share in enumerate(shares):
        random.shuffle(share)
        controls = list(_controls(plan, share, texts, len(tasks), random))
        controls += _gold(plan, material, len(tasks) + len(controls))
        tasks += controls
        ordered = _in_order(share, controls, random)
        slots += [(task.number, rater, place) for place, task in enumerate(ordered)]
    return Work(tasks=tuple(tasks), slots=tuple(_numbered(slots)))


def _ordinary(plan: CampaignPlan, material: Material, random: Random) -> Iterator[RatingTask]:
    """A task for each chosen segment or document and each system."""
    groups = _chosen(plan, material, random)
    systems = plan.systems or material.systems
    number = 0
    for group in groups:
        for system in systems:
            had = [segment for segment in group if system in segment.outputs]
            if had:
                parts = tuple(TaskPart(segment=segment.name, shown=segment.outputs[system]) for segment in had)
                yield RatingTask(number=number, system=system, parts=parts, document=group[0].document)
                number += 1


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
    of_system: Counter[tuple[int, str]] = Counter()
    seen: list[set[str]] = [set() for _ in loads]
    for task in _system_by_system(tasks, random):
        source = task.parts[0].segment
        free = [
            rater for rater in range(len(loads)) if plan.assignment.same_source == "any" or source not in seen[rater]
        ]
        random.shuffle(free)
        free.sort(key=lambda rater: (loads[rater], of_system[rater, task.system]))
        for rater in free[: plan.assignment.judgements]:
            shares[rater].append(task)
            loads[rater] += len(task.parts)
            of_system[rater, task.system] += 1
            seen[rater].add(source)
    return shares


def _system_by_system(tasks: Sequence[RatingTask], random: Random) -> list[RatingTask]:
    order = list(tasks)
    random.shuffle(order)
    systems = list(dict.fromkeys(task.system for task in order))
    return sorted(order, key=lambda task: systems.index(task.system))


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


def _gold(plan: CampaignPlan, material: Material, first: int) -> Iterator[RatingTask]:
    """The items whose answers are known, each on a screen like others: where documents are judged, in its document."""
    groups = {segment.name: group for group in material.documents().values() for segment in group}
    for number, gold in enumerate(plan.gold, first):
        group = groups[gold.segment] if plan.unit == "document" else [material.segment(gold.segment)]
        group = [segment for segment in group if gold.system in segment.outputs]
        parts = (
            TaskPart(segment=segment.name, shown=segment.outputs[gold.system])
            if segment.name != gold.segment
            else TaskPart(
                segment=segment.name,
                shown=segment.outputs[gold.system] if gold.translation is None else gold.translation,
                gold=dict(gold.values),
            )
            for segment in group
        )
        yield RatingTask(
            number=number,
            system=gold.system,
            parts=tuple(parts),
            document=group[0].document,
            control="gold",
            loud="gold" in plan.controls.loud,
            explanation=gold.explanation,
        )


def _damaged(parts: Iterable[TaskPart], texts: Sequence[str], random: Random) -> Iterator[TaskPart]:
    for part in parts:
        yield TaskPart(segment=part.segment, shown=damaged(part.shown, texts, random))


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
