"""The server: uvicorn on one address, ended by SIGTERM when what it answers is answered."""

from __future__ import annotations

import ipaddress
import socket
from pathlib import Path

import uvicorn

from karat.errors import InputError
from karat.service.campaigns import Running
from karat.web.app import application
from karat.web.reach import Reach

BACKLOG = 2048
LAST_ANSWERS = 10
"""Seconds to answer what is under way when the server ends: a device may have gone in the middle of a request."""


def listening(host: str, port: int, *, password: bool) -> socket.socket:
    """A socket; one that other machines reach only where a `password` is set. Port 0 takes a free one."""
    if not is_loopback(host) and not password:
        raise InputError(
            f"{host} can be reached from other machines: set a password first with karat campaign password, or serve "
            "on 127.0.0.1 and put a proxy with HTTPS before it"
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(BACKLOG)  # so that whoever is told the address can connect at once
    except OSError as error:
        bound.close()
        raise InputError(f"port {port} of {host} cannot be had ({error.strerror}): take another with --port") from error
    return bound


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(campaign: Running, bound: socket.socket, reach: Reach, directory: Path | None = None) -> None:
    """Serve until the process is told to end."""
    config = uvicorn.Config(
        application(campaign, reach, directory),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # uvicorn would believe whoever is on this machine
        timeout_graceful_shutdown=LAST_ANSWERS,
    )
    uvicorn.Server(config).run(sockets=[bound])
