"""What a rater gets to see when: the server gives a text only for answers to the questions before it, which stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")

from tests.unit.campaigns.asgi import Client, Reply
from tests.unit.campaigns.campaign_of import NOW, begun, material_of, plan_of

from karat.campaigns import CampaignPlan, Question
from karat.campaigns.stages import sights_at, stage_of_everything
from karat.campaigns.store import Store
from karat.service.campaigns import Running
from karat.web.app import application


def device(store: Store, plan: CampaignPlan | None = None, rater: int = 1) -> Client:
    """A rater's device in a campaign that has begun, or begins."""
    known = plan or plan_of()
    if not store.begun():
        begun(store, known)
    client = Client(application(Running(known, material_of(), store, lambda: NOW)))
    client.enter(store.new_link(rater))
    return client


def part(broken: str | None = None, **values: float) -> dict[str, Any]:
    return {"values": values, "seconds": 1.0, "broken": broken}


def settle(client: Client, task: Any, *parts: dict[str, Any], stage: int = 1) -> Reply:
    return client.ask("POST", f"/api/tasks/{task['public']}/stage", {"stage": stage, "answers": list(parts)})


def submit(client: Client, task: Any, *parts: dict[str, Any], version: int = 0) -> Reply:
    body = {"uuid": str(uuid4()), "base_version": version, "answers": list(parts)}
    return client.ask("POST", f"/api/tasks/{task['public']}/answers", body)


def next_of(client: Client) -> Any:
    return client.ask("POST", "/api/next").document


def test_no_answer_has_the_reference_before_fluency_is_settled(new_store: Callable[[], Store]) -> None:
    client = device(new_store())
    task = next_of(client)
    path = f"/api/tasks/{task['public']}"
    refused = [settle(client, task, part()), settle(client, task, part(fluency=9)), settle(client, task)]
    refused += [submit(client, task, part(fluency=3)), submit(client, task, part(fluency=3, adequacy=3))]
    assert {reply.status for reply in refused} == {422}
    before = [client.ask("POST", "/api/next"), client.ask("GET", path), client.ask("GET", "/api/state"), *refused]
    assert b"r0w" not in b"".join(reply.everything for reply in before)
    given = settle(client, task, part(fluency=3))
    assert given.status == 200
    (shown,) = given.document["parts"]
    assert shown["reference"].startswith("r")
    assert shown["source"] is None
    assert client.ask("GET", path).document == client.ask("POST", "/api/next").document == given.document
    assert given.document["settled"] == [{"values": {"fluency": 3.0}, "broken": None}]


def test_what_is_settled_stays_whoever_asks_again(new_store: Callable[[], Store]) -> None:
    store = new_store()
    client, other = device(store), device(store)
    task = next_of(client)
    assert settle(client, task, part(fluency=2)).status == 200
    for each in (client, other):
        assert settle(each, task, part(fluency=5)).document["settled"][0]["values"] == {"fluency": 2.0}
    changed = submit(client, task, part(fluency=5, adequacy=1))
    assert changed.status == 422
    assert [lack["criterion"] for lack in changed.document["lacks"]] == ["fluency"]
    assert submit(client, task, part(fluency=2, adequacy=1)).status == 200
    assert submit(client, task, part(fluency=3, adequacy=1), version=1).status == 422
    assert submit(client, task, part(fluency=2, adequacy=5), version=1).document["version"] == 2


def test_what_is_broken_needs_no_text_and_stays_broken_once_that_is_seen(new_store: Callable[[], Store]) -> None:
    client = device(new_store())
    task = next_of(client)
    assert submit(client, task, part(broken="cut off")).status == 200
    assert client.ask("GET", f"/api/tasks/{task['public']}").document["parts"][0]["reference"] is None
    second = next_of(client)
    assert settle(client, second, part(broken="cut off")).status == 200
    assert submit(client, second, part(fluency=1, adequacy=1)).status == 422
    assert submit(client, second, part(broken="the end is cut off")).status == 200


def test_a_task_of_somebody_else_is_no_way_to_its_texts(new_store: Callable[[], Store]) -> None:
    store = new_store()
    first, second = device(store), device(store, rater=2)
    task = next_of(first)
    assert settle(second, task, part(fluency=3)).status == 404
    assert settle(first, {"public": "nothing"}, part(fluency=3)).status == 404
    for stage in (2, 99):
        assert settle(first, task, part(fluency=3), stage=stage).status == 422
    for stage in (0, -1, True, "1"):
        assert settle(first, task, part(fluency=3), stage=stage).status == 422  # type: ignore[arg-type]


def test_texts_come_one_after_the_other() -> None:
    plan = plan_of(questions=(Question(criterion="fluency"), Question(criterion="adequacy", show=("reference",))))
    assert [sights_at(plan, stage) for stage in range(2)] == [frozenset(), {"reference"}]
    assert stage_of_everything(plan) == 1
    early = plan_of(questions=(Question(criterion="adequacy", show=("source",)), Question(criterion="fluency")))
    assert stage_of_everything(early) == 0


def test_a_plan_that_shows_everything_at_once_has_nothing_to_settle(new_store: Callable[[], Store]) -> None:
    plan = plan_of(questions=(Question(criterion="fluency", show=("source",)), Question(criterion="adequacy")))
    client = device(new_store(), plan)
    task = next_of(client)
    assert task["parts"][0]["source"].startswith("q")
    assert submit(client, task, part(fluency=3, adequacy=3)).status == 200
    assert submit(client, task, part(fluency=5, adequacy=3), version=1).status == 200
