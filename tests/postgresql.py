"""A PostgreSQL of the tests' own: in a directory that goes away, reached by a socket in it and by nothing else."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

INSTALL = "PostgreSQL is not here: apt-get install postgresql"


@contextmanager
def running(*, durable: bool = False) -> Iterator[PostgreSQL]:
    """A server that ends with the block, and keeps what it said through a power cut where it is to be `durable`.

    A skip that tells how to install it where it is absent.
    """
    with tempfile.TemporaryDirectory(prefix="karat-pg-") as name:
        server = PostgreSQL(Path(name), durable=durable)
        server.create()
        server.start()
        try:
            yield server
        finally:
            server.stop()


class PostgreSQL:
    """One server; as root it runs as the user postgres, since the server refuses root."""

    def __init__(self, directory: Path, *, durable: bool = False) -> None:
        self.directory = directory
        self.programs = _programs()
        self.sync = "on" if durable else "off"
        self.as_postgres = os.geteuid() == 0

    def create(self) -> None:
        if self.as_postgres:
            user = pwd.getpwnam("postgres")
            os.chown(self.directory, user.pw_uid, user.pw_gid)
        self._run("initdb", "--auth=trust", "--username=karat", "--no-sync", "-D", f"{self.directory}/data")

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.directory}' -c fsync={self.sync}"
        self._run("pg_ctl", "-w", "-D", f"{self.directory}/data", "-l", f"{self.directory}/log", "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-w", "-D", f"{self.directory}/data", "-m", mode, "stop")

    def new_database(self, name: str) -> str:
        """The address of a new, empty database."""
        self._run("createdb", "-h", str(self.directory), "-U", "karat", name)
        return f"postgresql://karat@/{name}?host={self.directory}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        if self.as_postgres:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.directory)
        assert done.returncode == 0, done.stderr


def _programs() -> Path:
    """Where the server's programs are."""
    if (found := shutil.which("initdb")) is not None:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not versions or os.environ.get("KARAT_BARE"):
        pytest.skip(INSTALL)
    return versions[-1].parent
