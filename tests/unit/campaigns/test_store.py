"""The store: what was acknowledged is there, once, and nobody has what is not theirs. On SQLite and on PostgreSQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from uuid import uuid4

import pytest
from tests.unit.campaigns.campaign_of import NOW, answer, begun, material_of, plan_of

from karat.campaigns import CampaignPlan
from karat.campaigns.store import ConflictError, GoneError, Offer, Store
from karat.errors import InputError

PLAN = plan_of()


def offered(store: Store, plan: CampaignPlan, rater: int, now: float = NOW) -> Offer:
    offer = store.next_task(rater, plan.assignment, now)
    assert offer is not None
    return offer


def test_a_campaign_begins_once(new_store: Callable[[], Store]) -> None:
    store = new_store()
    assert not store.begun()
    begun(store)
    assert store.begun()
    assert store.campaign() == ("plan", material_of().written())
    with pytest.raises(InputError, match="has begun"):
        begun(store)


def test_a_task_stays_in_front_of_a_rater_until_it_is_answered(new_store: Callable[[], Store]) -> None:
    store = new_store()
    plan = begun(store)
    first = offered(store, plan, 1)
    assert offered(store, plan, 1) == first
    stored = store.submit(1, first.public, str(uuid4()), 0, [answer()], NOW, PLAN)
    assert (stored.version, stored.again, stored.extra) == (1, False, False)
    assert offered(store, plan, 1).public != first.public
    assert store.history(1) == (first.public,)
    kept = store.task(1, first.public)
    assert (kept.version, kept.answers) == (1, (answer().stored(),))


def test_the_same_submit_again_is_stored_once(new_store: Callable[[], Store]) -> None:
    store = new_store()
    plan = begun(store)
    task, uuid = offered(store, plan, 1), str(uuid4())
    first = store.submit(1, task.public, uuid, 0, [answer()], NOW, PLAN)
    again = store.submit(1, task.public, uuid, 0, [answer()], NOW + 1, PLAN)
    assert again == replace(first, again=True)
    assert len(list(store.judgements())) == 1
    with pytest.raises(InputError, match="another submit"):
        store.submit(1, task.public, uuid, 1, [answer(fluency=1)], NOW, PLAN)
    with pytest.raises(InputError, match="another submit"):
        store.submit(2, offered(store, plan, 2).public, uuid, 0, [answer()], NOW, PLAN)


def test_an_answer_to_an_older_version_is_refused_and_both_can_be_seen(new_store: Callable[[], Store]) -> None:
    store = new_store()
    task = offered(store, begun(store), 1)
    store.submit(1, task.public, str(uuid4()), 0, [answer(fluency=1)], NOW, PLAN)
    with pytest.raises(ConflictError) as caught:
        store.submit(1, task.public, str(uuid4()), 0, [answer(fluency=5)], NOW, PLAN)
    assert (caught.value.version, caught.value.answers) == (1, (answer(fluency=1).stored(),))
    store.submit(1, task.public, str(uuid4()), 1, [answer(fluency=5)], NOW, PLAN)
    assert [(each.version, each.last) for each in store.judgements()] == [(1, False), (2, True)]


def test_nobody_reaches_the_tasks_of_others(new_store: Callable[[], Store]) -> None:
    store = new_store()
    plan = begun(store)
    task = offered(store, plan, 1)
    for name in (task.public, "nothing"):
        with pytest.raises(GoneError):
            store.task(2, name)
        with pytest.raises(GoneError):
            store.submit(2, name, str(uuid4()), 0, [answer()], NOW, PLAN)


def test_an_item_that_nobody_finished_comes_back_and_the_late_answer_is_kept_apart(
    new_store: Callable[[], Store],
) -> None:
    store = new_store()
    plan = begun(store, plan_of(assignment={"raters": 2, "lease_minutes": 10}))
    left = offered(store, plan, 1)
    own = []
    while (offer := store.next_task(2, plan.assignment, NOW)) is not None:
        own.append(offer.public)
        store.submit(2, offer.public, str(uuid4()), 0, [answer()], NOW, PLAN)
    assert left.public not in own
    taken = offered(store, plan, 2, NOW + 601)
    assert taken.public == left.public
    assert store.submit(1, left.public, str(uuid4()), 0, [answer()], NOW + 602, PLAN).extra
    assert not store.submit(2, taken.public, str(uuid4()), 0, [answer()], NOW + 603, PLAN).extra
    late = [each for each in store.judgements() if each.extra]
    assert [each.rater for each in late] == [1]


def test_a_lease_that_is_over_is_still_the_raters_while_nobody_else_wants_the_task(
    new_store: Callable[[], Store],
) -> None:
    store = new_store()
    task = offered(store, begun(store), 1)
    assert not store.submit(1, task.public, str(uuid4()), 0, [answer()], NOW + 10**6, PLAN).extra


def test_a_link_opens_until_it_is_replaced_or_revoked(new_store: Callable[[], Store]) -> None:
    store = new_store()
    begun(store)
    first = store.new_link(1)
    cookies = [store.enter(first, NOW)[0] for _ in range(2)]
    assert [store.entered(cookie) is not None for cookie in (*cookies, "other", first)] == [True, True, False, False]
    second = store.new_link(1)
    with pytest.raises(GoneError):
        store.enter(first, NOW)
    store.revoke(1)
    with pytest.raises(GoneError):
        store.enter(second, NOW)
    assert [store.entered(cookie) for cookie in cookies] == [None, None]
    with pytest.raises(GoneError, match="no rater 99"):
        store.new_link(99)


def test_who_withdraws_leaves_a_count_and_the_work_comes_back(new_store: Callable[[], Store]) -> None:
    store = new_store()
    plan = begun(store)
    for rater in (1, 2):
        for _ in range(3):
            store.submit(rater, offered(store, plan, rater).public, str(uuid4()), 0, [answer()], NOW, PLAN)
    before = list(store.judgements())
    cookie, _ = store.enter(store.new_link(1), NOW)
    assert store.withdraw(1, NOW) == 3
    assert list(store.judgements()) == [each for each in before if each.rater == 2]
    assert store.entered(cookie) is None
    assert [each.withdrawn for each in store.progress()] == [True, False]
    with pytest.raises(GoneError):
        store.next_task(1, plan.assignment, NOW)
    done = 3
    while (offer := store.next_task(2, plan.assignment, NOW)) is not None:
        store.submit(2, offer.public, str(uuid4()), 0, [answer()], NOW, PLAN)
        done += 1
    assert done == len(material_of()) * 3


def test_many_at_once_get_every_task_as_often_as_wanted(new_store: Callable[[], Store]) -> None:
    store = new_store()
    plan = begun(store, plan_of(assignment={"raters": 16, "judgements": 3}), material_of(segments=8))

    def all_of(rater: int) -> int:
        done = 0
        while (offer := store.next_task(rater, plan.assignment, NOW)) is not None:
            uuid = str(uuid4())
            with suppress(ConflictError):  # the rater's other device was first
                for _ in range(2):
                    store.submit(rater, offer.public, uuid, 0, [answer()], NOW, PLAN)
                done += 1
        return done

    with ThreadPoolExecutor(32) as threads:
        done = list(threads.map(all_of, [*range(1, 17), *range(1, 17)]))
    judgements = list(store.judgements())
    assert set(Counter(each.task.number for each in judgements).values()) == {3}
    assert max(Counter((each.task.number, each.rater) for each in judgements).values()) == 1
    assert len(judgements) == 8 * 3 * 3 == sum(done)
