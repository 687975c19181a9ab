"""Databases that fail: a full disk, one that cannot be written to, and a PostgreSQL that is stopped under load."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")
pytest.importorskip("psycopg", reason="pip install 'karat[web]'")

import psycopg
from tests.contract.commands import run
from tests.e2e.campaign_server import Device
from tests.e2e.test_campaign import good
from tests.endurance.crowd import Said, assert_kept, campaign, crowd_of, stored_in, values_of
from tests.endurance.serving import serving
from tests.postgresql import PostgreSQL, running

pytestmark = pytest.mark.endurance

BOTH = {"fluency": 3, "adequacy": 4}
MEGABYTE = 1 << 20


@contextmanager
def small_disk(directory: Path) -> Iterator[Callable[[int], None]]:
    """A file system of one megabyte more than is in it, and a way to make it larger; a skip where nobody may mount."""
    inside = sum(path.stat().st_size for path in directory.iterdir())
    (directory.parent / "aside").mkdir()
    for path in directory.iterdir():
        path.rename(directory.parent / "aside" / path.name)
    size = f"size={inside + MEGABYTE}"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", directory], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("nobody may mount a file system here; a limit to the size of files is tried in its place")
    try:
        for path in (directory.parent / "aside").iterdir():
            shutil.copy(path, directory)
        yield lambda more: subprocess.run(
            ["mount", "-o", f"remount,size={more}", directory], check=True
        ).check_returncode()
    finally:
        subprocess.run(["umount", "--lazy", directory], check=True)


def test_a_full_disk_loses_nothing_and_room_is_enough_to_go_on(tmp_path: Path) -> None:
    directory = campaign(tmp_path, "--raters", "4", "--judgements", "2", segments=200)
    with serving(directory):
        pass
    with small_disk(directory) as enlarge:
        with serving(directory) as server:
            links = fresh_links(directory, server.address, 4)
            with crowd_of(server.address, links) as crowd:
                crowd.wait_for_refusals(8)
                assert crowd.done > 0
                assert_kept(dict(crowd.acknowledged), stored_in(directory))
                enlarge(32 * MEGABYTE)
                crowd.wait_for(crowd.done + 100)
                crowd.stop()
        assert_kept(crowd.acknowledged, stored_in(directory))
        with serving(directory) as again:
            assert Device.of(fresh_links(directory, again.address, 1)[0]).next() is not None


def test_a_limit_to_the_size_of_files_loses_nothing(tmp_path: Path) -> None:
    directory = campaign(tmp_path, "--raters", "4", "--judgements", "2", segments=200)
    with serving(directory):
        pass
    size = max(path.stat().st_size for path in directory.glob("judgements.sqlite*")) + MEGABYTE // 2

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    with (
        serving(directory, limit=limit) as server,
        crowd_of(server.address, fresh_links(directory, server.address, 4)) as crowd,
    ):
        crowd.wait_for_refusals(8)
        assert crowd.done > 0
        assert_kept(dict(crowd.acknowledged), stored_in(directory))
    assert_kept(crowd.acknowledged, stored_in(directory))
    with serving(directory) as again, crowd_of(again.address, fresh_links(directory, again.address, 4)) as later:
        later.wait_for(100)
        later.stop()
    assert_kept(crowd.acknowledged | later.acknowledged, stored_in(directory))


def test_what_cannot_be_written_is_never_acknowledged(tmp_path: Path) -> None:
    directory = campaign(tmp_path, "--raters", "2", segments=20)
    before = without_power_over_files()
    with serving(directory) as server:
        device = Device.of(server.links[1])
        task = device.next()
        assert device.submit(task, BOTH)[0] == 200
        open_task = device.next()
        assert device.settle(open_task, {"fluency": BOTH["fluency"]})[0] == 200
        server.end()
    kept = stored_in(directory)
    # Without a password, a server that starts makes a link to set one, and needs to write for it.
    assert run("campaign", "password", str(directory), stdin=b"a long password of the tests\n").code == 0
    (directory / "judgements.sqlite").chmod(0o444)
    with serving(directory, before=before) as server:
        device.address = server.address
        assert device.submit(open_task, BOTH)[0] == 503
        assert device.submit(task, BOTH, base_version=1)[0] == 503
        assert device.settle(task, {"fluency": BOTH["fluency"]})[0] == 503
        assert device.post("/api/next")[0] == 503
        assert device.get("/api/state")[0] == 200
        for path in directory.glob("judgements.sqlite*"):  # those beside the database have its permissions
            path.chmod(0o644)
        assert until(lambda: device.submit(open_task, BOTH)[0], 200)
    assert len(stored_in(directory)) == len(kept) + 1


def without_power_over_files() -> tuple[str, ...]:
    """What makes root obey permissions as others must."""
    if os.geteuid() != 0:
        return ()
    before = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all")
    if subprocess.run([*before, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("root can give up no power over files here")
    return before


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    with running() as server:
        yield server


def test_postgresql_that_restarts_under_load_loses_nothing(tmp_path: Path, postgresql: PostgreSQL) -> None:
    address = postgresql.new_database("restarts")
    directory = campaign(tmp_path, "--raters", "8", "--judgements", "4", segments=200)
    with serving(directory, database=address) as server, crowd_of(server.address, list(server.links.values())) as crowd:
        for mode in ("fast", "immediate", "immediate"):
            crowd.wait_for(crowd.done + 100)
            postgresql.stop(mode)
            crowd.wait_for_refusals(crowd.refusals + 4)
            postgresql.start()
            assert_kept(dict(crowd.acknowledged), stored_at(address))
        crowd.wait_for(crowd.done + 100)
        crowd.stop()
    stored = stored_at(address)
    assert_kept(crowd.acknowledged, stored)
    assert len(stored) - crowd.done <= 8


def test_postgresql_that_takes_no_writes_acknowledges_none(tmp_path: Path, postgresql: PostgreSQL) -> None:
    address = postgresql.new_database("readonly")
    directory = campaign(tmp_path, "--raters", "2", segments=20)
    with serving(directory, database=address) as server:
        device = Device.of(server.links[1])
        task = device.next()
        assert device.settle(task, {"fluency": BOTH["fluency"]})[0] == 200
        read_only(address, "on")
        assert device.settle(task, {"fluency": BOTH["fluency"]})[0] == 503
        assert until(lambda: device.submit(task, BOTH)[0], 503)
        assert device.post("/api/next")[0] == 503
        assert device.get("/api/state")[0] == 200
        read_only(address, "off")
        assert until(lambda: device.submit(task, BOTH)[0], 200)
    assert len(stored_at(address)) == 1


def read_only(address: str, wanted: str) -> None:
    """Let the database take no writes (any more), from all connections on."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute(f"ALTER DATABASE readonly SET default_transaction_read_only = {wanted}")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


def stored_at(address: str) -> dict[str, Said]:
    with psycopg.connect(address) as connection:
        return values_of(connection.execute("SELECT uuid, answers FROM judgement").fetchall())


def until(ask: Callable[[], int], wanted: int) -> bool:
    """Whether the wanted status comes, after others than 200 and before a minute is over."""
    for _ in range(600):
        status = ask()
        if status == wanted:
            return True
        assert status == 503, status
        time.sleep(0.1)
    return False


def fresh_links(directory: Path, address: str, raters: int) -> list[str]:
    """New links of the first raters."""
    given = [
        good("campaign", "link", str(directory), str(rater), "--address", address) for rater in range(1, raters + 1)
    ]
    return [document["links"][0]["link"] for document in given]
