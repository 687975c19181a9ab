"""Who has which task: chosen and kept within a transaction that the caller has begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from karat.campaigns.store import tables as t

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

    from karat.campaigns.plan import Assignment

OTHER_SLOT, OTHER_TASK = t.slot.alias(), t.task.alias()
"""Made once: to make them takes as long as a query."""


def open_of(connection: Connection, rater: int) -> int | None:
    """The slot that a rater has in front."""
    return connection.scalar(select(t.slot.c.id).where(t.slot.c.holder == rater, t.slot.c.done_at.is_(None)))


def free_for(connection: Connection, rater: int, rules: Assignment, now: float) -> int | None:
    """The next of the own slots, else one whose lease is over or whose rater has gone."""
    free = t.slot.c.holder.is_(None) | (t.slot.c.lease_until < now)
    undone = select(t.slot.c.id).join(t.task, t.task.c.id == t.slot.c.task).where(free, t.slot.c.done_at.is_(None))
    if rules.same_source == "never":
        undone = undone.where(t.task.c.control.is_not(None) | t.task.c.source.not_in(_sources(rater)))
    own = undone.where(
        t.slot.c.planned_for == rater,
        # What was answered too late is not asked for again, nor what was answered in somebody else's place.
        t.slot.c.id.not_in(select(t.judgement.c.slot).where(t.judgement.c.rater == rater)),
        t.task.c.id.not_in(_taken_over(rater)),
    )
    if (own_slot := connection.scalar(own.order_by(t.slot.c.place).limit(1))) is not None:
        return int(own_slot)
    had = select(t.slot.c.task).join(t.offer, t.offer.c.slot == t.slot.c.id).where(t.offer.c.rater == rater)
    others = undone.where(
        # Controls are about one rater's own work, so nobody takes them over.
        t.task.c.control.is_(None),
        t.task.c.id.not_in(had),
        (t.slot.c.lease_until < now) | t.slot.c.planned_for.in_(_away(rules, now)),
    )
    return connection.scalar(others.order_by(t.slot.c.place, t.slot.c.id).limit(1))


def _away(rules: Assignment, now: float) -> Select[tuple[int]]:
    """Raters who have withdrawn, or have not been seen for long, or ever."""
    begun = select(t.campaign.c.begun_at).scalar_subquery()
    seen = func.coalesce(t.rater.c.seen_at, begun)
    gone = t.rater.c.withdrawn_at.is_not(None) | (seen < now - 3600 * rules.hand_over_hours)
    return select(t.rater.c.id).where(gone)


def _taken_over(rater: int) -> Select[tuple[int]]:
    """The tasks that a rater has had which were planned for others."""
    offered = select(OTHER_SLOT.c.task).join(t.offer, t.offer.c.slot == OTHER_SLOT.c.id)
    return offered.where(t.offer.c.rater == rater, OTHER_SLOT.c.planned_for != rater)


def _sources(rater: int) -> Select[tuple[str]]:
    """The sources that a rater has seen in other tasks than that of the query around this one."""
    of_rater = select(OTHER_TASK.c.source).join(OTHER_SLOT, OTHER_SLOT.c.task == OTHER_TASK.c.id)
    of_rater = of_rater.join(t.offer, t.offer.c.slot == OTHER_SLOT.c.id).where(t.offer.c.rater == rater)
    return of_rater.where(OTHER_TASK.c.control.is_(None), OTHER_TASK.c.id != t.task.c.id)


def keep(connection: Connection, slot: int, rater: int, now: float) -> bool:
    """Mark a slot as done by a rater; whether it is the rater's, or was free to become so."""
    row = connection.execute(select(t.slot).where(t.slot.c.id == slot)).one()
    free = row.holder is None or (row.done_at is None and row.lease_until < now)
    if not free and row.holder != rater:
        return False
    done = update(t.slot).where(t.slot.c.id == slot, t.slot.c.done_at.is_(None))
    connection.execute(done.values(holder=rater, done_at=now, lease_until=None))
    return True
