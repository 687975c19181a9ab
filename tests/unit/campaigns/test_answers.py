"""Answers: complete and on their scales, or refused with all that they lack."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.campaigns.campaign_of import answer, material_of, plan_of

from karat.campaigns import Question, work
from karat.campaigns.answers import Answer, Lack, RefusedAnswerError, checked

PLAN = plan_of()
TASK = work(PLAN, material_of()).tasks[0]


def lacks_of(*answers: Answer) -> list[Lack]:
    with pytest.raises(RefusedAnswerError) as caught:
        checked(PLAN, TASK, answers)
    return list(caught.value.lacks)


def test_a_complete_answer_is_taken() -> None:
    assert checked(PLAN, TASK, [answer()]) == (answer(),)


def test_what_is_missing_is_named_with_its_place() -> None:
    assert lacks_of(Answer(values={"adequacy": 3}, seconds=1)) == [Lack(0, "fluency", "fluency is missing")]


def test_what_is_broken_needs_a_reason_and_no_value() -> None:
    checked(PLAN, TASK, [Answer(values={}, seconds=1, broken="the source is cut off")])
    assert [lack.reason for lack in lacks_of(Answer(values={}, seconds=1, broken=" "))] == ["say what is broken"]


def test_an_explicit_zero_is_a_value() -> None:
    plan = plan_of(protocol="da", questions=(Question(criterion="overall"),))
    zero = Answer(values={"overall": 0}, seconds=1)
    assert checked(plan, work(plan, material_of()).tasks[0], [zero]) == (zero,)


@given(st.floats() | st.integers(-9, 9))
def test_only_what_is_on_the_scale_is_taken(value: float) -> None:
    given_answer = Answer(values={"fluency": value, "adequacy": 1}, seconds=1)
    if value in (1, 2, 3, 4, 5):
        assert checked(PLAN, TASK, [given_answer])
    else:
        assert [lack.criterion for lack in lacks_of(given_answer)] == ["fluency"]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([], "the task has 1 translations, and 0 were answered"),
        ([answer(), answer()], "and 2 were answered"),
        ([Answer(values={"fluency": 1, "adequacy": 1, "z": 1}, seconds=1)], "nobody asked for 'z'"),
        ([Answer(values={"fluency": 1, "adequacy": 1}, seconds=-1)], "the time is impossible"),
        ([Answer(values={"fluency": 1, "adequacy": 1}, seconds=math.nan)], "the time is impossible"),
        ([Answer(values={"fluency": 1, "adequacy": 1}, seconds=1, comment="x" * 9999)], "longer than"),
    ],
)
def test_what_cannot_be_is_refused(answers: list[Answer], reason: str) -> None:
    assert reason in "; ".join(lack.reason for lack in lacks_of(*answers))
