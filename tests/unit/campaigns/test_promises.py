"""The store's promises, whatever raters do and in whatever order: a machine of random steps, on both databases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Engine, delete, event, select
from tests.examples import examples
from tests.unit.campaigns.campaign_of import NOW, answer, begun, material_of, plan_of

from karat.campaigns import work
from karat.campaigns.answers import Answer
from karat.campaigns.store import ConflictError, GoneError, Offer, Store, tables
from karat.errors import InputError

RATERS, JUDGEMENTS, LEASE = 3, 2, 600.0
PLANS = {
    same: plan_of(
        assignment={
            "raters": RATERS,
            "judgements": JUDGEMENTS if same == "any" else 1,
            "lease_minutes": 10,
            "hand_over_hours": 2,
            "same_source": same,
        },
        controls={"repeats": 0.3, "degraded": 0.3},
    )
    for same in ("any", "never")
}
MATERIAL = material_of(segments=2, systems=2, documents=1)

raters = st.integers(1, RATERS)
answers = st.builds(answer, st.integers(1, 5), st.integers(1, 5))


@dataclass
class Submitted:
    """A submit that was acknowledged."""

    uuid: str
    rater: int
    public: str
    version: int
    answers: tuple[Answer, ...]
    extra: bool


@dataclass
class Held:
    """Who has a slot, until when, and whether it is done."""

    rater: int
    until: float
    done: bool = False


@dataclass
class Expected:
    """What must be so after what has happened."""

    submits: list[Submitted] = field(default_factory=list)
    offers: dict[int, dict[str, Offer]] = field(default_factory=lambda: {rater: {} for rater in range(1, RATERS + 1)})
    held: dict[str, Held] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)

    def of(self, rater: int, public: str) -> list[Submitted]:
        """What a rater has said of a task, in the order of its versions."""
        return [each for each in self.submits if (each.rater, each.public) == (rater, public)]

    def open_of(self, rater: int) -> str | None:
        """What a rater has in front."""
        return next((name for name, held in self.held.items() if held.rater == rater and not held.done), None)


class Campaigning(RuleBasedStateMachine):
    """Raters who take tasks, answer, answer again, come late, come back, and leave."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store, self.now, self.expected = store, NOW, Expected()
        self.begun = False

    @initialize(same=st.sampled_from(["any", "never"]))
    def begin(self, same: str) -> None:
        self.plan = begun(self.store, PLANS[same], MATERIAL)
        self.fixed = fixed_rows(self.store.engine)
        self.begun = True

    @rule(rater=raters)
    def take(self, rater: int) -> None:
        if rater in self.expected.gone:
            with pytest.raises(GoneError):
                self.store.next_task(rater, self.plan.assignment, self.now)
            return
        in_front = self.expected.open_of(rater)
        offer = self.store.next_task(rater, self.plan.assignment, self.now)
        if in_front is not None:
            assert offer is not None and offer.public == in_front
        if offer is not None:
            self.note(rater, offer)

    def note(self, rater: int, offer: Offer) -> None:
        """What was offered was free, and is new to the rater."""
        had = self.expected.offers[rater]
        assert offer.version == 0 and not self.expected.of(rater, offer.public)
        assert offer.task.number not in {each.task.number for name, each in had.items() if name != offer.public}
        ordinary = [each for name, each in had.items() if name != offer.public and each.task.control is None]
        if offer.task.control is None:
            assert texts_of(offer) not in map(texts_of, ordinary)
            if self.plan.assignment.same_source == "never":
                assert sources_of(offer).isdisjoint(set().union(*map(sources_of, ordinary)))
        before = self.expected.held.get(offer.public)
        assert before is None or before.rater == rater or (before.until < self.now and not before.done)
        had[offer.public] = offer
        self.expected.held[offer.public] = Held(rater, self.now + LEASE)

    @precondition(lambda self: any(self.expected.offers.values()))
    @rule(data=st.data(), given_answer=answers, stale=st.integers(0, 3))
    def submit(self, data: st.DataObject, given_answer: Answer, stale: int) -> None:
        """To any task ever offered, in front of the rater or not; sometimes about a version that is past."""
        rater = data.draw(st.sampled_from([rater for rater, had in self.expected.offers.items() if had]))
        public = data.draw(st.sampled_from(list(self.expected.offers[rater])))
        before = self.expected.of(rater, public)
        if stale == 3 and before:
            self.submit_stale(rater, public, before)
            return
        uuid, held = str(uuid4()), self.expected.held.get(public)
        lost = held is not None and held.rater != rater and (held.done or held.until >= self.now)
        stored = self.store.submit(rater, public, uuid, len(before), [given_answer], self.now, self.plan)
        assert (stored.version, stored.again, stored.extra) == (len(before) + 1, False, lost)
        self.expected.submits.append(Submitted(uuid, rater, public, stored.version, (given_answer,), lost))
        if not lost:
            self.expected.held[public] = Held(rater, 0, done=True)

    def submit_stale(self, rater: int, public: str, before: Sequence[Submitted]) -> None:
        with pytest.raises(ConflictError) as caught:
            self.store.submit(rater, public, str(uuid4()), len(before) - 1, [answer(1, 1)], self.now, self.plan)
        assert caught.value.version == len(before)
        assert caught.value.answers == tuple(each.stored() for each in before[-1].answers)

    @precondition(lambda self: self.expected.submits)
    @rule(data=st.data())
    def submit_again(self, data: st.DataObject) -> None:
        """The same request once more, however late, even where newer versions are there."""
        old = data.draw(st.sampled_from(self.expected.submits))
        again = self.store.submit(old.rater, old.public, old.uuid, old.version - 1, old.answers, self.now, self.plan)
        assert (again.version, again.again, again.extra) == (old.version, True, old.extra)

    @precondition(lambda self: self.expected.submits)
    @rule(data=st.data(), rater=raters)
    def reuse_a_uuid(self, data: st.DataObject, rater: int) -> None:
        """A uuid for something else stores nothing, and nobody reaches the tasks of others."""
        old = data.draw(st.sampled_from(self.expected.submits))
        others = [name for name in self.expected.offers[rater] if name != old.public]
        public = data.draw(st.sampled_from([*others, "nothing"]))
        with pytest.raises(InputError if public in others else GoneError):
            self.store.submit(rater, public, old.uuid, 0, [answer()], self.now, self.plan)

    @rule(minutes=st.sampled_from([1, 9, 11, 60, 180]))
    def wait(self, minutes: int) -> None:
        self.now += 60 * minutes

    @precondition(lambda self: len(self.expected.gone) < RATERS - 1)
    @rule(rater=raters)
    def withdraw(self, rater: int) -> None:
        if rater in self.expected.gone:
            with pytest.raises(GoneError):
                self.store.withdraw(rater, self.now)
            return
        theirs = [each for each in self.expected.submits if each.rater == rater]
        assert self.store.withdraw(rater, self.now) == len(theirs)
        self.expected.submits = [each for each in self.expected.submits if each.rater != rater]
        self.expected.offers[rater] = {}
        self.expected.held = {name: held for name, held in self.expected.held.items() if held.rater != rater}
        self.expected.gone.add(rater)

    @rule()
    def restart(self) -> None:
        self.store.engine.dispose()
        with pytest.raises(InputError, match="has begun"):
            begun(self.store, self.plan, MATERIAL)

    @precondition(lambda self: self.begun)
    @invariant()
    def all_is_stored_once_and_nothing_else(self) -> None:
        stored = list(self.store.judgements())
        assert [(each.uuid, each.rater, each.version, each.extra, each.answers) for each in stored] == [
            (each.uuid, each.rater, each.version, each.extra, tuple(part.stored() for part in each.answers))
            for each in self.expected.submits
        ]
        newest = {(each.rater, each.public): each.uuid for each in self.expected.submits}
        assert {each.uuid for each in stored if each.last} == set(newest.values())
        kept = {(each.task.number, each.task.control, each.rater) for each in stored if not each.extra}
        times = Counter((number, control) for number, control, _ in kept)
        wanted = self.plan.assignment.judgements
        assert all(count <= (wanted if control is None else 1) for (_, control), count in times.items())

    @precondition(lambda self: self.begun)
    @invariant()
    def the_campaign_stays_as_it_began(self) -> None:
        assert fixed_rows(self.store.engine) == self.fixed

    def teardown(self) -> None:
        """Whoever is left does all that is left, and nothing stays undone that somebody could have done."""
        if not self.begun:
            return
        self.now += 10 * 3600
        left = [rater for rater in range(1, RATERS + 1) if rater not in self.expected.gone]
        while sum(self.finish(rater) for rater in left):
            self.now += 10 * 3600
        self.all_is_stored_once_and_nothing_else()
        if self.plan.assignment.same_source == "any":
            self.nothing_is_left_over(left)

    def finish(self, rater: int) -> int:
        count = 0
        while (offer := self.store.next_task(rater, self.plan.assignment, self.now)) is not None:
            self.note(rater, offer)
            uuid = str(uuid4())
            stored = self.store.submit(rater, offer.public, uuid, 0, [answer()], self.now, self.plan)
            self.expected.submits.append(Submitted(uuid, rater, offer.public, 1, (answer(),), stored.extra))
            self.expected.held[offer.public] = Held(rater, 0, done=True)
            assert not stored.extra
            count += 1
        return count

    def nothing_is_left_over(self, left: Sequence[int]) -> None:
        with self.store.engine.connect() as connection:
            undone = connection.execute(
                select(tables.slot.c.task, tables.task.c.control, tables.slot.c.planned_for)
                .join(tables.task, tables.task.c.id == tables.slot.c.task)
                .where(tables.slot.c.done_at.is_(None))
            ).all()
        for task, control, planned_for in undone:
            able = [rater for rater in left if task - 1 not in self.tasks_of(rater)]
            assert (planned_for not in left) if control is not None else able == []

    def tasks_of(self, rater: int) -> set[int]:
        return {offer.task.number for offer in self.expected.offers[rater].values()}


def texts_of(offer: Offer) -> tuple[tuple[str, str], ...]:
    return tuple((part.segment, part.shown) for part in offer.task.parts)


def sources_of(offer: Offer) -> set[str]:
    return {part.segment for part in offer.task.parts}


def fixed_rows(engine: Engine) -> list[Any]:
    """What must not change once a campaign has begun: its plan, its texts, its tasks, and what is wanted of whom."""
    slot = tables.slot.c
    wanted = select(slot.id, slot.public, slot.task, slot.number, slot.planned_for, slot.place)
    with engine.connect() as connection:
        chosen = (select(tables.campaign), select(tables.task).order_by(tables.task.c.id), wanted.order_by(slot.id))
        return [connection.execute(rows).all() for rows in chosen]


def test_the_work_of_these_plans_has_controls_and_several_judgements() -> None:
    for plan in PLANS.values():
        tasks = work(plan, MATERIAL).tasks
        assert {task.control for task in tasks} == {None, "repeat", "bad-reference"}


def emptied(engine: Engine) -> None:
    """No campaign in the database; its tables stay."""
    with engine.begin() as connection:
        for table in reversed(tables.metadata.sorted_tables):
            connection.execute(delete(table))


@pytest.mark.long
def test_whatever_raters_do_the_promises_hold(new_store: Callable[[], Store]) -> None:
    store = new_store()
    begun(store)
    quick = store.engine.dialect.name == "sqlite"
    if quick:  # what a power cut would do is not asked here
        event.listen(store.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous = OFF"))
        store.engine.dispose()

    def machine() -> Campaigning:
        emptied(store.engine)
        return Campaigning(store)

    limits = settings(max_examples=examples(60 if quick else 15), stateful_step_count=30, deadline=None)
    run_state_machine_as_test(machine, settings=limits)
