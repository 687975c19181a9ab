"""One JSON document for every command: its version, what was found under lasting names, and the warnings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.contract.commands import commands, run

from karat.results.base import SCHEMA
from karat.sample import path as sample_path

FIELDS: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("fields_of_schema_1.json").read_text(encoding="utf-8")
)
"""What each of these runs printed as schema 1: the names of the fields, by where they stand; later ones had none."""

REFERENCE, CORPUS, RATINGS = (str(sample_path(name)) for name in ("refA.en.txt", "corpus.jsonl", "ratings.tsv"))
NEURAL, FLUENT, LITERAL, GLOSSARY = (
    str(sample_path(f"{name}.txt")) for name in ("neural", "fluent", "literal", "glossary")
)
FILES = ("-r", REFERENCE, NEURAL, FLUENT)
QUICK = ("-m", "chrf", "-n", "100")

RUNS: dict[str, tuple[str, ...]] = {
    "score": FILES,
    "score --ci": ("-r", REFERENCE, NEURAL, "-m", "chrf", "--ci", "-n", "1000"),
    "score --level document": ("--corpus", CORPUS, "neural", "-m", "chrf", "--level", "document"),
    "score --level segment": ("-r", REFERENCE, NEURAL, "-m", "chrf", "--level", "segment"),
    "compare": (*FILES, "-m", "bleu", "-n", "100"),
    "compare --non-inferior": (*FILES, "-m", "bleu", "-n", "1000", "--non-inferior", "50"),
    "compare runs": ("-r", REFERENCE, f"a={NEURAL},{FLUENT}", f"b={LITERAL},{GLOSSARY}", *QUICK),
    "rank": (*FILES, LITERAL, *QUICK),
    "report": ("--corpus", CORPUS, "--ratings", RATINGS, *QUICK),
    "power": (*FILES, "-m", "chrf"),
    "power --sd": ("--sd", "10", "--units", "100"),
    "human": (RATINGS, "--corpus", CORPUS, "--without", "too-fast"),
    "mbr": ("{directory}/nbest.jsonl",),
    "pairwise": (NEURAL, FLUENT),
    "pairwise --per-segment": ("--per-segment", NEURAL, FLUENT),
    "meta": ("--corpus", CORPUS, "--ratings", RATINGS, "--criterion", "adequacy", "-m", "bleu", *QUICK),
    "combine": (
        *("--corpus", CORPUS, "--ratings", RATINGS, "--criterion", "adequacy"),
        *("-m", "bleu", "-m", "chrf", "-o", "{directory}/model.json"),
    ),
    "tune meteor": ("--corpus", CORPUS, "--judgements", RATINGS, "--criterion", "adequacy", "--starts", "1"),
    "analyse all": ("--corpus", CORPUS, *QUICK),
    "analyse buckets": ("--corpus", CORPUS, *QUICK),
    "analyse coverage": ("--corpus", CORPUS),
    "analyse errors": ("--corpus", CORPUS, "-n", "100"),
    "analyse findings": ("--corpus", CORPUS),
    "analyse multi-reference": ("--corpus", CORPUS, "--ratings", RATINGS, "-m", "bleu"),
    "analyse ngrams": ("--corpus", CORPUS, "-n", "100"),
    "analyse words": ("--corpus", CORPUS, "-n", "100"),
    "analyse segments": ("--corpus", CORPUS, "--ratings", RATINGS, "--count", "2"),
    "audit": ("--corpus", CORPUS, "--ratings", RATINGS, "-m", "chrf", "--verify"),
    "analyse word-tags": ("-g", "{directory}/gold.tags", "{directory}/predicted.tags"),
    "campaign new": ("{directory}/mine", "--corpus", CORPUS),
    "convert": (RATINGS, "-o", "{directory}/ratings.jsonl"),
    "metrics": (),
    "metrics NAME": ("bleu",),
}


SERVERS = {"campaign demo", "campaign serve"}
"""Commands that go on after their document; tests/e2e/test_campaign.py and test_rater_page.py read it."""
DIRECTORIES = {
    f"campaign {name}"
    for name in ("backup", "check", "export", "import", "link", "password", "restore", "results", "status")
}
"""Commands about a directory that another one makes; tests/e2e/test_campaign*.py read their documents."""


def command_of(name: str) -> str:
    """The command of a run: what its name begins with."""
    return max((known for known, _ in commands() if name.startswith(known)), key=len)


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("envelope")
    (made / "gold.tags").write_text("OK BAD OK\nBAD OK\n", encoding="utf-8")
    (made / "predicted.tags").write_text("OK BAD BAD\nBAD OK\n", encoding="utf-8")
    (made / "nbest.jsonl").write_text('{"hypotheses": ["a cat", "a dog"]}\n', encoding="utf-8")
    return made


@cache
def document(name: str, directory: Path) -> dict[str, Any]:
    """What the run prints as JSON."""
    arguments = (argument.format(directory=directory) for argument in RUNS[name])
    outcome = run(*command_of(name).split(), *arguments, "--json")
    assert outcome.code == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def fields(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Where every field stands, and its name; the entries of a list stand in the same place."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield place, name
            yield from fields(inner, f"{place}.{name}".lstrip("."))
    elif isinstance(value, list):
        for inner in value:
            yield from fields(inner, f"{place}[]")


def test_every_command_that_writes_json_has_a_run() -> None:
    writing = {name for name, command in commands() if any("--json" in param.opts for param in command.params)}
    assert writing == {name for name, _ in commands()}
    assert writing == {command_of(name) for name in RUNS} | SERVERS | DIRECTORIES


@pytest.mark.parametrize("name", RUNS)
def test_the_envelope_is_the_same(name: str, directory: Path) -> None:
    found = document(name, directory)
    assert found["schema"] == SCHEMA == 2
    assert isinstance(found["warnings"], list)
    for warning in found["warnings"]:
        assert {"code", "message"} <= set(warning)
        assert all(isinstance(warning[key], str) and warning[key] for key in ("code", "message"))


@pytest.mark.parametrize("name", RUNS)
def test_fields_keep_their_names(name: str, directory: Path) -> None:
    there = set(fields(document(name, directory)))
    before = {(place, field) for place, names in FIELDS.get(name, {}).items() for field in names.split(", ")}
    assert not before - there


def test_a_warning_reaches_the_document(tmp_path: Path) -> None:
    for name, text in (("ref", "a b c d\ne f g h\n"), ("system", "a b c d\n\n")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    outcome = run("score", "-r", str(tmp_path / "ref.txt"), str(tmp_path / "system.txt"), "--json")
    (warning,) = json.loads(outcome.out)["warnings"]
    assert warning["code"] == "empty"
    assert warning["segments"] == [2]
    assert warning["message"] in outcome.err
