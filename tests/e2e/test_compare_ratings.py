"""`karat compare` and `karat rank` on ratings of people: they are one more metric."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.commands import CORPUS, document, karat

from karat.sample import path as sample

RATINGS = str(sample("ratings.tsv"))


def test_every_criterion_is_compared_by_the_mean_of_its_raters() -> None:
    found = document("compare", "--scores", RATINGS, "literal", "fluent", "-n", "500")["comparisons"]
    assert [(one["metric"], one["baseline_score"], one["score"]) for one in found] == [
        ("adequacy", pytest.approx(4.01, abs=0.005), pytest.approx(3.01, abs=0.005)),
        ("fluency", pytest.approx(2.70, abs=0.005), pytest.approx(4.53, abs=0.005)),
    ]


def test_one_criterion_is_chosen_and_may_come_from_a_pipe() -> None:
    command = [sys.executable, "-m", "karat", "rank", "--scores", "-", "--criterion", "fluency", "-n", "200", "--json"]
    data = Path(RATINGS).read_bytes()
    found = json.loads(subprocess.run(command, input=data, capture_output=True, check=True).stdout)
    direct = document("rank", "--scores", RATINGS, "--criterion", "fluency", "-n", "200")
    assert json.dumps(found) == json.dumps(direct)


def test_ratings_stand_beside_metrics_of_the_texts() -> None:
    texts = ["--corpus", CORPUS, "literal", "fluent", "-m", "chrf"]
    ratings = ["--scores", RATINGS, "--criterion", "adequacy"]
    found = document("compare", *texts, *ratings, "-n", "200")["comparisons"]
    assert {one["metric"]: one["difference"] > 0 for one in found} == {"chrf": True, "adequacy": False}
    assert {one["unit"] for one in found} == {"document"}


def test_the_direction_is_that_of_the_protocol(tmp_path: Path) -> None:
    lines = [
        f"r,{system},{segment},ranking,{rank}" for segment in range(1, 31) for rank, system in ((1, "a"), (2, "b"))
    ]
    (tmp_path / "r.csv").write_text("rater,system,segment,protocol,value\n" + "\n".join(lines) + "\n", encoding="utf-8")
    told = karat("compare", "--scores", "r.csv", "b", "a", "-n", "200", cwd=tmp_path).stdout
    assert "a is better than b" in told


def test_preferences_are_compared_by_their_wins(tmp_path: Path) -> None:
    labels = ["first"] * 20 + ["tie"] * 6 + ["second"] * 4
    lines = [f"r,a,b,{number},preference,fluency,{label}" for number, label in enumerate(labels, 1)]
    head = "rater,system,other_system,segment,protocol,criterion,label\n"
    (tmp_path / "p.csv").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    (one,) = document("compare", "--scores", "p.csv", "b", "a", "-n", "200", cwd=tmp_path)["comparisons"]
    assert (one["metric"], one["baseline_score"], one["score"]) == (
        "fluency-wins",
        pytest.approx(7 / 30),
        pytest.approx(23 / 30),
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scores", RATINGS, "--criterion", "adequasy"], "has no ratings of 'adequasy'. Did you mean adequacy"),
        (["--scores", "plain.tsv", "--criterion", "adequacy"], "holds scores, not ratings"),
        (["--scores", "texts.jsonl"], "has no values that could be compared"),
        (["--scores", "bad.csv"], "bad.csv, line 3, value: '9.0' is not a whole number from 1 to 5"),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "plain.tsv").write_text("system\tsegment\tscore\na\t1\t2\nb\t1\t3\n", encoding="utf-8")
    (tmp_path / "texts.jsonl").write_text(
        '{"rater": "r", "system": "s", "protocol": "femti", "criterion": "usability", "label": "good"}\n',
        encoding="utf-8",
    )
    head = "rater,system,segment,protocol,criterion,value\n"
    rows = "r,a,1,ldc,adequacy,3\nr,a,2,ldc,adequacy,9\n"
    (tmp_path / "bad.csv").write_text(head + rows, encoding="utf-8")
    result = karat("compare", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr


def test_published_ratings_rank_systems_as_published(shared_data: Path) -> None:
    path = shared_data / "wmt23-mtme-ende" / "wmt23" / "human-scores" / "en-de.mqm.seg.score"
    text = karat("rank", "--scores", str(path), "-n", "200").stdout
    assert text.index("GPT4-5shot") < text.index("ONLINE-W") < text.index("ONLINE-B") < text.index("AIRC")


def test_errors_are_weighed_as_wmt_does(shared_data: Path) -> None:
    path = shared_data / "wmt21-ted-mqm-ende" / "mqm_ted_ende.tsv"
    result = karat("compare", "--scores", str(path), "ref", "Facebook-AI", "Nemo", "-n", "200", "--json")
    found = json.loads(result.stdout)["comparisons"]
    assert [round(score, 2) for score in (found[0]["baseline_score"], *(one["score"] for one in found))] == [
        0.91,
        1.06,
        2.14,
    ]
    assert "errors are weighed as WMT does" in result.stderr
    assert "line 6444, target: <v> is not closed" in result.stderr


def test_errors_of_a_small_file_are_weighed(tmp_path: Path) -> None:
    head = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = "".join(
        f"{system}\td{number}\t1\t{number}\tr\tA\tB <v>C</v>\tFluency/Punctuation\t{severity}\n"
        for number in range(1, 6)
        for system, severity in (("a", "Minor"), ("b", "Major"))
    )
    (tmp_path / "mqm.tsv").write_text(head + rows, encoding="utf-8")
    (one,) = document("compare", "--scores", "mqm.tsv", "-n", "100", cwd=tmp_path)["comparisons"]
    assert (one["metric"], one["baseline_score"], one["score"]) == ("mqm", pytest.approx(0.1), pytest.approx(5.0))


def test_segments_of_appraise_are_paired_by_their_place_in_the_document(tmp_path: Path) -> None:
    """Items are numbered within a task, and documents are named after systems."""
    rows = [
        f"u{task},{name},{10 * task + 3 * text + place},TGT,eng,deu,{score - place},d{text}#{name},False,1.0,2.0"
        for task, name, score in ((1, "a", 90), (2, "b", 60))
        for text in (1, 2)
        for place in (1, 2, 3)
    ]
    (tmp_path / "scores.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (one,) = document("compare", "--scores", "scores.csv", "a", "b", "-n", "50", cwd=tmp_path)["comparisons"]
    assert (one["unit"], one["units"], one["interval"]) == ("document", 2, pytest.approx([-30, -30]))
    arguments = ("--scores", "scores.csv", "a", "b", "-n", "50", "--unit", "segment")
    (one,) = document("compare", *arguments, cwd=tmp_path)["comparisons"]
    assert (one["unit"], one["units"], one["interval"]) == ("segment", 6, pytest.approx([-30, -30]))


def test_systems_with_one_output_are_ranked_each_by_itself(tmp_path: Path) -> None:
    lines = [f"r,a+b,c,{number},ranking,overall,1,2" for number in range(1, 31)]
    head = "rater,system,other_system,segment,protocol,criterion,value,other_value\n"
    (tmp_path / "r.csv").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    (one,) = document("compare", "--scores", "r.csv", "c", "a", "-n", "50", cwd=tmp_path)["comparisons"]
    assert (one["metric"], one["baseline_score"], one["score"]) == ("ranking-wins", 0, pytest.approx(0.75))


@pytest.mark.parametrize("command", ["compare", "rank", "power"])
def test_wins_against_other_opponents_are_no_scores(command: str, tmp_path: Path) -> None:
    """a beats the weak c, b loses to the strong d, and b beats a: shares of wins would say that a is better."""
    lines = [
        f"r,{first},{second},{number},preference,overall,first"
        for number in range(40)
        for first, second in ("ac", "db", *(["ba"] if number < 12 else []))
    ]
    head = "rater,system,other_system,segment,protocol,criterion,label\n"
    (tmp_path / "p.csv").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    result = karat(command, "--scores", "p.csv", "a", "b", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "on segment 0, a met c once and d never" in result.stderr
    assert "use karat human" in result.stderr


@pytest.mark.parametrize("command", ["compare", "rank", "power"])
def test_language_pairs_are_compared_each_by_itself(command: str, tmp_path: Path) -> None:
    """a is better in one language pair and b in the other."""
    values = {("en-de", "a"): 70, ("en-de", "b"): 60, ("en-fr", "a"): 50, ("en-fr", "b"): 60}
    lines = [
        f"r,{pair},{system},{number},da,{value + (number * len(system + pair) * value) % 7}"
        for number in range(30)
        for (pair, system), value in values.items()
    ]
    head = "rater,language_pair,system,segment,protocol,value\n"
    (tmp_path / "r.csv").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    mixed = karat(command, "--scores", "r.csv", cwd=tmp_path)
    assert (mixed.returncode, mixed.stdout) == (2, "")
    assert "choose one with -l: en-de, en-fr" in mixed.stderr
    german, french = (karat(command, "--scores", "r.csv", "-l", pair, cwd=tmp_path) for pair in ("en-de", "en-fr"))
    assert (german.returncode, french.returncode) == (0, 0), (german.stderr, french.stderr)
    assert german.stdout != french.stdout
    if command == "compare":
        assert "a is better than b" in german.stdout
        assert "b is better than a" in french.stdout
