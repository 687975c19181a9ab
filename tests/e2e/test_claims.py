"""What commands claim follows from their own test, on data made to tempt them."""

from __future__ import annotations

import re
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
    assert "'A' and 'B' share no segment with a score under s, so nothing can be paired" in result.stderr
    assert "an unpaired comparison" in result.stderr


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


def test_power_promises_nothing_that_no_test_can_show(tmp_path: Path) -> None:
    systems: dict[str, list[float | None]] = {"A": [1.0, 2.0, 4.0], "B": [51.0, 53.0, 52.0]}
    path = scores_file(tmp_path / "s.tsv", systems)
    (planned,) = document("power", "--scores", path)["power"]
    assert (planned["detectable"], planned["reached"], planned["needed_units"]) == (None, 0.0, 6)
    shown = run("power", "--scores", path).stdout
    assert "3 segments cannot give a p below 0.25" in shown
    assert "times in 100" not in shown


def test_a_deviation_of_zero_plans_nothing() -> None:
    result = run("power", "--sd", "0", "--units", "10")
    assert result.returncode == 2
    assert "--sd must be more than 0" in result.stderr


def test_a_chained_cluster_says_what_is_told_apart_in_it(tmp_path: Path) -> None:
    noise = np.array([(-1.0) ** i * (1 + i % 3) for i in range(60)])
    base = np.linspace(40, 60, 60)
    systems: dict[str, list[float | None]] = {
        "A": base.tolist(),
        "B": (base + 0.4 + noise).tolist(),
        "C": (base + 0.8 + noise * 0.1).tolist(),
    }
    path = scores_file(tmp_path / "s.tsv", systems)
    found = document("rank", "--scores", path)
    assert {place["cluster"] for place in found["ranking"]} == {1}
    assert {one["better"] for one in found["comparisons"] if one["significant"]} == {"C"}
    shown = run("rank", "--scores", path).stdout
    assert "are one cluster under s: C is better than A, and no more of their order is shown." in shown


def test_unpaired_results_say_that_they_are(tmp_path: Path) -> None:
    path = easy_and_hard(tmp_path)
    (found,) = document("compare", "--scores", path, "--unpaired")["comparisons"]
    assert found["unpaired"] is True
    assert (
        "unpaired, each system on whatever it has a score of: A 40, B 40 of 60"
        in run("compare", "--scores", path, "--unpaired").stdout
    )


def test_a_gate_without_a_difference_gains_nothing(tmp_path: Path) -> None:
    scores = [float(i % 7) for i in range(40)]
    path = scores_file(tmp_path / "s.tsv", {"A": scores, "B": scores})
    shown = run("compare", "--scores", path, "--non-inferior", "0.1").stdout
    assert "it loses nothing" in shown
    assert "-0.00" not in shown.partition("It is shown")[2]


def test_systems_that_are_not_on_all_test_sets_are_named(tmp_path: Path) -> None:
    for name in ("ref", "a", "b", "c"):
        (tmp_path / name).write_text("".join(f"the cat {name} sat {i}\n" for i in range(8)), encoding="utf-8")
    (tmp_path / "m.toml").write_text(
        '[[testset]]\nname = "one"\nreferences = ["ref"]\nsystems = { a = "a", b = "b", c = "c" }\n'
        '[[testset]]\nname = "two"\nreferences = ["ref"]\nsystems = { a = "a", b = "b" }\n',
        encoding="utf-8",
    )
    result = run("compare", "--corpus", str(tmp_path / "m.toml"), "-m", "chrf")
    assert "not on all test sets, so left out of all together: c" in result.stderr
    refused = run("compare", "--corpus", str(tmp_path / "m.toml"), "-m", "chrf", "--baseline", "c")
    assert "test set two: there is no system 'c' among those to compare: a, b" in refused.stderr


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--without", "Z"], "--without Z: there is no such system"),
        (["--human", "Z"], "--human Z: there is no such system"),
        (["--criterion", "x"], "holds scores, not ratings"),
    ],
)
def test_names_that_meta_does_not_know_are_refused(tmp_path: Path, extra: list[str], message: str) -> None:
    gold = scores_file(tmp_path / "gold.tsv", {"A": [1.0, 2.0, 3.0], "B": [2.0, 3.0, 5.0]})
    result = run("meta", "--judgements", gold, "--scores", gold, *extra)
    assert result.returncode == 2
    assert re.search(message, result.stderr)


def test_choices_about_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    gold = scores_file(tmp_path / "gold.tsv", {"A": [1.0, 2.0, 3.0], "B": [2.0, 3.0, 5.0]})
    assert "--only chooses lines of --scores" in run("meta", "--judgements", gold, "--only", "lp=en-de").stderr


def test_the_rank_sum_test_refuses_documents(tmp_path: Path) -> None:
    lines = ["rater\tsystem\tdocument\tsegment\tprotocol\tvalue"]
    lines += [f"r\t{name}\td{i // 4}\t{i}\tda\t{50 + i % 7}" for name in "AB" for i in range(16)]
    (tmp_path / "r.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = run("human", str(tmp_path / "r.tsv"), "--test", "rank-sum", "--unit", "document")
    assert result.returncode == 2
    assert "the rank-sum test takes segments" in result.stderr


def test_scores_of_whole_systems_are_refused(tmp_path: Path) -> None:
    (tmp_path / "chrF.sys.score").write_text("a\t1\nb\t2\n", encoding="utf-8")
    for command in ("compare", "rank"):
        result = run(command, "--scores", str(tmp_path / "chrF.sys.score"))
        assert result.returncode == 2
        assert "whole systems only" in result.stderr


def test_tests_of_unit_scores_cannot_be_unpaired(tmp_path: Path) -> None:
    result = run("compare", "--scores", easy_and_hard(tmp_path), "--unpaired", "--test", "wilcoxon")
    assert result.returncode == 2
    assert "leave out unpaired" in result.stderr


def test_a_draw_without_a_test_set_is_no_score_of_zero(tmp_path: Path) -> None:
    """Two test sets in which all segments differ alike: so do all resamples of both together."""
    tables = []
    for name, count in (("one", 20), ("two", 3)):
        for kind, text in (("ref", "a b c"), ("x", "a b d"), ("y", "a d e")):
            (tmp_path / f"{name}.{kind}").write_text(f"{text}\n" * count, encoding="utf-8")
        systems = f'{{ x = "{name}.x", y = "{name}.y" }}'
        tables.append(f'[[testset]]\nname = "{name}"\nreferences = ["{name}.ref"]\nsystems = {systems}\n')
    (tmp_path / "m.toml").write_text("".join(tables), encoding="utf-8")
    for test in ("randomization", "permutation"):
        found = document("compare", "--corpus", str(tmp_path / "m.toml"), "-m", "wer", "--test", test)["comparisons"]
        assert [one["testset"] for one in found] == ["one", "two", "all test sets"]
        assert found[2]["interval"] == pytest.approx([100 / 3, 100 / 3])
        assert found[2]["statistic"] == pytest.approx(100 / 3)
    assert len(document("compare", "--corpus", str(tmp_path / "m.toml"), "--testset", "two")["comparisons"]) == 3


def test_the_power_of_large_differences_is_a_number() -> None:
    (planned,) = document("power", "--sd", "1", "--units", "40", "--difference", "3.11")["power"]
    assert planned["reached"] == pytest.approx(1.0)


def test_judgements_that_are_turned_are_still_predicted_by_themselves(tmp_path: Path) -> None:
    lines = ["system\tsegment\tscore\thigher_is_better"]
    lines += [f"{name}\t{i}\t{i % 5 + number}\tfalse" for number, name in enumerate("ABCD") for i in range(10)]
    (tmp_path / "penalty.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = str(tmp_path / "penalty.tsv")
    asked = ("--level", "segment", "--grouping", "none", "--test", "none", "--measure", "mae", "--measure", "rmse")
    found = document("meta", "--judgements", path, "--scores", path, *asked)["measures"]
    assert {one["measure"]: one["value"] for one in found} == {"mae": 0.0, "rmse": 0.0}
