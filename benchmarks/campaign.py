"""`python -m benchmarks.campaign`: 200 raters at a campaign server on this machine, on SQLite and on PostgreSQL.

How long raters wait until an answer is on the disk at so many judgements a second, and the most that are held at the
goal. A judgement has two answers, fluency and adequacy; the longer of both waits counts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from tests.postgresql import running

RATERS = 200
RATE = 20
SECONDS = 30
STEPS = (30, 40, 55, 75, 100, 130, 170)
STEP_SECONDS = 10
GOAL = 0.2
"""Seconds within which 95 of 100 submits are answered."""
SEGMENTS, SYSTEMS, JUDGEMENTS = 500, 4, 6
VALUES = {"fluency": 3, "adequacy": 4}


@dataclass
class Rater:
    """A rater's page: one connection, and the task on the screen."""

    host: str
    port: int
    secret: str
    headers: dict[str, str] = field(default_factory=dict)
    task: Any = None
    took: list[float] = field(default_factory=list)
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def enter(self) -> None:
        """Open the link, and get the first task."""
        await self.connect()
        self.headers["X-Csrf"] = (await self.post("/api/enter", {"secret": self.secret}))["csrf"]
        self.task = await self.post("/api/next", {})

    async def connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def judge(self, due: float) -> None:
        """Answer one question and then the other at the moment it is due, and get the next task, as the page does."""
        async with self.busy:
            before = {"values": {"fluency": VALUES["fluency"]}, "seconds": 4.5}
            path = f"/api/tasks/{self.task['public']}"
            await self.post(f"{path}/stage", {"stage": 1, "answers": [before]})
            settled = time.perf_counter()
            answer = {"values": VALUES, "seconds": 9.5}
            body = {"uuid": str(uuid4()), "base_version": 0, "answers": [answer]}
            await self.post(f"{path}/answers", body)
            self.took.append(max(settled - due, time.perf_counter() - settled))
            self.task = await self.post("/api/next", {})
            if self.task is None:
                raise SystemExit("a rater has done all: take fewer seconds or more segments")

    async def post(self, path: str, body: Any) -> Any:
        """One request, which must be answered 200."""
        sent = json.dumps(body).encode()
        known = {**self.headers, "Host": self.host, "Content-Type": "application/json", "Content-Length": len(sent)}
        lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in known.items()), "", ""]
        request = "\r\n".join(lines).encode() + sent
        try:
            self.writer.write(request)
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (ConnectionError, asyncio.IncompleteReadError):  # the server closes what is idle, as browsers know
            await self.connect()
            self.writer.write(request)
            head = await self.reader.readuntil(b"\r\n\r\n")
        status, *told = head.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in told)}
        text = await self.reader.readexactly(int(headers["content-length"]))
        if "set-cookie" in headers:
            self.headers["Cookie"] = headers["set-cookie"].partition(";")[0]
        if status.split()[1] != "200":
            raise SystemExit(f"{path}: {status}: {text.decode()}")
        return json.loads(text)


@dataclass(frozen=True)
class Server:
    """A server, where it is, and the links of its raters."""

    process: subprocess.Popen[str]
    address: str
    links: Sequence[str]

    @property
    def processor_seconds(self) -> float:
        """User and system time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(directory: Path, database: str | None) -> Iterator[Server]:
    """A server for as long as the block lasts."""
    command = [sys.executable, "-m", "karat", "campaign", "serve", str(directory), "--port", "0", "--json"]
    environment = os.environ | ({} if database is None else {"KARAT_DATABASE": database})
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        text = ""
        while not text.endswith("\n}\n"):
            text += process.stdout.readline()
        document = json.loads(text)
        try:
            yield Server(process, document["address"], [link["link"] for link in document["links"]])
        finally:
            process.send_signal(signal.SIGTERM)


def write_campaign(directory: Path) -> Path:
    """A campaign for them all, of sentences of 20 words."""
    draw = random.Random(1)
    names = ["source", "reference", *(f"system-{number}" for number in range(SYSTEMS))]
    for name in names:
        rows = (" ".join(f"w{draw.randrange(20_000)}" for _ in range(20)) for _ in range(SEGMENTS))
        (directory / f"{name}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    source, reference, *systems = (str(directory / f"{name}.txt") for name in names)
    command = [sys.executable, "-m", "karat", "campaign", "new", str(directory / "campaign"), "-s", source]
    options = ["-r", reference, "--raters", str(RATERS), "--judgements", str(JUDGEMENTS), "-l", "de-en"]
    subprocess.run([*command, *options, *systems], check=True, stdout=subprocess.DEVNULL)
    return directory / "campaign"


async def offered(raters: Sequence[Rater], server: Server, rate: float, seconds: float) -> float:
    """So many judgements a second, each when it is due, whether or not others are answered; the 95th percentile."""
    for rater in raters:
        rater.took.clear()
    spent, begun = server.processor_seconds, time.perf_counter()
    order = random.Random(1).sample(list(raters), len(raters))
    work = []
    for number in range(int(rate * seconds)):
        due = begun + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        work.append(asyncio.create_task(order[number % len(order)].judge(due)))
    await asyncio.gather(*work)
    passed, used = time.perf_counter() - begun, server.processor_seconds - spent
    took = sorted(each for rater in raters for each in rater.took)
    middle, most = (1000 * took[int(share * len(took))] for share in (0.5, 0.95))
    print(
        f"  {rate:>5g} judgements/s offered, {len(took) / passed:>6.1f} answered; a submit takes {middle:>7.1f} ms, "
        f"p95 {most:>7.1f} ms; {1000 * used / len(took):>5.1f} ms of processor each; load {os.getloadavg()[0]:.0f}",
        flush=True,
    )
    return most / 1000


async def measured(server: Server, seconds: float) -> None:
    """Everybody in, the rate that is the goal, and then more until it is not held."""
    at = urlsplit(server.address)
    raters = [Rater(str(at.hostname), at.port or 0, link.partition("#")[2]) for link in server.links]
    start = time.perf_counter()
    await asyncio.gather(*(rater.enter() for rater in raters))
    print(f"  {len(raters)} raters are in, each with a task, after {time.perf_counter() - start:.1f} s", flush=True)
    held = 0.0
    for rate, duration in ((RATE, seconds), *((step, STEP_SECONDS) for step in STEPS)):
        if await offered(raters, server, rate, duration) > GOAL:
            break
        held = rate
    print(f"  held at a p95 of {1000 * GOAL:g} ms: {held:g} judgements/s" if held else "  the goal is not reached")


def main() -> None:
    """Measure on each database."""
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=SECONDS, help="how long the rate of the goal is offered")
    options.add_argument("--database", action="append", choices=["sqlite", "postgresql"], default=None)
    given = options.parse_args()
    for kind in given.database or ["sqlite", "postgresql"]:
        with tempfile.TemporaryDirectory() as name:
            directory = write_campaign(Path(name))
            print(f"\n{kind}, {RATERS} raters, {os.cpu_count()} cores", flush=True)
            if kind == "sqlite":
                with serving(directory, None) as server:
                    asyncio.run(measured(server, given.seconds))
                continue
            with running(durable=True) as postgresql, serving(directory, postgresql.new_database("campaign")) as server:
                asyncio.run(measured(server, given.seconds))


if __name__ == "__main__":
    main()
