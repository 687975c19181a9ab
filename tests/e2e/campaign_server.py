"""Campaigns served by the built command, and a client that says what a rater's page would."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit
from uuid import uuid4


@dataclass
class Served:
    """A running server: where raters and proxies reach it, and the links that it told."""

    process: subprocess.Popen[str]
    address: str
    links: dict[int, str]
    setup: str | None
    listens: str

    @classmethod
    def ready(cls, process: subprocess.Popen[str]) -> Served:
        """The server of a process, once it has told where it is."""
        told = first_document(process)
        links = {int(link["rater"].removeprefix("rater-")): link["link"] for link in told["links"]}
        return cls(process, told["address"], links, told["setup"], told["listens"])

    def end(self, by: signal.Signals = signal.SIGTERM) -> int:
        """End it, and wait."""
        self.process.send_signal(by)
        return self.process.wait(60)


@contextmanager
def served(
    directory: Path, *options: str, database: str | None = None, stderr: IO[bytes] | None = None
) -> Iterator[Served]:
    """A server of a campaign for as long as the block lasts."""
    command = [sys.executable, "-m", "karat", "campaign", "serve", str(directory), "--port", "0", "--json", *options]
    environment = os.environ | ({} if database is None else {"KARAT_DATABASE": database})
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environment) as process:
        try:
            yield Served.ready(process)
        finally:
            process.kill()


def first_document(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The JSON document that a process prints before it goes on."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line == "}\n":
            break
    document: dict[str, Any] = json.loads(text)
    return document


@dataclass
class Device:
    """A rater's device: its cookie, and what goes with each change."""

    address: str
    cookie: str = ""
    csrf: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, link: str) -> Device:
        """A device that has opened the link."""
        address, _, secret = link.partition("/#")
        device = cls(address)
        status, body = device.post("/api/enter", {"secret": secret})
        assert status == 200, body
        device.csrf = body["csrf"]
        return device

    def get(self, path: str) -> tuple[int, Any]:
        return self.ask("GET", path)

    def post(self, path: str, body: Any = None) -> tuple[int, Any]:
        return self.ask("POST", path, {} if body is None else body)

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request in a connection of its own."""
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        headers = {"Content-Type": "application/json", "X-Csrf": self.csrf, "Cookie": self.cookie} | self.headers
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            if cookie := answer.getheader("Set-Cookie"):
                self.cookie = cookie.partition(";")[0]
            self.last_headers = dict(answer.getheaders())
        finally:
            connection.close()
        return answer.status, json.loads(text) if text.startswith(("{", "[", "null")) else text

    def next(self) -> Any:
        status, task = self.post("/api/next")
        assert status == 200, task
        return task

    def submit(self, task: Any, values: dict[str, float], **changed: Any) -> tuple[int, Any]:
        """Answers to a task; where fluency is among several, it is settled first, as the page does."""
        if len(values) > 1 and "fluency" in values:
            self.settle(task, {"fluency": values["fluency"]})
        answers = [{"values": values, "seconds": 1.5} for _ in task["parts"]]
        body = {"uuid": str(uuid4()), "base_version": task["version"], "answers": answers} | changed
        return self.post(f"/api/tasks/{task['public']}/answers", body)

    def settle(self, task: Any, values: dict[str, float], stage: int = 1) -> tuple[int, Any]:
        """Answers to the questions before a stage, for its texts."""
        answers = [{"values": values, "seconds": 0.5} for _ in task["parts"]]
        return self.post(f"/api/tasks/{task['public']}/stage", {"stage": stage, "answers": answers})
