"""One document only: segments are the units of every command; and pairs that nothing can be planned from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.e2e.commands import REFERENCE, karat, sample_file

pytestmark = pytest.mark.contained

FILES = [sample_file(name) for name in ("literal", "neural")]
TEXTS = ["-r", REFERENCE, *FILES, "--documents", "{labels}"]
SCORES = ["--scores", "{scores}"]
COMMANDS = {
    "compare texts": ["compare", *TEXTS, "-m", "chrf", "-n", "200"],
    "compare scores": ["compare", *SCORES],
    "rank": ["rank", *SCORES],
    "power": ["power", *SCORES],
    "score": ["score", *TEXTS, "-m", "chrf", "--ci"],
    "human": ["human", "{ratings}", "-n", "200"],
    "human preferences": ["human", "{preferences}", "-n", "200"],
    "ngrams": ["analyse", "ngrams", *TEXTS],
    "audit": ["audit", *TEXTS, "-m", "bleu"],
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    segments = len(Path(REFERENCE).read_text("utf-8").splitlines())
    numbers = [(system, i, (7 * i + 3 * (system == "b") * (i % 4)) % 11) for system in "ab" for i in range(24)]
    contents = {
        "labels": ["only"] * segments,
        "scores": [
            "system\tdocument\tsegment\tmetric\tscore",
            *(f"{system}\td\t{i}\tx\t{score}" for system, i, score in numbers),
        ],
        "ratings": [
            "system\tdocument\tsegment\trater\tcriterion\tvalue",
            *(f"{system}\td\t{i}\tr\tadequacy\t{value}" for system, i, value in numbers),
        ],
        "preferences": [
            "system\tother_system\tdocument\tsegment\trater\tvalue",
            *(f"a\tb\td\t{i}\tr\t{(-1, 1, 1)[i % 3]}" for i in range(24)),
        ],
    }
    for name, lines in contents.items():
        (tmp_path / name).with_suffix(".tsv").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "labels.tsv").rename(tmp_path / "labels.txt")
    return {name: str(tmp_path / f"{name}.{'txt' if name == 'labels' else 'tsv'}") for name in contents}


@pytest.mark.parametrize("name", COMMANDS)
def test_segments_of_one_document_are_the_units_with_a_warning(name: str, files: dict[str, str]) -> None:
    arguments = [argument.format(**files) for argument in COMMANDS[name]]
    done = karat(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    said = [warning["message"] for warning in json.loads(done.stdout)["warnings"] if warning["code"] == "one-document"]
    assert said, done.stdout[-2000:]
    assert "all segments are of one document, so segments are the unit" in said[0]
    assert "all segments are of one document" in done.stderr


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "score"])
def test_documents_that_are_asked_for_are_refused_where_there_is_one(name: str, files: dict[str, str]) -> None:
    arguments = [argument.format(**files) for argument in COMMANDS[name]]
    done = karat(*arguments, "--unit", "document")
    assert done.returncode == 2, done.stdout
    assert "all segments are of one document" in done.stderr
    assert "unit segment" in done.stderr


@pytest.fixture
def alike(tmp_path: Path) -> str:
    """Three systems: one that differs from the first by 1 everywhere, and one that differs as systems do."""
    path = tmp_path / "alike.tsv"
    lines = ["system\tsegment\tmetric\tscore"]
    for i in range(30):
        score = (7 * i) % 11
        lines += [f"a\t{i}\tx\t{score}", f"b\t{i}\tx\t{score + 1}", f"c\t{i}\tx\t{score + i % 3}"]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def test_power_tells_of_systems_that_differ_alike_everywhere_and_plans_from_the_others(alike: str) -> None:
    done = karat("power", "--scores", alike, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [pair["system"] for pair in found["power"]] == ["c"]
    (warning,) = [warning for warning in found["warnings"] if warning["code"] == "differ-alike"]
    assert warning["message"] == "nothing can be planned from b: differs from a alike in every segment under x"
    assert "nothing can be planned from b" in done.stderr


def test_power_refuses_where_all_differ_alike(alike: str) -> None:
    done = karat("power", "--scores", alike, "a", "b")
    assert done.returncode == 2
    assert "nothing can be planned from b: differs from a alike" in done.stderr
    assert "--sd" in done.stderr


SHARED = ("compare", "rank", "power")


def _partly_shared(path: Path, *systems: tuple[str, str]) -> str:
    """Scores of 8 documents of 6 segments; each system has those of some documents."""
    lines = ["system\tdocument\tsegment\tmetric\tscore"]
    for number, (system, known) in enumerate(systems):
        for document in sorted({document for _, documents in systems for document in documents}):
            scores = [(7 * i + 5 * int(document) + 3 * number * (i % 4)) % 11 for i in range(6)]
            lines += [
                f"{system}\td{document}\t{i}\tx\t{score if document in known else ''}" for i, score in enumerate(scores)
            ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


@pytest.mark.parametrize("command", SHARED)
def test_shared_segments_of_one_document_are_the_units_with_a_warning(command: str, tmp_path: Path) -> None:
    scores = _partly_shared(tmp_path / "scores.tsv", ("a", "1234"), ("b", "4567"))
    done = karat(command, "--scores", scores, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    said = [warning["message"] for warning in found["warnings"] if warning["code"] == "one-document"]
    assert [message.startswith("all segments that a and b have a score of under x are of one") for message in said] == [
        True
    ]
    assert '"unit": "document"' not in done.stdout
    refused = karat(command, "--scores", scores, "--unit", "document")
    assert refused.returncode == 2
    assert "take segments as units" in refused.stderr


@pytest.mark.parametrize("command", ["compare", "power"])
def test_a_system_that_shares_one_document_only_leaves_the_other_pairs_their_documents(
    command: str, tmp_path: Path
) -> None:
    scores = _partly_shared(tmp_path / "scores.tsv", ("a", "12345678"), ("b", "12345678"), ("c", "8"))
    done = karat(command, "--scores", scores, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    units = {
        pair["system"]: (pair["unit"], pair["units"])
        for pair in found["comparisons" if command == "compare" else "power"]
    }
    assert units == {"b": ("document", 8), "c": ("segment", 6)}
    assert "all segments that a and c have a score of under x are of one document" in done.stdout
    assert karat(command, "--scores", scores).returncode == 0


def test_unpaired_segments_of_one_document_each_are_the_units(tmp_path: Path) -> None:
    scores = _partly_shared(tmp_path / "scores.tsv", ("a", "1"), ("b", "2"))
    done = karat("compare", "--scores", scores, "--unpaired")
    assert done.returncode == 0, done.stderr
    assert "one of a, b has" in done.stderr
