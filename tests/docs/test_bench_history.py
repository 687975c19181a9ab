"""The history of benchmarks: a line a run, read back as it was written, and losses told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import harness, history
from benchmarks.history import Run, append, losses, note, runs, this_run

BLEU = "BLEU | karat, 1 thread | sacreBLEU 2.6.0"
RUN = Run("2026-11-18T12:00:00+00:00", "abc1234", "a processor", 2, "3.12.1", {BLEU: 124.0, "chrf | a | b": 48.0})


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The ratios of this run, of which there are none yet."""
    found: dict[str, float] = {}
    monkeypatch.setattr(history, "measured", found)
    return found


def test_a_run_is_a_line_and_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    assert runs(path) == []
    later = replace(RUN, commit="def5678", ratios={BLEU: 130.5})
    append(RUN, path)
    append(later, path)
    assert runs(path) == [RUN, later]
    assert [json.loads(line)["commit"] for line in path.read_text(encoding="utf-8").splitlines()] == [
        "abc1234",
        "def5678",
    ]


def test_a_run_that_measured_no_ratio_leaves_the_file_alone(tmp_path: Path) -> None:
    append(replace(RUN, ratios={}), tmp_path / "history.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_race_notes_every_rival_beside_each_of_ours(measured: dict[str, float]) -> None:
    entrant = harness.Entrant(lambda hypotheses, references: sum(map(len, hypotheses + references)), repeats=1)
    harness.race(
        "Length",
        harness.TestSet((["a b"],), ["a c"]),
        {"karat, 1 thread": entrant, "karat, 2 threads": entrant},
        {"x": entrant},
    )
    for title in ("Length", "Length, processor"):
        assert {f"{title} | karat, 1 thread | x", f"{title} | karat, 2 threads | x"} <= set(measured)
    assert len(measured) == 4
    assert all(ratio > 0 for ratio in measured.values())


def test_this_run_has_what_was_noted_and_where(measured: dict[str, float]) -> None:
    note("BLEU", "karat, 1 thread", "sacreBLEU 2.6.0", 124.04567)
    run = this_run()
    assert run.ratios == measured == {BLEU: 124.0}
    assert all((run.date, run.commit, run.machine, run.cores, run.python))


def test_a_loss_is_told_against_the_last_run_that_has_the_ratio() -> None:
    between = replace(RUN, ratios={"chrf | a | b": 50.0})
    now = replace(RUN, ratios={BLEU: 90.0, "chrf | a | b": 45.0, "new | a | b": 1.0})
    assert list(losses(now, [RUN, between])) == [f"{BLEU}: 90 times, 124 in the last run"]


@pytest.mark.parametrize("other", [{"machine": "another"}, {"cores": 8}])
def test_runs_of_other_machines_are_not_compared(other: dict[str, str | int]) -> None:
    now = replace(RUN, ratios={BLEU: 1.0})
    assert list(losses(now, [replace(RUN, **other)])) == []  # type: ignore[arg-type]


def test_the_history_of_the_repository_can_be_read() -> None:
    assert all(run.ratios and run.date for run in runs())
