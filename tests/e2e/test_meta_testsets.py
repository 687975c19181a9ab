"""Several test sets: judgements belong to the one that they name, or to the only one there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.commands import document
from tests.e2e.commands import karat as run
from tests.e2e.test_manifest_claims import manifest

ONE_CHOSEN = ("--testset", "one")


@pytest.fixture
def sets(tmp_path: Path) -> str:
    languages = {"one": "de-en", "two": "de-en"}
    return manifest(tmp_path, {"one": (20, "abcd"), "two": (20, "abcd")}, languages=languages)


def judged(tmp_path: Path, *testsets: str | None, header: str = "system\tsegment\tscore") -> str:
    """Judgements of all systems, those on each test set better the other way round."""
    named = testsets != (None,)
    lines = [f"{header}\ttestset" if named else header]
    for place, testset in enumerate(testsets):
        for system, quality in {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}.items():
            for segment in range(1, 21):
                score = f"{(-1) ** place * quality + segment % 3 / 10}"
                lines.append("\t".join([system, str(segment), score, *([testset or ""] if named else [])]))
    path = tmp_path / "judged.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def ratings(tmp_path: Path, *testsets: str) -> str:
    """The same as ratings of one person, who has judged equal names of segments on each test set."""
    path = Path(judged(tmp_path, *testsets, header="system\tsegment\tvalue"))
    heading, *lines = path.read_text(encoding="utf-8").splitlines()
    rows = [f"rater\tcriterion\t{heading}", *(f"r\tadequacy\t{line}" for line in lines)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", [("meta", "-m", "chrf"), ("tune", "meteor", "--starts", "1")])
def test_judgements_without_a_test_set_are_refused_where_there_are_several(
    sets: str, tmp_path: Path, command: tuple[str, ...]
) -> None:
    arguments = (*command, "--corpus", sets, "--judgements", judged(tmp_path, None))
    refused = run(*arguments)
    assert refused.returncode == 2
    assert "judgements cannot be told to belong to one of several test sets" in refused.stderr
    assert run(*arguments, *ONE_CHOSEN).returncode == 0


def pearson_by_testset(sets: str, path: str, *more: str) -> dict[str, float]:
    found = document("meta", "--corpus", sets, "-m", "chrf", "--judgements", path, "--measure", "pearson", *more)
    return {entry["testset"]: entry["value"] for entry in found["measures"] if entry["level"] == "system"}


@pytest.mark.parametrize("write", [judged, ratings])
@pytest.mark.parametrize("names", [("one", "two"), ("one de-en", "two de-en")])
def test_judgements_count_on_the_test_set_that_they_name(
    sets: str, tmp_path: Path, write: Callable[..., str], names: tuple[str, str]
) -> None:
    values = pearson_by_testset(sets, write(tmp_path, *names))
    assert list(values) == ["one de-en", "two de-en"]
    assert values["one de-en"] > 0.9
    assert values["two de-en"] < -0.9


def test_tables_tasks_and_weights_go_by_the_test_set(sets: str, tmp_path: Path) -> None:
    path = judged(tmp_path, "one", "two")
    arguments = ("meta", "--corpus", sets, "-m", "chrf", "--judgements", path, "--measure", "pearson")
    found = document(*arguments, "--weight", "one de-en=3", "--weight", "two de-en=1")
    assert [task["testset"] for task in found["tasks"]] == ["one de-en", "two de-en"]
    assert found["weights"] == {"one de-en": 0.75, "two de-en": 0.25}
    lines = run(*arguments).stdout.splitlines()
    assert [line for line in lines if line.endswith("de-en")] == ["one de-en", "two de-en"]


@pytest.mark.parametrize(
    ("names", "more", "reason"),
    [
        (("one",), (), "there are judgements on one de-en, and none on two de-en: choose others with --testset"),
        (("one",), ("--testset", "two"), "there are judgements on one, and none on two de-en"),
        (("one", "three"), ("--testset", "two"), "there are judgements on one, three, and none on two de-en"),
    ],
)
def test_a_test_set_without_judgements_is_refused(
    sets: str, tmp_path: Path, names: tuple[str, ...], more: tuple[str, ...], reason: str
) -> None:
    refused = run("meta", "--corpus", sets, "-m", "chrf", "--judgements", judged(tmp_path, *names), *more)
    assert (refused.returncode, reason in refused.stderr) == (2, True), refused.stderr


def test_judgements_on_several_test_sets_do_not_fit_texts_without_a_name(sets: str, tmp_path: Path) -> None:
    texts = ("-r", f"{Path(sets).parent}/one.ref", *(f"{name}={Path(sets).parent}/one.{name}" for name in "abcd"))
    refused = run("meta", *texts, "-m", "chrf", "--judgements", judged(tmp_path, "one", "two"))
    assert "judgements on one, two, and one test set without a name: keep those on one" in refused.stderr
    assert run("meta", *texts, "-m", "chrf", "--judgements", judged(tmp_path, "one")).returncode == 0


def test_scores_on_another_test_set_than_the_chosen_one_are_refused(sets: str, tmp_path: Path) -> None:
    arguments = ("compare", "--corpus", sets, "-m", "chrf", "-n", "100", "--scores", judged(tmp_path, "one"))
    assert run(*arguments, *ONE_CHOSEN).returncode == 0
    assert "has no scores on the test set two de-en" in run(*arguments, "--testset", "two").stderr
