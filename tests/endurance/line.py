"""A bad line between raters and their server: every request arrives twice, and many answers never do."""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 120


class Line(ThreadingHTTPServer):
    """Brings requests to a server, and sometimes an answer back."""

    daemon_threads = True

    def __init__(self, server: str) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.server_at = urlsplit(server).netloc
        self.draw, self.lock = random.Random(1), Lock()
        self.dropped = self.repeated = 0
        self.differences: list[str] = []
        self.both = ThreadPoolExecutor(32)

    @property
    def address(self) -> str:
        """Where raters find it."""
        return f"http://127.0.0.1:{self.server_port}"


class Request(BaseHTTPRequestHandler):
    """One request, brought to the server twice: one after the other, or both at once."""

    server: Line
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.bring()

    def do_POST(self) -> None:
        self.bring()

    def bring(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.server.lock:
            at_once, luck, second = (self.server.draw.random() for _ in range(3))
            self.server.repeated += 1
            self.server.dropped += luck < 0.3
        if at_once < 0.5:
            futures = [self.server.both.submit(self.once, body) for _ in range(2)]
            answers = [future.result() for future in futures]
        else:
            answers = [self.once(body), self.once(body)]
        self.compare(answers)
        self.answer(answers[second < 0.5], luck)

    def once(self, body: bytes) -> tuple[int, str | None, bytes]:
        connection = http.client.HTTPConnection(self.server.server_at, timeout=PATIENCE)
        try:
            headers = {name: value for name, value in self.headers.items() if name != "Connection"}
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Set-Cookie"), answer.read()
        finally:
            connection.close()

    def compare(self, answers: list[tuple[int, str | None, bytes]]) -> None:
        """The same request gets the same answer twice, but for the name of the session and whether it came before."""
        said = [(status, without_changes(body)) for status, _, body in answers]
        if said[0] != said[1]:
            self.server.differences.append(f"{self.path}: {said[0]} and {said[1]}")

    def answer(self, answer: tuple[int, str | None, bytes], luck: float) -> None:
        """Bring it back whole, in part, or not at all."""
        status, cookie, body = answer
        if luck < 0.2:
            self.close_connection = True
            return
        self.send_response(status)
        if cookie is not None:
            self.send_header("Set-Cookie", cookie)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if luck < 0.3:
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
            return
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing is said of each request."""


def without_changes(body: bytes) -> Any:
    document = json.loads(body)
    for name in ("again", "csrf") if isinstance(document, dict) else ():
        document.pop(name, None)
    return document


@contextmanager
def bad_line(server: str) -> Iterator[Line]:
    """A line for as long as the block lasts."""
    with Line(server) as line:
        thread = Thread(target=line.serve_forever, daemon=True)
        thread.start()
        try:
            yield line
        finally:
            line.shutdown()
            line.both.shutdown()
            thread.join()
