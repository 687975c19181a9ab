"""Who gets what when raters are late, take over from each other and leave: cases that random steps seldom meet."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from sqlalchemy import select
from tests.unit.campaigns.campaign_of import NOW, answer, begun, material_of, plan_of

from karat.campaigns import CampaignPlan
from karat.campaigns.store import GoneError, Offer, Store, tables

HOUR = 3600.0


def turns(raters: int, judgements: int, hand_over_hours: float = 2) -> CampaignPlan:
    settings = {"raters": raters, "judgements": judgements, "lease_minutes": 10, "hand_over_hours": hand_over_hours}
    return plan_of(assignment=settings)


def offered(store: Store, plan: CampaignPlan, rater: int, now: float) -> Offer:
    offer = store.next_task(rater, plan.assignment, now)
    assert offer is not None
    return offer


def answered(store: Store, plan: CampaignPlan, rater: int, public: str, now: float) -> bool:
    """Store an answer; whether it was kept as an extra one."""
    return store.submit(rater, public, str(uuid4()), 0, [answer()], now, plan).extra


def done_by(store: Store, plan: CampaignPlan, rater: int, now: float) -> list[Offer]:
    """All that the rater can get, done."""
    offers = []
    while (offer := store.next_task(rater, plan.assignment, now)) is not None:
        answered(store, plan, rater, offer.public, now)
        offers.append(offer)
    return offers


def test_what_was_answered_too_late_is_not_asked_for_again(new_store: Callable[[], Store]) -> None:
    store = new_store()
    plan = begun(store, turns(2, 1), material_of(segments=1, systems=2))
    late = offered(store, plan, 1, NOW)
    done_by(store, plan, 2, NOW)
    taken = offered(store, plan, 2, NOW + HOUR)
    assert taken.public == late.public
    assert answered(store, plan, 1, late.public, NOW + HOUR)
    store.withdraw(2, NOW + HOUR)
    assert late.public not in {offer.public for offer in done_by(store, plan, 1, NOW + 2 * HOUR)}


def test_a_late_answer_counts_where_whoever_took_over_is_late_too(new_store: Callable[[], Store]) -> None:
    store = new_store()
    plan = begun(store, turns(2, 1), material_of(segments=1, systems=2))
    late = offered(store, plan, 1, NOW)
    done_by(store, plan, 2, NOW)
    assert offered(store, plan, 2, NOW + HOUR).public == late.public
    assert not answered(store, plan, 1, late.public, NOW + 2 * HOUR)
    assert answered(store, plan, 2, late.public, NOW + 2 * HOUR)
    assert [(each.rater, each.extra) for each in store.judgements()][-2:] == [(1, False), (2, True)]


def test_nobody_gets_an_item_in_the_own_place_and_in_that_of_another(new_store: Callable[[], Store]) -> None:
    store = new_store()
    plan = begun(store, turns(3, 2), material_of(segments=1, systems=3))
    # Whoever is away is taken over from: rater 2 has all that 1 and 3 had, and lets the leases run out.
    mine = {offer.task.number for offer in done_by(store, plan, 2, NOW)}
    taken = offered(store, plan, 2, NOW + 3 * HOUR)
    assert taken.task.number not in mine
    # Whose place that was comes back, gets the same item in the place of the third, and then 2's lease is over.
    with store.engine.connect() as connection:
        chosen = select(tables.slot.c.planned_for).where(tables.slot.c.public == taken.public)
        back = connection.scalars(chosen).one()
    first = done_by(store, plan, back, NOW + 3 * HOUR)
    assert taken.task.number in {offer.task.number for offer in first}
    more = done_by(store, plan, back, NOW + 6 * HOUR)
    numbers = [offer.task.number for offer in (*first, *more)]
    assert len(numbers) == len(set(numbers))


def test_what_comes_in_after_a_withdrawal_says_nothing_of_who_left(new_store: Callable[[], Store]) -> None:
    store = new_store()
    begun(store)
    store.withdraw(1, NOW)
    with pytest.raises(GoneError):
        store.set_bilingual(1, bilingual=True)
    with store.engine.connect() as connection:
        row = connection.execute(select(tables.rater).where(tables.rater.c.id == 1)).one()
    assert (row.name, row.link_hash, row.bilingual, row.seen_at) == (None, None, None, None)
