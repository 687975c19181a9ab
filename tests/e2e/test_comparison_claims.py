"""What compare, rank and power print about systems follows from the test and the numbers beside it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from tests.e2e.commands import CORPUS, REFERENCE, SAMPLE, document
from tests.e2e.commands import karat as run
from tests.e2e.test_claims import few_large_many_small, scores_file


def loser_by_score(tmp_path: Path) -> str:
    """A is better than B and C on nearly all segments, and has the worst mean by a few large losses."""
    first = np.linspace(40, 60, 100)
    others = [np.where(np.arange(100) < 95, first - step, first + 60.0 + step) for step in (1.0, 3.0)]
    return scores_file(tmp_path / "s.tsv", {"A": first.tolist(), "B": others[0].tolist(), "C": others[1].tolist()})


@pytest.mark.parametrize("test", ["wilcoxon"])
def test_a_ranking_follows_its_test_and_says_where_the_scores_do_not(tmp_path: Path, test: str) -> None:
    path = loser_by_score(tmp_path)
    found = document("rank", "--scores", path, "--test", test)["ranking"]
    assert (found[0]["system"], found[0]["cluster"], found[0]["rank_high"]) == ("A", 1, 1)
    assert found[0]["score"] == min(place["score"] for place in found)
    shown = run("rank", "--scores", path, "--test", test, "--quiet").stdout
    assert "A tends to have better segment scores than every other system under s" in shown
    assert "No system stands alone" not in shown
    assert "Against the order of scores under s, A tends to have better segment scores than B" in shown


def test_json_and_csv_tell_where_test_and_score_disagree(tmp_path: Path) -> None:
    path = few_large_many_small(tmp_path)
    (found,) = document("compare", "--scores", path, "--test", "wilcoxon")["comparisons"]
    assert (found["better"], found["better_scored"], found["against_score"]) == ("A", "B", True)
    (record,) = records("compare", "--scores", path, "--test", "wilcoxon")
    assert (record["better_scored"], record["against_score"]) == ("B", "True")
    (found,) = document("compare", "--scores", path)["comparisons"]
    assert (found["better_scored"], found["against_score"]) == ("B", False)


def records(*arguments: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run(*arguments, "-f", "csv").stdout)))


def test_the_csv_of_a_ranking_has_what_its_table_has() -> None:
    arguments = ("rank", "--corpus", CORPUS, "-m", "chrf")
    first, *_, last = records(*arguments)
    pairs = {frozenset((one["baseline"], one["system"])): one for one in document(*arguments)["comparisons"]}
    pair = pairs[frozenset((first["system"], first["next"]))]
    assert float(first["difference_to_next"]) == pytest.approx(abs(pair["difference"]))
    assert float(first["p_to_next"]) == pytest.approx(pair["p"])
    assert float(first["p_adjusted_to_next"]) == pytest.approx(pair["p_adjusted"])
    assert (last["next"], last["difference_to_next"], last["p_to_next"]) == ("", "", "")


def test_two_variants_of_a_metric_have_two_names() -> None:
    for command in ("compare", "rank", "power"):
        arguments = ("--corpus", CORPUS, "literal", "fluent", "-m", "bleu", "-m", "bleu(lowercase=true)")
        shown = run(command, *arguments, "--quiet").stdout
        assert "bleu(lowercase=true) ↑" in shown
        assert "\nbleu ↑" in shown
        assert "BLEU" not in shown.replace("sacreBLEU", "")
        said = [line for line in shown.splitlines() if "fluent" in line and line.endswith(".")]
        assert ["bleu(lowercase=true)" in line for line in said] == [False, True]


@pytest.mark.parametrize("test", ["wilcoxon", "permutation"])
def test_the_mean_of_unit_scores_is_told_apart_from_the_score_only_where_it_is_another(
    tmp_path: Path, test: str
) -> None:
    own = "their mean is not the score"
    assert own not in run("compare", "--scores", few_large_many_small(tmp_path), "--test", test).stdout
    texts = ("compare", "--corpus", CORPUS, "literal", "fluent", "--test", test, "--unit", "segment")
    shown = run(*texts, "-m", "bleu", "-m", "ter").stdout
    assert "This test looks at the scores of each segment by itself; their mean is not the score: BLEU, TER" in shown


def small_scores(tmp_path: Path, shift: float = 0.0353) -> str:
    rng = np.random.default_rng(4)
    first = rng.uniform(0.6, 0.9, 60)
    second = first + shift + rng.normal(0, 0.005, 60) * bool(shift)
    return scores_file(tmp_path / "comet.tsv", {"A": first.tolist(), "B": second.tolist()})


def test_scores_between_0_and_1_have_digits_that_add_up(tmp_path: Path) -> None:
    path = small_scores(tmp_path)
    shown = run("compare", "--scores", path, "--non-inferior", "0.01", "--quiet").stdout
    (found,) = document("compare", "--scores", path)["comparisons"]
    low, high = found["interval"]
    for text in (
        f"{found['score']:.4f}",
        f"{found['difference']:+.4f}",
        f"[{low:.4f}, {high:.4f}]",
        f"B is better than A by {found['difference']:.4f} comet (95 % interval {low:.4f} to {high:.4f}",
    ):
        assert text in shown
    gained = shown.partition("gains at least ")[2].split()[0]
    assert len(gained.partition(".")[2]) == 4
    assert f"{found['score']:.4f}" in run("rank", "--scores", path).stdout
    assert f"{found['difference']:.4f}" in run("power", "--scores", path).stdout
    assert "a difference of" in run("power", "--scores", path).stdout
    assert f"{found['score']:.6f}" in run("compare", "--scores", path, "-w", "4").stdout


def test_effect_sizes_are_explained_where_they_are_shown(tmp_path: Path) -> None:
    explained = "Effect: the difference in standard deviations of what one segment adds to it"
    assert explained in run("compare", "--scores", small_scores(tmp_path)).stdout


def test_nothing_is_printed_as_less_than_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    first = rng.normal(50, 3, 60)
    second = first + rng.normal(0, 0.01, 60)
    second += first.mean() - second.mean() - 0.0004
    path = scores_file(tmp_path / "s.tsv", {"A": first.tolist(), "B": second.tolist()})
    for arguments in (("compare", "--non-inferior", "0.1"), ("rank",), ("power",)):
        shown = run(*arguments, "--scores", path, "--quiet").stdout
        assert "-0.00" not in shown
        assert "0.00" in shown


def test_one_document_is_one(tmp_path: Path) -> None:
    scores: list[float | None] = [1.0, 2.0, 3.0, 4.0]
    path = scores_file(tmp_path / "s.tsv", {"A": scores, "B": scores[::-1]}, ["d"] * 4)
    result = run("compare", "--scores", path, "--unit", "segment")
    assert "although 1 document is known" in result.stderr


def test_a_gate_over_runs_speaks_of_these_runs() -> None:
    files = [str(SAMPLE / f"{name}.txt") for name in ("literal", "fluent", "neural")]
    runs = [f"old={files[0]},{files[0]}", f"new={files[1]},{files[2]}"]
    arguments = ("compare", "-r", REFERENCE, *runs, "-m", "chrf", "-n", "200", "--non-inferior", "0.5")
    said = "It is shown that these runs of new lose, on average, less than 0.5 chrF2 against these of old"
    shown = run(*arguments).stdout
    assert said in shown
    assert "other runs may lose more" in shown
    (gate,) = document(*arguments)["non_inferiority"]
    (compared,) = document(*arguments)["comparisons"]
    assert (gate["runs"], gate["baseline_runs"]) == (2, 2)
    assert gate["difference"] == pytest.approx(compared["difference"])
    assert compared["better"] == "new"
    assert compared["significant"] is True


@pytest.mark.parametrize("documents", [3, 5])
def test_a_gate_never_claims_beside_nothing_to_be_shown(tmp_path: Path, documents: int) -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(50, 1, 4 * documents)
    labels = [f"d{i // 4}" for i in range(4 * documents)]
    path = scores_file(tmp_path / "s.tsv", {"A": base.tolist(), "B": (base + 30).tolist()}, labels)
    result = run("compare", "--scores", path, "--non-inferior", "1")
    assert "othing can be shown" not in result.stdout + result.stderr
    assert f"No difference between A and B can be shown under s: {documents} documents" in result.stdout
    if documents == 3:
        assert result.returncode == 1
        assert (
            "It cannot be shown that B loses less than 1 s against A: 3 documents cannot give a p below"
            in result.stdout
        )
        assert "take 5 documents or more" in result.stdout
        assert "It is shown" not in result.stdout
    else:
        assert "It is shown that B loses less than 1 s against A" in result.stdout


def test_each_metric_may_have_a_margin_of_its_own() -> None:
    base = ("compare", "--corpus", CORPUS, "literal", "fluent", "-m", "bleu", "-m", "chrf", "-m", "ter", "-n", "200")
    gates = document(*base, "--non-inferior", "bleu=0.5", "--non-inferior", "chrf=0.3")["non_inferiority"]
    assert [(gate["metric"], gate["margin"]) for gate in gates] == [("bleu", 0.5), ("chrf", 0.3)]
    table = records(*base, "--non-inferior", "bleu=0.5", "--non-inferior", "chrf=0.3")
    assert [(one["metric"], one["margin"]) for one in table] == [("bleu", "0.5"), ("chrf", "0.3"), ("ter", "")]
    gates = document(*base, "--non-inferior", "0.7", "--non-inferior", "chrf=0.3")["non_inferiority"]
    assert [gate["margin"] for gate in gates] == [0.7, 0.3, 0.7]


def test_the_margin_of_a_metric_is_not_that_of_its_variants_beside_it() -> None:
    given = ("compare", "--corpus", CORPUS, "literal", "fluent", "-n", "200", "--non-inferior", "bleu=0.5")
    gates = document(*given, "-m", "bleu", "-m", "bleu(lowercase=true)")["non_inferiority"]
    assert [gate["spec"] for gate in gates] == ["bleu"]
    gates = document(*given, "-m", "bleu(lowercase=true)")["non_inferiority"]
    assert [gate["spec"] for gate in gates] == ["bleu(lowercase=true)"]


@pytest.mark.parametrize(
    ("margins", "message"),
    [
        (["meteor=1"], "--non-inferior meteor=...: there is no such metric here; there is: bleu"),
        (["bleu=much"], "--non-inferior bleu=much: give a number, or METRIC=NUMBER"),
        (["1", "2"], "--non-inferior is given twice for all metrics"),
        (["bleu=1", "bleu=2"], "--non-inferior is given twice for bleu"),
    ],
)
def test_margins_that_mean_nothing_are_refused(margins: list[str], message: str) -> None:
    options = [text for margin in margins for text in ("--non-inferior", margin)]
    result = run("compare", "--corpus", CORPUS, "literal", "fluent", "-m", "bleu", *options)
    assert result.returncode == 2
    assert message in result.stderr


@pytest.mark.parametrize("command", ["compare", "rank"])
def test_each_kind_of_test_has_its_line(tmp_path: Path, command: str) -> None:
    """Scores of eleven documents are tested by all flips, those of fourteen by random ones."""
    corpus = [json.loads(line) for line in Path(CORPUS).read_text("utf-8").splitlines()]
    documents = list(dict.fromkeys(segment["document"] for segment in corpus))[:11]
    lines = [
        f"{system}\t{number}\t{i + number % 7 if segment['document'] in documents else ''}"
        for i, system in enumerate(("literal", "fluent"))
        for number, segment in enumerate(corpus, 1)
    ]
    path = tmp_path / "ext.tsv"
    path.write_text("\n".join(["system\tsegment\tscore", *lines]) + "\n", encoding="utf-8")
    arguments = (command, "--corpus", CORPUS, "literal", "fluent", "-m", "chrf", "--scores", str(path), "-q")
    told = [line for line in run(*arguments).stdout.splitlines() if line.startswith("Test")]
    assert len(told) == 2
    assert told[0].startswith("Test of chrF2: approximate randomisation, two-sided, n = 10,000, seed 12345; unit: docu")
    assert told[1].startswith("Test of ext: exact randomisation, two-sided, all 2,048 flips; unit: document (11;")


def test_moses_is_not_called_two_sided() -> None:
    result = run("compare", "--corpus", CORPUS, "literal", "fluent", "-m", "chrf", "--test", "moses")
    half = "half of a two-sided one or less"
    assert half in result.stderr
    (told,) = [line for line in result.stdout.splitlines() if line.startswith("Test")]
    assert half in told
    assert ", two-sided" not in told
