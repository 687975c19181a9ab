"""Scores as programs write them: COMET's JSON, a number per line, a column of any name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from karat.corpus.column_names import ColumnNames
from karat.corpus.given_scores import GivenScores
from karat.errors import InputError
from karat.service.gathering import gather_one
from karat.service.given_scores import read_given_scores
from karat.service.requests import EvidenceRequest


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def only(path: str, **more: object) -> GivenScores:
    (scores,), _ = read_given_scores(path, **more)  # type: ignore[arg-type]
    return scores


def comet(**scores: list[float]) -> str:
    texts = {"src": "s", "mt": "m", "ref": "r"}
    records = {
        f"out/{name}.txt": [{**texts, "COMET": score, "errors": []} for score in of] for name, of in scores.items()
    }
    return json.dumps(records, indent=2)


def test_the_json_of_comet(tmp_path: Path) -> None:
    scores = only(write(tmp_path / "comet.json", comet(a=[0.5, 0.25], b=[1, -1])))
    assert (scores.name, scores.level) == ("COMET", "segment")
    assert scores.systems == {"a": {(None, "1"): 0.5, (None, "2"): 0.25}, "b": {(None, "1"): 1, (None, "2"): -1}}


def test_json_with_several_numbers_needs_the_name_of_the_score(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", json.dumps({"a": [{"x": 1, "y": 2}], "b": [{"x": 3, "y": 4}]}))
    with pytest.raises(InputError, match="numbers are in x, y; name the field of the score with --column score=FIELD"):
        only(path)
    scores = only(path, columns=ColumnNames.of((("score", "y"),)))
    assert scores.name == "y"
    assert scores.systems == {"a": {(None, "1"): 2}, "b": {(None, "1"): 4}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [1]}', "expected COMET's JSON"),
        ('{"a": [{"x": NaN}]}', "not a finite number"),
        ('{"a": [{"x": -1e300}]}', "the score is -1e\\+300, not a finite number up to 1e15"),
        ('{"a": [{"x": "1"}]}', "there is no number in it"),
        ('{"a": [', "line 1: not valid JSON"),
        (json.dumps({"a": [{"x": 1}, {"x": 2}], "b": [{"x": 1}]}), "b has x for 1 of 2 segments"),
    ],
)
def test_json_that_is_not_comets(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        only(write(tmp_path / "x.json", text))


@pytest.mark.parametrize(
    ("name", "system", "metric"),
    [
        ("ours.comet", "ours", "comet"),
        ("ours.v2.comet.txt", "ours.v2", "comet"),
        ("ours.txt", "ours", "score"),
        ("ours", "ours", "score"),
    ],
)
def test_one_number_per_line(name: str, system: str, metric: str, tmp_path: Path) -> None:
    scores = only(write(tmp_path / name, "0.5\n-1e-3\nNone\n2\n"))
    assert scores.name == metric
    assert scores.systems == {system: {(None, "1"): 0.5, (None, "2"): -0.001, (None, "3"): None, (None, "4"): 2}}


def test_a_line_that_is_no_number(tmp_path: Path) -> None:
    long = "0.5\n" * 30_000
    with pytest.raises(InputError, match=r"ours\.comet, line 30001: 'high' is not a score"):
        only(write(tmp_path / "ours.comet", long + "high\n"))


def test_files_of_several_systems_are_one_measure(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{name}.comet", "0.5\n0.25\n0.75\n") for name in "ab"]
    renamed = write(tmp_path / "third.txt", "0.5\n0.5\n0.5\n")
    evidence = gather_one(EvidenceRequest(scores=tuple(paths)))
    assert evidence.systems == ("a", "b")
    assert [measure.name for measure in evidence.measures] == ["comet"]
    named = gather_one(EvidenceRequest(scores=(f"x={renamed}", f"y={renamed}")))
    assert named.systems == ("x", "y")


@pytest.mark.parametrize(
    ("name", "text", "columns", "metric", "systems"),
    [
        ("m.csv", "system,segment,COMET\na,1,0.5\n", (), "COMET", ["a"]),
        ("m.tsv", "system\tsegment\tmt\tCOMET\na\t1\tx\t0.5\n", (), "COMET", ["a"]),
        ("ours.csv", "src;mt;COMET\nx;y;0.5\n", (), "COMET", ["ours"]),
        ("ours.csv", "segment,one,two\n1,1,0.5\n", (("score", "two"),), "two", ["ours"]),
        ("m.csv", "MT System,Nr,one,two\na,1,1,0.5\n",
         (("score", "two"), ("system", "MT System"), ("segment", "Nr")), "two", ["a"]),
        ("m.csv", "segment,one,two\n1,0.5,0.5\n", (), "m", ["one", "two"]),
    ],
)  # fmt: skip
def test_a_column_of_any_name(
    name: str, text: str, columns: tuple[tuple[str, str], ...], metric: str, systems: list[str], tmp_path: Path
) -> None:
    scores = only(write(tmp_path / name, text), columns=ColumnNames.of(columns))
    assert scores.name == metric
    assert scores.systems == {system: {(None, "1"): 0.5} for system in systems}


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    path = write(tmp_path / "m.csv", "system,segment,COMET\na,1,0.5\n")
    with pytest.raises(InputError, match="there is no column 'KOMET', only system, segment, COMET"):
        only(path, columns=ColumnNames.of((("score", "KOMET"),)))
