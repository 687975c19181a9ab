"""`karat.metric` with keywords, and `karat.metric_from`: a plain function as a metric."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import karat
from karat.registry import metric_classes

REFERENCES = [["a b", "b"], ["c d"], ["e"], ["f g h"]]
GOOD, BAD = ["a b", "c d", "e", "f g"], ["a", "c x", "y", "z"]


def overlap(hypothesis: str, references: Sequence[str]) -> float:
    """The share of words that a reference has."""
    known = {word for reference in references for word in reference.split()}
    words = hypothesis.split()
    return sum(word in known for word in words) / max(len(words), 1)


OVERLAP = karat.metric_from(overlap, name="sharing", version="1.2", scale=(0, 1))


@pytest.mark.parametrize(
    ("keywords", "spec"),
    [
        ({"lowercase": True}, "bleu(lowercase=true)"),
        ({"max_order": np.int64(2), "weights": [0.5, 0.5]}, "bleu(max_order=2,weights=[0.5,0.5])"),
        ({"smooth": "add-k", "smooth_value": 1}, "bleu(smooth=add-k,smooth_value=1)"),
        ({"smooth": "exp", "smooth_value": None}, "bleu"),
    ],
)
def test_parameters_may_be_keywords(keywords: dict[str, Any], spec: str) -> None:
    assert karat.metric("bleu", **keywords) == karat.metric(spec)
    assert karat.metric(karat.metric("bleu"), **keywords) == karat.metric(spec)


def test_keywords_add_to_what_a_spec_says() -> None:
    assert karat.metric("chrf++(beta=3)", lowercase=True).spec == "chrf(word_order=2,beta=3,lowercase=true)"
    with pytest.raises(karat.SpecError, match="beta is given twice"):
        karat.metric("chrf++(beta=3)", beta=2)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"lowercas": True}, "bleu has no parameter 'lowercas'. Did you mean lowercase"),
        ({"lowercase": 1}, r"bleu\(lowercase=1\) is not true or false"),
        ({"max_order": 2.5}, r"bleu\(max_order=2.5\) is not a whole number"),
        ({"max_order": True}, r"bleu\(max_order=true\) is not a whole number"),
        ({"max_order": 0}, "max_order"),
        ({"smooth": "exq"}, "Did you mean exp"),
        ({"smooth_value": float("nan")}, r"bleu\(smooth_value=nan\) must be from 0"),
        ({"weights": "0.5"}, "is not a list"),
        ({"weights": [0.5, "x"]}, "is not a list"),
    ],
)
def test_keywords_are_checked_as_specs_are(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(karat.SpecError, match=message):
        karat.metric("bleu", **keywords)


def test_no_number_in_a_spec_is_infinite() -> None:
    with pytest.raises(karat.SpecError, match="must be from 0"):
        karat.metric("chrf(beta=inf)")


@pytest.mark.parametrize("name", sorted(metric_classes()))
def test_every_parameter_of_every_metric_takes_its_default(name: str) -> None:
    cls = metric_classes()[name]
    defaults = {field.name: field.default for field in dataclasses.fields(cls)}
    assert karat.metric(name, **defaults) == cls()


def test_the_score_of_a_function_is_the_mean_over_segments() -> None:
    scores = karat.score({"good": GOOD, "bad": BAD}, REFERENCES, [OVERLAP, "chrf"])
    assert scores["good", "sharing"].segments.tolist() == [1, 1, 1, 1]
    assert scores["bad", "sharing"].segments.tolist() == [1, 0.5, 0, 0]
    assert scores["bad", "sharing"].score == pytest.approx(0.375)
    assert scores["bad", "sharing"].rows.identity.scale == (0, 1)


def test_name_and_version_are_signed() -> None:
    signature = str(karat.score(GOOD, REFERENCES, OVERLAP)[0].signature)
    assert signature.startswith("sharing(version=1.2)|refs:var|hash:")
    other = karat.metric_from(overlap, name="sharing", version="2")
    scores = [karat.score({"a": GOOD}, REFERENCES, OVERLAP)[0], karat.score({"b": BAD}, REFERENCES, other)[0]]
    with pytest.raises(karat.InputError, match=r"sharing\(version=1.2\) and 'b' with sharing\(version=2\)"):
        karat.compare({"a": scores[0], "b": scores[1]})


def test_functions_are_compared_ranked_and_resampled() -> None:
    scores = karat.score({"bad": BAD * 20, "good": GOOD * 20}, REFERENCES * 20, OVERLAP)
    (found,) = karat.compare(scores, n=500)
    assert (found.winner, found.difference) == ("good", 0.625)
    assert karat.bootstrap(scores[0], n=100).value == 0.375
    errors = karat.metric_from(lambda h, r: 1 - overlap(h, r), name="misses", version="1", higher_is_better=False)
    lost = karat.score({"bad": BAD * 20, "good": GOOD * 20}, REFERENCES * 20, errors)
    assert [place.system for place in karat.rank(lost, n=500).ranking] == ["good", "bad"]
    assert "misses ↓" in lost._repr_html_()
    assert pickle.loads(pickle.dumps(lost))[0].rows.score == lost[0].score


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "1", 1j, [1.0]])
def test_what_is_no_number_is_refused_by_its_segment(value: Any) -> None:
    strange = karat.metric_from(lambda h, _: value if h == "e" else 1.0, name="strange", version="1")
    with pytest.raises(karat.InputError, match="metric strange, segment 3: the function must give a finite number"):
        karat.score(GOOD, REFERENCES, strange)


def test_scores_outside_of_the_scale_are_refused() -> None:
    percent = karat.metric_from(lambda h, r: 100 * overlap(h, r), name="percent", version="1", scale=(0, 1))
    with pytest.raises(karat.InputError, match=r"segment 1: the score 100.0 lies outside of the scale \[0.0, 1.0\]"):
        karat.score(GOOD, REFERENCES, percent)


def test_a_function_may_take_the_source() -> None:
    def copied(hypothesis: str, references: Sequence[str], source: str) -> float:
        return float(hypothesis == source) - float(hypothesis in references)

    metric = karat.metric_from(copied, name="copied", version="1", source=True)
    (score,) = karat.score(GOOD, REFERENCES, metric, sources=["a b", "c", "e", "f g"])
    assert score.segments.tolist() == [0.0, -1.0, 0.0, 1.0]
    with pytest.raises(karat.InputError, match="copied: the source is wanted, and was not given"):
        karat.score(GOOD, REFERENCES, metric)


def test_a_function_has_no_parameters() -> None:
    assert karat.metric(OVERLAP) is OVERLAP
    with pytest.raises(karat.SpecError, match="sharing has no parameter 'version'"):
        karat.metric(OVERLAP, version="2")


def test_an_error_in_the_function_names_the_segment() -> None:
    broken = karat.metric_from(lambda h, _: 1 / (h != "c d"), name="broken", version="1")
    with pytest.raises(ZeroDivisionError) as caught:
        karat.score(GOOD, REFERENCES, broken)
    assert caught.value.__notes__ == ["in the metric broken, segment 2"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"function": "overlap"}, "function of a hypothesis and its references is wanted"),
        ({"name": "bleu"}, "there is a metric named 'bleu' already"),
        ({"name": "BLEU"}, "there is a metric named 'BLEU' already"),
        ({"name": "chrf++"}, "already"),
        ({"name": "my metric"}, "cannot name a metric"),
        ({"version": 1}, "1 cannot name a version"),
        ({"scale": (1, 0)}, "least and its greatest"),
        ({"scale": (0, None)}, "least and its greatest"),
        ({"scale": 1}, "ends of the scale"),
        ({"higher_is_better": "yes"}, "must be True or False"),
        ({"source": "yes"}, "must be True or False"),
    ],
)
def test_a_metric_that_makes_no_sense_is_refused(changed: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"function": overlap, "name": "sharing", "version": "1", **changed}
    with pytest.raises(karat.InputError, match=message):
        karat.metric_from(arguments.pop("function"), **arguments)
