"""Raters at work at once, who try again until the server has said yes; and what must then be in the database."""

from __future__ import annotations

import http.client
import json
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from tests.contract.commands import run
from tests.unit.campaigns.raters import answer_of

PATIENCE = 120
"""Seconds after which a test gives up on a server that does nothing; on a busy machine much is slow."""


class RefusedError(Exception):
    """An answer that no rater should get, whatever happens to the server."""


class SecondDeviceError(Exception):
    """The rater's other device was first."""


def campaign(directory: Path, *options: str, segments: int = 100, systems: int = 5) -> Path:
    """A campaign about texts that differ in every word."""
    for name in ("source", "reference", *(f"system-{number}" for number in range(systems))):
        lines = (f"{name} {row} " + " ".join(f"w{row}x{word}" for word in range(8)) for row in range(segments))
        (directory / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    outputs = [str(path) for path in sorted(directory.glob("system-*.txt"))]
    texts = ("-s", str(directory / "source.txt"), "-r", str(directory / "reference.txt"), *outputs, "-l", "de-en")
    outcome = run("campaign", "new", str(directory / "campaign"), *texts, *options)
    assert outcome.code == 0, outcome.err
    return directory / "campaign"


@dataclass
class Rater:
    """A rater's device with one connection, which it opens anew when it is lost."""

    crowd: Crowd
    secret: str
    seed: int
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    connection: http.client.HTTPConnection | None = None

    def work(self) -> None:
        """Answer task after task, and change some answers."""
        try:
            draw = random.Random(self.seed)
            questions = self.ask("GET", "/api/state")["questions"]
            while (task := self.ask("POST", "/api/next")) is not None:
                self.answer(task, questions, draw)
        except StopIteration:
            pass
        except Exception as error:  # whatever it is, the test must hear of it
            self.crowd.problems.append(f"rater {self.seed}: {type(error).__name__}: {error}")
        finally:
            self.close()

    def answer(self, task: Any, questions: list[Any], draw: random.Random) -> None:
        """Answer a task, and perhaps answer it anew, until the other device does."""
        try:
            public, settled = task["public"], {}
            if questions[0]["criterion"] == "fluency":
                settled = {"fluency": self.settle(public, draw.randint(1, 5))}
            for version in range(draw.choice((1, 1, 2, 4))):
                answers = [drawn_answer(questions, part, len(task["parts"]), draw) for part in task["parts"]]
                for answer in answers:
                    answer["values"] |= settled
                self.submit(public, version, answers)
        except SecondDeviceError:
            pass

    def enter(self) -> None:
        """Exchange the link for a cookie."""
        self.headers["X-Csrf"] = self.ask("POST", "/api/enter", {"secret": self.secret})["csrf"]

    def settle(self, public: str, fluency: int) -> int:
        """Fluency, judged before the reference is given: what the first of the rater's devices says."""
        body = {"stage": 1, "answers": [{"values": {"fluency": fluency}, "seconds": 1.5}]}
        (settled,) = self.ask("POST", f"/api/tasks/{public}/stage", body)["settled"]
        return int(settled["values"]["fluency"])

    def submit(self, public: str, version: int, answers: list[Any]) -> None:
        """One answer, with the same uuid until it is acknowledged."""
        body = {"uuid": str(uuid4()), "base_version": version, "answers": answers}
        kept = self.ask("POST", f"/api/tasks/{public}/answers", body)
        if kept["version"] != version + 1:
            raise RefusedError(f"version {kept['version']} in place of {version + 1}")
        with self.crowd.lock:
            self.crowd.acknowledged[body["uuid"]] = said(answers)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The same request until there is an answer to it, or the work is over."""
        for attempt in range(10**6):
            if self.crowd.stopped.is_set():
                raise StopIteration
            try:
                status, answer = self.try_once(method, path, body)
            except (OSError, http.client.HTTPException):
                self.close()
                status, answer = 0, None
            if status == 200:
                return answer
            if status == 409 and self.crowd.two_devices:
                raise SecondDeviceError
            if status not in (0, 503):
                raise RefusedError(f"{method} {path}: {status} {answer}")
            self.crowd.refusals += status == 503
            time.sleep(min(0.01 * 2**attempt, 0.3))
        raise AssertionError

    def try_once(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if self.connection is None:
            self.connection = http.client.HTTPConnection(urlsplit(self.crowd.address).netloc, timeout=PATIENCE)
        self.connection.request(method, path, json.dumps({} if body is None else body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if cookie := answer.getheader("Set-Cookie"):
            self.headers["Cookie"] = cookie.partition(";")[0]
        return answer.status, json.loads(text) if text else None

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def drawn_answer(questions: list[Any], part: Any, together: int, draw: random.Random) -> dict[str, Any]:
    """Any answer that a part may get, with its first word marked where errors are."""
    answer = answer_of(questions, part)
    for question in questions:
        if question["criterion"] in answer["values"]:
            highest = together if question["widget"] == "ranking" else int(question["maximum"])
            answer["values"][question["criterion"]] = draw.randint(1, highest)
    return answer


Said = list[tuple[dict[str, float], dict[str, list[tuple[int, int, str]]]]]
"""The values and the marks of each part."""


def said(answers: Sequence[Any]) -> Said:
    """What tells one answer from another."""
    return [
        (
            answer["values"],
            {
                name: [(span["start"], span["end"], span["severity"]) for span in spans]
                for name, spans in (answer.get("spans") or {}).items()
            },
        )
        for answer in answers
    ]


@dataclass
class Crowd:
    """All raters of a campaign, wherever its server is just now, and what was acknowledged to them."""

    address: str
    two_devices: bool = False
    lock: Lock = field(default_factory=Lock)
    stopped: Event = field(default_factory=Event)
    acknowledged: dict[str, Said] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    refusals: int = 0
    threads: list[Thread] = field(default_factory=list)

    def start(self, links: Sequence[str]) -> None:
        """Let everybody in, and begin."""
        for seed, link in enumerate(links):
            rater = Rater(self, link.partition("#")[2], seed)
            rater.enter()
            self.threads.append(Thread(target=rater.work, daemon=True))
        for thread in self.threads:
            thread.start()

    @property
    def done(self) -> int:
        """How many judgements were acknowledged."""
        return len(self.acknowledged)

    @property
    def at_work(self) -> bool:
        """Whether anybody still is."""
        return any(thread.is_alive() for thread in self.threads)

    def wait_for(self, count: int) -> None:
        """Until so many are acknowledged, or all work is done."""
        last, since = self.done, time.monotonic()
        while self.done < count and self.at_work:
            time.sleep(0.005)
            if self.done > last:
                last, since = self.done, time.monotonic()
            assert time.monotonic() - since < PATIENCE, f"no judgement for {PATIENCE} s, after {last}"
        assert self.problems == []

    def wait_for_refusals(self, count: int) -> None:
        """Until the server has refused so many requests."""
        since = time.monotonic()
        while self.refusals < count:
            time.sleep(0.005)
            assert time.monotonic() - since < PATIENCE, f"{self.refusals} refusals after {PATIENCE} s"
        assert self.problems == []

    def finish(self) -> None:
        """Until all work is done, however long that takes while some of it gets done."""
        self.wait_for(sys.maxsize)

    def stop(self) -> None:
        """Let everybody go home."""
        self.stopped.set()
        self.finish()


@contextmanager
def crowd_of(address: str, links: Sequence[str]) -> Iterator[Crowd]:
    """A crowd that goes home at the end of the block; a link that is there twice is opened on two devices."""
    crowd = Crowd(address, two_devices=len(set(links)) < len(links))
    crowd.start(links)
    try:
        yield crowd
    finally:
        crowd.stopped.set()
        for thread in crowd.threads:
            thread.join(PATIENCE)


def stored_in(directory: Path) -> dict[str, Said]:
    """What a campaign's SQLite file holds, read from a copy: the server must be able to go on with what is there."""
    with tempfile.TemporaryDirectory() as copies:
        for path in directory.glob("judgements.sqlite*"):
            if not path.name.endswith("-shm"):
                shutil.copy(path, copies)
        with closing(sqlite3.connect(f"{copies}/judgements.sqlite")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
            return values_of(connection.execute("SELECT uuid, answers FROM judgement").fetchall())


def values_of(rows: Sequence[tuple[str, Any]]) -> dict[str, Said]:
    """The answers by uuid, each of which is there once."""
    stored = {}
    for uuid, answers in rows:
        assert uuid not in stored
        stored[uuid] = said(json.loads(answers) if isinstance(answers, str) else answers)
    return stored


def assert_kept(acknowledged: dict[str, Said], stored: dict[str, Said]) -> None:
    """All that was acknowledged is stored, as it was said."""
    lost = [uuid for uuid, answers in acknowledged.items() if stored.get(uuid) != answers]
    assert lost == [], f"{len(lost)} of {len(acknowledged)} lost"
