"""Ctrl-C while the core is at work: one line and exit status 130."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks.interrupts import ALLOWED, commands, write_texts
from benchmarks.interrupts import interrupted as interrupted_after

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")

HANG = 120
"""Seconds that only a run which does not end takes."""

ANNOUNCING = """
import os, signal, sys
from karat import _native
from karat.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores Ctrl-C
kernel = sys.argv[1]
original = getattr(_native, kernel)

def announcing(*arguments):
    os.write(2, b"in the kernel\\n")  # whole, whichever threads write
    return original(*arguments)

setattr(_native, kernel, announcing)
main(sys.argv[2:])
"""


def interrupted(kernel: str, arguments: Sequence[str], cwd: Path) -> tuple[int, list[str]]:
    """The exit status and stderr of a run that gets Ctrl-C as soon as it is in a kernel."""
    command = [sys.executable, "-c", ANNOUNCING, kernel, *arguments]
    with subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        before = process.stderr.readline()
        if before != "in the kernel\n":
            process.kill()
        assert before == "in the kernel\n"
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, after = process.communicate(timeout=HANG)
    return process.returncode, (before + after).splitlines()


def test_one_long_segment_of_terp(tmp_path: Path) -> None:
    chance = random.Random(2)
    words = [f"w{number}" for number in range(60)]
    blocks = [chance.choices(words, k=20) for _ in range(20)]
    for name in ("ref", "sys"):
        (tmp_path / f"{name}.txt").write_text(" ".join(word for block in blocks for word in block) + "\n")
        chance.shuffle(blocks)
    status, lines = interrupted("terp_rows", ["score", "-r", "ref.txt", "sys.txt", "-m", "terp", "-j", "1"], tmp_path)
    assert status == 130
    assert lines[-1] == "karat: interrupted"


@pytest.mark.parametrize("threads", ["1", "2"])
def test_terp(threads: str, tmp_path: Path) -> None:
    chance = random.Random(1)
    words = [f"w{number}" for number in range(60)]
    for name in ("ref", "sys"):
        lines = (" ".join(chance.choices(words, k=60)) for _ in range(5_000))
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    metric = "terp(synonyms=none)"
    code, told = interrupted("terp_rows", ["score", "-r", "ref.txt", "sys.txt", "-m", metric, "-j", threads], tmp_path)
    assert (code, told) == (130, ["in the kernel", "karat: interrupted"])


def test_meta(tmp_path: Path) -> None:
    chance = random.Random(1)
    for name in ("people", "metric"):
        rows = (f"{system},{segment},{chance.random()}\n" for system in "ab" for segment in range(1, 30_001))
        (tmp_path / f"{name}.csv").write_text("system,segment,score\n" + "".join(rows), encoding="utf-8")
    options = ["--judgements", "people.csv", "--scores", "metric.csv", "--level", "segment", "--measure", "kendall-b"]
    code, told = interrupted("pair_counts", ["meta", *options], tmp_path)
    assert (code, told[-1]) == (130, "karat: interrupted")
    assert set(told[:-1]) == {"in the kernel"}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("texts")
    write_texts(directory, 1000)
    return directory


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells what a process has spent")
@pytest.mark.long
@pytest.mark.parametrize("command", ["compare", "human", "mbr"])
def test_little_is_done_after_an_interrupt(command: str, texts: Path) -> None:
    """What is done is told by the processor's time, which no busy machine makes longer."""
    arguments = list(commands()[command])
    if "-n" in arguments:
        arguments[arguments.index("-n") + 1] = "1000000"
    status, spent = interrupted_after(arguments, texts, 0.8)
    assert status == 130
    assert spent is not None
    assert spent < ALLOWED
