"""The structure and the words of the sample's report, against a file; KARAT_GOLDEN=write writes it anew."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.e2e.report_pages import write_report

from karat.sample import path as sample_path

pytestmark = pytest.mark.contained  # what is shown depends on word lists that are installed

GOLDEN = Path(__file__).parents[1] / "golden" / "report-page.txt"
ARGUMENTS = (
    *("--corpus", str(sample_path("corpus.jsonl")), "--ratings", str(sample_path("ratings.tsv"))),
    *("-m", "bleu", "-m", "ter", "-n", "200", "--max-segments", "3"),
)
VOID = {"meta", "link", "br", "input", "img"}
LEFT_OUT = {"script", "style", "circle", "rect"}
ROWS = 4
"""How many lines of each table are looked at."""
KEPT = ("id", "class", "role", "href", "lang", "dir", "scope", "aria-label", "aria-sort", "data-save")
FROZEN = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ][\d:]+\S*( UTC)?"), "TIME"),
    (re.compile(r"karat:\d[\w.+-]*|unicode:[\d.]+|version:[\d.]+|(?<=<dd> )\d+\.\d+\.\S+"), "VERSION"),
)


class Outline(HTMLParser):
    """A line for each element that is shown, with its text; drawings keep their texts and lose their geometry."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.open: list[str] = []
        self.hidden: int | None = None
        self.rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.rows = 0 if tag in ("table", "tbody") else self.rows + (tag == "tr")
        if self.hidden is None and (tag in LEFT_OUT or "hidden" in given or (tag == "tr" and self.rows > ROWS)):
            self.hidden = len(self.open)
        elif self.hidden is None and tag not in VOID:
            kept = "".join(f" {name}={given[name]}" for name in KEPT if given.get(name))
            self.lines.append(f"{' ' * len(self.open)}<{tag}{kept}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Shapes of a drawing close themselves."""

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.open.pop() == tag
        if self.hidden == len(self.open):
            self.hidden = None

    def handle_data(self, data: str) -> None:
        if self.hidden is None and data.strip():
            self.lines[-1] += f" {' '.join(data.split())}"


def outline(page: str, *directories: Path) -> str:
    """What a page shows, a line for each element, without times, versions and directories."""
    parser = Outline()
    parser.feed(page)
    assert parser.open == []
    text = "\n".join(parser.lines) + "\n"
    for directory in directories:
        text = text.replace(str(directory), "DIRECTORY")
    for pattern, word in FROZEN:
        text = pattern.sub(word, text)
    return text


def test_the_sample_shows_what_it_showed(tmp_path: Path) -> None:
    found = outline(write_report(tmp_path, *ARGUMENTS).html, tmp_path, sample_path("corpus.jsonl").parent)
    if os.environ.get("KARAT_GOLDEN") == "write":
        GOLDEN.write_text(found, encoding="utf-8")
    assert len(found.encode()) < 150_000
    assert found.splitlines() == GOLDEN.read_text(encoding="utf-8").splitlines()
