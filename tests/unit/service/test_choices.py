"""Suites, and what happens where a member of one lacks something."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import karat
from karat.errors import MissingResourceError, SpecError
from karat.metrics.wer import Wer
from karat.registry import metric, metric_classes, suite
from karat.service.choices import Choice, available, choices, does_without


@dataclass(frozen=True, kw_only=True)
class WithoutThesaurus(Wer):
    """A metric whose thesaurus nobody has, for the test only."""

    @property
    def resources(self) -> dict[str, str]:
        raise MissingResourceError("the thesaurus", "Write one.")


def test_all_is_every_metric_with_ordinary_references() -> None:
    names = {one.name for one in suite("all")}
    assert names == {name for name, cls in metric_classes().items() if cls.wants <= {"references", "sources"}}
    assert metric("rouge-2") in suite("all")


def test_a_metric_that_is_also_in_the_suite_is_scored_once_and_must_not_be_left_out() -> None:
    chosen = choices(["ter", "suite:all"])
    assert [choice.metric for choice in chosen].count(metric("ter")) == 1
    assert chosen[0] == Choice(metric("ter"), optional=False)
    assert all(choice.optional for choice in chosen[1:])


def test_a_member_that_lacks_something_is_left_out_aloud_and_a_metric_asked_for_is_not() -> None:
    lacking = WithoutThesaurus()
    metrics, told = available([Choice(metric("bleu")), Choice(lacking, optional=True)])
    assert metrics == [metric("bleu")]
    assert [warning.message for warning in told] == ["wer is left out: the thesaurus is not here. Write one."]
    assert available([Choice(lacking)]) == ([lacking], [])


@dataclass(frozen=True, kw_only=True)
class WithThesaurusIfThere(Wer):
    """A metric that can do without its thesaurus, for the test only."""

    @property
    def lacking(self) -> tuple[str, ...]:
        return ("The thesaurus is not here. Write one.",)


def test_what_metrics_do_without_is_said_once_with_the_remedy() -> None:
    metrics = [metric("bleu"), WithThesaurusIfThere(), WithThesaurusIfThere(lowercase=True)]
    expected = "wer: scored without what is missing here. The thesaurus is not here. Write one."
    assert [warning.message for warning in does_without(metrics)] == [expected]
    assert does_without([metric("bleu")]) == []


def test_an_unknown_suite_is_refused() -> None:
    with pytest.raises(SpecError, match=r"no suite 'every'. There is: all, classic"):
        choices("suite:every")


@pytest.mark.long
def test_a_suite_works_from_python() -> None:
    scores = karat.score(["a cat sat"], [["a cat sat down", "the cat sat"]], "suite:all")
    assert {score.spec for score in scores} == {one.spec for one in suite("all") if not one.given_layers}


@pytest.mark.parametrize("odd", [np.array(1.0), 3, None])
def test_what_is_neither_spec_nor_specs_is_refused(odd: object) -> None:
    with pytest.raises(SpecError):
        choices(odd)  # type: ignore[arg-type]
