"""What commands claim follows from their own test, on data made to tempt them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.e2e.commands import document
from tests.e2e.commands import karat as run


def scores_file(path: Path, systems: dict[str, list[float | None]], documents: list[str] | None = None) -> str:
    """Segment scores in long form; None is an empty cell."""
    lines = ["system\tdocument\tsegment\tscore"] if documents else ["system\tsegment\tscore"]
    for name, scores in systems.items():
        for i, score in enumerate(scores):
            place = f"{documents[i]}\t{i + 1}" if documents else str(i + 1)
            lines.append(f"{name}\t{place}\t{'' if score is None else score}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def easy_and_hard(tmp_path: Path) -> str:
    """A was scored on 40 easy segments and B on 40 hard ones; of the 20 that they share, B is better on each."""
    rng = np.random.default_rng(1)
    difficulty = np.concatenate([np.full(20, 90.0), np.full(20, 50.0), np.full(20, 20.0)]) + rng.normal(0, 2, 60)
    first: list[float | None] = [float(score) if i < 40 else None for i, score in enumerate(difficulty)]
    second: list[float | None] = [float(score + 1) if i >= 20 else None for i, score in enumerate(difficulty)]
    return scores_file(tmp_path / "s.tsv", {"A": first, "B": second})


def test_systems_are_compared_on_the_segments_that_they_share(tmp_path: Path) -> None:
    path = easy_and_hard(tmp_path)
    (found,) = document("compare", "--scores", path)["comparisons"]
    assert (found["better"], found["shared_segments"], found["units"]) == ("B", 20, 20)
    assert found["difference"] == pytest.approx(1.0)
    assert found["significant"]
    shown = run("compare", "--scores", path, "--quiet")
    assert "B is better than A by 1.00" in shown.stdout
    assert "B 20 of 60 segments" in shown.stdout


def test_other_segments_are_compared_only_where_that_is_asked_for(tmp_path: Path) -> None:
    (found,) = document("compare", "--scores", easy_and_hard(tmp_path), "--unpaired")["comparisons"]
    assert found["better"] == "A"
    assert "shared_segments" not in found


def test_systems_are_ranked_on_the_segments_that_all_have(tmp_path: Path) -> None:
    path = easy_and_hard(tmp_path)
    assert [place["system"] for place in document("rank", "--scores", path)["ranking"]] == ["B", "A"]
    assert "ranked on the 20 of 60 segments that all systems have a score of" in run("rank", "--scores", path).stdout
    assert [place["system"] for place in document("rank", "--scores", path, "--unpaired")["ranking"]] == ["A", "B"]


def test_different_segments_of_several_systems_are_one_family(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    base = rng.normal(50, 5, 40)
    systems: dict[str, list[float | None]] = {
        "base": base.tolist(),
        "all": (base + 1 + rng.normal(0, 1, 40)).tolist(),
        "half": [float(score) + 1 if i % 2 else None for i, score in enumerate(base + rng.normal(0, 1, 40))],
    }
    found = document("compare", "--scores", scores_file(tmp_path / "s.tsv", systems))["comparisons"]
    assert [(one["system"], one["shared_segments"], one["family"]) for one in found] == [
        ("all", 40, 2),
        ("half", 20, 2),
    ]
    smaller, larger = sorted(found, key=lambda one: float(one["p"]))
    assert smaller["p_adjusted"] == pytest.approx(2 * smaller["p"])
    assert larger["p_adjusted"] == pytest.approx(max(2 * smaller["p"], larger["p"]))


@pytest.mark.parametrize("command", ["compare", "rank"])
def test_nothing_shared_is_refused(tmp_path: Path, command: str) -> None:
    systems: dict[str, list[float | None]] = {"A": [1.0, 2.0, None, None], "B": [None, None, 3.0, 4.0]}
    result = run(command, "--scores", scores_file(tmp_path / "s.tsv", systems))
    assert result.returncode == 2
    assert "have no segment that all of them have" in result.stderr
    assert "--unpaired" in result.stderr


def few_large_many_small(tmp_path: Path) -> str:
    """B has the better mean by a few large gains; A is better on nearly all segments."""
    first = np.linspace(40, 60, 100)
    second = np.where(np.arange(100) < 95, first - 1.0, first + 60.0)
    return scores_file(tmp_path / "s.tsv", {"A": first.tolist(), "B": second.tolist()})


def test_a_test_of_ranks_names_its_own_winner_and_the_score_beside_it(tmp_path: Path) -> None:
    path = few_large_many_small(tmp_path)
    (found,) = document("compare", "--scores", path, "--test", "wilcoxon")["comparisons"]
    assert found["significant"]
    assert found["better"] == "A"
    assert found["difference"] > 0
    shown = run("compare", "--scores", path, "--test", "wilcoxon", "--quiet").stdout
    assert "A tends to have better segment scores than B" in shown
    assert "but the worse score" in shown
    assert "B is better" not in shown


def test_ranks_follow_the_test_and_the_order_of_scores_is_contradicted_aloud(tmp_path: Path) -> None:
    shown = run("rank", "--scores", few_large_many_small(tmp_path), "--test", "wilcoxon", "--quiet").stdout
    assert "Against the order of scores" in shown


@pytest.mark.parametrize("command", ["compare", "rank"])
def test_a_level_that_cannot_be_reached_is_said_with_the_remedy(tmp_path: Path, command: str) -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(50, 1, 20)
    documents = [f"d{i // 4}" for i in range(20)]
    systems: dict[str, list[float | None]] = {"A": base.tolist(), "B": (base + 30).tolist()}
    path = scores_file(tmp_path / "s.tsv", systems, documents)
    result = run(command, "--scores", path)
    assert "cannot give a p below 0.0625" in result.stdout
    assert "--unit segment" in result.stdout
    assert "chance" not in result.stdout
    assert document(command, "--scores", path)["comparisons"][0]["p"] == 2 / 32
    assert document(command, "--scores", path, "--unit", "segment")["comparisons"][0]["significant"]


def test_segment_scores_by_a_formula_for_corpora_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b c\nthe cat sat on the mat\n", encoding="utf-8")
    arguments = ("score", "-r", str(tmp_path / "ref"), str(tmp_path / "ref"), "--level", "segment")
    warned = run(*arguments, "-m", "bleu", "-m", "chrf")
    assert "bleu is a formula for whole corpora: for single segments use sentence-bleu" in warned.stderr
    assert "formula for whole corpora" not in run(*arguments, "-m", "sentence-bleu", "-m", "chrf").stderr


def unbalanced_ratings(tmp_path: Path) -> str:
    """A lenient rater saw mostly A, a strict one mostly B; one judgement stands there twice."""
    lines = ["rater\tsystem\tsegment\tprotocol\tcriterion\tvalue"]
    for segment in range(1, 41):
        lenient, strict = ("A", "B") if segment % 5 else ("B", "A")
        lines += [f"r1\t{lenient}\t{segment}\tda\toverall\t{80 + segment % 3}"]
        lines += [f"r2\t{strict}\t{segment}\tda\toverall\t{40 + segment % 3}"]
    path = tmp_path / "r.tsv"
    path.write_text("\n".join([*lines, "r1\tA\t1\tda\toverall\t60"]) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", ["compare", "rank"])
def test_ratings_keep_their_warnings_where_systems_are_compared_by_them(tmp_path: Path, command: str) -> None:
    path = unbalanced_ratings(tmp_path)
    result = run(command, "--scores", path)
    assert "assignment is unbalanced" in result.stderr
    assert "karat human --model always" in result.stderr
    assert "judged more than once by one rater" in result.stderr
    codes = {warning["code"] for warning in document(command, "--scores", path)["warnings"]}
    assert {"unbalanced", "duplicate-judgements"} <= codes


def test_ratings_keep_their_warnings_where_metrics_are_judged_by_them(tmp_path: Path) -> None:
    scores = scores_file(tmp_path / "m.tsv", {"A": [1.0] * 40, "B": [2.0] * 40})
    result = run("meta", "--ratings", unbalanced_ratings(tmp_path), "--scores", scores)
    assert "assignment is unbalanced" in result.stderr
    assert "judged more than once by one rater" in result.stderr
