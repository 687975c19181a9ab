"""Requests to a web application in this process, without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Reply:
    """What an application answered: its status, its headers and its bytes."""

    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    @property
    def everything(self) -> bytes:
        """All that reaches the device."""
        return b"\n".join((*(name + b": " + value for name, value in self.headers), self.body))

    @property
    def document(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """A device that asks an application, with its cookie and what goes with each change."""

    app: Any
    headers: dict[str, str] = field(default_factory=lambda: {"host": "127.0.0.1", "content-type": "application/json"})

    def enter(self, secret: str) -> Reply:
        reply = self.ask("POST", "/api/enter", {"secret": secret})
        cookie = dict(reply.headers)[b"set-cookie"].decode()
        self.headers |= {"cookie": cookie.partition(";")[0], "x-csrf": reply.document["csrf"]}
        return reply

    def ask(self, method: str, path: str, body: Any = None, *, length: str | None = "known") -> Reply:
        """One request; a body that is not bytes is sent as JSON. Its `length` can be left out, or said wrong."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        said = str(len(sent)) if length == "known" else length
        header = {"transfer-encoding": "chunked"} if said is None else {"content-length": said}
        # In a thread of its own, for a browser that was driven before has left a loop running in this one.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(self._asked(method, path, sent, header))).result()

    async def _asked(self, method: str, path: str, sent: bytes, header: dict[str, str]) -> Reply:
        path, _, query = path.partition("?")
        headers = {**self.headers, **header}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        reply, requests = Reply(), iter([{"type": "http.request", "body": sent, "more_body": False}])
        over = asyncio.Event()

        async def receive() -> Any:
            if (request := next(requests, None)) is not None:
                return request
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                reply.status, reply.headers = message["status"], list(message["headers"])
            reply.body += message.get("body", b"")

        try:
            await self.app(scope, receive, send)
        except RuntimeError as error:
            # What is wrong with the server is raised once more after it was answered; the device hears the answer.
            assert reply.status == 500, error
        return reply
