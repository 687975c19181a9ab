"""A cluster of a head and two machines with one processor each: the bits of one thread, whatever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.parts import digest, scores, write_parts

from karat.errors import InputError

pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(find_spec("ray") is None, reason="install Ray: pip install 'karat[ray]'"),
]

ROWS = int(os.environ.get("KARAT_RAY_ROWS", "40000"))
FILES = 8
METRICS = ["-m", "bleu", "-m", "chrf", "-m", "ter", "-m", "meteor(language=en)"]
ENVIRONMENT = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_DEDUP_LOGS": "0"}
DEADLINE = 600
"""Seconds until a run counts as hung, on machines that do other work."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        quick = {
            "health_check_period_ms": 1000,
            "health_check_failure_threshold": 10,
            "health_check_timeout_ms": 10_000,
            "health_check_initial_delay_ms": 0,
        }
        head = {"num_cpus": 0, "_system_config": quick, "include_dashboard": False}
        running = Cluster(initialize_head=True, head_node_args=head)
        for _ in range(2):
            running.add_node(num_cpus=1)
        yield running
        running.shutdown()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("scale") / "in"
    write_parts(directory, FILES, ROWS // FILES)
    return directory


def command(corpus: Path, *arguments: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "karat",
        "score",
        "--corpus",
        f"{corpus}/*.parquet",
        *METRICS,
        "-q",
        "--json",
        *arguments,
    ]


def run(corpus: Path, *arguments: str) -> str:
    done = subprocess.run(
        command(corpus, *arguments), env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=DEADLINE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def by_one_thread(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    out = tmp_path_factory.mktemp("one") / "out"
    mine = scores(run(corpus, "--out", str(out), "-j", "1"))
    whole = scores(run(corpus))
    assert mine.keys() == whole.keys()
    for key, score in whole.items():
        exact = key[1] in ("bleu", "chrf")
        assert mine[key] == (score if exact else pytest.approx(score, rel=1e-12))
    return digest(out)


def interrupted(corpus: Path, out: Path, address: str, interrupt: Callable[[subprocess.Popen[bytes]], None]) -> int:
    """Run on the cluster, and interrupt it when the first part is there; the result is the exit code."""
    arguments = command(corpus, "--out", str(out), "--engine", "ray", "--address", address)
    with subprocess.Popen(arguments, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as driver:
        end = time.monotonic() + DEADLINE
        while not any((out / "sums").glob("*.parquet")) and driver.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        assert driver.poll() is None, driver.stderr.read() if driver.stderr else ""
        interrupt(driver)
        try:
            driver.communicate(timeout=DEADLINE)
        finally:
            driver.kill()
        return driver.returncode


def workers(cluster: Any) -> list[int]:
    """The processes of this cluster, and of no other, that do tasks; without its agents, which a machine dies with."""
    nodes = {info.process.pid for node in cluster.worker_nodes for info in node.all_processes.get("raylet", [])}
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in nodes and (process / "cmdline").read_bytes().startswith(b"ray::_run"):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def test_two_threads(corpus: Path, by_one_thread: dict[str, str], tmp_path: Path) -> None:
    run(corpus, "--out", str(tmp_path / "out"), "-j", "2")
    assert digest(tmp_path / "out") == by_one_thread


def test_a_cluster_that_loses_a_worker(
    cluster: Any, corpus: Path, by_one_thread: dict[str, str], tmp_path: Path
) -> None:
    killed = []

    def kill(_: object) -> None:
        killed.extend(workers(cluster)[:1])
        for process in killed:
            os.kill(process, signal.SIGKILL)

    assert interrupted(corpus, tmp_path / "out", cluster.address, kill) == 0
    assert killed
    assert digest(tmp_path / "out") == by_one_thread


def test_a_cluster_that_loses_a_machine(
    cluster: Any, corpus: Path, by_one_thread: dict[str, str], tmp_path: Path
) -> None:
    def kill(_: object) -> None:
        cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)

    assert interrupted(corpus, tmp_path / "out", cluster.address, kill) == 0
    cluster.add_node(num_cpus=1)
    assert digest(tmp_path / "out") == by_one_thread


def test_a_driver_that_is_killed_and_goes_on(
    cluster: Any, corpus: Path, by_one_thread: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert interrupted(corpus, out, cluster.address, lambda driver: driver.kill()) == -signal.SIGKILL
    assert not (out / "manifest.json").exists()
    finished = {path.name: path.stat().st_mtime_ns for path in (out / "sums").glob("*.parquet")}
    assert finished
    run(corpus, "--out", str(out), "--engine", "ray", "--address", cluster.address)
    assert digest(out) == by_one_thread
    now = {path.name: path.stat().st_mtime_ns for path in (out / "sums").glob("*.parquet")}
    # What a worker had begun when its driver was killed may be written again.
    assert sum(now[name] == written for name, written in finished.items()) >= 1


def test_a_cluster_of_this_machine_alone_adds_nothing_to_what_is_said(tmp_path: Path) -> None:
    write_parts(tmp_path / "in", 1, 30)
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "RAY_AUTH_MODE"}
    arguments = command(tmp_path / "in", "--out", str(tmp_path / "out"), "--engine", "ray", "-j", "1")
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False, timeout=DEADLINE)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(scores(done.stdout)) == {("hypothesis", spec) for spec in METRICS[1::2]}


def test_metrics_that_learn_take_two_passes(cluster: Any, corpus: Path, tmp_path: Path) -> None:
    nist = ["score", "--corpus", f"{corpus}/part-0[01].parquet", "-m", "nist", "-q", "--json"]
    arguments = [*nist, "--out", str(tmp_path / "out"), "--engine", "ray", "--address", cluster.address]
    found = [
        scores(
            subprocess.run(
                [sys.executable, "-m", "karat", *one], env=ENVIRONMENT, capture_output=True, text=True, check=True
            ).stdout
        )
        for one in (nist, arguments)
    ]
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_a_poisoned_row_ends_with_its_place(cluster: Any, tmp_path: Path) -> None:
    import polars as pl

    for frame in write_parts(tmp_path / "in", 2, 100)[1:]:
        hypotheses = [*frame["hypothesis"][:41], None, *frame["hypothesis"][42:]]
        frame.with_columns(hypothesis=pl.Series(hypotheses)).write_parquet(tmp_path / "in" / "part-01.parquet")
    arguments = command(
        tmp_path / "in", "--out", str(tmp_path / "out"), "--engine", "ray", "--address", cluster.address
    )
    done = subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=DEADLINE)
    assert done.returncode == 2
    assert "part-01.parquet, row 42: system hypothesis has no hypothesis" in done.stderr
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_a_cluster_that_has_lost_all_its_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    from ray.cluster_utils import Cluster

    from karat.engine.ray_executor import RayExecutor

    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    head = {"num_cpus": 0, "include_dashboard": False}
    deserted = Cluster(initialize_head=True, head_node_args=head)
    executor = RayExecutor(deserted.address, deserted_after=1)
    try:
        with pytest.raises(InputError, match="no worker for 1 seconds: look at `ray status`"):
            list(executor.run(divmod, 7, [2]))
    finally:
        executor.close()
        deserted.shutdown()


def test_a_cluster_that_does_not_answer(corpus: Path, tmp_path: Path) -> None:
    arguments = command(corpus, "--out", str(tmp_path / "out"), "--engine", "ray", "--address", "127.0.0.1:9")
    done = subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=DEADLINE)
    assert done.returncode == 2
    assert "no cluster answers at 127.0.0.1:9" in done.stderr
    assert not (tmp_path / "out").exists()
