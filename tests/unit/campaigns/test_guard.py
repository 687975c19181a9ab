"""What holds for every answer: its headers, and a limit to what is read."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.campaigns.asgi import Client

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")

from fastapi import FastAPI

from karat.web.guard import HEADERS, LONGEST_BODY, Guard
from karat.web.reach import Reach


@pytest.fixture
def app() -> Any:
    made = FastAPI()

    @made.post("/text")
    def take(body: dict[str, str]) -> int:
        return len(body["text"])

    made.add_middleware(Guard, reach=Reach())
    return made


def test_no_more_is_read_than_may_be(app: Any) -> None:
    client = Client(app)
    assert client.ask("POST", "/text", {"text": "x" * 1000}).document == 1000
    assert client.ask("POST", "/text", {"text": "x" * LONGEST_BODY}).status == 413
    assert client.ask("POST", "/text", {"text": "x" * LONGEST_BODY}, length=None).status == 413


def test_a_length_that_is_none_is_refused(app: Any) -> None:
    for length in ("-1", "x", "1e3", ""):
        assert Client(app).ask("POST", "/text", {"text": "x"}, length=length).status == 413


def test_every_answer_has_the_headers(app: Any) -> None:
    wanted = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}
    for path in ("/text", "/missing"):
        for method in ("GET", "POST"):
            headers = Client(app).ask(method, path).headers
            assert wanted.items() <= dict(headers).items()
            assert len({name for name, _ in headers}) == len(headers)
