"""How raters reach the server: directly, or through proxies that may say for whom they ask."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Any

from karat.errors import InputError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Headers = list[tuple[bytes, bytes]]

FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-forwarded-port")


@dataclass(frozen=True)
class Reach:
    """What is before the server: whether HTTPS, which path, and which proxies."""

    https: bool = False
    root_path: str = ""
    proxies: tuple[Network, ...] = ()

    @classmethod
    def of(cls, *, https: bool = False, root_path: str = "", proxies: tuple[str, ...] = ()) -> Reach:
        """The same, out of what a command was told."""
        path = root_path.rstrip("/")
        if path and (not path.startswith("/") or not path.isascii() or any(sign in path for sign in "?#%;\\ \"'<>")):
            raise InputError(f"--root-path is {root_path!r}: it is a path such as /karat")
        return cls(https, path, tuple(map(_network, proxies)))

    @property
    def cookie_path(self) -> str:
        """Where browsers send the cookies."""
        return self.root_path or "/"

    def as_raters_see_it(self, scope: dict[str, Any]) -> dict[str, Any]:
        """A request as it was sent: what named proxies say of it counts, and what others say does not."""
        headers: Headers = scope["headers"]
        kept = [(name, value) for name, value in headers if name not in FORWARDED]
        seen = {**scope, "headers": kept, "scheme": "https" if self.https else scope["scheme"]}
        client = scope.get("client")
        if client is not None and self._named(client[0]):
            seen |= self._forwarded(headers, kept, seen)
        path: str = scope["path"]
        if self.root_path:
            seen["root_path"] = self.root_path
            if path != self.root_path and not path.startswith(f"{self.root_path}/"):
                seen["path"] = self.root_path + path
        return seen

    def _forwarded(self, headers: Headers, kept: Headers, seen: dict[str, Any]) -> dict[str, Any]:
        """What the nearest proxy says: of several values, it has added the last one."""
        changed: dict[str, Any] = {}
        if (scheme := _last(headers, b"x-forwarded-proto")) in ("http", "https"):
            changed["scheme"] = "https" if self.https else scheme
        if host := _last(headers, b"x-forwarded-host"):
            others = [(name, value) for name, value in kept if name != b"host"]
            changed["headers"] = [*others, (b"host", host.encode("latin-1"))]
        for address in reversed(_values(headers, b"x-forwarded-for")):
            if _address(address) is None:
                break
            changed["client"] = (address, 0)
            if not self._named(address):
                break
        return {name: value for name, value in changed.items() if seen.get(name) != value}

    def _named(self, text: str) -> bool:
        address = _address(text)
        return address is not None and any(address in network for network in self.proxies)


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise InputError(f"--proxy is {text!r}: it is an address such as 127.0.0.1, or a network 10.0.0.0/8") from error


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None


def _values(headers: Headers, wanted: bytes) -> list[str]:
    """All values of a header, those of one line apart."""
    lines = (value.decode("latin-1") for name, value in headers if name == wanted)
    return [value.strip() for line in lines for value in line.split(",")]


def _last(headers: Headers, wanted: bytes) -> str | None:
    values = _values(headers, wanted)
    return values[-1] if values else None
