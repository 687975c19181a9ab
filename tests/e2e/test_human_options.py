"""Every option of `karat human` changes what comes out."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from karat.cli import main
from karat.cli.human import command
from karat.sample import path as sample_path

RATINGS, CORPUS = str(sample_path("ratings.tsv")), str(sample_path("corpus.jsonl"))
ADEQUACY = (RATINGS, "-c", "adequacy")
Run = Callable[..., str]

FLUENCY = (RATINGS, "-c", "fluency")
OPTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "protocol": (("{mixed}",), ("-p", "da")),
    "criterion": ((RATINGS,), ("-c", "fluency")),
    "language_pair": (("{mixed}",), ("-l", "en-de")),
    "exclude": (ADEQUACY, ("-x", "glossary")),
    "corpus": (ADEQUACY, ("--corpus", CORPUS)),
    "preset": (ADEQUACY, ("--preset", "wmt21")),
    "test": (FLUENCY, ("--test", "rank-sum")),
    "unit": ((*FLUENCY, "--corpus", CORPUS), ("--unit", "segment")),
    "unpaired": (("{parts}",), ("--unpaired",)),
    "n": (FLUENCY, ("-n", "2000")),
    "resamples": (ADEQUACY, ("--resamples", "2000")),
    "seed": (FLUENCY, ("--seed", "7")),
    "alpha": (ADEQUACY, ("--alpha", "0.2")),
    "correction": (FLUENCY, ("--correction", "none")),
    "model": (ADEQUACY, ("--model", "always")),
    "weights": (("{errors}",), ("--weights", "counts")),
    "without": (ADEQUACY, ("--without", "too-fast")),
    "fast": (ADEQUACY, ("--fast", "0.5")),
}
FORMS = {"show": ("--show", "pairs"), "form": ("-f", "markdown"), "digits": ("-w", "4")}
"""Options of how the same result is shown."""
ELSEWHERE = {"ratings", "input_format", "columns", "skip_bad", "output", "html", "quiet"}
"""Tested below, each in a way of its own."""


@pytest.fixture
def karat(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["human", *arguments])
        out, err = capsys.readouterr()
        assert int(ended.value.code or 0) == code, err
        return out + err

    return run


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Ratings by two protocols of two language pairs, errors that were marked, and systems with few shared segments."""
    mixed = [
        ("r", system, segment, protocol, "overall", pair, value)
        for protocol, pair, values in (("da", "en-de", (80, 60)), ("sqm", "cs-en", (5, 3)))
        for segment in "12"
        for system, value in zip("ab", values, strict=True)
    ]
    span = '[{"start": 0, "end": 1, "side": "target", "category": "Accuracy", "severity": "Major"}]'
    errors = [("r", system, "1", "mqm", "penalty", spans) for system, spans in (("a", span), ("b", "[]"))]
    parts = [("r", "a", segment, "da", "overall", 80) for segment in "123"]
    parts += [("r", "b", segment, "da", "overall", 60) for segment in "345"]
    tables = {
        "parts": (("rater", "system", "segment", "protocol", "criterion", "value"), parts),
        "mixed": (("rater", "system", "segment", "protocol", "criterion", "language_pair", "value"), mixed),
        "errors": (("rater", "system", "segment", "protocol", "criterion", "spans"), errors),
    }
    made = {}
    for name, (heading, rows) in tables.items():
        path = tmp_path / f"{name}.csv"
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([heading, *rows])
        made[name] = str(path)
    return made


@pytest.fixture
def preferences(tmp_path: Path) -> str:
    rows = [f"r,a,b,{segment},preference,overall,first" for segment in range(8)]
    path = tmp_path / "preferences.csv"
    path.write_text("\n".join(["rater,system,other_system,segment,protocol,criterion,label", *rows]) + "\n")
    return str(path)


def test_every_option_has_a_case() -> None:
    assert {str(option.name) for option in command.params} == {*OPTIONS, *FORMS, *ELSEWHERE}


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_changes_the_numbers(option: str, karat: Run, files: dict[str, str]) -> None:
    given, added = OPTIONS[option]
    plain = [argument.format(**files) if argument.startswith("{") else argument for argument in given]
    first, second = (json.loads(karat(*plain, *more, "--json", "-q")) for more in ((), added))
    parts = ("systems", "pairs", "agreement", "raters")
    assert [first[part] for part in parts] != [second[part] for part in parts]


@pytest.mark.parametrize("option", FORMS)
def test_an_option_changes_how_it_is_shown(option: str, karat: Run) -> None:
    assert karat(*ADEQUACY) != karat(*ADEQUACY, *FORMS[option])


def test_the_format_can_be_named(karat: Run, tmp_path: Path) -> None:
    path = tmp_path / "ratings.odd"
    path.write_text(sample_path("ratings.tsv").read_text(encoding="utf-8"), encoding="utf-8")
    karat(str(path), code=2)
    assert "glossary" in karat(str(path), "--input-format", "tsv")


def test_bad_rows_are_refused_or_skipped(karat: Run, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("rater,system,segment,protocol,criterion,value\nr,a,1,da,overall,50\nr,b,1,da,overall,101\n")
    assert "line 3" in karat(str(path), code=2)
    assert "1 malformed row was skipped" in karat(str(path), "--skip-bad")


def test_columns_may_have_names_of_their_own(karat: Run, tmp_path: Path) -> None:
    path = tmp_path / "noten.csv"
    path.write_text("Wer;system;segment;Note\nr;a;1;4\nr;b;1;2\nr;a;2;5\nr;b;2;1\n", encoding="utf-8")
    karat(str(path), code=2)
    assert "4.50" in karat(str(path), "--column", "rater=Wer", "--column", "value=Note")


def test_output_goes_to_a_file_and_quiet_keeps_warnings_back(karat: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    assert "warning" in karat(*ADEQUACY, "-o", str(target))
    assert "glossary" in target.read_text(encoding="utf-8")
    assert karat(*ADEQUACY, "-o", str(target), "-q") == ""


def test_duplicates_and_what_is_out_of_reach_are_warned_of(karat: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [
        ("r", system, str(segment), f"d{segment // 2}", "da", "overall", str(round(base + rng.normal(0, 3))))
        for segment in range(10)
        for system, base in (("a", 80), ("b", 30))
    ]
    path = tmp_path / "ratings.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        heading = ("rater", "system", "segment", "document", "protocol", "criterion", "value")
        csv.writer(stream).writerows([heading, *rows, rows[0]])
    said = karat(str(path), "--show", "systems", "--show", "pairs")
    assert "warning: da overall: 1 item was judged more than once by one rater" in said
    assert "warning: da overall: no system can be told from another" in said
    assert "--unit segment" in said
    assert "out of reach" in said
    assert "yes" in karat(str(path), "--unit", "segment", "--show", "pairs")


CONFLICTS = {
    "--test": ("--test", "randomization"),
    "-n": ("-n", "500"),
    "--alpha": ("--alpha", "0.05"),
    "--correction": ("--correction", "none"),
    "--unpaired": ("--unpaired",),
}


@pytest.mark.parametrize("option", CONFLICTS)
def test_a_preset_refuses_what_it_would_leave_out_of_account(option: str, karat: Run) -> None:
    said = karat(*ADEQUACY, "--preset", "wmt22", *CONFLICTS[option], code=2)
    assert "--preset wmt22" in said
    assert f"{option} has no say" in said


@pytest.mark.parametrize("option", ["--unit", "--resamples"])
def test_a_preset_of_comparisons_draws_its_own_way(option: str, karat: Run, preferences: str) -> None:
    value = {"--unit": "segment", "--resamples": "2000"}[option]
    assert f"{option} has no say" in karat(preferences, "--preset", "wmt16", option, value, code=2)


@pytest.mark.parametrize("fast", ["-1", "nan", "inf"])
def test_seconds_are_a_number(fast: str, karat: Run) -> None:
    assert "--fast is a number of seconds" in karat(*ADEQUACY, "--fast", fast, code=2)


@pytest.mark.parametrize("weights", ["major=-5,minor=1", "major=nan", "minor:fluency=-0.1", "major=inf"])
def test_errors_cost_nothing_or_something(weights: str, karat: Run, files: dict[str, str]) -> None:
    assert "what an error costs is 0 or more" in karat(files["errors"], "--weights", weights, code=2)


def test_weights_without_errors_are_refused(karat: Run) -> None:
    assert "leave out --weights" in karat(*ADEQUACY, "--weights", "wmt", code=2)


def test_a_criterion_is_chosen_and_never_given(karat: Run, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("rater,system,segment,value\nr,a,1,50\nr,b,1,40\nr,a,2,50\nr,b,2,40\n", encoding="utf-8")
    said = karat(str(path), "-c", "beauty", code=2)
    assert "no rating has the criterion 'beauty'; there is: overall" in said
    assert "custom: overall" in karat(str(path), "-c", "overall")


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "is empty"), ("rater,system,segment,protocol,criterion,value\n", "has no ratings")],
)
def test_an_empty_table_is_refused(text: str, said: str, karat: Run, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    assert said in karat(str(path), code=2)


def test_a_part_without_content_is_refused(karat: Run) -> None:
    assert "there is nothing to show about errors" in karat(*ADEQUACY, "--show", "errors", code=2)


def test_systems_without_a_shared_segment_are_not_ranked(karat: Run, tmp_path: Path) -> None:
    rows = [
        f"r,{system},{segment},da,overall,{value}"
        for system, segment, value in (
            *(("a", i, 80 + i % 3) for i in range(20)),
            *(("b", i, 30 + i % 3) for i in range(20, 40)),
        )
    ]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["rater,system,segment,protocol,criterion,value", *rows]) + "\n", encoding="utf-8")
    said = karat(str(path), "--show", "systems", "--show", "pairs")
    assert "warning: da overall: no two systems were judged on the same segment" in said
    assert "--unpaired" in said
    assert "not tested" in said
    assert "yes" not in said
    assert "yes" in karat(str(path), "--unpaired", "--show", "pairs")
    assert "leave out --unpaired" in karat(str(path), "--unpaired", "--test", "signed-rank", code=2)


def test_nothing_is_never_negative(karat: Run, tmp_path: Path) -> None:
    rows = [
        f"r,{system},{i},custom,overall,{50 + i % 2 + more}"
        for i in range(12)
        for system, more in (("a", 0), ("b", 0.004 if i % 2 else 0))
    ]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["rater,system,segment,protocol,criterion,value", *rows]) + "\n", encoding="utf-8")
    said = karat(str(path), "--show", "systems", "--show", "pairs")
    assert "-0.00" not in said
    assert "+0.00" not in said
