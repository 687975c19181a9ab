"""Laws that every registered statistic of agreement obeys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.human.conftest import judgements_of

from karat.errors import SpecError
from karat.human.agreement.base import (
    AgreementStatistic,
    AnswerStatistic,
    MarkedOutputs,
    MarkedSpan,
    ScaleAnswers,
    agreement_on,
    described,
    register,
    statistics,
)
from karat.human.agreement.value import AgreementValue
from karat.human.comparing.comparisons import Comparisons

DOCS = Path(__file__).parents[2] / "docs"
RATERS, ITEMS = 3, 6

Table = list[list[int]]
ANSWERS = st.lists(st.lists(st.integers(1, 4), min_size=RATERS, max_size=RATERS), min_size=ITEMS, max_size=ITEMS)


def scale(table: np.ndarray) -> ScaleAnswers:
    """Items by raters as answers on a scale of four points; every rater judges every item, and once more the same."""
    item, rater = (grid.ravel() for grid in np.mgrid[0 : table.shape[0], 0 : table.shape[1]])
    answers = np.zeros(len(item)), item, rater, table.ravel().astype(float)
    twice = judgements_of(*(np.tile(part, 2) for part in answers))
    return ScaleAnswers(judgements_of(*answers), points=4, repeated=twice)


def compared(table: np.ndarray) -> Comparisons:
    """The same as outcomes of two systems: an answer decides for the first, for the second, or for neither."""
    item, rater = (grid.ravel().astype(np.intp) for grid in np.mgrid[0 : table.shape[0], 0 : table.shape[1]])
    zero = np.zeros(len(item), dtype=np.intp)
    outcome = (table.ravel() % 3 - 1).astype(np.int8)
    return Comparisons(("a", "b"), zero, zero + 1, outcome, item, rater, np.arange(len(item)), zero)


def marked(table: np.ndarray) -> MarkedOutputs:
    """The same as spans: an answer is how far the mark reaches."""
    return MarkedOutputs([[[MarkedSpan(0, int(answer), "major")] for answer in row] for row in table])


MAKERS: dict[type, Any] = {ScaleAnswers: scale, Comparisons: compared, MarkedOutputs: marked}
NAMES = sorted(statistics())


def evaluated(name: str, table: np.ndarray) -> tuple[AgreementValue, ...]:
    statistic: AgreementStatistic[Any] = statistics()[name]()
    judged = MAKERS[statistic.counted_on](table)
    return statistic.evaluate(judged) if statistic.applies(judged) else ()


@pytest.mark.parametrize("name", NAMES)
@given(answers=ANSWERS)
@settings(max_examples=40, deadline=None)
def test_values_are_finite_and_at_most_one(name: str, answers: Table) -> None:
    for value in evaluated(name, np.array(answers)):
        if value.value is None:
            assert value.note
        else:
            assert np.isfinite(value.value)
            assert value.value <= 1 + 1e-12
        if value.observed is not None:
            assert -1e-12 <= value.observed <= 1 + 1e-12
        assert value.n >= 0
        assert value.words is None or value.kappa_like


@pytest.mark.parametrize("name", NAMES)
@given(answers=st.lists(st.integers(1, 4), min_size=ITEMS, max_size=ITEMS))
@settings(max_examples=25, deadline=None)
def test_perfect_agreement_is_one(name: str, answers: list[int]) -> None:
    table = np.repeat(np.array([*answers, 1, 3])[:, np.newaxis], RATERS, axis=1)
    for value in evaluated(name, table):
        if value.value is not None:
            assert value.value == pytest.approx(1), value.measure


@pytest.mark.parametrize("name", NAMES)
@given(answers=ANSWERS, order=st.permutations(range(RATERS)), items=st.permutations(range(ITEMS)))
@settings(max_examples=40, deadline=None)
def test_neither_the_order_of_raters_nor_of_items_matters(
    name: str, answers: Table, order: list[int], items: list[int]
) -> None:
    table = np.array(answers)
    for plain, shuffled in zip(evaluated(name, table), evaluated(name, table[items][:, order]), strict=True):
        assert (plain.measure, plain.n) == (shuffled.measure, shuffled.n)
        assert plain.value == (None if shuffled.value is None else pytest.approx(shuffled.value, abs=1e-9))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (1, 2), (2, 1), (1, 3)])
def test_tiny_input_is_no_reason_to_crash(name: str, shape: tuple[int, int]) -> None:
    for value in evaluated(name, np.ones(shape, dtype=int)):
        assert value.value is None or value.value <= 1


@pytest.mark.parametrize("name", NAMES)
def test_it_shows_up_where_it_applies(name: str) -> None:
    rng = np.random.default_rng(0)
    judged = MAKERS[statistics()[name].counted_on](rng.integers(1, 5, (12, 3)))
    shown = {value.measure for value in agreement_on(judged)}
    mine = {value.measure for value in statistics()[name]().evaluate(judged) if value.n}
    assert mine <= shown


@pytest.mark.parametrize("name", NAMES)
def test_it_has_a_page_with_formula_choice_and_example_and_cites_something(name: str) -> None:
    page = described(statistics()[name])
    assert page.summary.endswith(".")
    assert page.example.startswith(">>>")
    assert f"{{{page.citation}," in (DOCS / "references.bib").read_text(encoding="utf-8")
    assert (DOCS / "measures" / f"{name}.md").is_file()


def test_names_are_given_once_and_pages_are_complete() -> None:
    class Again(AnswerStatistic):
        """A sentence without sections."""

        name = "fleiss-kappa"
        title = "Again"
        citation = "nobody"

        def evaluate(self, judged: ScaleAnswers) -> tuple[AgreementValue, ...]:  # noqa: ARG002
            return ()

    with pytest.raises(SpecError, match="two statistics"):
        register(Again)
    with pytest.raises(SpecError, match="lacks the sections: Formula"):
        described(Again)
