"""Whether a plan can be carried out with the texts that are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.campaigns.parts import TaskPart
from karat.campaigns.widgets.spans import faults_of_mark, rules_of
from karat.errors import did_you_mean

if TYPE_CHECKING:
    from karat.campaigns.material import Material
    from karat.campaigns.plan import CampaignPlan

LONGEST_NAME = 500
"""How long the names of systems and documents may be."""


def lacks_of_texts(material: Material, plan: CampaignPlan) -> Iterator[str]:
    """What a plan wants and the texts lack."""
    for system in plan.systems:
        if system not in material.systems:
            yield f"{plan.texts} has no system {system!r}.{did_you_mean(system, material.systems)}"
    yield from _lacks_of_sights(material, plan)
    if plan.unit == "document" and all(segment.document is None for segment in material.segments):
        yield f"{plan.texts} names no documents: take unit = 'segment'"
    yield from _lacks_of_gold(material, plan)
    yield from _lacks_of_items(material, plan)
    judged = [system for system in plan.systems if system in material.systems] or material.systems
    if plan.segments is not None and plan.segments > len(material):
        yield f"segments is {plan.segments:,}, and {plan.texts} has {len(material):,}"
    yield from _lacks_of_systems(plan, judged)
    yield from _faults_of_offered(material, plan, judged)
    screens = 1 if plan.together > 1 else len(judged)
    if plan.assignment.same_source == "never" and screens * plan.assignment.judgements > plan.assignment.raters:
        yield (
            f"same_source = 'never' needs a rater for each judgement of a source: {screens} systems x "
            f"{plan.assignment.judgements} judgements, and there are {plan.assignment.raters} raters"
        )
    for system in judged:
        if len(system) > LONGEST_NAME:
            yield f"{plan.texts}: the name of system {system[:40]!r}... is longer than {LONGEST_NAME} characters"
    for name in material.documents():
        if len(name) > LONGEST_NAME:
            yield f"{plan.texts}: the name of document {name[:40]!r}... is longer than {LONGEST_NAME} characters"
    if plan.outputs == "all":
        yield from _lacks_of_outputs(material, plan, judged)


def _lacks_of_sights(material: Material, plan: CampaignPlan) -> Iterator[str]:
    """Texts that a question shows and a segment has not."""
    for sight in dict.fromkeys(sight for question in plan.questions for sight in question.show):
        without = [
            (line, segment.name) for line, segment in enumerate(material.segments, 1) if getattr(segment, sight) is None
        ]
        if without:
            line, name = without[0]
            yield (
                f"{plan.texts}, line {line}: segment {name!r} has no {sight}, which a question shows"
                f"{f' ({len(without):,} have none)' if len(without) > 1 else ''}"
            )


def _lacks_of_outputs(material: Material, plan: CampaignPlan, judged: Sequence[str]) -> Iterator[str]:
    for line, segment in enumerate(material.segments, 1):
        absent = ", ".join(system for system in judged if system not in segment.outputs)
        if absent:
            yield f"{plan.texts}, line {line}: segment {segment.name!r} has no output of {absent}"


def _lacks_of_gold(material: Material, plan: CampaignPlan) -> Iterator[str]:
    segments = {segment.name: segment for segment in material.segments}
    for kind, each in (("gold", plan.gold), ("tutorial", plan.tutorial)):
        for gold in each:
            if gold.segment not in segments:
                yield f"{kind}: {plan.texts} has no segment {gold.segment!r}.{did_you_mean(gold.segment, segments)}"
                continue
            for system in gold.systems:
                if system not in segments[gold.segment].outputs:
                    known = did_you_mean(system, material.systems)
                    yield f"{kind}: segment {gold.segment!r} has no output of {system!r}.{known}"


def _lacks_of_items(material: Material, plan: CampaignPlan) -> Iterator[str]:
    """Passages of which something is to be asked that nobody has written, and items of passages that are not there."""
    segments, documents = {segment.name for segment in material.segments}, material.documents()
    for item in plan.items:
        if item.segment is not None and item.segment not in segments:
            known = did_you_mean(item.segment, segments)
            yield f"item {item.name!r}: {plan.texts} has no segment {item.segment!r}.{known}"
        if item.document is not None and item.document not in documents:
            known = did_you_mean(item.document, documents)
            yield f"item {item.name!r}: {plan.texts} has no document {item.document!r}.{known}"
        if item.document is not None and plan.unit != "document":
            yield f"item {item.name!r} is about a document: say unit = 'document'"
    if plan.how.items == "elements" and not plan.items:
        yield "no element is to be found: add [[items]] with a segment and what is right"
    if plan.how.items in (None, "elements"):
        return
    asked = {item.document for item in plan.items} | {item.segment for item in plan.items}
    for name, group in documents.items():
        passages = [name] if plan.unit == "document" else [segment.name for segment in group]
        for passage in passages:
            if passage not in asked and not (plan.unit == "document" and asked & {each.name for each in group}):
                yield f"{plan.unit} {passage!r} has no {plan.how.items}: add [[items]] with {plan.unit} = {passage!r}"


def _lacks_of_systems(plan: CampaignPlan, judged: Sequence[str]) -> Iterator[str]:
    if plan.together > len(judged):
        yield f"together is {plan.together}, and {plan.texts} has {len(judged)} systems to judge"
    for system in plan.names:
        if system not in judged:
            yield f"names: nobody judges {system!r}.{did_you_mean(system, judged)}"
    if plan.how.whole:
        for system in judged:
            if not plan.names.get(system, "").strip():
                yield f"names: say what raters know {system} by, such as {system} = 'the first program'"


def _faults_of_offered(material: Material, plan: CampaignPlan, judged: Sequence[str]) -> Iterator[str]:
    """Spans to be offered that nobody could mark."""
    rules = [rules_of(question) for question in plan.questions if plan.widget(question) == "spans"]
    offered = any(segment.spans.get(system) for segment in material.segments for system in judged)
    if offered and plan.controls.degraded:
        yield "controls.degraded: damaged translations could be told by the spans that they lack; take repeats"
    if offered and any(gold.translation is not None for gold in plan.gold):
        yield "gold: a translation of its own could be told by the spans that it lacks; take the system's output"
    for line, segment in enumerate(material.segments, 1):
        for system in judged:
            marks = segment.spans.get(system, ())
            if marks and len(rules) != 1:
                yield f"{plan.texts}, line {line}: spans are offered, and one question must ask for spans"
                return
            shown = TaskPart(segment=segment.name, shown=segment.outputs.get(system, ""), source=segment.source)
            for number, mark in enumerate(marks, 1):
                for fault in faults_of_mark(rules[0], shown, mark):
                    yield f"{plan.texts}, line {line}: span {number} of {system} {fault}"
