"""How a page was made: the command, versions, inputs with their hashes, and when."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from karat.report.page.parts import Made

PACKAGES = ("karat", "numpy", "scipy", "polars")
BLOCK = 1 << 20


def made_by(command: Sequence[str], paths: Iterable[str], settings: Mapping[str, Any] | None = None) -> Made:
    """What is to be told about a run: its words, the files that it read, and its settings."""
    return Made(
        command=shlex.join(command),
        time=_now().strftime("%Y-%m-%d %H:%M UTC"),
        versions={**{name: version(name) for name in PACKAGES}, "Python": platform.python_version()},
        inputs=tuple(_inputs(paths)),
        settings=dict(settings or {}),
    )


def _now() -> datetime:
    """The time, or that which SOURCE_DATE_EPOCH names: then the same input gives the same page."""
    frozen = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(frozen), UTC) if frozen.isdigit() else datetime.now(UTC)


def _inputs(paths: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Every file that there is under these names, with its size and hash."""
    for name in dict.fromkeys(paths):
        for path in _files(name):
            yield {"path": str(path), "bytes": path.stat().st_size, "sha256": _digest(path)}


def _files(name: str) -> list[Path]:
    try:
        path = Path(name)
        if path.is_dir():
            return sorted(inner for inner in path.rglob("*") if inner.is_file())
        return [path] if path.is_file() else []
    except OSError:  # a name that is too long for one of a file
        return []


def _digest(path: Path) -> str:
    state = sha256()
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            state.update(block)
    return state.hexdigest()
