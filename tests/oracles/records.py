"""Scores that other tools printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def record(directory: Path, number: str) -> dict[str, Any]:
    """The record of that number: hypotheses, columns of references, scores of segments and corpus."""
    for line in (directory / "oracles.jsonl").read_text(encoding="utf-8").splitlines():
        found: dict[str, Any] = json.loads(line)
        if found["id"] == number:
            return found
    raise KeyError(number)
