"""What holds for every request and every answer: who asks, how much is read, which headers go out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from fastapi.responses import JSONResponse

from karat.web.reach import Reach

LONGEST_BODY = 1 << 20

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    # Of a form that is sent under no-referrer, browsers say that it came from nowhere.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class Guard:
    """Stands before an application."""

    def __init__(self, app: Application, reach: Reach) -> None:
        self.app = app
        self.reach = reach

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on as its sender meant it, unless it is too long."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                names = {name for name, _ in own}
                others = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
                message = {**message, "headers": [*others, *own]}
            await send(message)

        answer: Application = self.app if _short(scope) else _too_long
        await answer(self.reach.as_raters_see_it(scope), receive, send_with_headers)


def _short(scope: dict[str, Any]) -> bool:
    """Whether a request says how long it is, and is not long; one that is sent in pieces does not say."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    length = headers.get(b"content-length", b"0")
    return b"transfer-encoding" not in headers and length.isdigit() and int(length[:20]) <= LONGEST_BODY


async def _too_long(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    refusal = JSONResponse({"detail": "this is too long, or does not say how long it is"}, 413)
    await refusal(scope, receive, send)
