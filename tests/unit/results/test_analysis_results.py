"""Results of analyses have one JSON form each, and tables that follow from it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.contract.commands import run

from karat.analysis.flaws.model import Check, Flaw, FlawCount, FlawReport
from karat.analysis.reading import ReadingChoice, ReadingList, SystemValue
from karat.results.base import flat
from karat.results.flaws import FlawsResult
from karat.results.reading import ReadingResult

CHECKS = (
    Check("number", "major", "numbers lost or invented"),
    Check("empty", "critical", "no output"),
    Check("term", "major", "terms missing", skipped="no --terms FILE"),
)
REPORT = FlawReport(
    segments=3,
    systems=("a", "b"),
    against="source",
    checks=CHECKS,
    counts=(
        FlawCount("a", "number", "major", 2, 3),
        FlawCount("a", "empty", "critical", 0, 3),
        FlawCount("b", "number", "major", 0, 3),
        FlawCount("b", "empty", "critical", 0, 3),
    ),
    flaws=(
        Flaw("number", "major", "a", 1, "source", lost=("12",), added=("21",)),
        Flaw("number", "major", "a", 3, "source", lost=("\x1b7",)),
    ),
)


def test_flaws_are_records_with_pieces_of_text() -> None:
    result = FlawsResult(report=REPORT)
    document = json.loads(json.dumps(result.to_json()))
    assert document["findings"][0]["lost"] == ["12"]
    assert [record["segment"] for record in result.records()] == [1, 3]
    assert document["checks"][2]["skipped"] == "no --terms FILE"


def test_flaws_are_counted_by_system_and_what_is_shown_cannot_move_the_cursor() -> None:
    shown = str(FlawsResult(report=REPORT, shown=1))
    assert "1 more" in shown
    assert "nothing found: empty" in shown
    assert "\x1b" not in str(FlawsResult(report=REPORT))


def test_choices_are_tables_by_reason() -> None:
    scores = (SystemValue("a", 80.0), SystemValue("b", 20.0))
    choice = ReadingChoice("systems", 1, 2, "2", "doc", None, "chrf", None, None, None, 60.0, scores)
    reading = ReadingList(3, 2, ("a", "b"), ("chrf",), 1, (choice,), (("people", "no ratings"),))
    result = ReadingResult(reading=reading)
    assert json.loads(json.dumps(result.to_json()))["choices"][0]["scores"][1] == {
        "system": "b",
        "score": 20.0,
        "other": None,
    }
    table, skipped = result.tables()
    assert table.rows[0][2].text == "a > b"
    assert [cell.text for cell in skipped.rows[0]] == ["Where metrics and people disagree most", "no ratings"]


def test_chosen_segments_have_their_texts_to_read(tmp_path: Path) -> None:
    lines = {"src": "eins\nzwei", "ref": "a thing\ntwo", "a": "a thing\ntwo", "b": "a thing\nxyz", "c": "one\ntwo"}
    for name, text in lines.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    src, ref, *systems = (str(tmp_path / name) for name in lines)
    arguments = ("analyse", "segments", "-q", "-s", src, "-r", ref, *systems, "--count", "1", "-m", "chrf")
    document = json.loads(run(*arguments, "--json").out)
    assert {"segment": 2, "source": "zwei", "references": {"ref": "two"}, "outputs": {"a": "two", "b": "xyz"}} in [
        *document["texts"]
    ]
    table = run(*arguments).out
    assert [line.split() for line in table.splitlines() if line.split()[-1:] in (["zwei"], ["xyz"])] == [
        ["2", "source", "zwei"],
        ["b", "xyz"],
    ]


def test_a_single_segment_says_why_nothing_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("one\n", encoding="utf-8")
    said = run("analyse", "segments", "-q", "-r", str(tmp_path / "ref"), f"a={tmp_path / 'ref'}").out
    assert said.count("it takes two systems") == 2


def test_csv_has_the_bounds_of_every_interval() -> None:
    record = flat({"interval": None, "difference_interval": [1.0, 2.0], "interval_level": 0.95})
    assert record == {
        "interval_low": None,
        "interval_high": None,
        "difference_interval_low": 1.0,
        "difference_interval_high": 2.0,
        "interval_level": 0.95,
    }
