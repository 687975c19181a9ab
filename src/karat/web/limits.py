"""How often one address may try to enter."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from threading import Lock

from fastapi import HTTPException, Request

MOST_ADDRESSES = 10_000


class Attempts:
    """A bucket of tokens for each address: an attempt takes one, a wrong one more, and they come back with time.

    A classroom behind one address can enter at once; whoever guesses waits.
    """

    def __init__(self, size: float, per_second: float, of_wrong: float) -> None:
        self._size = size
        self._per_second = per_second
        self._of_wrong = of_wrong
        self._lock = Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, now: float) -> None:
        """Take a token, or refuse where there is none."""
        with self._lock:
            level = self._level(address, now)
            if level < 1:
                raise HTTPException(429, "too many attempts came from here: wait a minute", {"Retry-After": "60"})
            self._keep(address, level - 1, now)

    def wrong(self, address: str, now: float) -> None:
        """Take more, since the attempt was wrong."""
        with self._lock:
            self._keep(address, max(0.0, self._level(address, now) - self._of_wrong), now)

    def _level(self, address: str, now: float) -> float:
        level, at = self._levels.get(address, (self._size, now))
        return min(self._size, level + max(0.0, now - at) * self._per_second)

    def _keep(self, address: str, level: float, now: float) -> None:
        self._levels[address] = level, now
        self._levels.move_to_end(address)
        if len(self._levels) > MOST_ADDRESSES:
            self._levels.popitem(last=False)


def address_of(request: Request) -> str:
    """Who asks: an address, or of IPv6 the network, within which everybody can have any."""
    host = "" if request.client is None else request.client.host
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return host if address.version == 4 else str(ipaddress.ip_network(f"{host}/64", strict=False))
