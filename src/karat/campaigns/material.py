"""The texts of a campaign: a frozen copy in one file, one segment a line, checked against its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from karat.campaigns.declared import built, is_text, stored
from karat.campaigns.fitting import lacks_of_texts
from karat.campaigns.said import Mark
from karat.errors import InputError, ProblemsError, did_you_mean
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.campaigns.parts import RatingTask
    from karat.campaigns.plan import CampaignPlan, Context
    from karat.corpus import Corpus

NO_TEXT = "has a sign that is no text: half a character, or the sign of number 0"


@dataclass(frozen=True, kw_only=True)
class Segment:
    """One segment: its name, where it comes from, its texts and what each system made of it.

    `spans` are errors of an output that raters are offered, to keep, change or remove them.
    """

    name: str
    document: str | None = None
    domain: str | None = None
    source: str | None = None
    reference: str | None = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    spans: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)

    @property
    def is_text(self) -> bool:
        """Whether files and databases can keep all of it."""
        about = (self.name, self.document, self.domain, self.source, self.reference)
        return all(is_text(text or "") for text in (*about, *self.outputs, *self.outputs.values()))


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

    def around(self, task: RatingTask, context: Context) -> tuple[list[Segment], list[Segment]]:
        """What comes before and after a task in its document, as far as raters are shown it."""
        if context == "none":
            return [], []
        group = next(each for each in self.documents().values() if any(_judged(segment, task) for segment in each))
        places = [place for place, segment in enumerate(group) if _judged(segment, task)]
        before, after = group[: places[0]], group[places[-1] + 1 :]
        return (before[-1:], after[:1]) if context == "neighbours" else (before, after)

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

    def refuse_no_text(self) -> None:
        """Refuse texts that could be written into a file and not be read again."""
        if problems := [f"segment {segment.name!r} {NO_TEXT}" for segment in self.segments if not segment.is_text]:
            raise ProblemsError(problems)

    def refuse_unfit(self, plan: CampaignPlan) -> None:
        """Refuse texts that the plan cannot be carried out with."""
        if problems := list(lacks_of_texts(self, plan)):
            raise ProblemsError(problems)


def _judged(segment: Segment, task: RatingTask) -> bool:
    return any(part.segment == segment.name for part in task.parts)


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
        "spans": stored(segment.spans) or None,
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
    try:
        spans = built(_Offered, {"spans": record.get("spans", {})}, "").spans
    except InputError as error:
        raise InputError(f"{place}: {error}") from error
    texts_of = {key: record.get(key) for key in optional}
    segment = Segment(name=record["name"], outputs=record["outputs"], spans=spans, **texts_of)
    if not segment.is_text:
        raise InputError(f"{place} {NO_TEXT}")
    return segment


@dataclass(frozen=True, kw_only=True)
class _Offered:
    """The part of a segment that says which spans are offered."""

    spans: Mapping[str, tuple[Mark, ...]]
