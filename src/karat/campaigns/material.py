"""The texts of a campaign: a frozen copy in one file, one segment a line, checked against its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from karat.campaigns.declared import is_text
from karat.errors import InputError, ProblemsError, did_you_mean
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan
    from karat.corpus import Corpus


LONGEST_NAME = 500
"""How long the names of systems and documents may be."""


@dataclass(frozen=True, kw_only=True)
class Segment:
    """One segment: its name, where it comes from, its texts and what each system made of it."""

    name: str
    document: str | None = None
    domain: str | None = None
    source: str | None = None
    reference: str | None = None
    outputs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Material:
    """All segments in their order."""

    segments: tuple[Segment, ...]

    @classmethod
    def of(cls, corpus: Corpus, reference: str | None = None) -> Material:
        """The texts of a corpus, with one of its references: the one named, else the first."""
        if reference is not None and reference not in corpus.references:
            known = did_you_mean(reference, corpus.references)
            raise InputError(f"the corpus has no reference {reference!r}.{known}")
        chosen = reference or next(iter(corpus.references), None)
        count = len(corpus)
        sources = [None] * count if corpus.source is None else corpus.source.to_list()
        references = [None] * count if chosen is None else corpus.references[chosen].to_list()
        outputs = {system: column.to_list() for system, column in corpus.systems.items()}
        return cls(
            segments=tuple(
                Segment(
                    name=name,
                    document=None if corpus.documents is None else corpus.documents[row],
                    domain=None if corpus.domains is None else corpus.domains[row],
                    source=sources[row],
                    reference=references[row],
                    outputs={system: texts[row] for system, texts in outputs.items()},
                )
                for row, name in enumerate(corpus.segment_ids)
            )
        )

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that have output for some segment, in order of first appearance."""
        return tuple(dict.fromkeys(system for segment in self.segments for system in segment.outputs))

    @cached_property
    def by_name(self) -> Mapping[str, Segment]:
        """The segments by their names."""
        return {segment.name: segment for segment in self.segments}

    def segment(self, name: str) -> Segment:
        """The segment of that name."""
        return self.by_name[name]

    def documents(self) -> dict[str, list[Segment]]:
        """The segments of each document, in order; a segment without one is a document of its own."""
        grouped: dict[str, list[Segment]] = {}
        for segment in self.segments:
            grouped.setdefault(segment.name if segment.document is None else segment.document, []).append(segment)
        return grouped

    def written(self) -> bytes:
        """The file: a segment a line, as JSON."""
        return b"".join(_line(segment) for segment in self.segments)

    @classmethod
    def read(cls, data: bytes, file: str) -> Material:
        """The segments of a file; errors name the line."""
        segments: dict[str, Segment] = {}
        problems: list[str] = []
        for number, line in enumerate(data.splitlines(), 1):
            place = f"{file}, line {number}"
            try:
                segment = _segment(line, place)
            except InputError as error:
                problems.append(str(error))
                continue
            if segment.name in segments:
                problems.append(f"{place}: the segment {segment.name!r} is there twice: each needs a name of its own")
            segments[segment.name] = segment
        if not segments and not problems:
            problems.append(f"{file} is empty: a campaign needs texts")
        if problems:
            raise ProblemsError(problems)
        return cls(segments=tuple(segments.values()))

    def refuse_unfit(self, plan: CampaignPlan) -> None:
        """Refuse texts that the plan cannot be carried out with."""
        if problems := list(_lacks(self, plan)):
            raise ProblemsError(problems)


def sha256(data: bytes) -> str:
    """What tells whether the texts are still those that the campaign began with."""
    return hashlib.sha256(data).hexdigest()


def _line(segment: Segment) -> bytes:
    known = {
        "name": segment.name,
        "document": segment.document,
        "domain": segment.domain,
        "source": segment.source,
        "reference": segment.reference,
        "outputs": dict(segment.outputs),
    }
    return json.dumps({key: value for key, value in known.items() if value is not None}).encode() + b"\n"


def _segment(line: bytes, place: str) -> Segment:
    try:
        record = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place} is not JSON in UTF-8: {error}") from error
    optional = ("document", "domain", "source", "reference")
    if not isinstance(record, dict) or not isinstance(record.get("outputs"), dict):
        raise InputError(f'{place}: a segment has a "name" and "outputs" by system')
    wrong = [key for key in ("name", *optional) if not isinstance(record.get(key, ""), str)]
    wrong += [f"outputs.{system}" for system, text in record["outputs"].items() if not isinstance(text, str)]
    if wrong or "name" not in record:
        raise InputError(f"{place}: {', '.join(wrong) or 'name'} must be text")
    texts = (*record["outputs"], *record["outputs"].values(), *(record.get(key) or "" for key in ("name", *optional)))
    if not all(map(is_text, texts)):
        raise InputError(f"{place} has a sign that is no text: half a character, or the sign of number 0")
    return Segment(name=record["name"], outputs=record["outputs"], **{key: record.get(key) for key in optional})


def _lacks(material: Material, plan: CampaignPlan) -> Iterator[str]:
    for system in plan.systems:
        if system not in material.systems:
            yield f"{plan.texts} has no system {system!r}.{did_you_mean(system, material.systems)}"
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
    if plan.unit == "document" and all(segment.document is None for segment in material.segments):
        yield f"{plan.texts} names no documents: take unit = 'segment'"
    yield from _lacks_of_gold(material, plan)
    judged = [system for system in plan.systems if system in material.systems] or material.systems
    if plan.segments is not None and plan.segments > len(material):
        yield f"segments is {plan.segments:,}, and {plan.texts} has {len(material):,}"
    if plan.assignment.same_source == "never" and len(judged) * plan.assignment.judgements > plan.assignment.raters:
        yield (
            f"same_source = 'never' needs a rater for each judgement of a source: {len(judged)} systems x "
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


def _lacks_of_outputs(material: Material, plan: CampaignPlan, judged: Sequence[str]) -> Iterator[str]:
    for line, segment in enumerate(material.segments, 1):
        absent = ", ".join(system for system in judged if system not in segment.outputs)
        if absent:
            yield f"{plan.texts}, line {line}: segment {segment.name!r} has no output of {absent}"


def _lacks_of_gold(material: Material, plan: CampaignPlan) -> Iterator[str]:
    segments = {segment.name: segment for segment in material.segments}
    for gold in plan.gold:
        if gold.segment not in segments:
            yield f"gold: {plan.texts} has no segment {gold.segment!r}.{did_you_mean(gold.segment, segments)}"
        elif gold.system not in segments[gold.segment].outputs:
            known = did_you_mean(gold.system, material.systems)
            yield f"gold: segment {gold.segment!r} has no output of {gold.system!r}.{known}"
