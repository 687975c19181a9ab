"""Raters cannot know whose translation they judge, which items are checks, or what others said: in no byte they get."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete
from tests.examples import examples
from tests.unit.campaigns.asgi import Client, Reply

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")

import karat.web
from karat.campaigns import Assignment, CampaignPlan, Controls, Gold, Material, OwnScale, Question, Segment, work
from karat.campaigns.stages import stage_of_everything
from karat.campaigns.store import Store, StoreError, database, tables
from karat.corpus.ratings.protocols import protocol, protocol_names
from karat.service.campaigns import Running
from karat.web.app import application

NOW = 1_700_000_000.0
SYSTEMS = ("canary-System-alpha", "canary-System-beta", "canary-System-gamma")
REMARK = "canary-remark"
SECRET_OF_DATABASE = "canary-host.example"
KINDS = (
    "bad-reference",
    "degraded",
    '"repeat',
    '"gold',
    '"control',
    '"origin',
    '"system',
    '"extra',
    '"loud',
    '"passed',
)
MATERIAL = Material(
    segments=tuple(
        Segment(
            name=f"s{row}",
            document=f"d{row // 2}",
            source=" ".join(f"q{row}w{word}" for word in range(8)),
            reference=" ".join(f"r{row}w{word}" for word in range(8)),
            outputs={name: " ".join(f"o{n}s{row}w{word}" for word in range(8)) for n, name in enumerate(SYSTEMS)},
        )
        for row in range(4)
    )
)
COLLECTED = [name for name in protocol_names() if protocol(name).only_scales and name == protocol(name).name]
STATIC = Path(karat.web.__file__).parent / "static"


def questions_of(name: str, sights: list[str]) -> tuple[Question, ...]:
    """All that can be asked by a protocol; what is shown is shown from the last question on."""
    asked = protocol(name)
    if asked.open_criteria:
        return (Question(criterion="style", show=tuple(sights), scale=OwnScale(minimum=0, maximum=9, whole=False)),)
    able = [criterion for criterion, scale in asked.scales.items() if None not in (scale.minimum, scale.maximum)]
    last = able[-1]
    return tuple(Question(criterion=each, show=tuple(sights) if each == last else ()) for each in able)


def value_of(plan: CampaignPlan, criterion: str) -> float:
    """A value that nobody else gives where the scale has such."""
    scale = plan.scale(criterion)
    assert scale.minimum is not None and scale.maximum is not None
    return scale.maximum if scale.whole else scale.minimum + 0.73915462 * (scale.maximum - scale.minimum)


@st.composite
def plans(draw: st.DrawFn) -> CampaignPlan:
    """Campaigns of every protocol that can be collected, with all kinds of control items, none of them loud."""
    name = draw(st.sampled_from(COLLECTED))
    sights = draw(st.lists(st.sampled_from(["source", "reference"]), unique=True))
    plan = CampaignPlan(name="try", protocol=name, questions=questions_of(name, sights))
    criteria = [question.criterion for question in plan.questions]
    gold = Gold(
        segment="s1",
        system=SYSTEMS[0],
        values={criterion: value_of(plan, criterion) for criterion in criteria},
        translation=draw(st.sampled_from([None, "gold translation"]))
        and "eight words that stand where others stand too",
        explanation="canary-explanation",
    )
    return CampaignPlan(
        name="try",
        protocol=name,
        questions=plan.questions,
        unit=draw(st.sampled_from(["segment", "document"])),
        seed=draw(st.integers(0, 999)),
        assignment=Assignment(raters=2, judgements=draw(st.integers(1, 2))),
        controls=Controls(repeats=0.3, degraded=0.3, tolerance=0.0),
        gold=(gold,),
    )


def test_the_protocols_that_are_tried_are_those_that_raters_can_be_asked_by() -> None:
    assert {"adequacy-fluency", "four-level-adequacy", "da", "da-sqm", "sqm", "custom", "fidelity"} <= set(COLLECTED)


def begun(store: Store, plan: CampaignPlan) -> Running:
    with store.engine.begin() as connection:
        for table in reversed(tables.metadata.sorted_tables):
            connection.execute(delete(table))
    store.begin("plan", MATERIAL.written(), work(plan, MATERIAL), plan.assignment.raters, NOW)
    return Running(plan, MATERIAL, store, lambda: NOW)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    engine = database(None, tmp_path_factory.mktemp("blind"))
    made = Store(engine)
    plan = CampaignPlan(name="try", protocol="da", questions=questions_of("da", []))
    made.begin("plan", MATERIAL.written(), work(plan, MATERIAL), 2, NOW)
    yield made
    engine.dispose()


def entered(campaign: Running, rater: int) -> Client:
    client = Client(application(campaign))
    client.enter(campaign.store.new_link(rater))
    return client


def body_of(plan: CampaignPlan, task: Any, least: bool = True, **changed: Any) -> dict[str, Any]:
    """Answers that are right for no control: the least of each scale, or the most of each that is not settled."""
    scales = {question.criterion: plan.scale(question.criterion) for question in plan.questions}
    settled = [question.criterion for question in plan.questions[: stage_of_everything(plan)]]
    values = {
        criterion: scale.minimum if least or criterion in settled else scale.maximum
        for criterion, scale in scales.items()
    }
    answers = [{"values": values, "seconds": 1.5} for _ in task["parts"]]
    return {"uuid": str(uuid4()), "base_version": task["version"], "answers": answers} | changed


def in_any_writing(canary: str) -> Iterator[bytes]:
    """The canary as it could be written, or be told again by who guesses it."""
    yield canary.lower().encode()
    yield quote(canary).lower().encode()
    yield base64.b64encode(canary.encode()).rstrip(b"=").lower()
    yield canary.encode().hex().encode()
    for name in ("md5", "sha1", "sha256", "blake2b"):
        digest = hashlib.new(name, canary.encode())
        yield digest.hexdigest()[:16].encode()
        yield base64.b64encode(digest.digest())[:16].lower()


def assert_blind(replies: list[Reply], canaries: list[str]) -> None:
    everything = b"\n".join(reply.everything for reply in replies).lower()
    assert everything
    for canary in canaries:
        for written in in_any_writing(canary):
            assert written not in everything, canary


def shape(value: Any) -> Any:
    """Keys and types, with nothing of what is in them."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    return [shape(each) for each in value] if isinstance(value, list) else type(value).__name__


def work_of(client: Client, plan: CampaignPlan) -> Iterator[tuple[Any, list[Reply]]]:
    """All tasks of a rater, each with what is answered from taking it to changing its answer."""
    while (taken := client.ask("POST", "/api/next")).document is not None:
        task = taken.document
        path = f"/api/tasks/{task['public']}"
        sent = body_of(plan, task)
        replies = [taken, client.ask("POST", f"{path}/answers", sent | {"answers": []})]
        replies += settled(client, plan, task)
        replies += [client.ask("POST", f"{path}/answers", sent) for _ in range(2)]
        replies.append(client.ask("POST", f"{path}/answers", body_of(plan, task, least=False)))
        replies += [client.ask("GET", path), client.ask("GET", "/api/state")]
        assert [reply.status for reply in replies if reply.status != 200] == [422, 409]
        yield task, replies


def settled(client: Client, plan: CampaignPlan, task: Any) -> list[Reply]:
    """What is answered when the questions before the last texts are, if there are such."""
    stage = stage_of_everything(plan)
    if stage == 0:
        return []
    before = {question.criterion: plan.scale(question.criterion).minimum for question in plan.questions[:stage]}
    answers = [{"values": before, "seconds": 1.5} for _ in task["parts"]]
    return [client.ask("POST", f"/api/tasks/{task['public']}/stage", {"stage": stage, "answers": answers})]


@pytest.mark.long
@settings(max_examples=examples(12), deadline=None, phases=[Phase.generate])
@given(plan=plans())
def test_silent_checks_cannot_be_told_from_other_items(plan: CampaignPlan, store: Store) -> None:
    campaign = begun(store, plan)
    other = entered(campaign, 2)
    first = other.ask("POST", "/api/next").document
    settled(other, plan, first)
    said = body_of(plan, first)
    said["answers"][0]["comment"] = REMARK
    assert other.ask("POST", f"/api/tasks/{first['public']}/answers", said).status == 200
    shapes: dict[bool, set[str]] = {True: set(), False: set()}
    everything = []
    client = entered(campaign, 1)
    for task, replies in work_of(client, plan):
        control = store.task(1, task["public"]).task.control is not None
        headers = [sorted(name.decode() for name, _ in reply.headers) for reply in replies]
        bodies = [shape(reply.document) for reply in replies if reply is not replies[-1]]
        shapes[control].add(json.dumps([len(task["public"]), headers, bodies]))
        everything += replies
    assert shapes[True] and shapes[True] <= shapes[False]
    golden = [str(value) for value in plan.gold[0].values.values() if value % 1]
    assert_blind(everything, [*SYSTEMS, *KINDS, *golden, REMARK, "canary-explanation"])


def test_nothing_that_can_be_reached_names_a_system_or_a_right_answer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every route by every method with and without a body, every file, and the server's own errors."""
    gold = Gold(segment="s1", system=SYSTEMS[0], values={"overall": 73.915462}, explanation="because it is right")
    plan = CampaignPlan(
        name="try",
        protocol="da",
        questions=questions_of("da", ["source"])[:1],
        controls=Controls(repeats=0.3, degraded=0.3, loud=("gold", "repeats")),
        gold=(gold,),
    )
    campaign = begun(store, plan)
    client = entered(campaign, 1)
    public = client.ask("POST", "/api/next").document["public"]
    replies = [client.enter(store.new_link(1)), *reached(client, public), *reached(Client(client.app), public)]
    for _, answered in work_of(client, plan):
        replies += answered
    for trouble in (StoreError(f"no connection to {SECRET_OF_DATABASE}"), RuntimeError(f"{SYSTEMS[0]}: 73.915462")):
        monkeypatch.setattr(store, "next_task", raising(trouble))
        monkeypatch.setattr(store, "task", raising(trouble))
        failed = [client.ask("POST", "/api/next"), client.ask("GET", f"/api/tasks/{public}")]
        assert {reply.status for reply in failed} == {503 if isinstance(trouble, StoreError) else 500}
        replies += failed
    assert {401, 404, 405, 409, 413, 422, 500, 503} <= {reply.status for reply in replies}
    assert_blind(replies, [*SYSTEMS, "73.915462", SECRET_OF_DATABASE])


def raising(error: Exception) -> Callable[..., None]:
    def refuse(*_: Any, **__: Any) -> None:
        raise error

    return refuse


def reached(client: Client, public: str) -> Iterator[Reply]:
    """What comes of every route that changes nothing for good, of every file, and of what is not there."""
    files = [f"/static/{path.relative_to(STATIC)}" for path in sorted(STATIC.rglob("*")) if path.is_file()]
    assert len(files) > 5
    missing = ["/missing", "/static/", "/static/../app.py", "/static/%2e%2e/app.py", "/docs", "/openapi.json"]
    for path in ("/", *files, *missing):
        yield client.ask("GET", path)
    for path in paths_of(client.app, public):
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
            yield client.ask(method, path)
            yield client.ask(method, path, {"system": "x", "secret": "x", "uuid": "x"})
            yield client.ask(method, path, b"{")
    yield client.ask("POST", "/api/enter", b" " * (1 << 21))


def paths_of(app: Any, public: str) -> list[str]:
    """The paths of the API, but those after which there is no rater any more."""
    paths = {path.format(public=public, **OTHER_NAMES) for path in app.openapi()["paths"]}
    assert len(paths) > 5
    return sorted(path for path in paths if not path.endswith("/withdraw"))


OTHER_NAMES = dict.fromkeys(("rater", "number", "token", "form"), "1")
