"""Several test sets at once: a table for each, one for all together, and what each of them is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.e2e.commands import CORPUS, REFERENCE, document
from tests.e2e.commands import karat as run

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "then", "it", "went", "away", "over", "some", "old", "hill"]


def manifest(
    tmp_path: Path,
    testsets: Mapping[str, tuple[int, Sequence[str]]],
    *,
    documents: Sequence[str] = (),
    languages: Mapping[str, str] | None = None,
) -> str:
    """Test sets of so many segments and these systems, the later of which have more words wrong."""
    rng = np.random.default_rng(7)
    lines = []
    for name, (count, systems) in testsets.items():
        reference = [rng.choice(WORDS, 9).tolist() for _ in range(count)]
        write(tmp_path / f"{name}.ref", reference)
        for system in systems:
            wrong = 0.1 + 0.1 * (ord(system) - ord("a"))
            spoiled = [[f"x{system}" if rng.random() < wrong else word for word in words] for words in reference]
            write(tmp_path / f"{name}.{system}", spoiled)
        table = ", ".join(f'{system} = "{name}.{system}"' for system in systems)
        lines += ["[[testset]]", f'name = "{name}"', f'references = ["{name}.ref"]', f"systems = {{ {table} }}"]
        if name in documents:
            write(tmp_path / f"{name}.docs", [[f"d{i // 4}"] for i in range(count)])
            lines.append(f'documents = "{name}.docs"')
        if languages:
            source, target = languages[name].split("-")
            lines += [f'source_language = "{source}"', f'target_language = "{target}"']
    path = tmp_path / "m.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def write(path: Path, segments: Sequence[Sequence[str]]) -> None:
    path.write_text("".join(" ".join(words) + "\n" for words in segments), encoding="utf-8")


def test_documents_of_some_test_sets_are_not_said_to_be_unknown(tmp_path: Path) -> None:
    path = manifest(tmp_path, {"one": (40, "ab"), "two": (20, "ab")}, documents=["one"])
    result = run("compare", "--corpus", path, "-m", "chrf", "-n", "200")
    first, second, together = result.stdout.split("Test: ")[1:]
    assert "unit: document (10; documents are known)" in first
    assert "unit: segment (20; no documents are known)" in second
    assert "unit: segment (60; documents are known of some test sets only)" in together
    assert "not all test sets tell their documents" in result.stderr


@pytest.mark.parametrize("command", ["compare", "rank", "power"])
def test_test_sets_that_cannot_be_pooled_have_their_own_tables(tmp_path: Path, command: str) -> None:
    path = manifest(tmp_path, {"one": (20, "ab"), "two": (20, "cd")})
    result = run(command, "--corpus", path, "-m", "chrf")
    assert result.returncode == 0
    assert "no system is on all test sets, so there is no table of all together" in result.stderr
    found = document(command, "--corpus", path, "-m", "chrf")
    assert {entry["testset"] for entry in found["power" if command == "power" else "comparisons"]} == {"one", "two"}


@pytest.mark.parametrize("command", ["compare", "rank", "power"])
def test_one_system_on_all_test_sets_is_not_compared_over_all(tmp_path: Path, command: str) -> None:
    path = manifest(tmp_path, {"one": (20, "ab"), "two": (20, "cb")})
    result = run(command, "--corpus", path, "-m", "chrf")
    assert result.returncode == 0
    assert "only b is on all test sets, so there is no table of all together" in result.stderr
    assert "\nall test sets" not in result.stdout


@pytest.mark.parametrize("command", ["compare", "power"])
def test_the_baseline_is_one_for_all_test_sets(tmp_path: Path, command: str) -> None:
    path = manifest(tmp_path, {"one": (20, "abc"), "two": (20, "cba"), "three": (20, "bc")})
    found = document(command, "--corpus", path, "-m", "chrf")["comparisons" if command == "compare" else "power"]
    assert {entry["baseline"] for entry in found} == {"b"}
    assert {entry["testset"] for entry in found} == {"one", "two", "three", "all test sets"}


def test_what_the_scores_of_all_test_sets_are_is_said(tmp_path: Path) -> None:
    path = manifest(tmp_path, {"one": (40, "ab"), "two": (8, "ab")})
    shown = run("compare", "--corpus", path, "-m", "chrf", "--test", "wilcoxon").stdout
    together = shown.partition("\nall test sets")[2]
    assert "Score: the mean over 2 test sets, which count alike whatever their sizes" in together
    assert "The test takes the segments of all test sets together: larger test sets weigh more" in together
    assert shown.count("which count alike") == shown.count("larger test sets weigh more") == 1
    plain = run("compare", "--corpus", path, "-m", "chrf").stdout
    assert "larger test sets weigh more" not in plain
    found = document("compare", "--corpus", path, "-m", "chrf")["comparisons"]
    assert found[2]["score"] == pytest.approx((found[0]["score"] + found[1]["score"]) / 2)


def test_effects_that_depend_on_the_sizes_of_test_sets_are_not_shown(tmp_path: Path) -> None:
    path = manifest(tmp_path, {"one": (40, "ab"), "two": (8, "ab")})
    found = document("compare", "--corpus", path, "-m", "chrf")["comparisons"]
    assert [entry["effect_size"] is None for entry in found] == [False, False, True]
    shown = run("compare", "--corpus", path, "-m", "chrf").stdout.partition("\nall test sets")[2]
    assert "Effect:" not in shown
    planned = run("power", "--corpus", path, "-m", "chrf", "--difference", "1").stdout.partition("\nall test sets")[2]
    assert "segments in all, in the same proportions, to be found" in planned
    assert "SD: the standard error of the difference times the root of the number of units" in planned


def test_the_correction_tells_which_comparisons_it_is_over(tmp_path: Path) -> None:
    path = manifest(tmp_path, {"one": (40, "abc"), "two": (8, "abc")})
    shown = run("compare", "--corpus", path, "-m", "chrf", "-m", "bleu").stdout
    assert shown.count("Holm over 2 comparisons of each metric on this test set") == 2
    assert shown.count("Holm over 2 comparisons of each metric on all test sets together") == 1
    single = run("compare", "--corpus", path, "-m", "chrf", "--testset", "one").stdout
    assert "Holm over 2 comparisons of each metric. " in single


def test_test_sets_are_chosen_by_the_names_of_the_manifest(tmp_path: Path) -> None:
    path = manifest(tmp_path, {"one": (8, "ab"), "two": (8, "ab")}, languages={"one": "de-en", "two": "fr-en"})
    by_name = document("compare", "--corpus", path, "-m", "chrf", "--testset", "two")
    assert by_name == document("compare", "--corpus", path, "-m", "chrf", "--testset", "two fr-en")
    refused = run("compare", "--corpus", path, "-m", "chrf", "--testset", "three")
    assert refused.returncode == 2
    assert "there is no test set 'three'" in refused.stderr


def test_a_test_set_of_an_input_that_has_one_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("system\tsegment\tscore\na\t1\t2\nb\t1\t3\n", encoding="utf-8")
    inputs = (["--corpus", CORPUS], ["-r", REFERENCE, REFERENCE, REFERENCE], ["--scores", str(tmp_path / "s.tsv")])
    for given in inputs:
        result = run("compare", *given, "--testset", "one")
        assert result.returncode == 2
        assert "--testset one: the input has one test set only" in result.stderr


def test_the_line_of_the_test_counts_the_units_of_the_test(tmp_path: Path) -> None:
    lines = ["system\tsegment\tmetric\tscore"]
    for number, name in enumerate("abc"):
        held = {"a": 60, "b": 20, "c": 40}[name]
        scores = [(i * 7 + number) % 11 if i < held else "" for i in range(60)]
        lines += [f"{name}\t{i}\t{metric}\t{score}" for metric in "mk" for i, score in enumerate(scores)]
    (tmp_path / "s.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shown = run("compare", "--scores", str(tmp_path / "s.tsv"), "a", "b").stdout
    assert "unit: segment (20; no documents are known)" in shown
    shown = run("compare", "--scores", str(tmp_path / "s.tsv")).stdout
    assert "unit: segment (20 to 40; no documents are known)" in shown
    assert "m, k: compared on what the system shares with the baseline: b 20, c 40 of 60 segments" in shown


def scores_of(tmp_path: Path, by_testset: Mapping[str, Mapping[str, Sequence[float | None]]]) -> str:
    """A file of scores on several test sets."""
    rows = [
        f"{testset}\t{system}\t{number}\t{'' if score is None else score}"
        for testset, systems in by_testset.items()
        for system, scores in systems.items()
        for number, score in enumerate(scores, 1)
    ]
    path = tmp_path / "scores.tsv"
    path.write_text("\n".join(["testset\tsystem\tsegment\tscore", *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_all_together_compares_on_shared_segments(tmp_path: Path) -> None:
    """B is better on every segment that both have, and lacks the easy ones of one test set."""
    rng = np.random.default_rng(3)
    base = {name: [*rng.normal(80, 2, 20), *rng.normal(30, 2, 20)] for name in ("one", "two")}
    better: dict[str, list[float | None]] = {name: [score + 1 for score in scores] for name, scores in base.items()}
    better["two"][:20] = [None] * 20
    path = scores_of(tmp_path, {name: {"A": base[name], "B": better[name]} for name in base})
    found = document("compare", "--scores", path)["comparisons"][-1]
    assert (found["testset"], found["better"], found["shared_segments"]) == ("all test sets", "B", 60)
    assert found["difference"] == pytest.approx(1.0)
    assert document("rank", "--scores", path)["ranking"][-2]["system"] == "B"
    assert run("compare", "--scores", path, "--non-inferior", "0.5").returncode == 0
    assert "A 80, B 60 of 80 segments" in run("compare", "--scores", path, "--unpaired").stdout


def test_resamples_of_all_together_hold_every_test_set(tmp_path: Path) -> None:
    """No resample may lose a small test set: the system that wins there only wins in all of them."""
    rng = np.random.default_rng(4)
    large, small = rng.normal(50, 5, 98), rng.normal(50, 5, 2)
    path = scores_of(
        tmp_path,
        {
            "large": {"A": large.tolist(), "B": large.tolist()},
            "small": {"A": small.tolist(), "B": (small + 10).tolist()},
        },
    )
    found = document("compare", "--scores", path, "--test", "bootstrap")["comparisons"][-1]
    assert found["difference"] == pytest.approx(5.0)
    assert found["interval"] == pytest.approx([5.0, 5.0])
    assert (found["wins"], found["losses"]) == (1.0, 0.0)
    assert any("only 2 segments of the smallest test set" in warning for warning in found["warnings"])


def test_an_error_on_one_of_several_test_sets_names_it(tmp_path: Path) -> None:
    path = manifest(tmp_path, {"one": (20, "abc"), "two": (20, "bcd")})
    result = run("compare", "--corpus", path, "-m", "chrf", "a", "b")
    assert result.returncode == 2
    assert "test set two: the corpus has no system 'a'" in result.stderr


def scores_on(tmp_path: Path, lines: Sequence[str]) -> str:
    path = tmp_path / "s.tsv"
    path.write_text("\n".join(["testset\tsystem\tdocument\tsegment\tmetric\tscore", *lines]) + "\n", encoding="utf-8")
    return str(path)


def given(testset: str, metric: str, documents: int, systems: str = "ABC") -> list[str]:
    return [
        f"{testset}\t{system}\td{i % documents}\t{i}\t{metric}\t{(7 * i + ord(system)) % 11}"
        for system in systems
        for i in range(24)
    ]


def test_documents_asked_for_where_one_test_set_has_one_are_refused_with_the_remedy(tmp_path: Path) -> None:
    path = scores_on(tmp_path, [*given("one", "x", 8), *given("two", "x", 1)])
    told = run("compare", "--scores", path, "--unit", "document").stderr
    assert "test set two: all segments are of one document" in told
    assert "unit segment" in told


def test_a_baseline_that_is_not_listed_is_told_from_one_that_is_not_there(tmp_path: Path) -> None:
    path = scores_on(tmp_path, [*given("one", "x", 8), *given("two", "x", 8)])
    told = run("compare", "--scores", path, "C", "B", "--baseline", "A").stderr
    assert "no system 'A' among those to compare: C, B; where systems are listed, list the baseline with them" in told


def test_metrics_that_are_not_on_all_test_sets_are_named(tmp_path: Path) -> None:
    path = scores_on(tmp_path, [*given("one", "x", 8), *given("one", "y", 8), *given("two", "y", 8)])
    result = run("compare", "--scores", path, "-n", "200")
    assert "metrics not on all test sets, so left out of all together: x" in result.stderr
