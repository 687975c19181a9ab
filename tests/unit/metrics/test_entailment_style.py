"""Entailment-style: by hand on a small WordNet, and what changes with its parameters."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.resources.test_hierarchy import write_wordnet

from karat.errors import MissingResourceError
from karat.metrics.entailment_style import EntailmentStyle
from karat.registry import metric
from karat.resources import Synonyms


@pytest.fixture(autouse=True)
def small_wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wordnet(tmp_path)
    monkeypatch.setenv("KARAT_WORDNET", str(tmp_path))


def score(hypothesis: str, reference: str | list[str], **parameters: str) -> float:
    return EntailmentStyle(**parameters).prepare([reference]).rows([hypothesis]).score  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("the car", "the auto", 100),  # one set
        ("the Car", "the cars", 100),  # an inflected form, another case
        ("truck", "car", 100 / 3),  # two steps, over vehicle
        ("Chitty", "entity", 25),  # an instance, three steps
        ("dream", "car", 0),  # no common ancestor
        ("fast", "fast", 100),
        ("zzz", "zzz", 100),
        ("zzz", "yyy", 0),
        ("", "", 100),
        ("", "car", 0),
        ("car", "", 0),
    ],
)
def test_words_are_as_alike_as_their_path_is_short(hypothesis: str, reference: str, expected: float) -> None:
    assert score(hypothesis, reference) == pytest.approx(expected)


def test_both_directions_and_their_f() -> None:
    hypothesis, reference = "a truck truck", "a car"
    from_reference, from_hypothesis = (1 + 1 / 3 + 1 / 3) / 3, (1 + 1 / 3) / 2
    assert score(hypothesis, reference, direction="hypothesis") == pytest.approx(100 * from_reference)
    assert score(hypothesis, reference, direction="reference") == pytest.approx(100 * from_hypothesis)
    expected = 200 * from_reference * from_hypothesis / (from_reference + from_hypothesis)
    assert score(hypothesis, reference) == pytest.approx(expected)


def test_without_paths_only_shared_sets_count() -> None:
    assert score("truck", "car", similarity="synsets") == 0
    assert score("auto", "car", similarity="synsets") == 100


def test_the_best_of_several_references_counts_and_segments_are_averaged() -> None:
    prepared = EntailmentStyle().prepare([["dream", "auto"], ["truck"]])
    assert prepared.rows(["car", "car"]).unit_scores() == pytest.approx([100, 100 / 3])
    assert prepared.rows(["car", "car"]).score == pytest.approx(200 / 3)


def test_the_signature_names_what_was_used() -> None:
    paths, sets = (metric(f"entailment-style(similarity={kind})").prepare(["car"]) for kind in ("path", "synsets"))
    assert "|synonyms:wordnet:9.1/" in str(paths.signature)
    assert paths.signature.get("hierarchy")
    assert sets.signature.get("hierarchy") is None


def test_a_machine_without_synonyms_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("KARAT_WORDNET", "KARAT_MYTHES"):
        monkeypatch.setenv(variable, str(tmp_path / "nothing"))
    with pytest.raises(MissingResourceError, match="mythes-de"):
        EntailmentStyle(language="de").prepare(["Auto"])


def test_other_languages_have_shared_sets_only(installed_german_thesaurus: Synonyms) -> None:  # noqa: ARG001
    assert score("das Auto", "das Wagen", language="de") == 100
