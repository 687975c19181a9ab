"""karat's own form of a campaign with all that came of it: one JSON object a line, its kind first.

It has the plan, the texts, who was asked what and when, and every version of every judgement. It has no links and no
cookies, so that whoever reads it can enter nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from karat.campaigns.declared import built, is_text
from karat.campaigns.plan import Sight
from karat.campaigns.said import Answer, AnsweredSpan, Written
from karat.campaigns.tasks import TaskPart
from karat.errors import InputError

FORM = 1
"""The version of this form."""

LARGEST_NUMBER = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class CampaignLine:
    """The first line: what was begun, and when."""

    form: int
    plan: str
    texts: str
    begun_at: float


@dataclass(frozen=True, kw_only=True)
class RaterLine:
    """Who judges."""

    number: int
    name: str | None = None
    bilingual: bool | None = None
    seen_at: float | None = None
    withdrawn_at: float | None = None


@dataclass(frozen=True, kw_only=True)
class TaskLine:
    """What is on a screen; `origin` is the number of the task that a control item goes with."""

    number: int
    system: str
    parts: tuple[TaskPart, ...]
    loud: bool
    document: str | None = None
    control: str | None = None
    origin: int | None = None
    explanation: str | None = None


@dataclass(frozen=True, kw_only=True)
class SlotLine:
    """A judgement that is wanted, and who has it."""

    public: str
    task: int
    number: int
    planned_for: int
    place: int
    holder: int | None = None
    lease_until: float | None = None
    done_at: float | None = None


@dataclass(frozen=True, kw_only=True)
class SettledPart:
    """What a rater had said of a translation before a text to compare with was given."""

    values: Mapping[str, float]
    spans: Mapping[str, tuple[AnsweredSpan, ...]] = field(default_factory=dict)
    texts: Mapping[str, Written] = field(default_factory=dict)
    words: Mapping[str, int] = field(default_factory=dict)
    broken: str | None = None

    def answer(self) -> Answer:
        return Answer(**vars(self), seconds=0.0)


@dataclass(frozen=True, kw_only=True)
class OfferLine:
    """What was put in front of whom, in which order, and how much of it the rater was given to see."""

    slot: str
    rater: int
    place: int
    at: float
    stage: int = 0
    settled: tuple[SettledPart, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class JudgementLine:
    """One submit."""

    uuid: str
    slot: str
    rater: int
    version: int
    extra: bool
    answers: tuple[Answer, ...]
    received_at: float
    bilingual: bool | None = None
    shown: Mapping[str, tuple[Sight, ...]] | None = None
    passed: bool | None = None


@dataclass(frozen=True, kw_only=True)
class WithdrawalLine:
    """That a rater withdrew, and how many judgements were erased."""

    rater: int
    judgements: int
    at: float


KINDS: Mapping[str, type[Any]] = {
    "campaign": CampaignLine,
    "rater": RaterLine,
    "task": TaskLine,
    "slot": SlotLine,
    "offer": OfferLine,
    "judgement": JudgementLine,
    "withdrawal": WithdrawalLine,
}
"""The kinds of lines, in the order in which they come."""


@dataclass(frozen=True)
class ReadLine:
    """A line with its number: as typed fields, and as it stands in the file."""

    number: int
    kind: str
    fields: Any
    raw: Mapping[str, Any]


def line(kind: str, fields: Mapping[str, Any]) -> bytes:
    """One line; what is None is left out."""
    known = {name: value for name, value in fields.items() if value is not None}
    return json.dumps({kind: known}, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def read_lines(data: bytes, file: str) -> list[ReadLine]:
    """The lines of a file, each of its kind and complete; errors name the line."""
    lines = list(_lines(data, file))
    if not lines or lines[0].kind != "campaign" or lines[0].fields.form != FORM:
        raise InputError(f"{file} is no campaign: karat campaign export writes one")
    kinds = list(KINDS)
    for before, after in pairwise(lines):
        if kinds.index(after.kind) < kinds.index(before.kind) or after.kind == "campaign":
            raise InputError(f"{file}, line {after.number}: a {after.kind} cannot stand after a {before.kind}")
    return lines


def _lines(data: bytes, file: str) -> Iterator[ReadLine]:
    for number, text in enumerate(data.split(b"\n"), 1):
        if not text:
            continue
        place = f"{file}, line {number}"
        try:
            value = json.loads(text.decode(), parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{place} is not JSON in UTF-8: {error}") from error
        if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in KINDS:
            raise InputError(f"{place} is no part of a campaign: it must be one of {', '.join(KINDS)}")
        ((kind, fields),) = value.items()
        try:
            refuse_unstorable(fields)
            yield ReadLine(number, kind, built(KINDS[kind], fields, f"{kind}."), fields)
        except InputError as error:
            raise InputError(f"{place}: {error}") from error


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def refuse_unstorable(value: Any) -> None:
    """Refuse text that no database keeps, and numbers beyond what any campaign counts."""
    if isinstance(value, str) and not is_text(value):
        raise InputError("there is a sign that is no text")
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise InputError(f"{value} is too large")
    inner: Sequence[Any] = [*value.keys(), *value.values()] if isinstance(value, dict) else ()
    for each in value if isinstance(value, list) else inner:
        refuse_unstorable(each)
