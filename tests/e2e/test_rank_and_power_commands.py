"""`karat rank`, `karat power` and `karat score --ci` as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.e2e.commands import CORPUS, REFERENCE, document, karat, sample_file

pytestmark = pytest.mark.contained

FILES = [sample_file(name) for name in ("literal", "neural", "fluent", "glossary")]


def test_ranking_holds_all_pairs_and_all_places() -> None:
    found = document("rank", "--corpus", CORPUS, "-m", "bleu", "-m", "ter", "-n", "500")
    assert found["schema"] == 2
    assert len(found["comparisons"]) == 2 * 6
    assert all(one["unit"] == "document" for one in found["comparisons"])
    for metric in ("bleu", "ter"):
        places = [one for one in found["ranking"] if one["metric"] == metric]
        assert [one["system"] for one in places] == ["neural", "fluent", "literal", "glossary"]
        keys = {"metric", "system", "score", "rank_low", "rank_high", "cluster"}
        assert all(keys <= set(one) for one in places)
        assert [(one["rank_low"], one["rank_high"], one["cluster"]) for one in places] == [
            (i, i, i) for i in (1, 2, 3, 4)
        ]


def test_systems_that_cannot_be_told_apart_are_one_cluster() -> None:
    copies = [f"a={FILES[1]}", f"b={FILES[1]}", f"c={FILES[0]}"]
    found = document("rank", "-r", REFERENCE, *copies, "-m", "chrf", "-n", "500")["ranking"]
    assert [(one["system"], one["rank_low"], one["rank_high"], one["cluster"]) for one in found] == [
        ("a", 1, 2, 1),
        ("b", 1, 2, 1),
        ("c", 3, 3, 2),
    ]
    printed = karat("rank", "-r", REFERENCE, *copies, "-m", "chrf", "-n", "500").stdout
    assert "No system stands alone at the top under chrF2" in printed
    assert "a and b are one cluster under chrF2: their order is not to be relied on." in printed
    markdown = karat("rank", "-r", REFERENCE, *copies, "-m", "chrf", "-n", "500", "-f", "markdown").stdout
    assert markdown.count("**73.33**") == 2
    assert "1–2" in markdown


def test_no_order_is_claimed_where_nothing_differs() -> None:
    copies = [f"a={FILES[1]}", f"b={FILES[1]}"]
    printed = karat("rank", "-r", REFERENCE, *copies, "-m", "chrf", "-n", "500").stdout
    assert "Nothing can be said about the order under chrF2" in printed


def test_csv_of_a_ranking_says_how_it_was_found() -> None:
    result = karat("rank", "--corpus", CORPUS, "-m", "chrf", "-n", "500", "-f", "csv", "-q")
    table = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["system"] for row in table] == ["neural", "fluent", "literal", "glossary"]
    for row in table:
        assert (row["test"], row["unit"], row["n"], row["seed"]) == ("randomization", "document", "500", "12345")
        assert "|hash:" in row["signature"]


def test_n_is_raised_where_it_could_never_be_enough() -> None:
    result = karat("rank", "-r", REFERENCE, *FILES, "-m", "chrf", "-n", "50", "--json")
    found = json.loads(result.stdout)
    assert {one["n"] for one in found["comparisons"]} == {119}
    assert "n was raised from 50 to 119" in result.stderr
    bare = document("rank", "-r", REFERENCE, *FILES, "-m", "chrf", "-n", "50", "--correction", "none")
    assert {one["n"] for one in bare["comparisons"]} == {50}


def test_real_systems_are_ranked(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    systems = [str(path) for path in sorted((directory / "system-outputs").glob("*.txt"))[:6]]
    found = document("rank", "-r", str(directory / "references" / "refC.de"), *systems, "-m", "chrf", "-n", "500")
    assert len(found["comparisons"]) == 15
    places = found["ranking"]
    assert [one["score"] for one in places] == sorted((one["score"] for one in places), reverse=True)
    clusters = [one["cluster"] for one in places]
    assert clusters == sorted(clusters)
    assert all(one["rank_low"] <= i <= one["rank_high"] for i, one in enumerate(places, 1))


def test_power_tells_what_a_test_set_can_show() -> None:
    arguments = ["power", "--corpus", CORPUS, "literal", "fluent", "-m", "chrf"]
    (one,) = document(*arguments, "--difference", "1", "--unit", "segment")["power"]
    assert (one["baseline"], one["system"], one["units"], one["unit"]) == ("literal", "fluent", 127, "segment")
    assert one["needed_units"] == one["needed_segments"] > 127
    assert one["detectable"] > 1
    (more,) = document(*arguments, "--difference", str(one["detectable"]), "--unit", "segment")["power"]
    assert more["needed_units"] == 127
    assert more["reached"] == pytest.approx(0.8, abs=0.01)
    (documents,) = document(*arguments, "--difference", "1")["power"]
    assert documents["unit"] == "document"
    assert documents["needed_segments"] >= documents["needed_units"] * 127 / 14
    (seen,) = document(*arguments)["power"]
    scores = {one["system"]: one["score"] for one in document("score", *arguments[1:])["scores"]}
    assert seen["difference"] == pytest.approx(abs(scores["fluent"] - scores["literal"]), abs=1e-9)
    printed = karat(*arguments, "--difference", "1").stdout
    assert "With 14 documents a difference of" in printed
    assert "chrf|refs:2|hash:" in printed


def test_power_is_not_rounded_to_certainty() -> None:
    """A difference that is found almost always is not said to be found always."""
    printed = karat("power", "--corpus", CORPUS, "literal", "neural", "-m", "chrf").stdout
    assert "is found more than 99 times in 100, and needs" in printed
    assert " > 99% " in printed


def test_power_of_an_assumed_deviation() -> None:
    (one,) = document("power", "--sd", "20", "--units", "1000", "--difference", "1")["power"]
    assert (round(one["detectable"], 2), one["needed_units"], round(one["reached"], 2)) == (1.77, 3142, 0.35)
    (bare,) = document("power", "--sd", "20", "--units", "1000")["power"]
    assert (bare["difference"], bare["needed_units"]) == (None, None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["power", "--sd", "1"], "belong together"),
        (["power", "--sd", "1", "--units", "100", "-m", "chrf"], "take the place of systems, references and metrics"),
        (["power", "--sd", "1", "--units", "10", "-r", REFERENCE, FILES[0]], "take the place of"),
        (["power", "--sd", "-1", "--units", "10"], "not negative"),
        (["power", "--sd", "1", "--units", "1"], "at least 2"),
        (["power", "-r", REFERENCE, FILES[0]], "one system only"),
        (["power", "-r", REFERENCE, *FILES, "--baseline", "x"], "there is no system 'x'"),
        (["power", "-r", REFERENCE, *FILES, "-m", "chrf", "--difference", "0"], "no number of units"),
        (["power", "-r", REFERENCE, f"a={FILES[0]}", f"b={FILES[0]}"], "nothing can be planned"),
        (["rank", "-r", REFERENCE, FILES[0]], "one system only"),
        (["rank"], "no system output was given"),
        (["score", "-r", REFERENCE, FILES[0], "--ci", "95"], "between 0 and 1"),
        (["score", "-r", REFERENCE, FILES[0], "--ci", "--level", "segment"], "--level segment"),
        (["score", "-r", REFERENCE, FILES[0], "--ci", "-n", "0"], "0 is not in the range 1<=x<=10000000"),
        (["score", "-r", REFERENCE, FILES[0], "--ci", "--unit", "document"], "name the documents"),
    ],
)
def test_bad_input_ends_in_exit_2_and_says_why(arguments: list[str], message: str) -> None:
    result = karat(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_scores_have_intervals_when_asked() -> None:
    # The level may be left out, and what follows is then a system.
    (one,) = document("score", "-r", REFERENCE, "-m", "bleu", "--ci", FILES[1])["scores"]
    (wide,) = document("score", "-r", REFERENCE, FILES[1], "-m", "bleu", "--ci", "0.99")["scores"]
    (plain,) = document("score", "-r", REFERENCE, FILES[1], "-m", "bleu")["scores"]
    assert one["score"] == wide["score"] == plain["score"]
    assert "interval" not in plain
    assert wide["interval"][0] < one["interval"][0] < one["score"] < one["interval"][1] < wide["interval"][1]
    assert (one["interval_level"], one["interval_method"], one["unit"], one["n"]) == (
        0.95,
        "percentile",
        "segment",
        1000,
    )


def test_intervals_name_the_method_that_was_used() -> None:
    arguments = ["score", "--corpus", CORPUS, "neural", "-m", "chrf", "--ci", "--interval", "bca"]
    (one,) = document(*arguments)["scores"]
    assert (one["interval_method"], one["unit"], one["units"]) == ("bca", "document", 14)
    (half,) = document(*arguments, "--resample", "half")["scores"]
    assert half["interval_method"] == "percentile"
    assert any(
        "BCa is not defined" in warning["message"] for warning in document(*arguments, "--resample", "half")["warnings"]
    )
    perfect = document("score", "-r", REFERENCE, REFERENCE, "-m", "chrf", "--ci", "--interval", "bca")["scores"][0]
    assert (perfect["interval"], perfect["interval_method"]) == ([100, 100], "percentile")


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv"])
def test_intervals_are_in_every_form(form: str) -> None:
    printed = karat("score", "--corpus", CORPUS, "-m", "bleu", "--ci", "-f", form, "-q").stdout
    if form == "csv":
        row = next(csv.DictReader(io.StringIO(printed)))
        assert float(row["interval_low"]) < float(row["score"]) < float(row["interval_high"])
        assert (row["interval_method"], row["unit"], row["seed"]) == ("percentile", "document", "12345")
    else:
        plain = printed.replace("\\", "")
        assert "61.28 [58." in plain
        assert "Intervals: 95 %, percentile, n = 1,000 full resamples, seed 12345; unit: document (14)" in plain


def test_intervals_are_the_same_on_any_number_of_threads() -> None:
    one, two = (document("score", "-r", REFERENCE, *FILES, "--ci", "--seed", "0", "-j", j) for j in ("1", "2"))
    assert one == two


def test_intervals_over_several_test_sets(tmp_path: Path) -> None:
    entry = '[[testset]]\nname = "{}"\nreferences = ["{}"]\nsystems = {{ ours = "{}" }}\n'
    sets = [entry.format(name, REFERENCE, FILES[i]) for i, name in enumerate(("one", "two"))]
    (tmp_path / "sets.toml").write_text("".join(sets), encoding="utf-8")
    scores = document("score", "--corpus", "sets.toml", "-m", "chrf", "--ci", cwd=tmp_path)["scores"]
    assert [one["units"] for one in scores] == [127, 127]
    assert "[" in karat("score", "--corpus", "sets.toml", "-m", "chrf", "--ci", cwd=tmp_path).stdout


@pytest.mark.parametrize("command", ["rank", "power"])
def test_runs_are_refused_in_words(command: str) -> None:
    result = karat(command, "-r", REFERENCE, f"old={FILES[0]},{FILES[1]}", FILES[2], "-m", "chrf")
    assert result.returncode == 2
    assert f"karat {command} takes no runs, which karat compare does" in result.stderr


def test_numbers_of_units_have_commas() -> None:
    result = karat("power", "--sd", "12", "--units", "4000", "--difference", "0.5")
    assert "With 4,000 segments" in result.stdout
