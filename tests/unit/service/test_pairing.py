"""Comparisons and rankings of random scores with holes: every sentence agrees with the numbers beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.errors import InputError
from karat.results.comparisons import CompareResult, RankResult
from karat.service.comparing import CompareRequest, PowerRequest, RankRequest, compare_systems, plan, rank_systems
from karat.service.requests import EvidenceRequest
from karat.significance import Options

Scores = Mapping[str, list[float | None]]
QUICK = Options(n=300, interval_n=200)


@st.composite
def random_scores(draw: st.DrawFn) -> dict[str, list[float | None]]:
    """Scores of two to five systems; some are missing, yet all systems share a few segments."""
    count, segments = draw(st.integers(2, 5)), draw(st.integers(8, 24))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    share = draw(st.sampled_from([0.0, 0.2, 0.4]))
    spread = draw(st.sampled_from([0.0, 1.0, 4.0]))
    made: dict[str, list[float | None]] = {}
    for number in range(count):
        values = rng.normal(10 + spread * number, 1.0, segments).round(2)
        missing = rng.random(segments) < share
        missing[:4] = False
        made[f"s{number}"] = [None if hole else float(value) for value, hole in zip(values, missing, strict=True)]
    return made


def written(scores: Scores, directory: str, *, better: str = "true") -> EvidenceRequest:
    lines = ["metric\tsystem\tsegment\tscore\thigher_is_better"]
    for system, values in scores.items():
        lines += [f"m\t{system}\t{i}\t{'' if v is None else v}\t{better}" for i, v in enumerate(values, 1)]
    path = Path(directory) / "scores.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return EvidenceRequest(scores=(str(path),))


def compared(scores: Scores, better: str = "true", **asked: object) -> CompareResult:
    with TemporaryDirectory() as directory:
        evidence = written(scores, directory, better=better)
        return compare_systems(CompareRequest(evidence=evidence, options=QUICK, **asked))  # type: ignore[arg-type]


def ranked(scores: Scores, *, unpaired: bool = False) -> RankResult:
    with TemporaryDirectory() as directory:
        return rank_systems(RankRequest(evidence=written(scores, directory), options=QUICK, unpaired=unpaired))


def shared(scores: Scores, *systems: str) -> list[int]:
    return [i for i in range(len(scores[systems[0]])) if all(scores[name][i] is not None for name in systems)]


def mean(values: list[float | None], of: list[int]) -> float:
    return float(np.mean([values[i] for i in of]))


@given(random_scores(), st.sampled_from(["true", "false"]))
@settings(max_examples=15)
def test_every_claim_of_a_comparison_follows_from_its_numbers(scores: Scores, better: str) -> None:
    result = compared(scores, better)
    (table,) = result.tables(2)
    said = " ".join(table.remarks)
    for pair in result:
        both = shared(scores, "s0", pair.system)
        assert pair.units == len(both)
        assert pair.score == pytest.approx(mean(scores[pair.system], both))
        assert pair.baseline_score == pytest.approx(mean(scores["s0"], both))
        assert pair.interval.low <= pair.difference <= pair.interval.high
        if pair.winner is not None:
            assert pair.winner == (pair.system if (pair.difference > 0) == (better == "true") else "s0")
            claim = rf"{pair.winner} is better than {pair.loser} by {abs(pair.difference):.2f} m \((.*?)\)\."
            (evidence,) = re.findall(claim, said)
            low, high = sorted(abs(bound) for bound in (pair.interval.low, pair.interval.high))
            if pair.interval.low > 0 or pair.interval.high < 0:
                assert f"interval {low:.2f} to {high:.2f}" in evidence
            assert f"over {len(both)} segments" in evidence
        else:
            assert f"{pair.system} is better" not in said
    _notes_tell_how_much_is_shared(scores, result, table.notes)
    _the_table_shows_the_baseline_that_each_difference_is_from(result)


def _the_table_shows_the_baseline_that_each_difference_is_from(result: CompareResult) -> None:
    (table,) = result.tables(6)
    _, _, shown, *_ = (cell.text for cell in table.rows[0])
    told = re.findall(r"([-\d.]+) beside (s\d)", " ".join(table.notes))
    by_system = {system: score for score, system in told}
    for row in table.rows[1:]:
        _, system, score, difference, *_ = (cell.text for cell in row)
        baseline = by_system[system] if shown == "–" else shown
        assert float(score) - float(baseline) == pytest.approx(float(difference), abs=2e-6)


def _notes_tell_how_much_is_shared(scores: Scores, result: CompareResult, notes: tuple[str, ...]) -> None:
    entries = result.to_json()["comparisons"]
    counts = {pair.system: len(shared(scores, "s0", pair.system)) for pair in result}
    total = len(scores["s0"])
    (note,) = [note for note in notes if "shares with the baseline" in note] or [None]
    if all(count == total for count in counts.values()):
        assert note is None
        assert not any("shared_segments" in entry for entry in entries)
    else:
        assert {entry["system"]: entry["shared_segments"] for entry in entries} == counts
        each = ", ".join(f"{system} {count}" for system, count in counts.items())
        assert note == f"m: compared on what the system shares with the baseline: {each} of {total} segments"


@given(random_scores())
@settings(max_examples=15)
def test_every_claim_of_a_ranking_follows_from_its_numbers(scores: Scores) -> None:
    result = ranked(scores)
    (table,) = result.tables(2)
    everyone = shared(scores, *scores)
    assert {pair.units for pair in result.comparisons} == {len(everyone)}
    for place in result.ranking:
        assert place.score == pytest.approx(mean(scores[place.system], everyone))
    found = [place.score for place in result.ranking]
    assert found == sorted(found, reverse=True)
    said = " ".join(table.remarks)
    clusters: dict[int, list[str]] = {}
    for place in result.ranking:
        clusters.setdefault(place.cluster, []).append(place.system)
    beaten = {(pair.winner, pair.loser) for pair in result.comparisons if pair.winner is not None}
    for number, members in clusters.items():
        below = [name for other, names in clusters.items() if other > number for name in names]
        assert {(name, worse) for name in members for worse in below} <= beaten
        listed = f"{', '.join(members[:-1])} and {members[-1]} are one cluster"
        assert (listed in said) == (len(members) > 1 and bool(beaten))
    alone = f"{clusters[1][0]} is better than every other system"
    assert (alone in said) == (len(clusters[1]) == 1)
    whole = len(everyone) == len(scores["s0"])
    assert any("that all systems have a score of" in note for note in table.notes) != whole


@given(random_scores())
@settings(max_examples=10)
def test_unpaired_systems_are_scored_on_all_that_each_has(scores: Scores) -> None:
    result = compared(scores, unpaired=True)
    for pair in result:
        assert pair.units == len(scores["s0"])
        assert pair.score == pytest.approx(mean(scores[pair.system], shared(scores, pair.system)))
        assert pair.baseline_score == pytest.approx(mean(scores["s0"], shared(scores, "s0")))
    for place in ranked(scores, unpaired=True).ranking:
        assert place.score == pytest.approx(mean(scores[place.system], shared(scores, place.system)))
    assert not any("shares with the baseline" in note for table in result.tables() for note in table.notes)


def test_systems_that_share_nothing_can_only_be_unpaired() -> None:
    scores: Scores = {"a": [1.0, 2.0, 3.0, None, None, None], "b": [None, None, None, 4.0, 5.0, 7.0]}
    with pytest.raises(InputError, match=r"nothing can be paired: .* an unpaired comparison"):
        compared(scores)
    with pytest.raises(InputError, match=r"nothing can be paired: .* an unpaired comparison"):
        ranked(scores)
    (pair,) = compared(scores, unpaired=True)
    assert (pair.baseline_score, pair.score) == (2.0, pytest.approx(16 / 3))
    with pytest.raises(InputError, match=r"^'a', 'b' and 'c' share no segment with a score under m"):
        ranked({**scores, "c": [1.0, None, 3.0, 4.0, None, 2.0]})


def test_gates_stand_beside_the_comparisons_of_their_systems() -> None:
    """The second and fourth system share the same segments with the baseline, the third shares others."""
    rng = np.random.default_rng(3)
    scores: dict[str, list[float | None]] = {
        name: rng.normal(base, 1, 20).tolist() for name, base in (("a", 10), ("b", 11), ("c", 5), ("d", 12))
    }
    scores["b"][0] = scores["d"][0] = scores["c"][5] = None
    result = compared(scores, margin=1.0)
    assert [pair.system for pair in result] == ["b", "c", "d"]
    for record, gate in zip(result.records(), result.to_json()["non_inferiority"], strict=True):
        assert record["system"] == gate["system"]
        assert record["difference"] == pytest.approx(gate["difference"])
        assert record["shown"] == (record["system"] != "c")
    assert not result.shown


def test_many_differences_are_told_with_the_segments_that_each_rests_on() -> None:
    rng = np.random.default_rng(4)
    scores: dict[str, list[float | None]] = {"base": rng.normal(10, 1, 40).tolist()}
    for number in range(1, 8):
        scores[f"s{number}"] = rng.normal(20, 1, 40).tolist()
    scores["s2"][0] = scores["s3"][0] = scores["s4"][1] = scores["s4"][2] = None
    (table,) = compared(scores).tables(2)
    told = {}
    for remark in table.remarks:
        (units,) = re.findall(r"over (\d+) segments", remark)
        told |= {system: int(units) for system in re.findall(r"s\d", remark)}
    assert told == {f"s{number}": {2: 39, 3: 39, 4: 38}.get(number, 40) for number in range(1, 8)}


def test_metrics_may_leave_out_different_documents(tmp_path: Path) -> None:
    """Both metrics lack two scores: one those of a whole document, the other some of two documents."""
    rng = np.random.default_rng(5)
    lines = ["metric\tsystem\tdocument\tsegment\tscore"]
    for metric, holes in (("x", (0, 1)), ("y", (0, 5))):
        for system in "ab":
            scores = rng.normal(10, 1, 20)
            lines += [
                f"{metric}\t{system}\td{i // 2}\t{i}\t{'' if system == 'b' and i in holes else score}"
                for i, score in enumerate(scores)
            ]
    path = tmp_path / "scores.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    evidence = EvidenceRequest(scores=(str(path),))
    units = {"x": 9, "y": 10}
    ranking = rank_systems(RankRequest(evidence=evidence, options=QUICK))
    assert {pair.metric: pair.units for pair in ranking.comparisons} == units
    assert {pair.metric: pair.units for pair in compare_systems(CompareRequest(evidence=evidence))} == units
    assert {record["metric"]: record["units"] for record in plan(PowerRequest(evidence=evidence)).records()} == units


@given(random_scores())
@settings(max_examples=10)
def test_power_is_that_of_the_segments_that_are_compared(scores: Scores) -> None:
    with TemporaryDirectory() as directory:
        result = plan(PowerRequest(evidence=written(scores, directory)))
    for record, pair in zip(result.records(), compared(scores), strict=True):
        assert (record["system"], record["units"]) == (pair.system, pair.units)
        assert record["difference"] == pytest.approx(abs(pair.difference))
        assert record["needed_segments"] == record["needed_units"]
