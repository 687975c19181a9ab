"""A campaign's database as a file in karat's own form, and back: what is written again is the same, byte by byte."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.exc import DataError, IntegrityError

from karat.campaigns.answers import RefusedAnswerError, checked
from karat.campaigns.material import Material
from karat.campaigns.plan import CampaignPlan, read_plan
from karat.campaigns.stages import refuse_unsettled, settling
from karat.campaigns.store import tables as t
from karat.campaigns.store.engine import reading, writing
from karat.campaigns.store.lines import FORM, ReadLine, line, read_lines
from karat.campaigns.store.migrating import migrate
from karat.campaigns.tasks import RatingTask
from karat.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Row

Fields = dict[str, Any]
Write = Callable[[CampaignPlan, str, bytes], None]
"""What keeps a plan, as it is written, and texts beside the database."""


def exported(engine: Engine) -> bytes:
    """All of a campaign, as it was at one moment."""
    with reading(engine) as connection:
        return b"".join(line(kind, fields) for kind, fields in _all_fields(connection))


def _all_fields(connection: Connection) -> Iterator[tuple[str, Fields]]:
    row = connection.execute(select(t.campaign)).one()
    yield "campaign", {"form": FORM, "plan": row.plan, "texts": row.texts.decode(), "begun_at": row.begun_at}
    for row in connection.execute(select(t.rater).order_by(t.rater.c.id)):
        yield "rater", _of(row, "number", "name", "bilingual", "seen_at", "withdrawn_at")
    for row in connection.execute(select(t.task).order_by(t.task.c.id)):
        own = _of(row, "system", "document", "control", "origin", "loud", "explanation", "parts")
        yield "task", {"number": row.id, **own}
    public = {}
    for row in connection.execute(select(t.slot).order_by(t.slot.c.id)):
        public[row.id] = row.public
        yield "slot", _of(row, "public", "task", "number", "planned_for", "place", "holder", "lease_until", "done_at")
    for row in connection.execute(select(t.offer).order_by(t.offer.c.rater, t.offer.c.place)):
        yield "offer", {"slot": public[row.slot], **_of(row, "rater", "place", "at", "stage", "settled")}
    for row in connection.execute(select(t.judgement).order_by(t.judgement.c.id)):
        own = _of(row, "uuid", "rater", "version", "extra", "answers", "received_at", "bilingual", "shown", "passed")
        yield "judgement", {"slot": public[row.slot], **own}
    for row in connection.execute(select(t.withdrawal).order_by(t.withdrawal.c.id)):
        yield "withdrawal", _of(row, "rater", "judgements", "at")


def _of(row: Row[Any], *names: str) -> Fields:
    return {name: getattr(row, name) for name in names}


def load(engine: Engine, data: bytes, file: str, write: Write | None = None) -> CampaignPlan:
    """Put an exported campaign into an empty database, if all of it could have come about; errors name the line.

    Where `write` fails, the database stays empty.
    """
    lines = read_lines(data, file)
    try:
        campaign = _Campaign(lines)
    except InputError as error:
        raise InputError(f"{file}, line 1: {error}") from error
    with writing(engine) as connection:
        migrate(connection)
        if connection.scalar(select(t.campaign.c.id)) is not None:
            raise InputError("a campaign is in this database: import needs an empty one")
        for each in lines:
            try:
                campaign.insert(connection, each)
            except (DataError, IntegrityError) as error:
                raise InputError(f"{file}, line {each.number}: it cannot stand beside what comes before it") from error
            except InputError as error:
                raise InputError(f"{file}, line {each.number}: {error}") from error
        campaign.refuse_incomplete(file)
        if write is not None:
            write(campaign.plan, lines[0].fields.plan, campaign.texts)
    return campaign.plan


class _Campaign:
    """A campaign while it is read: what later lines refer to."""

    def __init__(self, lines: list[ReadLine]) -> None:
        first = lines[0].fields
        self.plan = read_plan(first.plan, "its plan")
        self.texts = first.texts.encode()
        material = Material.read(self.texts, "its texts")
        material.refuse_unfit(self.plan)
        self.segments = {segment.name for segment in material.segments}
        self.raters: set[int] = set()
        self.tasks: dict[int, RatingTask] = {}
        self.slots: dict[str, tuple[int, int]] = {}
        self.done: dict[tuple[str, int], ReadLine] = {}
        self.offers: dict[tuple[str, int], ReadLine] = {}
        self.versions: dict[tuple[str, int], int] = {}
        self.kinds: Mapping[str, Callable[[Connection, ReadLine], None]] = {
            "campaign": self._campaign,
            "rater": self._rater,
            "task": self._task,
            "slot": self._slot,
            "offer": self._offer,
            "judgement": self._judgement,
            "withdrawal": self._withdrawal,
        }

    def insert(self, connection: Connection, each: ReadLine) -> None:
        """Put one line into its table."""
        self.kinds[each.kind](connection, each)

    def refuse_incomplete(self, file: str) -> None:
        """Refuse tasks that are said to be done without a judgement that says so."""
        for (public, rater), each in self.done.items():
            if (public, rater) not in self.versions:
                raise InputError(f"{file}, line {each.number}: the slot is done, and its judgement is missing")

    def _campaign(self, connection: Connection, each: ReadLine) -> None:
        digest = hashlib.sha256(self.texts).hexdigest()
        if self.plan.texts_sha256 not in (None, digest):
            raise InputError("the texts are not those of the plan")
        values = {"id": 1, "plan": each.fields.plan, "texts": self.texts, "texts_sha256": digest}
        connection.execute(insert(t.campaign).values(values | {"begun_at": each.fields.begun_at}))

    def _rater(self, connection: Connection, each: ReadLine) -> None:
        number = each.fields.number
        if not 1 <= number <= self.plan.assignment.raters:
            raise InputError(f"there is no rater {number} in the plan")
        self.raters.add(number)
        connection.execute(insert(t.rater).values(id=number, **each.raw))

    def _task(self, connection: Connection, each: ReadLine) -> None:
        fields = each.fields
        absent = [part.segment for part in fields.parts if part.segment not in self.segments]
        if absent or not fields.parts:
            raise InputError(f"the texts have no segment {absent[0]!r}" if absent else "the task shows nothing")
        if fields.origin is not None:
            self._known(fields.origin, self.tasks, "task")
        self.tasks[fields.number] = RatingTask(number=fields.number, system=fields.system, parts=fields.parts)
        own = {name: value for name, value in each.raw.items() if name != "number"}
        connection.execute(insert(t.task).values(id=fields.number, source=fields.parts[0].segment, **own))

    def _slot(self, connection: Connection, each: ReadLine) -> None:
        fields = each.fields
        self._known(fields.task, self.tasks, "task")
        for rater in {fields.planned_for, fields.holder} - {None}:
            self._known(rater, self.raters, "rater")
        identity = len(self.slots) + 1
        self.slots[fields.public] = identity, fields.task
        if fields.done_at is not None:
            self.done[fields.public, fields.holder] = each
        connection.execute(insert(t.slot).values(id=identity, **each.raw))

    def _offer(self, connection: Connection, each: ReadLine) -> None:
        fields = each.fields
        self._known(fields.slot, self.slots, "slot")
        self._known(fields.rater, self.raters, "rater")
        self.offers[fields.slot, fields.rater] = each
        if not 0 <= fields.stage < len(self.plan.questions):
            raise InputError(f"there is no stage {fields.stage}: the questions are {len(self.plan.questions)}")
        if fields.settled is not None:
            task = self.tasks[self.slots[fields.slot][1]]
            settling(self.plan, task, fields.stage, [part.answer() for part in fields.settled])
        connection.execute(insert(t.offer).values({**each.raw, "slot": self.slots[fields.slot][0]}))

    def _judgement(self, connection: Connection, each: ReadLine) -> None:
        fields = each.fields
        key = fields.slot, fields.rater
        if key not in self.offers:
            raise InputError("the judgement is of a task that the rater never had")
        offer = self.offers[key]
        if fields.version != self.versions.get(key, 0) + 1:
            raise InputError(f"version {fields.version} comes after version {self.versions.get(key, 0)}")
        self.versions[key] = fields.version
        if not _is_uuid(fields.uuid):
            raise InputError(f"uuid is {fields.uuid!r}, which is none")
        identity, task = self.slots[fields.slot]
        try:
            checked(self.plan, self.tasks[task], fields.answers)
            refuse_unsettled(self.plan, offer.fields.stage, offer.raw.get("settled"), fields.answers)
        except RefusedAnswerError as error:
            raise InputError(str(error)) from error
        digest = hashlib.sha256(json.dumps(each.raw["answers"], sort_keys=True).encode()).hexdigest()
        connection.execute(insert(t.judgement).values({**each.raw, "slot": identity, "digest": digest}))

    def _withdrawal(self, connection: Connection, each: ReadLine) -> None:
        self._known(each.fields.rater, self.raters, "rater")
        connection.execute(insert(t.withdrawal).values(**each.raw))

    def _known(self, name: object, known: Container[object], what: str) -> None:
        if name not in known:
            raise InputError(f"there is no {what} {name}")


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
