"""Whole reports as files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.contract.commands import run

from karat.sample import path as sample_path

SAMPLE = (
    *("--corpus", str(sample_path("corpus.jsonl")), "--ratings", str(sample_path("ratings.tsv"))),
    *("-m", "bleu", "-m", "chrf", "-m", "ter", "-n", "200", "-l", "de-en"),
)


@dataclass(frozen=True)
class Report:
    """A report as a page and as JSON."""

    file: Path
    json_file: Path

    @property
    def html(self) -> str:
        """The page as it stands in its file."""
        return self.file.read_text(encoding="utf-8")

    @cached_property
    def json(self) -> dict[str, Any]:
        """What `--json` writes."""
        document: dict[str, Any] = json.loads(self.json_file.read_text(encoding="utf-8"))
        return document


def write_report(directory: Path, *arguments: str) -> Report:
    """One run that writes both forms."""
    written = Report(directory / "report.html", directory / "report.json")
    files = ("--html", str(written.file), "--json", "-o", str(written.json_file))
    outcome = run("report", *arguments, *files, "--quiet")
    assert outcome.code == 0, outcome.err
    return written
