"""What compare, rank and power print about systems follows from the test and the numbers beside it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from tests.e2e.commands import CORPUS, document
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
