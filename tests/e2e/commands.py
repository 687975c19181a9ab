"""Runs karat as a user does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from karat.sample import path as sample_path

SAMPLE = sample_path()
CORPUS = str(SAMPLE / "corpus.jsonl")
REFERENCE = str(SAMPLE / "refA.en.txt")


def karat(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "karat", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=cwd, check=False)


def document(*arguments: str, cwd: Path | None = None) -> dict[str, Any]:
    """What a command prints as JSON."""
    result = karat(*arguments, "--json", cwd=cwd)
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def sample_file(name: str) -> str:
    return str(SAMPLE / f"{name}.txt")
