"""What can be done with the database of a campaign, each in one transaction."""

from __future__ import annotations

import hashlib
import json
import secrets
import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, delete, func, insert, inspect, select, update

from karat.campaigns.answers import Answer
from karat.campaigns.checks import passed
from karat.campaigns.store import slots
from karat.campaigns.store import tables as t
from karat.campaigns.store.copies import back_up
from karat.campaigns.store.engine import erased, reading, writing
from karat.campaigns.store.migrating import migrate, outdated, upgrade
from karat.campaigns.store.organiser import Organiser
from karat.campaigns.store.records import (
    ConflictError,
    Feedback,
    GoneError,
    Offer,
    OwnProgress,
    RaterProgress,
    Stored,
    StoredJudgement,
)
from karat.campaigns.store.secrecy import hashed
from karat.campaigns.store.transfer import Write, exported, load
from karat.campaigns.tasks import RatingTask, TaskPart
from karat.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Engine, Row

    from karat.campaigns.plan import Assignment, CampaignPlan
    from karat.campaigns.stages import Settled
    from karat.campaigns.tasks import Work


class Store:
    """One campaign's database. Times are seconds since 1970, given by the caller."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.organiser = Organiser(engine)
        weakref.finalize(self, engine.dispose)  # whoever only looks need not think of closing connections

    def begun(self) -> bool:
        """Whether a campaign is in the database."""
        with reading(self.engine) as connection:
            return inspect(connection).has_table("campaign") and connection.scalar(select(t.campaign.c.id)) is not None

    def begin(self, plan: str, texts: bytes, work: Work, raters: int, now: float) -> None:
        """Put a campaign into an empty database: its plan, its texts, its tasks and who is to do them."""
        with writing(self.engine) as connection:
            migrate(connection)
            if connection.scalar(select(t.campaign.c.id)) is not None:
                raise InputError("a campaign has begun in this database: what it judges cannot be changed any more")
            digest = hashlib.sha256(texts).hexdigest()
            values = {"id": 1, "plan": plan, "texts": texts, "texts_sha256": digest, "begun_at": now}
            connection.execute(insert(t.campaign).values(values))
            connection.execute(insert(t.rater), [{"id": n + 1, "number": n + 1} for n in range(raters)])
            connection.execute(insert(t.task), [_task_row(task) for task in work.tasks])
            connection.execute(
                insert(t.slot),
                [
                    {
                        "public": secrets.token_hex(16),
                        "task": slot.task + 1,
                        "number": slot.number,
                        "planned_for": slot.rater + 1,
                        "place": slot.place,
                    }
                    for slot in work.slots
                ],
            )

    def campaign(self) -> tuple[str, bytes]:
        """The plan and the texts as the campaign began with them."""
        with reading(self.engine) as connection:
            row = connection.execute(select(t.campaign.c.plan, t.campaign.c.texts)).one()
            return row.plan, row.texts

    def key(self) -> str:
        """A name that no other campaign has, and that stays with this one."""
        with reading(self.engine) as connection:
            row = connection.execute(select(t.campaign.c.begun_at, t.campaign.c.texts_sha256)).one()
            return hashed(f"{row.begun_at} {row.texts_sha256}")[:12]

    # Copies of it

    def upgrade(self, directory: Path) -> str | None:
        """Bring an earlier karat's tables up to date, after a copy of them; where that is."""
        copy = upgrade(self.engine, directory)
        return None if copy is None else str(copy)

    def refuse_outdated(self) -> None:
        """Refuse an earlier karat's tables."""
        if outdated(self.engine):
            raise InputError("the database is of an earlier karat: karat campaign serve copies it and brings it up")

    def exported(self) -> bytes:
        """All of the campaign in karat's own form."""
        return exported(self.engine)

    def load(self, data: bytes, file: str, write: Write | None = None) -> CampaignPlan:
        """Put an exported campaign into the database, which must be empty, and `write` its plan and texts with it."""
        return load(self.engine, data, file, write)

    def back_up(self, target: Path) -> None:
        """Copy a database in a file to another file, which must be new."""
        back_up(self.engine, target)

    # Who may enter

    def new_link(self, number: int) -> str:
        """A new secret for the link of a rater; the one before it opens nothing any more."""
        secret = secrets.token_urlsafe(24)
        with writing(self.engine) as connection:
            self._rater(connection, number)
            changed = update(t.rater).where(t.rater.c.number == number, t.rater.c.withdrawn_at.is_(None))
            connection.execute(changed.values(link_hash=hashed(secret)))
        return secret

    def revoke(self, number: int) -> None:
        """Let the link of a rater open nothing any more, and end what it has opened."""
        with writing(self.engine) as connection:
            rater = self._rater(connection, number)
            connection.execute(update(t.rater).where(t.rater.c.id == rater).values(link_hash=None))
            connection.execute(delete(t.session).where(t.session.c.rater == rater))

    def enter(self, secret: str, now: float) -> tuple[str, str]:
        """A cookie, and what its holder says with each change, for the secret of a link."""
        cookie, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
        with writing(self.engine) as connection:
            rater = connection.scalar(select(t.rater.c.id).where(t.rater.c.link_hash == hashed(secret)))
            if rater is None:
                raise GoneError("this link opens nothing (any more): ask whoever gave it to you for a new one")
            values = {"cookie_hash": hashed(cookie), "rater": rater, "csrf": csrf, "begun_at": now}
            connection.execute(insert(t.session).values(values))
        return cookie, csrf

    def entered(self, cookie: str) -> tuple[int, str] | None:
        """The rater of a cookie and what goes with each change; None where it opens nothing."""
        with reading(self.engine) as connection:
            chosen = select(t.session.c.rater, t.session.c.csrf).where(t.session.c.cookie_hash == hashed(cookie))
            row = connection.execute(chosen).one_or_none()
            return None if row is None else (row.rater, row.csrf)

    # Work

    def next_task(self, rater: int, rules: Assignment, now: float) -> Offer | None:
        """The task in front of a rater: the one that is open, else the next of the own, else one that others left.

        None where there is nothing (left) to do.
        """
        with writing(self.engine) as connection:
            self._present(connection, rater, now)
            slot = slots.open_of(connection, rater) or slots.free_for(connection, rater, rules, now)
            if slot is None:
                return None
            leased = {"holder": rater, "lease_until": now + 60 * rules.lease_minutes}
            connection.execute(update(t.slot).where(t.slot.c.id == slot).values(leased))
            self._note_offer(connection, rater, slot, now)
            return self._offer(connection, rater, slot)

    def task(self, rater: int, public: str) -> Offer:
        """A task that the rater has, or has answered."""
        with reading(self.engine) as connection:
            return self._offer(connection, rater, self._held(connection, rater, public))

    def settle(self, rater: int, public: str, stage: int, settled: Sequence[Settled], now: float) -> Offer:
        """Give the texts of a stage for what is settled with it; where it was reached before, what was then counts."""
        with writing(self.engine) as connection:
            self._present(connection, rater, now)
            slot = self._held(connection, rater, public)
            earlier = update(t.offer).where(t.offer.c.slot == slot, t.offer.c.rater == rater, t.offer.c.stage < stage)
            connection.execute(earlier.values(stage=stage, settled=[dict(part) for part in settled]))
            return self._offer(connection, rater, slot)

    def history(self, rater: int) -> tuple[str, ...]:
        """The public names of what the rater has answered, in order."""
        with reading(self.engine) as connection:
            own = select(t.slot.c.public).join(t.judgement, t.judgement.c.slot == t.slot.c.id)
            first = own.where(t.judgement.c.rater == rater, t.judgement.c.version == 1).order_by(t.judgement.c.id)
            return tuple(connection.scalars(first))

    def submit(
        self,
        rater: int,
        public: str,
        uuid: str,
        base_version: int,
        answers: Sequence[Answer],
        now: float,
        plan: CampaignPlan,
    ) -> Stored:
        """Store answers; what is returned is on the disk. The same uuid again is the same submit again."""
        stored = [answer.stored() for answer in answers]
        digest = hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()
        with writing(self.engine) as connection:
            self._present(connection, rater, now)
            slot = self._held(connection, rater, public)
            if (before := self._before(connection, uuid, rater, slot, digest)) is not None:
                return before
            last = self._last(connection, rater, slot)
            version = 0 if last is None else last.version
            if base_version != version:
                raise ConflictError(version, [] if last is None else last.answers)
            extra = not slots.keep(connection, slot, rater, now)
            task = self._task_in(connection, slot)
            well = passed(plan, task, answers, self._of_origin(connection, rater, task))
            values = {
                "uuid": uuid,
                "slot": slot,
                "rater": rater,
                "version": version + 1,
                "extra": extra,
                "answers": stored,
                "digest": digest,
                "received_at": now,
                "bilingual": connection.scalar(select(t.rater.c.bilingual).where(t.rater.c.id == rater)),
                "shown": {criterion: list(sights) for criterion, sights in plan.shown().items()},
                "passed": well,
            }
            connection.execute(insert(t.judgement).values(values))
            return Stored(version + 1, again=False, extra=extra, feedback=_feedback(task, well))

    def rater(self, rater: int) -> OwnProgress:
        """How far the rater is, and what is known of the rater's languages."""
        done = select(func.count()).where(t.slot.c.holder == rater, t.slot.c.done_at.is_not(None))
        planned = select(func.count()).where(t.slot.c.planned_for == rater)
        with reading(self.engine) as connection:
            bilingual = connection.scalar(select(t.rater.c.bilingual).where(t.rater.c.id == rater))
            counts = connection.scalar(done) or 0, connection.scalar(planned) or 0
            began = connection.scalar(select(t.campaign.c.begun_at))
        return OwnProgress(hashed(f"{began} {rater}")[:16], bilingual, *counts)

    def set_bilingual(self, rater: int, bilingual: bool) -> None:
        """What the rater says of the own languages."""
        with writing(self.engine) as connection:
            alive = update(t.rater).where(t.rater.c.id == rater, t.rater.c.withdrawn_at.is_(None))
            if connection.execute(alive.values(bilingual=bilingual)).rowcount == 0:
                raise GoneError("there is no such rater (any more)")

    def withdraw(self, rater: int, now: float) -> int:
        """Erase the judgements of a rater and who it was; how many there were stays. The work comes back."""
        with writing(self.engine) as connection:
            self._present(connection, rater, now)
            count = connection.execute(delete(t.judgement).where(t.judgement.c.rater == rater)).rowcount
            for table in (t.session, t.offer):
                connection.execute(delete(table).where(table.c.rater == rater))
            nobody = {"holder": None, "lease_until": None, "done_at": None}
            connection.execute(update(t.slot).where(t.slot.c.holder == rater).values(nobody))
            blank = {"name": None, "link_hash": None, "bilingual": None, "seen_at": None, "withdrawn_at": now}
            connection.execute(update(t.rater).where(t.rater.c.id == rater).values(blank))
            connection.execute(insert(t.withdrawal).values(rater=rater, judgements=count, at=now))
        erased(self.engine, (t.judgement.name, t.rater.name, t.session.name, t.offer.name))
        return count

    # What the organiser sees

    def progress(self) -> tuple[RaterProgress, ...]:
        """How far each rater is: what of the own work is done, by whomever, and what was done of others'."""
        done = select(t.slot.c.holder, func.count()).where(t.slot.c.done_at.is_not(None)).group_by(t.slot.c.holder)
        planned = select(t.slot.c.planned_for, func.count()).group_by(t.slot.c.planned_for)
        checks = select(t.judgement.c.rater, t.judgement.c.passed, func.count()).where(t.judgement.c.version == 1)
        checks = checks.group_by(t.judgement.c.rater, t.judgement.c.passed)
        with reading(self.engine) as connection:
            checked = {(row.rater, row.passed): row[2] for row in connection.execute(checks)}
            of_done: dict[int, int] = dict(connection.execute(done).all())
            of_planned: dict[int, int] = dict(connection.execute(planned).all())
            rows = connection.execute(select(t.rater).order_by(t.rater.c.number)).all()
        return tuple(
            RaterProgress(
                number=row.number,
                name=row.name,
                done=of_done.get(row.id, 0),
                planned=of_planned.get(row.id, 0),
                seen_at=row.seen_at,
                withdrawn=row.withdrawn_at is not None,
                passed=checked.get((row.id, True), 0),
                failed=checked.get((row.id, False), 0),
            )
            for row in rows
        )

    def judgements(self) -> Iterator[StoredJudgement]:
        """Every judgement in the order in which they were stored."""
        newest = select(t.judgement.c.slot, t.judgement.c.rater, func.max(t.judgement.c.version).label("version"))
        last = newest.group_by(t.judgement.c.slot, t.judgement.c.rater).subquery()
        of_last = and_(last.c.slot == t.judgement.c.slot, last.c.rater == t.judgement.c.rater)
        columns = (t.judgement, t.rater.c.number, t.rater.c.name, last.c.version.label("newest"))
        chosen = select(*columns, t.slot.c.task).join(t.rater, t.rater.c.id == t.judgement.c.rater)
        chosen = chosen.join(t.slot, t.slot.c.id == t.judgement.c.slot).join(last, of_last).order_by(t.judgement.c.id)
        with reading(self.engine) as connection:
            tasks = {row.id: _task(row) for row in connection.execute(select(t.task))}
            for row in connection.execute(chosen):
                yield StoredJudgement(
                    uuid=row.uuid,
                    rater=row.number,
                    rater_name=row.name,
                    bilingual=row.bilingual,
                    task=tasks[row.task],
                    version=row.version,
                    last=row.version == row.newest,
                    extra=row.extra,
                    answers=tuple(row.answers),
                    received_at=row.received_at,
                    shown=row.shown,
                    passed=row.passed,
                )

    # What each of these is made of

    def _rater(self, connection: Connection, number: int) -> int:
        identity = connection.scalar(select(t.rater.c.id).where(t.rater.c.number == number))
        if identity is None:
            raise GoneError(f"the campaign has no rater {number}")
        return int(identity)

    def _present(self, connection: Connection, rater: int, now: float) -> None:
        """Note that the rater is there; whoever withdrew is not."""
        alive = update(t.rater).where(t.rater.c.id == rater, t.rater.c.withdrawn_at.is_(None))
        if connection.execute(alive.values(seen_at=now)).rowcount == 0:
            raise GoneError("there is no such rater (any more)")

    def _note_offer(self, connection: Connection, rater: int, slot: int, now: float) -> None:
        had = func.count().filter(t.offer.c.slot == slot)
        known, count = connection.execute(select(had, func.count()).where(t.offer.c.rater == rater)).one()
        if not known:
            connection.execute(insert(t.offer).values(slot=slot, rater=rater, place=count, at=now))

    def _held(self, connection: Connection, rater: int, public: str) -> int:
        """The slot of that public name, if it was ever put in front of the rater."""
        offered = select(t.slot.c.id).join(t.offer, t.offer.c.slot == t.slot.c.id)
        identity = connection.scalar(offered.where(t.slot.c.public == public, t.offer.c.rater == rater))
        if identity is None:
            raise GoneError("there is no such task")
        return int(identity)

    def _before(self, connection: Connection, uuid: str, rater: int, slot: int, digest: str) -> Stored | None:
        """The same submit, if it has come before; the same uuid for something else is refused."""
        row = connection.execute(select(t.judgement).where(t.judgement.c.uuid == uuid)).one_or_none()
        if row is None:
            return None
        if (row.rater, row.slot, row.digest) != (rater, slot, digest):
            raise InputError("this uuid belongs to another submit: each needs one of its own")
        task = self._task_in(connection, slot)
        return Stored(row.version, again=True, extra=row.extra, feedback=_feedback(task, row.passed))

    def _last(self, connection: Connection, rater: int, slot: int) -> Row[Any] | None:
        own = select(t.judgement).where(t.judgement.c.slot == slot, t.judgement.c.rater == rater)
        return connection.execute(own.order_by(t.judgement.c.version.desc()).limit(1)).one_or_none()

    def _task_in(self, connection: Connection, slot: int) -> RatingTask:
        chosen = select(t.task).join(t.slot, t.slot.c.task == t.task.c.id).where(t.slot.c.id == slot)
        return _task(connection.execute(chosen).one())

    def _offer(self, connection: Connection, rater: int, slot: int) -> Offer:
        chosen = select(t.slot.c.public, t.offer.c.stage, t.offer.c.settled, t.task)
        chosen = chosen.join(t.task, t.task.c.id == t.slot.c.task).join(t.offer, t.offer.c.slot == t.slot.c.id)
        row = connection.execute(chosen.where(t.slot.c.id == slot, t.offer.c.rater == rater)).one()
        last, task = self._last(connection, rater, slot), _task(row)
        return Offer(
            public=row.public,
            task=task,
            version=0 if last is None else last.version,
            stage=row.stage,
            settled=None if row.settled is None else tuple(row.settled),
            answers=() if last is None else tuple(last.answers),
            feedback=None if last is None else _feedback(task, last.passed),
        )

    def _of_origin(self, connection: Connection, rater: int, task: RatingTask) -> list[Answer] | None:
        """What the rater has answered to the task that a control goes with."""
        if task.origin is None:
            return None
        own = select(t.judgement.c.answers).join(t.slot, t.slot.c.id == t.judgement.c.slot)
        own = own.where(t.slot.c.task == task.origin + 1, t.judgement.c.rater == rater)
        answers = connection.scalar(own.order_by(t.judgement.c.version.desc()).limit(1))
        return None if answers is None else [Answer(**answer) for answer in answers]


def _feedback(task: RatingTask, passed: bool | None) -> Feedback | None:
    """What is told at once of a loud item."""
    if not task.loud or passed is None:
        return None
    return Feedback(passed, None if passed else task.explanation)


def _task_row(task: RatingTask) -> dict[str, Any]:
    return {
        "id": task.number + 1,
        "system": task.system,
        "document": task.document,
        "control": task.control,
        "origin": None if task.origin is None else task.origin + 1,
        "parts": [_part_row(part) for part in task.parts],
        "source": task.parts[0].segment,
        "loud": task.loud,
        "explanation": task.explanation,
    }


def _part_row(part: TaskPart) -> dict[str, Any]:
    row = {"segment": part.segment, "shown": part.shown}
    return row if part.gold is None else {**row, "gold": dict(part.gold)}


def _task(row: Row[Any]) -> RatingTask:
    return RatingTask(
        number=row.id - 1,
        system=row.system,
        document=row.document,
        control=row.control,
        origin=None if row.origin is None else row.origin - 1,
        parts=tuple(TaskPart(**part) for part in row.parts),
        loud=row.loud,
        explanation=row.explanation,
    )
