"""Combined: its formula by hand, its parts scored as they are alone, and models that are refused."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.annotations import annotated

from karat.errors import InputError, SpecError
from karat.metrics.combined import PLAIN_MEAN, Combined, features_digest
from karat.metrics.framework.combination import CombinationModel, CombinedFeature, SupportVector, read_model
from karat.registry import metric

REFERENCES = [["the cat sat on the mat"], ["two dogs ran", "a pair of dogs ran away"], ["it is late"]]
HYPOTHESES = ["the cats sat on a mat", "two dogs ran away", ""]

LINEAR = CombinationModel(
    method="ridge",
    features=(CombinedFeature("chrf", 50.0, 20.0, 2.0), CombinedFeature("ter(lowercase=true)", 40.0, 10.0, -1.0)),
    intercept=3.0,
)
NEAR = CombinationModel(
    method="svr",
    features=LINEAR.features,
    intercept=1.0,
    gamma=0.5,
    vectors=(SupportVector(2.0, (0.0, 0.0)), SupportVector(-1.0, (1.0, 2.0))),
)


def written(path: Path, model: CombinationModel, **changed: Any) -> Path:
    """The file of a model, with the hash of its metrics as they are here unless that is changed."""
    own = features_digest([metric(feature.metric) for feature in model.features])
    path.write_text(json.dumps({**model.to_json(), "hashes": {"features": own}, **changed}), encoding="utf-8")
    return path


def combined(path: Path) -> Combined:
    made = metric(f'combined(model="{path}")')
    assert isinstance(made, Combined)
    return made


def scores_alone(spec: str) -> list[float]:
    return metric(spec).prepare(REFERENCES).rows(HYPOTHESES).unit_scores().tolist()


def test_linear_predictions_are_those_by_hand(tmp_path: Path) -> None:
    rows = combined(written(tmp_path / "model.json", LINEAR)).prepare(REFERENCES).rows(HYPOTHESES)
    pairs = zip(scores_alone("chrf"), scores_alone("ter(lowercase=true)"), strict=True)
    expected = [3 + 2 * (chrf - 50) / 20 - (ter - 40) / 10 for chrf, ter in pairs]
    assert rows.unit_scores() == pytest.approx(expected)
    assert rows.score == pytest.approx(np.mean(expected))
    assert rows.values[:, 1].tolist() == [1, 1, 1]


def test_predictions_by_support_vectors_are_those_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    rows = combined(written(tmp_path / "model.json", NEAR)).prepare(REFERENCES).rows(HYPOTHESES)
    expected = []
    for chrf, ter in zip(scores_alone("chrf"), scores_alone("ter(lowercase=true)"), strict=True):
        x, y = (chrf - 50) / 20, (ter - 40) / 10
        expected.append(1 + 2 * math.exp(-0.5 * (x**2 + y**2)) - math.exp(-0.5 * ((x - 1) ** 2 + (y - 2) ** 2)))
    assert rows.unit_scores() == pytest.approx(expected)


def test_without_a_model_it_is_a_plain_mean() -> None:
    parts = [scores_alone(spec) for spec in ("sentence-bleu", "chrf", "ter")]
    expected = [(bleu + chrf + 100 - ter) / 3 for bleu, chrf, ter in zip(*parts, strict=True)]
    assert Combined().prepare(REFERENCES).rows(HYPOTHESES).unit_scores() == pytest.approx(expected)
    assert len(PLAIN_MEAN.features) == 3


def test_metrics_that_learn_from_all_references_do_so(tmp_path: Path) -> None:
    features = (
        CombinedFeature("nist", weight=1),
        CombinedFeature("wbleu", weight=0),
        CombinedFeature("chrf", weight=0),
    )
    made = combined(written(tmp_path / "model.json", CombinationModel(method="ridge", features=features)))
    prepared = made.prepare(REFERENCES)
    assert prepared.rows(HYPOTHESES).unit_scores() == pytest.approx(scores_alone("nist"))
    assert "|context:" in str(prepared.signature)
    parts = [made.fit(metric("nist").prepare([references]).references) for references in REFERENCES]
    first, *others = [part for part in parts if part is not None]
    assert first.merged(others).digest == prepared.signature.get("context")
    given = made.prepare(REFERENCES[:1], context=first.merged(others)).rows(HYPOTHESES[:1])
    assert given.score == pytest.approx(scores_alone("nist")[0])


def test_a_file_gives_the_model_back_and_signs_the_metric(tmp_path: Path) -> None:
    for model in (LINEAR, NEAR):
        path = written(tmp_path / f"{model.method}.json", model)
        assert read_model(path).to_json() == model.to_json()
        assert f"|model:{model.digest}|" in str(combined(path).prepare(REFERENCES).signature)
    assert LINEAR.digest != NEAR.digest


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"kind": "beer"}, 'has no "kind"'),
        ({"version": 2}, "its version is 2"),
        ({"method": "magic"}, "its method is 'magic'"),
        ({"features": []}, 'nothing in "features"'),
        ({"features": [{"centre": 1}]}, "a feature without a metric"),
        ({"features": [{"metric": "chrf", "centre": 0, "spread": 0, "weight": 1}]}, "the spread of chrf is 0"),
        ({"features": [{"metric": "chrf", "centre": 0, "spread": "1", "weight": 1}]}, "\"spread\" is '1'"),
        ({"intercept": True}, '"intercept" is True'),
        ({"method": "svr", "kernel": {"gamma": 1, "vectors": [{"weight": 1, "at": [0]}]}}, "without 2 numbers"),
        ({"method": "svr", "kernel": {"gamma": 0, "vectors": [{"weight": 1, "at": [0, 0]}]}}, '"gamma" is 0'),
        ({"method": "svr", "kernel": 5}, 'nothing in "vectors"'),
        ({"method": "svr"}, "must have"),
        ({"kernel": {"gamma": 1, "vectors": [{"weight": 1, "at": [0, 0]}]}}, "only svr has"),
        ({"version": True}, "its version is True"),
        ({"hashes": {}}, '"hashes" has nothing'),
    ],
)
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, changed: dict[str, Any], reason: str) -> None:
    path = written(tmp_path / "model.json", LINEAR, **changed)
    with pytest.raises(InputError, match=reason) as refused:
        combined(path)
    assert str(path) in str(refused.value)
    assert "karat combine" in str(refused.value)


def test_numbers_beyond_all_scores_are_no_scores(tmp_path: Path) -> None:
    features = (CombinedFeature("chrf", 0.0, 5e-324, 1.0),)
    prepared = combined(written(tmp_path / "model.json", replace(LINEAR, features=features))).prepare(REFERENCES)
    with pytest.raises(InputError, match=r"model.json gives segment 1 no finite score: make it again"):
        prepared.rows(HYPOTHESES)


def test_what_is_no_json_and_what_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("metric\tscore\n", encoding="utf-8")
    for name, reason in (("text.json", "not valid JSON"), ("none.json", "No such file"), (".", "directory")):
        with pytest.raises(InputError, match=reason):
            combined(tmp_path / name)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("chrff", "there is no metric 'chrff'. Did you mean chrf"),
        ("combined", "not combined again"),
        ("hter", "hter wants post-edits"),
    ],
)
def test_metrics_that_cannot_be_combined_are_refused(tmp_path: Path, spec: str, reason: str) -> None:
    entry = {"metric": spec, "centre": 0, "spread": 1, "weight": 1}
    with pytest.raises((InputError, SpecError), match=reason):
        combined(written(tmp_path / "model.json", LINEAR, features=[entry]))


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path / "model.json", LINEAR)
    before = combined(path).prepare(REFERENCES).rows(HYPOTHESES).score
    written(path, CombinationModel(method="ridge", features=LINEAR.features, intercept=13.0))
    assert combined(path).prepare(REFERENCES).rows(HYPOTHESES).score == pytest.approx(before + 10)


def test_a_model_made_with_other_resources_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "model.json", LINEAR, hashes={"features": "00000000"})
    with pytest.raises(InputError, match="was made with other resources") as refused:
        combined(path).prepare(REFERENCES).rows(HYPOTHESES)
    assert str(path) in str(refused.value)


def test_metrics_over_annotations_may_be_combined(tmp_path: Path) -> None:
    features = (CombinedFeature("stm(max_order=2)", weight=1.0), CombinedFeature("chrf", weight=0.0))
    made = combined(written(tmp_path / "model.json", CombinationModel(method="ridge", features=features)))
    assert (made.layers, made.given_layers) == (("tags", "constituents"),) * 2
    references = [texts[0] for texts in REFERENCES]
    rows = made.prepare(annotated(references)).rows(annotated(HYPOTHESES))
    alone = metric("stm(max_order=2)").prepare(annotated(references)).rows(annotated(HYPOTHESES))
    assert rows.unit_scores() == pytest.approx(alone.unit_scores())
    with pytest.raises(InputError, match="combined: tags and constituents of the references are wanted"):
        made.prepare(references)
