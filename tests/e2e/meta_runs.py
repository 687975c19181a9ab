"""What tests of `karat meta` share: running it in this process, and small directories and files for it."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from karat.cli import main

Measures = dict[tuple[str, str, str, str], dict[str, Any]]
"""Entries by metric, level, grouping and measure."""


@dataclass(frozen=True)
class Run:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str) -> Run:
    """Run karat in this process, which is quicker than in another."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as done:
        main(list(arguments))
    return Run(int(done.value.code or 0), out.getvalue(), err.getvalue())


def document(*arguments: str) -> dict[str, Any]:
    """The JSON form of a meta-evaluation."""
    result = run("meta", *arguments, "--json", "--quiet")
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["schema"] == 2
    return found


def by_key(entries: list[dict[str, Any]]) -> Measures:
    """Entries of the JSON form by what they are about."""
    return {(one["metric"], one["level"], one["grouping"], one["measure"]): one for one in entries}


def measures(*arguments: str) -> Measures:
    """The measures of the one task there is."""
    return by_key(document(*arguments)["measures"])


def write(path: Path, lines: list[str]) -> Path:
    """A file of lines, in directories that are made for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def scores(of: dict[str, list[Any]]) -> list[str]:
    """The lines of a file of mt-metrics-eval."""
    return [f"{system}\t{score}" for system, values in of.items() for score in values]
