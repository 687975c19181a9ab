"""BEER: its features against the slow version, the weights that come with karat, and the script that made them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.oracles import beer as oracle
from tests.oracles.records import record
from tools import train_beer

from karat.corpus.references import References
from karat.errors import InputError
from karat.metrics.beer import FEATURES, SHIPPED, Beer, PreparedFeatures, read_weights
from karat.text import as_column

LINES = st.lists(st.sampled_from(["a", "bb", "cat", "ä猫", "d", "."]), max_size=14).map(" ".join)
PAIRS = st.lists(st.tuples(LINES, LINES), min_size=1, max_size=6)


@given(PAIRS)
@example([("", ""), ("a", ""), ("", "bb a"), ("a a a a a a a", "a")])
def test_features_equal_the_slow_version(pairs: list[tuple[str, str]]) -> None:
    references = References.of([reference for _, reference in pairs])
    prepared = PreparedFeatures(Beer(tokenize="none"), references, 1)
    found = np.stack(prepared.features(as_column([hypothesis for hypothesis, _ in pairs])), axis=1)
    expected = [oracle.features(hypothesis, reference) for hypothesis, reference in pairs]
    assert found == pytest.approx(np.array(expected), abs=1e-12)


def test_scores_go_with_those_of_the_authors_program(shared_spec: Path) -> None:
    known = record(shared_spec, "o27")
    rows = Beer(tokenize="none").prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    assert np.corrcoef(rows.unit_scores(), known["seg_scores"])[0, 1] > 0.85
    assert rows.score == pytest.approx(rows.unit_scores().mean())  # the program divides by one segment more


def test_characters_words_order_and_length_count() -> None:
    reference = "he repaired the wooden table quickly"

    def score(hypothesis: str) -> float:
        return Beer().prepare([reference]).rows([hypothesis]).score

    assert score(reference) == pytest.approx(100)
    assert 0 < score("unrelated") < 30
    assert score("he repairs the wooden table quickly") > score("he upended the wooden table quickly")
    assert score("he repaired the wooden table soon") > score("soon table wooden the repaired he")
    assert score(reference + " x x x x") < score(reference + " x")


def test_the_best_of_several_references_counts() -> None:
    prepared = Beer().prepare([["a b c", "x y z"], ["x", "a b"]])
    assert prepared.rows(["x y z", "a b"]).unit_scores() == pytest.approx([100, 100])


def test_a_segment_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="too long for BEER"):
        Beer().prepare(["a"]).rows(["a " * 12_000])


def shipped() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return found


def test_the_file_of_weights_says_what_it_is() -> None:
    assert len(FEATURES) == 62
    assert set(shipped()) == {"about", "licence", "trained_on", "penalty", "held_out", "weights"}
    assert list(shipped()["weights"]) == list(FEATURES)
    assert all(isinstance(weight, float | int) for weight in shipped()["weights"].values())


def test_the_page_reports_the_correlations_of_the_file() -> None:
    page = Beer.__doc__ or ""
    for by_metric in shipped()["held_out"].values():
        for measure in by_metric["beer"]:
            row = " | ".join(f"{by_metric[name][measure]:.3f}" for name in ("beer", "bleu", "chrf"))
            assert row in page


def toy_judgements() -> train_beer.Judged:
    """Ten segments and three systems: one perfect, one with a wrong word, one with nothing right."""
    references = [[f"the {noun} stands beside the old gate"] for noun in "abcdefghij"]
    perfect = [reference for [reference] in references]
    middling = [reference.replace("old", "cold") for reference in perfect]
    return train_beer.Judged(references, [perfect, middling, ["what"] * 10], np.array([[3.0] * 10, [2] * 10, [1] * 10]))


def test_training_learns_who_is_better_and_repeats_itself() -> None:
    penalty, weights = train_beer.train([toy_judgements()])
    assert penalty in train_beer.PENALTIES
    assert weights[:-2].min() >= 0 >= weights[-2:].max()
    assert weights[:-2].sum() == pytest.approx(1)
    assert train_beer.train([toy_judgements()])[1] == pytest.approx(weights, abs=1e-6)
    perfect, middling, wrong = train_beer.beer_scores(weights)(toy_judgements())
    assert (perfect > middling).all()
    assert (middling > wrong).all()


def test_agreement_of_scores_with_ratings() -> None:
    ratings = np.array([[1.0, 2.0, np.nan], [2.0, 2.0, 1.0]])
    found = train_beer.agreement(np.array([[10.0, 20.0, 0.0], [20.0, 20.0, 10.0]]), ratings)
    assert found == {"pearson": 1.0, "tau_by_segment": 1.0}
    assert train_beer.agreement(np.array([[30.0, 20.0, 0.0], [20.0, 20.0, 10.0]]), ratings)["tau_by_segment"] == -1.0


@pytest.mark.slow
def test_the_script_makes_the_weights_that_come_with_karat(shared_data: Path) -> None:
    made = train_beer.weights_file(shared_data)
    assert made["penalty"] == shipped()["penalty"]
    assert list(made["weights"].values()) == pytest.approx(list(shipped()["weights"].values()), abs=1e-5)
    for name, by_metric in made["held_out"].items():
        for scorer, values in by_metric.items():
            assert values == pytest.approx(shipped()["held_out"][name][scorer], abs=0.0015)


def test_other_weights_are_read_and_signed(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    only_words = {name: float(name == "words-1-harmonic") for name in FEATURES}
    path.write_text(json.dumps({"weights": only_words}), encoding="utf-8")
    prepared = Beer(weights=str(path)).prepare(["a b c d"])
    assert prepared.rows(["a b x y"]).score == pytest.approx(50)
    assert read_weights(path).digest in str(prepared.signature)
    assert read_weights(SHIPPED).digest in str(Beer().prepare(["a"]).signature)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "has no weights of BEER"),
        ('{"weights": {"a": 1}}', "62 features"),
        (json.dumps({"weights": dict.fromkeys(FEATURES, 1.0)}), "sum to 1"),
    ],
)
def test_files_without_weights_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Beer(weights=str(path))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 3000, '{"weights": []}', '{"weights": 5}', f'{{"weights": {json.dumps(list(FEATURES))}}}']
    + [json.dumps({"weights": dict.fromkeys(FEATURES, weight)}) for weight in (float("nan"), float("inf"), 10**400)],
)
def test_what_are_no_weights_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"weights\.json"):
        read_weights(path)


def test_weights_that_are_not_there_are_named_once(tmp_path: Path) -> None:
    missing = tmp_path / ("a/" * 300)
    with pytest.raises(InputError) as caught:
        read_weights(missing)
    assert str(caught.value).count(str(missing)) == 1
