"""`analyse_ratings`: what is warned of, by code, and the JSON form that programs rely on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from karat.errors import InputError
from karat.human.plan import AnalysisPlan
from karat.results.base import SCHEMA
from karat.results.human import HumanResult
from karat.sample import path as sample_path
from karat.service.human import HumanRequest, analyse_ratings

HEADING = "rater,system,segment,protocol,criterion,value"
FIELDS = {
    "systems": {"protocol", "criterion", "level", "system", "n", "items", "raters", "score", "rank_low", "rank_high"}
    | {"cluster", "interval", "interval_level", "raw", "z", "normalised", "distribution", "higher_is_better"},
    "pairs": {"first", "second", "difference", "p", "p_adjusted", "significant", "interval"}
    | {"better", "contradicts_score", "reachable", "smallest_p"},
    "agreement": {"measure", "value", "n", "unit", "observed", "expected", "words"},
    "raters": {"rater", "n", "mean", "deviation", "flags", "reasons", "correlation", "repeats", "median_seconds"},
    "methods": {"kind", "method", "preset", "seed", "left_out", "notes", "diagnostics"},
}


def analysed(tmp_path: Path, *rows: str, plan: AnalysisPlan | None = None) -> HumanResult:
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join([HEADING, *rows]) + "\n", encoding="utf-8")
    return analyse_ratings(HumanRequest(paths=(str(path),), plan=plan or AnalysisPlan()))


@pytest.mark.parametrize("part", FIELDS)
def test_programs_find_the_fields_they_know(part: str) -> None:
    result = analyse_ratings(HumanRequest(paths=(str(sample_path("ratings.tsv")),), criteria=("adequacy",)))
    document = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert document["schema"] == SCHEMA
    assert document[part]
    for entry in document[part]:
        assert FIELDS[part] <= set(entry)


def test_warnings_are_objects_with_a_code(tmp_path: Path) -> None:
    result = analysed(tmp_path, *("r,a,1,da,overall,50",) * 2, "r,b,1,da,overall,40", "s,b,1,da,overall,40")
    warnings = result.to_json()["warnings"]
    assert {tuple(warning) for warning in warnings} == {("code", "message", "system", "reference", "segments")}
    assert {warning["code"] for warning in warnings} >= {"duplicate-judgements", "constant-rater"}


def test_who_saw_other_systems_is_warned_of_and_modelled(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = [
        f"{rater},{system},{segment},da,overall,{round(60 + rng.normal(0, 9))}"
        for segment in range(12)
        for rater, system in (("r", "a"), ("r", "b"), ("s", "b"), ("s", "c"))
    ]
    result = analysed(tmp_path, *rows)
    assert "unbalanced" in {warning.code for warning in result.warnings}
    (method,) = result.to_json()["methods"]
    assert "unbalanced" in {note["code"] for note in method["diagnostics"]}
    assert method["notes"] == [note["message"] for note in method["diagnostics"]]
    assert set(method["model_variances"]) == {"rater", "segment", "residual"}
    assert all(value is not None for value in method["model_variances"].values())


def test_a_variance_that_cannot_be_told_is_null(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = [
        f"of-{system},{system},{segment},da,overall,{round(60 + rng.normal(0, 9))}"
        for segment in range(12)
        for system in "abc"
    ]
    document = analysed(tmp_path, *rows).to_json()
    (method,) = document["methods"]
    assert method["model_variances"]["rater"] is None
    assert method["model_variances"]["segment"] is not None
    assert {system["model_error"] for system in document["systems"]} == {None}


def test_no_file_is_no_request() -> None:
    with pytest.raises(InputError, match="no ratings were given"):
        analyse_ratings(HumanRequest(paths=()))


HARSH_AND_CONSTANT = (
    *(f"r,{system},{i},da,overall,{50 + 7 * i + (system == 'b')}" for system in "ab" for i in range(4)),
    *(f"s,{system},{i},da,overall,90" for system in "ac" for i in range(4)),
)


def test_a_preset_that_leaves_raters_out_names_them_and_what_it_loses(tmp_path: Path) -> None:
    result = analysed(tmp_path, *HARSH_AND_CONSTANT, plan=AnalysisPlan(preset="wmt22"))
    assert {system.system for system in result.criteria[0].systems} == {"a", "b"}
    said = {warning.code: warning.message for warning in result.warnings}
    assert "constant-rater" not in said, "nobody's z is taken as 0"
    assert "leaves out s" in said["raters-left-out"]
    assert "c is not ranked" in said["raters-left-out"]


def test_the_interval_of_a_preset_is_that_of_the_judgements_it_counts(tmp_path: Path) -> None:
    result = analysed(tmp_path, *HARSH_AND_CONSTANT, plan=AnalysisPlan(preset="wmt22"))
    for system in result.criteria[0].systems:
        assert system.interval is not None
        assert system.raw is not None
        assert system.interval.low <= system.raw <= system.interval.high


def test_a_preset_that_leaves_everybody_out_is_refused(tmp_path: Path) -> None:
    rows = [f"s,{system},{i},da,overall,90" for system in "ac" for i in range(4)]
    with pytest.raises(InputError, match="no rater's values vary"):
        analysed(tmp_path, *rows, plan=AnalysisPlan(preset="wmt22"))


@pytest.mark.parametrize("rows", [HARSH_AND_CONSTANT, None], ids=["values", "preferences"])
def test_no_interval_is_said_to_be_certain(tmp_path: Path, rows: tuple[str, ...] | None) -> None:
    plan = AnalysisPlan(alpha=0.001)
    if rows is None:
        path = tmp_path / "preferences.csv"
        lines = [f"r,a,b,{i},preference,overall,{'first' if i % 3 else 'second'}" for i in range(9)]
        heading = "rater,system,other_system,segment,protocol,criterion,label"
        path.write_text("\n".join([heading, *lines]) + "\n", encoding="utf-8")
        result = analyse_ratings(HumanRequest(paths=(str(path),), plan=plan))
    else:
        result = analysed(tmp_path, *rows, plan=plan)
    (note,) = (note.message for note in result.criteria[0].notes if note.code == "intervals")
    assert note.startswith("intervals: 99.9%")
