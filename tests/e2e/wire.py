"""A wire between a browser and a server that can really be cut: connections end, and new ones are refused."""

from __future__ import annotations

import contextlib
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from urllib.parse import urlsplit

BYTES = 1 << 16


class Wire:
    """Carries what is said between an address of its own and a server's; `received` is all that the server said."""

    def __init__(self, address: str) -> None:
        there = urlsplit(address)
        assert there.hostname is not None and there.port is not None
        self.there = (there.hostname, there.port)
        self.here = ("127.0.0.1", 0)
        self.connections: list[socket.socket] = []
        self.received: list[bytes] = []
        self.mend()
        self.address = f"http://127.0.0.1:{self.here[1]}"

    def mend(self) -> None:
        """Carry, from now on, at the same address as before."""
        self.listening = socket.create_server(self.here)
        self.here = self.listening.getsockname()
        Thread(target=self._accept, args=(self.listening,), daemon=True).start()

    def cut(self) -> None:
        """End every connection, and refuse new ones."""
        for end in (self.listening, *self.connections):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.connections.clear()

    def through(self, link: str) -> str:
        """A link that goes through the wire."""
        return f"{self.address}/{link.split('/', 3)[3]}"

    def _accept(self, listening: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError):
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(self.there)
                self.connections += [near, far]
                Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        """Carry both ways until one side ends."""
        with contextlib.suppress(OSError, ValueError), near, far:
            while True:
                for end in select.select([near, far], [], [])[0]:
                    said = end.recv(BYTES)
                    if not said:
                        return
                    if end is far:
                        self.received.append(said)
                    (far if end is near else near).sendall(said)


@contextmanager
def wired(address: str) -> Iterator[Wire]:
    """A wire to a server, for as long as the block lasts."""
    wire = Wire(address)
    try:
        yield wire
    finally:
        wire.cut()
