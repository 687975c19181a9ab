"""Campaigns written in karat's own form and read again: the same bytes, from any database to any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.campaigns.campaign_of import NOW, answer, material_of, plan_of

from karat.campaigns import CampaignPlan, Gold, Material, work, written_plan
from karat.campaigns.answers import Answer
from karat.campaigns.material import sha256
from karat.campaigns.store import Store
from karat.errors import InputError

BROKEN = Answer(
    values={}, seconds=2.5, broken='the source ends in the middle\u2028of "a" sentence', comment="שלום 你好"
)
TEXTS = material_of()
PLAN = plan_of(
    assignment={"raters": 3, "judgements": 1, "lease_minutes": 10},
    controls={"repeats": 0.2, "degraded": 0.2, "loud": ("gold",)},
    gold=(Gold(segment="s1", system="sys0", values={"fluency": 5}, explanation="É"),),
    texts_sha256=sha256(TEXTS.written()),
)


def started(store: Store, plan: CampaignPlan = PLAN, texts: Material = TEXTS) -> Store:
    raters = plan.assignment.raters
    store.begin(written_plan(plan), texts.written(), work(plan, texts), raters, NOW)
    return store


def settled(store: Store, rater: int, public: str, fluency: float = 3) -> Answer:
    """An answer whose fluency was settled before the reference was given."""
    store.settle(rater, public, 1, [{"values": {"fluency": fluency}}], NOW)
    return answer(fluency)


def rated(store: Store) -> Store:
    """A campaign with all that can be: versions, flags, a late answer, a link, somebody who withdrew."""
    uuids = (str(UUID(int=number)) for number in count(1))
    store.set_bilingual(1, bilingual=True)
    left = store.next_task(3, PLAN.assignment, NOW)
    assert left is not None
    for rater in (1, 2):
        for number in range(4):
            offer = store.next_task(rater, PLAN.assignment, NOW + number)
            assert offer is not None
            said = BROKEN if number == 2 else settled(store, rater, offer.public, fluency=1 + number)
            store.submit(rater, offer.public, next(uuids), 0, [said], NOW + number / 7, PLAN)
            if number == 1:
                store.submit(rater, offer.public, next(uuids), 1, [answer(2, adequacy=5)], NOW + 9, PLAN)
    while (offer := store.next_task(1, PLAN.assignment, NOW + 5000)) is not None:
        store.submit(1, offer.public, next(uuids), 0, [settled(store, 1, offer.public)], NOW + 5000, PLAN)
    store.submit(3, left.public, next(uuids), 0, [settled(store, 3, left.public)], NOW + 6000, PLAN)
    store.enter(store.new_link(1), NOW)
    store.withdraw(2, NOW + 7000)
    return store


def test_what_is_exported_and_imported_is_exported_the_same(
    new_store: Callable[[], Store], sqlite_store: Callable[[], Store]
) -> None:
    data = rated(started(new_store())).exported()
    kinds = [next(iter(json.loads(line))) for line in data.decode().split("\n")[:-1]]
    assert set(kinds) == {"campaign", "rater", "task", "slot", "offer", "judgement", "withdrawal"}
    assert b'"extra": true' in data
    assert b'"version": 2' in data
    for store in (new_store(), sqlite_store()):
        store.load(data, "mine.jsonl")
        assert store.exported() == data
        assert store.campaign() == (written_plan(PLAN), TEXTS.written())


def test_an_imported_campaign_goes_on(new_store: Callable[[], Store]) -> None:
    first, second = rated(started(new_store())), new_store()
    second.load(first.exported(), "mine.jsonl")
    assert [replace(each) for each in second.judgements()] == list(first.judgements())
    for store in (first, second):
        while (offer := store.next_task(3, PLAN.assignment, NOW + 9000)) is not None:
            said = settled(store, 3, offer.public)
            store.submit(3, offer.public, str(UUID(int=int(offer.public, 16))), 0, [said], NOW + 9000, PLAN)
    assert first.exported() == second.exported()


def test_an_export_opens_nothing(new_store: Callable[[], Store]) -> None:
    store = started(new_store())
    secret = store.new_link(1)
    cookie, csrf = store.enter(secret, NOW)
    data = store.exported().decode()
    for hidden in (secret, cookie, csrf, "hash"):
        assert hidden not in data.replace("texts_sha256", "")


def test_a_withdrawal_takes_the_raters_own_lines_and_no_others(new_store: Callable[[], Store]) -> None:
    store = rated(started(new_store()))
    before = store.exported().decode().split("\n")
    judged = [line for line in before if line.startswith('{"judgement"') and '"rater": 1,' in line]
    assert store.withdraw(1, NOW + 9999) == len(judged) > 0
    after = store.exported().decode().split("\n")
    gone, new = set(before) - set(after), set(after) - set(before)
    assert {line for line in gone if line.startswith('{"judgement"')} == set(judged)
    assert all('"rater": 1' in line or '"number": 1,' in line or '"holder": 1,' in line for line in gone)
    assert [json.loads(line) for line in new if "withdrawal" in line] == [
        {"withdrawal": {"rater": 1, "judgements": len(judged), "at": NOW + 9999}}
    ]
    assert not any('"holder"' in line for line in new)


def changed(data: bytes, kind: str, **fields: Any) -> bytes:
    """The export with the first line of a kind changed; None leaves a field out."""
    lines = data.decode().split("\n")
    place = next(place for place, line in enumerate(lines) if line.startswith(f'{{"{kind}"'))
    values = json.loads(lines[place])[kind] | fields
    known = {name: value for name, value in values.items() if value is not None}
    lines[place] = json.dumps({kind: known})
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    from karat.campaigns.store import database

    return rated(started(Store(database(None, tmp_path_factory.mktemp("example"))))).exported()


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        ("campaign", {"form": 2}, "mine.jsonl is no campaign"),
        ("campaign", {"plan": "name = 1"}, "line 1: its plan: protocol is missing"),
        ("campaign", {"texts": "{}"}, "line 1: its texts, line 1"),
        ("rater", {"number": 9}, "there is no rater 9 in the plan"),
        ("rater", {"number": 2}, "cannot stand beside what comes before"),
        ("rater", {"link_hash": "x"}, "there is no setting rater.link_hash"),
        ("task", {"parts": []}, "the task shows nothing"),
        ("task", {"parts": [{"segment": "x", "shown": "y"}]}, "no segment 'x'"),
        ("task", {"origin": 99}, "there is no task 99"),
        ("task", {"system": "\ud800"}, "no text"),
        ("slot", {"task": 99}, "there is no task 99"),
        ("slot", {"holder": 8}, "there is no rater 8"),
        ("slot", {"place": 2**40}, "too large"),
        ("offer", {"slot": "x"}, "there is no slot x"),
        ("offer", {"stage": 2}, "there is no stage 2"),
        ("offer", {"stage": 1, "settled": []}, "0 were answered"),
        ("offer", {"stage": 1, "settled": [{"values": {"fluency": 9}}]}, "fluency is"),
        ("offer", {"stage": 1, "settled": [{"values": {"fluency": 1, "adequacy": 1}}]}, "nobody asked for 'adequacy'"),
        ("offer", {"stage": 1, "settled": [{"values": {"fluency": 5}}]}, "so it stays as it was"),
        ("offer", {"stage": 0, "settled": None}, "adequacy is asked when"),
        ("judgement", {"answers": [{"values": {"fluency": 99999, "adequacy": 1}, "seconds": 1}]}, "fluency is"),
        ("judgement", {"answers": [{"values": {"fluency": 1}, "seconds": 1}]}, "adequacy is missing"),
        ("judgement", {"answers": []}, "0 were answered"),
        ("judgement", {"uuid": "x"}, "uuid is 'x'"),
        ("judgement", {"version": 2}, "version 2 comes after version 0"),
        ("judgement", {"rater": 3}, "a task that the rater never had"),
        ("judgement", {"extra": "yes"}, "judgement.extra is 'yes': it must be true or false"),
        ("judgement", {"received_at": None}, "judgement.received_at is missing"),
        ("withdrawal", {"rater": 7}, "there is no rater 7"),
    ],
)
def test_what_could_not_have_come_about_is_refused_with_its_line(
    kind: str, fields: dict[str, Any], message: str, example: bytes, sqlite_store: Callable[[], Store]
) -> None:
    store = sqlite_store()
    with pytest.raises(InputError, match=message) as caught:
        store.load(changed(example, kind, **fields), "mine.jsonl")
    assert str(caught.value).startswith("mine.jsonl")
    assert not store.begun()


def test_a_judgement_that_is_missing_is_missed(example: bytes, sqlite_store: Callable[[], Store]) -> None:
    lines = example.decode().split("\n")
    late = next(line for line in lines if line.startswith('{"judgement"') and '"extra": false' in line)
    mine = json.loads(late)["judgement"]
    kept = [line for line in lines if not (line.startswith('{"judgement"') and mine["slot"] in line)]
    with pytest.raises(InputError, match="its judgement is missing"):
        sqlite_store().load("\n".join(kept).encode(), "mine.jsonl")


def test_nothing_is_imported_where_a_campaign_is(example: bytes, sqlite_store: Callable[[], Store]) -> None:
    with pytest.raises(InputError, match="import needs an empty one"):
        started(sqlite_store()).load(example, "mine.jsonl")


@given(data=st.data())
@settings(suppress_health_check=list(HealthCheck), max_examples=40, deadline=None)
def test_a_damaged_file_is_refused_or_comes_back_as_it_is(
    data: st.DataObject, example: bytes, sqlite_store: Callable[[], Store]
) -> None:
    place = data.draw(st.integers(0, len(example) - 1))
    damage = data.draw(st.binary(max_size=3))
    store = sqlite_store()
    try:
        store.load(example[:place] + damage + example[place + 1 :], "mine.jsonl")
    except InputError:
        assert not store.begun()
    else:
        again = sqlite_store()
        again.load(store.exported(), "again.jsonl")
        assert again.exported() == store.exported()
