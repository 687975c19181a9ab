"""Campaigns out of other tools, and judgements into their forms and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.contract.commands import run

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")

from tests.e2e.campaign_server import Device, served
from tests.e2e.test_campaign import good

PEARMUT = {
    "info": {"assignment": "task-based", "protocol": "DA"},
    "campaign_id": "try",
    "data": [
        [
            [
                {"src": "Guten Tag.", "tgt": {"one": "Good day.", "two": "Good \U0001f44d day."}, "item_id": "d1_s1"},
                {
                    "src": "Es regnet.",
                    "tgt": {"one": "It rains.", "two": "\u05d9\u05d5\u05e8\u05d3 \u05d2\u05e9\u05dd"},
                    "item_id": "d1_s2",
                },
            ]
        ],
        [[{"src": 'Na, "ja"', "tgt": {"one": "Well"}, "item_id": "d2", "speaker": "A"}]],
    ],
}


class Judged(NamedTuple):
    """A campaign of Pearmut that was taken over and judged, and its judgements in karat's own table."""

    directory: Path
    notes: list[str]
    rows: list[dict[str, Any]]


def rows_of(path: Path, *options: str) -> list[dict[str, Any]]:
    """The judgements that are read from a file or directory."""
    out = path.parent / f"rows-{path.name}.jsonl"
    good("convert", str(path), *options, "-o", str(out))
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    place = tmp_path_factory.mktemp("taken")
    (place / "pearmut.json").write_text(json.dumps(PEARMUT), encoding="utf-8")
    directory = place / "mine"
    told = good("campaign", "new", str(directory), "--from", str(place / "pearmut.json"), "-l", "de-en")
    with served(directory) as running:
        for value, link in zip((95.0, 0.0), running.links.values(), strict=True):
            device = Device.of(link)
            while (task := device.next()) is not None:
                assert device.submit(task, {"overall": value})[0] == 200
    yield Judged(directory, [warning["message"] for warning in told["warnings"]], rows_of(directory))


def test_a_campaign_of_pearmut_is_taken_over_and_what_is_not_is_named(judged: Judged) -> None:
    assert any("who judges what is drawn anew" in note for note in judged.notes)
    assert any(note.endswith("not taken over: speaker of items") for note in judged.notes)
    told = good("campaign", "check", str(judged.directory))
    assert (told["protocol"], told["language_pair"], len(told["raters"])) == ("da", "de-en", 2)
    assert {(row["segment"], row["system"]) for row in judged.rows} == {
        ("d1_s1", "one"), ("d1_s1", "two"), ("d1_s2", "one"), ("d1_s2", "two"), ("d2", "one"),
    }  # fmt: skip


SAME = ("rater", "system", "segment", "protocol", "criterion", "value", "seconds", "time")
HELD = {
    "pearmut": (*SAME, "source", "target"),
    "appraise": (*SAME, "document", "language_pair"),
    "csv": (*SAME, "document", "language_pair", "source", "target", "item"),
}


@pytest.mark.parametrize("form", HELD)
def test_judgements_come_back_from_the_forms_of_other_tools(form: str, judged: Judged, tmp_path: Path) -> None:
    file = tmp_path / ("ratings.jsonl" if form == "pearmut" else "ratings.csv")
    good("campaign", "export", str(judged.directory), "--to", form, "-o", str(file))
    again = rows_of(file, "--from", form)
    for here, there in zip(in_order(judged.rows), in_order(again), strict=True):
        assert {name: there.get(name) for name in HELD[form]} == {name: here.get(name) for name in HELD[form]}
    own, theirs = (good("human", str(path))["systems"] for path in (judged.directory, file))
    assert [(entry["system"], entry["score"]) for entry in own] == [
        (entry["system"], entry["score"]) for entry in theirs
    ]


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["rater"], row["segment"], row["system"]))


def test_real_files_of_pearmut_are_read(shared_data: Path, tmp_path: Path) -> None:
    place = shared_data / "pearmut-cesa"
    assert len(rows_of_copy(place / "annotations.json", tmp_path)) == 4
    assert {entry["score"] for entry in good("human", str(place / "annotations.json"))["systems"]} == {95.0}
    for name, raters in (("campaign-cesa", 2), ("campaign-esa", 2)):
        file = str(place / f"{name}.json")
        told = good("campaign", "new", str(tmp_path / name), "--from", file, "--protocol", "da")
        assert (len(told["raters"]), told["systems"]) == (raters, ["CANARYSYS", "OTHERSYS"])
        assert good("campaign", "check", str(tmp_path / name))["judgements"] == 4


def rows_of_copy(file: Path, place: Path) -> list[dict[str, Any]]:
    """The judgements of a file that is only read."""
    copy = place / file.name
    copy.write_bytes(file.read_bytes())
    return rows_of(copy)


def test_what_is_no_campaign_of_pearmut_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]", encoding="utf-8")
    outcome = run("campaign", "new", str(tmp_path / "mine"), "--from", str(tmp_path / "x.json"))
    assert (outcome.code, "x.json is no campaign of Pearmut" in outcome.err) == (2, True)
    assert not (tmp_path / "mine").exists()
