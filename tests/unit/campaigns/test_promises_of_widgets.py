"""The promises hold whatever is asked: nothing is told, lost, counted twice or overwritten, and copies are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.campaigns.asgi import Client, Reply

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")

from tests.unit.campaigns.every_protocol import NAMES, Collected, corpus_file, fill_in, made
from tests.unit.campaigns.raters import body_of, uncovered
from tests.unit.campaigns.test_blindness import assert_blind

from karat.campaigns.files import PLAN_FILE, read_campaign
from karat.campaigns.store import Store
from karat.service import campaigns
from karat.web.app import application

CANARIES = {name: f"canary-{name}-system" for name in ("good", "bad", "worse")}
RIGHT = "canary of what is right"
KINDS = ('"control', '"origin', '"system', '"extra"', '"loud', '"gold', '"scratch')


@pytest.fixture
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    """A rater of a campaign whose systems, and right answers where raters write them, could be seen anywhere."""
    directory = made(request.param, corpus_file(tmp_path), tmp_path)
    fill_in(directory)
    for file in (directory / PLAN_FILE, directory / "texts.jsonl"):
        text = file.read_text(encoding="utf-8")
        for name, canary in CANARIES.items():
            text = text.replace(f'"{name}"', f'"{canary}"').replace(f"{name} = ", f"{canary} = ")
        if request.param in ("question-answering", "extraction"):
            text = text.replace('right = ["the right one"]', f'right = ["{RIGHT}"]')
        text = "\n".join(line for line in text.split("\n") if not line.startswith("texts_sha256"))
        file.write_text(text, encoding="utf-8")
    running = campaigns.begin(read_campaign(str(directory)), campaigns.open_store(str(directory)))
    device = Client(application(running))
    device.enter(running.store.new_link(1))
    yield device
    running.store.engine.dispose()


@pytest.mark.parametrize("client", NAMES, indirect=True)
def test_an_answer_is_stored_once_and_never_overwritten(client: Client) -> None:
    """Nothing that is answered on the way names a system, a right answer or the kind of an item."""
    first = [client.ask("GET", "/api/state"), client.ask("POST", "/api/next")]
    state, task = (reply.document for reply in first)
    task = uncovered(client, state, task)
    path, body = f"/api/tasks/{task['public']}", body_of(state, task)
    empty = body | {"answers": [{"values": {}, "seconds": 1.0} for _ in task["parts"]]}
    other = body | {"uuid": "00000000-0000-0000-0000-000000000001"}
    sent = [client.ask("POST", f"{path}/answers", each) for each in (empty, strange(body), body, body, other)]
    assert [reply.status for reply in sent] == [422, 422, 200, 200, 409]
    assert [reply.document["again"] for reply in sent[2:4]] == [False, True]
    assert sent[4].document["version"] == 1
    read = [client.ask("GET", path), client.ask("GET", "/api/state")]
    assert said(read[0]) == said(sent[4]) == [normal(answer) for answer in body["answers"]]
    assert read[1].document["done"] == 1
    assert_blind([*first, *sent, *read], [*CANARIES.values(), RIGHT, *KINDS])


def strange(body: dict[str, Any]) -> dict[str, Any]:
    """The same with an answer that nobody asked for."""
    (first, *rest) = body["answers"]
    return body | {"answers": [first | {"values": first["values"] | {"canary": 1}}, *rest]}


def said(reply: Reply) -> list[Any]:
    return [normal(answer) for answer in reply.document["answers"]]


def normal(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what says nothing."""
    known = {name: value for name, value in answer.items() if value}
    for name in ("spans", "texts"):
        if name in known:
            known[name] = {key: without_nothing(each) for key, each in known[name].items()}
    return known


def without_nothing(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nothing(each) for key, each in value.items() if each not in (None, [], {})}
    return [without_nothing(each) for each in value] if isinstance(value, list) else value


@pytest.mark.long
def test_every_export_is_imported_and_exported_the_same(
    rated: Callable[[str], Collected], new_store: Callable[[], Store]
) -> None:
    """From SQLite into a database of each kind: what was said by any widget is there byte by byte."""
    for name in NAMES:
        running = rated(name).running
        data, store = running.store.exported(), new_store()
        store.load(data, f"{name}.jsonl")
        assert store.exported() == data, name
        assert [replace(each) for each in store.judgements()] == list(running.store.judgements()), name
