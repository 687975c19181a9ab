"""Options beside --out and --from: each has something to act on, or is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.e2e.commands import karat


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a small corpus, and with its parts."""
    directory = tmp_path_factory.mktemp("parts")
    records = [{"reference": f"a b c {i}", "systems": {"x": f"a b c {i}", "y": "a b"}} for i in range(20)]
    (directory / "all.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    result = karat("score", "--corpus", "all.jsonl", "-m", "chrf", "--out", "parts", "--keep-rows", cwd=directory)
    assert result.returncode == 0, result.stderr
    return directory


TOLD = ["-s x", "--documents x", "-l en-de", "--column reference=x", "--columns reference=x", "--post-edits beside"]
TOLD += ["--input-format tsv", "--testset q", "-m bleu", "-r x", "--corpus x", "-t wmt22"]


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("told", TOLD)
def test_scores_that_are_there_refuse_what_is_about_texts(command: str, told: str, here: Path) -> None:
    result = karat(command, "--from", "parts", *told.split(), cwd=here)
    assert result.returncode == 2
    assert f"leave out {told.split()[0]}\n" in result.stderr


@pytest.mark.parametrize("told", ["--testset q", "-r x", "-s x", "-t wmt22", "--documents x"])
def test_parts_refuse_what_does_not_come_in_rows(told: str, here: Path) -> None:
    result = karat("score", "--corpus", "all.jsonl", *told.split(), "--out", "others", cwd=here)
    assert result.returncode == 2
    assert f"leave out {told.split()[0]}\n" in result.stderr
    assert not (here / "others").exists()


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("option", ["--corpus", "--from"])
def test_the_last_one_of_two_does_not_win(command: str, option: str, here: Path) -> None:
    result = karat(command, option, "parts", option, "all.jsonl", cwd=here)
    assert result.returncode == 2
    assert f"{option} is given 2 times, but only one would be read" in result.stderr


@pytest.mark.parametrize("option", ["--out", "--output"])
def test_the_first_of_two_places_is_not_left_empty(option: str, here: Path) -> None:
    result = karat("score", "--corpus", "all.jsonl", "-m", "chrf", option, "first", option, "second", cwd=here)
    assert result.returncode == 2
    assert f"{option} is given 2 times, but only one would be read" in result.stderr
    assert not (here / "first").exists()
    assert not (here / "second").exists()


def test_kept_rows_are_those_of_all_segments(here: Path) -> None:
    result = karat(
        "score", "--corpus", "all.jsonl", "-m", "chrf", "--out", "some", "--keep-rows", "--where", "chrf>40", cwd=here
    )
    assert result.returncode == 2
    assert "--keep-rows" in result.stderr
    assert "--where" in result.stderr
    assert not (here / "some").exists()
