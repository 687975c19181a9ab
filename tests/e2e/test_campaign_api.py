"""The API by its own document: each route has a role, nobody else gets in, and nothing invalid is ever stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.contract.commands import run
from tests.examples import examples

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
pytest.importorskip("argon2", reason="pip install 'karat[web]'")

from fastapi import FastAPI
from fastapi.routing import APIRoute
from tests.e2e.campaign_server import Device, Served, served
from tests.e2e.test_campaign import BOTH, made
from tests.e2e.test_campaign_organiser import PASSWORD, Browser
from tests.unit.campaigns import every_protocol
from tests.unit.campaigns.asgi import Client

from karat.service.campaigns import begin, open_store, read_campaign
from karat.web.access import ROLES
from karat.web.app import application

METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
OPEN = {("post", "/api/enter"), ("post", "/organiser/login"), ("post", "/organiser/setup")}
"""Routes by which somebody enters: they are for anyone, and each wants a secret."""


@dataclass(frozen=True)
class Route:
    """An operation of the document."""

    method: str
    path: str
    role: str | None

    @property
    def filled(self) -> str:
        return self.path.format(public="x", number="1", form="csv")


def routes_of(app: FastAPI) -> list[Route]:
    paths = app.openapi()["paths"]
    return [
        Route(method, path, operation.get("x-role"))
        for path, operations in paths.items()
        for method, operation in operations.items()
        if method in METHODS
    ]


@dataclass(frozen=True)
class Party:
    """A served campaign, with a rater and an organiser who have entered."""

    directory: Path
    running: Served
    rater: Device
    organiser: Browser
    app: FastAPI


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    directory = made(tmp_path_factory.mktemp("api"), "--repeats", "0.25", "--degraded", "0.25")
    assert run("campaign", "password", str(directory), stdin=f"{PASSWORD}\n".encode()).code == 0
    with served(directory) as running:
        app = application(begin(read_campaign(str(directory)), open_store(str(directory))))
        yield Party(directory, running, Device.of(running.links[1]), Browser.of(running.address), app)


def test_every_route_names_its_role(party: Party) -> None:
    routes = routes_of(party.app)
    assert [route for route in routes if route.role not in ROLES] == []
    assert {route.role for route in routes} == set(ROLES)
    declared = {
        (method.lower(), route.path)
        for route in party.app.routes
        if isinstance(route, APIRoute)
        for method in route.methods
    }
    assert declared <= {(route.method, route.path) for route in routes}
    undocumented = [getattr(route, "path", None) for route in party.app.routes if not isinstance(route, APIRoute)]
    assert set(undocumented) <= {"/static", None}


def test_a_route_without_a_role_would_be_noticed() -> None:
    app = FastAPI()
    app.get("/api/secret")(lambda: {})
    assert [route.role for route in routes_of(app)] == [None]


def test_each_route_opens_to_its_role_only(party: Party) -> None:
    stranger = Device(party.running.address)
    for route in routes_of(party.app):
        answers = {
            "stranger": stranger.ask(route.method.upper(), route.filled, {} if route.method == "post" else None)[0],
            "rater": party.rater.ask(route.method.upper(), route.filled, {} if route.method == "post" else None)[0]
            if not route.path.endswith("/withdraw")
            else 200,
            "organiser": party.organiser.ask(
                route.method.upper(), route.filled, "" if route.method == "post" else None
            )[0],
        }
        refused = {name for name, status in answers.items() if status == 401}
        if route.role == "anyone":
            assert refused == set(), route
            if (route.method, route.path) in OPEN:
                assert 200 not in answers.values(), route
        else:
            assert refused == {"stranger", "rater", "organiser"} - {route.role}, route
        if route.method == "post" and route.role == "organiser":
            assert answers["organiser"] == 403  # without what the page says with each change
        if route.method == "post" and route.role == "rater":
            bare = Device(party.running.address, cookie=party.rater.cookie)
            assert bare.ask("POST", route.filled, {})[0] in (403, 422)


@pytest.mark.parametrize("protocol", ["esa", "ranking", "post-edit", "comprehension"])
def test_roles_are_the_same_whatever_is_asked(protocol: str, tmp_path: Path) -> None:
    directory = every_protocol.made(protocol, every_protocol.corpus_file(tmp_path), tmp_path)
    every_protocol.fill_in(directory)
    running = begin(read_campaign(str(directory)), open_store(str(directory)))
    app = application(running)
    stranger, rater = Client(app), Client(app)
    rater.enter(running.store.new_link(1))
    for route in routes_of(app):
        body = {} if route.method == "post" else None
        asked = [stranger] if route.path.endswith("/withdraw") else [stranger, rater]
        refused = [client.ask(route.method.upper(), route.filled, body).status == 401 for client in asked]
        assert refused == [route.role != "anyone", route.role == "organiser"][: len(asked)], route


def test_the_document_itself_is_not_served(party: Party) -> None:
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert party.rater.get(path)[0] == 404


HASTY: Any = {"suppress_health_check": list(HealthCheck), "database": None, "phases": [Phase.generate]}
KEPT = ("/withdraw", "/links/{number}", "/revoke", "/logout")
"""Ends of routes after which nobody would be there to try the others."""
VALUES = st.sampled_from([1, 3, 5, 0, 6, -1, 2.5, 99999, 1e300, True, "3", None]) | st.floats(
    allow_nan=False, allow_infinity=False
)


def api_of(party: Party) -> list[Any]:
    """The operations that are tried, as schemathesis knows them."""
    schemathesis = pytest.importorskip("schemathesis", reason="pip install 'schemathesis>=4.10,<5'")
    schema = schemathesis.openapi.from_dict(party.app.openapi())
    schema.config.base_url = party.running.address
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) > 10
    return [operation for operation in operations if not operation.path.endswith(KEPT)]


def body_drawn(data: st.DataObject, path: str, task: Any) -> dict[str, Any]:
    """A body that may be a good one: about a task that there is, with values that the scales may have."""
    if path.endswith("/stage"):
        values = data.draw(st.dictionaries(st.sampled_from(["fluency", "x"]), VALUES))
        before = [{"values": values, "seconds": 1} for _ in task["parts"]]
        return {"stage": data.draw(st.integers(0, 2)), "answers": before}
    answers = [
        {"values": data.draw(st.dictionaries(st.sampled_from([*BOTH, "x"]), VALUES)), "seconds": data.draw(VALUES)}
        for _ in task["parts"]
    ]
    base = data.draw(st.sampled_from([task["version"], 0, 1, -1]))
    return {"uuid": str(data.draw(st.uuids())), "base_version": base, "answers": answers}


@pytest.mark.long
def test_whatever_is_asked_is_answered_as_documented_and_nothing_invalid_is_stored(
    party: Party, tmp_path: Path
) -> None:
    operations = api_of(party)
    from schemathesis import checks
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

    @settings(max_examples=examples(100), deadline=None, **HASTY)
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        operation = data.draw(st.sampled_from(operations))
        mode = data.draw(st.sampled_from(list(GenerationMode)))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        task = party.rater.next() if "{public}" in operation.path else None
        if task is not None and data.draw(st.booleans()):
            case.path_parameters = {"public": task["public"]}
            if operation.method == "post" and data.draw(st.booleans()):
                case.body = body_drawn(data, operation.path, task)
        case.headers = {**(case.headers or {}), "X-Csrf": party.rater.csrf}
        case.cookies = {}
        response = case.call(headers={"Cookie": f"{party.rater.cookie}; {party.organiser.cookie}"})
        wanted = [checks.not_a_server_error, response_schema_conformance, status_code_conformance]
        case.validate_response(response, checks=wanted)
        assert response.headers["content-security-policy"][0].startswith("default-src 'self'")

    ask()
    # An import refuses what could not have come about: each judgement is complete, and on its scale.
    assert run("campaign", "export", str(party.directory), "-o", str(tmp_path / "all.jsonl")).code == 0
    imported = run("campaign", "import", str(tmp_path / "again"), str(tmp_path / "all.jsonl"))
    assert imported.code == 0, imported.err


def test_numbers_are_numbers(party: Party) -> None:
    device = Device.of(party.running.links[2])
    task = device.next()
    for wrong in (True, "3", [3], None):
        assert device.submit(task, {"fluency": wrong, "adequacy": 3})[0] == 422  # type: ignore[dict-item]
        answers = [{"values": BOTH, "seconds": wrong} for _ in task["parts"]]
        assert device.submit(task, BOTH, answers=answers)[0] == 422
    for wrong in (True, "0", 0.5, None):
        assert device.submit(task, BOTH, base_version=wrong)[0] == 422
    for wrong in (1, "yes", None):
        assert device.post("/api/profile", {"bilingual": wrong})[0] == 422
    assert device.next()["version"] == 0


class TestWhatFailsInPearmut:
    """Five failures of Pearmut 1.1.6, each tried here."""

    def test_no_annotation_is_handed_out_without_a_token(self, party: Party) -> None:
        stranger = Device(party.running.address)
        for route in routes_of(party.app):
            if route.role != "anyone":
                assert stranger.ask(route.method.upper(), route.filled, {})[0] in (401, 422), route
        for path in ("/download-annotations", "/annotations", "/export.jsonl", "/api/export", "/texts.jsonl"):
            assert stranger.get(path)[0] == 404

    def test_no_system_is_named_to_the_browser(self, party: Party) -> None:
        device = Device.of(party.running.links[2])
        seen = json.dumps([device.get("/api/state"), device.next(), dict(device.last_headers)])
        assert "canary" not in seen

    def test_no_score_beyond_the_scale_and_no_span_is_stored(self, party: Party) -> None:
        device = Device.of(party.running.links[2])
        task = device.next()
        assert device.submit(task, {"fluency": 99999, "adequacy": 3})[0] == 422
        span = {"start": 500, "end": 900, "severity": "purple"}
        answers = [{"values": BOTH, "seconds": 1, "spans": [span]} for _ in task["parts"]]
        assert device.submit(task, BOTH, answers=answers)[0] == 422
        assert device.next()["version"] == 0

    def test_a_submit_again_is_no_second_judgement(self, party: Party) -> None:
        device = Device.of(party.running.links[2])
        task, uuid = device.next(), "7b0c7f3e-0d7c-4a51-9a2f-3f6f0b8f0a11"
        for again in (False, True):
            status, kept = device.submit(task, BOTH, uuid=uuid)
            assert (status, kept["version"], kept["again"]) == (200, 1, again)
        exported = run("campaign", "export", str(party.directory)).out
        assert exported.count(uuid) == 1

    def test_it_is_bound_to_this_machine_only_unless_somebody_chooses(self, party: Party) -> None:
        assert party.running.listens.startswith("http://127.0.0.1:")
        refused = run("campaign", "demo", "--host", "0.0.0.0", "--port", "0")
        assert (refused.code, "set a password first" in refused.err) == (2, True)
