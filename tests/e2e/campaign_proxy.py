"""A small proxy before a campaign's server, as nginx and Caddy would be: it takes a path off and says who asked."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit


@contextmanager
def proxied(server: str, *, public: str, strips: bool = True, headers: dict[str, str] | None = None) -> Iterator[str]:
    """The address of a proxy of this machine that stands for the `public` address of a server."""
    told = urlsplit(public)

    class Proxy(BaseHTTPRequestHandler):
        def pass_on(self) -> None:
            path = self.path.removeprefix(told.path) if strips else self.path
            length = int(self.headers.get("Content-Length", "0"))
            body = self.rfile.read(length) if length else None
            said = {
                **{name: value for name, value in self.headers.items() if name.lower() != "host"},
                "Host": urlsplit(server).netloc,
                "X-Forwarded-For": self.client_address[0],
                "X-Forwarded-Proto": told.scheme,
                "X-Forwarded-Host": told.netloc,
            } | (headers or {})
            upstream = http.client.HTTPConnection(urlsplit(server).netloc, timeout=60)
            upstream.request(self.command, path or "/", body, said)
            answer = upstream.getresponse()
            data = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("content-length", "transfer-encoding", "connection", "date"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            upstream.close()

        do_GET = do_POST = pass_on  # noqa: N815 - called so by the standard library

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{proxy.server_address[1]}"
        finally:
            proxy.shutdown()
