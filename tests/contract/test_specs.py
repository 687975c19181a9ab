"""Every spec builds a metric that scores, or is refused in one line that names what is wrong."""

from __future__ import annotations

import dataclasses

import pytest
from tests.fuzzing.specs import failures

from karat.errors import SpecError
from karat.metrics.bleu import Bleu
from karat.metrics.framework.values import kinds
from karat.registry import metric, metric_classes


def test_random_specs_are_scored_or_refused() -> None:
    assert failures(count=400, seed=20261116) == []


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleu(max_order=[1])", r"bleu\(max_order=\[1\]\) is not a whole number from 1 to 100"),
        ("bleu(max_order=4294967297)", r"bleu\(max_order=4294967297\) must be from 1 to 100"),
        ("bleu(max_order=100000000)", r"bleu\(max_order=100000000\) must be from 1 to 100"),
        ("bleu(max_order=1.5)", r"bleu\(max_order=1.5\) is not a whole number from 1 to 100"),
        ("chrf(beta=1e308)", r"chrf\(beta=1e\+308\) must be from 0 to 1000000"),
        ("chrf(beta=nan)", r"chrf\(beta=nan\) must be from 0 to 1000000"),
        ("chrf(beta=5e-324)", r"chrf\(beta=5e-324\) must be 0, or at least 1e-100 in size"),
        ("bleu(weights=[1,inf,1,1])", r"bleu\(weights=.*\) must be from 0 to 1000000"),
        ("bleu(tokenize=[13a])", r"bleu\(tokenize=\[13a\]\) is not text"),
        ("bleu(lowercase=2)", r"bleu\(lowercase=2\) is not true or false"),
        ("bleu(weights=1)", r"bleu\(weights=1\) is not a list of numbers such as \[1,2,3\], each from 0 to 1000000"),
        ("meteor(paraphrases='a\nb')", r"meteor\(paraphrases=a\\nb\) has a control character"),
        ("meteor(paraphrases=/)", "is a directory, not a table of paraphrases"),
        ("bleu(" + "[" * 500, r"cannot read the metric 'bleu\(\[+\.\.\.'"),
        ("bleu" * 5000, "at most 10000 characters, not in 20000"),
    ],
)
def test_a_refusal_names_parameter_value_and_range(spec: str, message: str) -> None:
    with pytest.raises(Exception, match=message) as refused:
        metric(spec).prepare(["a b"]).rows(["a b"])
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_parameters_given_in_python_are_checked_alike() -> None:
    with pytest.raises(SpecError, match=r"bleu\(max_order=4\) is not a whole number from 1 to 100"):
        Bleu(max_order="4")  # type: ignore[arg-type]
    with pytest.raises(SpecError, match=r"bleu\(max_order=true\) is not a whole number"):
        Bleu(max_order=True)


@pytest.mark.parametrize("name", sorted(metric_classes()))
def test_every_number_has_a_range(name: str) -> None:
    cls = metric_classes()[name]
    for field in dataclasses.fields(cls):
        kind = kinds(cls)[field.name]
        assert (kind.within is not None) == (kind.type in (int, float)), field.name
