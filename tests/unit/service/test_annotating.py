"""Annotations from the command line: given to texts by name, and refused where they do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.annotations import annotation_of
from tests.contract.commands import run

from karat.text.annotation.jsonform import to_text

REFERENCE = ["the cat sat on the mat", "dogs bark", "", "he said: שלום עולם"]
SYSTEM = ["a cat sat on a mat", "the dog barks", "", "שלום said he"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two texts with annotations of all layers, apart and as one corpus."""
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": REFERENCE, "new": SYSTEM, "src": SYSTEM}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        annotations = "".join(f"{to_text(annotation_of(line))}\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(annotations, encoding="utf-8")
    rows = [{"reference": r, "hypothesis": h} for r, h in zip(REFERENCE, SYSTEM, strict=True)]
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return tmp_path


TEXTS = ("-r", "ref.txt", "new.txt", "-m", "overlap")
GIVEN = ("--annotations", "reference=ref.jsonl", "--annotations", "new=new.jsonl")


def scores(*arguments: str) -> list[dict[str, Any]]:
    outcome = run("score", *arguments, "--json")
    assert outcome.code == 0, outcome.err
    found: list[dict[str, Any]] = json.loads(outcome.out)["scores"]
    return found


def refused(*arguments: str) -> str:
    outcome = run("score", *arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    return outcome.err


def test_files_of_annotations_reach_metrics_by_name_whatever_holds_the_texts() -> None:
    (plain,) = scores(*TEXTS, *GIVEN)
    (named,) = scores(*TEXTS, "--annotations", "reference:ref=ref.jsonl", "--annotations", "new=new.jsonl")
    assert plain["score"] == named["score"]
    in_one = ("--annotations", "corpus=new.jsonl", "--annotations", "reference=ref.jsonl")
    (of_corpus,) = scores("--corpus", "corpus.jsonl", "-m", "overlap", *in_one)
    assert of_corpus["score"] == plain["score"]
    assert 0 < plain["score"] < 100
    assert "|annotations:" in plain["signature"]


def test_annotations_that_are_given_go_before_the_backend_of_the_language() -> None:
    (given,) = scores(*TEXTS, *GIVEN, "-l", "de-en")
    assert given["spec"] == "overlap"
    every = {one["metric"] for one in scores("-r", "ref.txt", "new.txt", "-m", "suite:linguistic", *GIVEN)}
    assert every == {"bleu", "ngram-f", "nist", "hlepor", "overlap", "entities"}


def test_what_does_not_fit_is_refused_in_one_line(here: Path) -> None:
    assert "pos of the references are wanted, and were not given: add --annotations" in refused(*TEXTS)
    assert "pos of the hypotheses are wanted" in refused(*TEXTS, *GIVEN[:2])
    assert "there is no system or reference 'old'" in refused(*TEXTS, "--annotations", "old=new.jsonl")
    assert "there is no source text: add -s FILE" in refused(*TEXTS, "--annotations", "source=src.jsonl")
    assert "new=...: give each text one file" in refused(*TEXTS, *GIVEN, "--annotations", "new=new.jsonl")
    assert "that text has some already" in refused(*TEXTS, *GIVEN, "--annotations", "ref=ref.jsonl")
    assert "write NAME=FILE" in refused(*TEXTS, "--annotations", "new.jsonl")
    (here / "few.jsonl").write_text('{"tokens": ["a"], "pos": ["DET"]}\n', encoding="utf-8")
    assert "few.jsonl, line 1: there are annotations of 1 segment," in refused(*TEXTS, "--annotations", "new=few.jsonl")
    assert "leave out --annotations" in refused("--corpus", "corpus.jsonl", "--out", "parts", "-m", "overlap", *GIVEN)


def test_annotations_of_one_of_several_test_sets_are_refused(here: Path) -> None:
    entries = "".join(f'[[testset]]\nname = "{name}"\ncorpus = "corpus.jsonl"\n' for name in ("one", "two"))
    (here / "sets.toml").write_text(entries, encoding="utf-8")
    problem = refused("--corpus", "sets.toml", "-m", "overlap", *GIVEN)
    assert "there are 2 test sets (one, two)" in problem
    assert "--annotations are of the texts of one" in problem


def test_other_commands_take_them_too() -> None:
    outcome = run("compare", *TEXTS, "copy=ref.txt", *GIVEN, "--annotations", "copy=ref.jsonl", "-n", "50", "--json")
    assert outcome.code == 0, outcome.err
    assert "overlap" in outcome.out
