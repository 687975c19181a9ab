"""What earlier runs measured: a line of JSON a run in `history.jsonl`, and which ratios have fallen since the last."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

HISTORY = Path(__file__).with_name("history.jsonl")
LOSS = 0.8
"""A ratio below this share of that of the last run on such a machine is a loss; noise alone is smaller."""

measured: dict[str, float] = {}
"""How many times as long as karat each rival took in this run, by what was measured."""


@dataclass(frozen=True)
class Run:
    """The ratios of one run, and where they come from."""

    date: str
    commit: str
    machine: str
    cores: int
    python: str
    ratios: Mapping[str, float]


def note(title: str, own: str, rival: str, ratio: float) -> None:
    """Remember a ratio of this run."""
    measured[f"{title} | {own} | {rival}"] = float(f"{ratio:.4g}")


def this_run() -> Run:
    """What this process has measured."""
    return Run(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=_commit(),
        machine=_processor(),
        cores=os.cpu_count() or 1,
        python=platform.python_version(),
        ratios=dict(measured),
    )


def append(run: Run, path: Path = HISTORY) -> None:
    """Add a run to the file; one without ratios is none."""
    if run.ratios:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(run), ensure_ascii=False) + "\n")


def runs(path: Path = HISTORY) -> list[Run]:
    """All runs of the file, the oldest first."""
    if not path.is_file():
        return []
    return [Run(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def losses(run: Run, earlier: list[Run]) -> Iterator[str]:
    """A line for each ratio that is lower than it last was on such a machine."""
    last: dict[str, float] = {}
    for one in earlier:
        if (one.machine, one.cores) == (run.machine, run.cores):
            last |= one.ratios
    for name, ratio in run.ratios.items():
        if ratio < LOSS * last.get(name, 0.0):
            yield f"{name}: {ratio:g} times, {last[name]:g} in the last run"


def _commit() -> str:
    """The commit that is checked out, marked where files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HISTORY.parent)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()


def _processor() -> str:
    """The name of the processor, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
