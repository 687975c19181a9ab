"""What each widget takes for an answer, and what it refuses with its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.unit.campaigns.campaign_of import material_of

from karat.campaigns import (
    Answer,
    AnsweredSpan,
    CampaignPlan,
    Edit,
    Item,
    Log,
    Mark,
    Question,
    RankingRules,
    RatingTask,
    SpanRules,
    TaskPart,
    TextRules,
    Written,
    work,
)
from karat.campaigns.answers import RefusedAnswerError, checked
from karat.campaigns.checks import passed
from karat.campaigns.rows import rows_of
from karat.campaigns.said import hash_of
from karat.errors import InputError

TEXT = "ein e\u0301 \u4f60\u597d \U0001f600 \u05e9\u05dc\u05d5\u05dd Haus"
ESA = CampaignPlan(
    name="try",
    protocol="esa",
    questions=(
        Question(
            criterion="errors",
            spans=SpanRules(severities=("minor", "major"), tokens=("[missing]",), overlap=False),
        ),
        Question(criterion="overall", span_below=60),
    ),
)


def plan_with(rules: SpanRules, protocol: str = "error-types", criterion: str = "penalty") -> CampaignPlan:
    show = ("source",) if "source" in rules.texts else ()
    question = Question(criterion=criterion, widget="spans", spans=rules, show=show)
    return CampaignPlan(name="try", protocol=protocol, questions=(question,))


def task_of(*parts: TaskPart | str) -> RatingTask:
    made = (TaskPart(segment="s", shown=part) if isinstance(part, str) else part for part in parts)
    return RatingTask(number=0, system="a", parts=tuple(made))


def span(start: int | None = 0, end: int | None = 3, text: str = TEXT, **changed: Any) -> AnsweredSpan:
    return AnsweredSpan(start=start, end=end, hash=hash_of(text), **changed)


def reasons(plan: CampaignPlan, task: RatingTask, *answers: Answer) -> list[str]:
    """Why answers are refused; nothing where they are taken."""
    try:
        checked(plan, task, answers)
    except RefusedAnswerError as error:
        return [lack.reason for lack in error.lacks]
    return []


def esa(*spans: AnsweredSpan, overall: float = 80) -> Answer:
    return Answer(values={"overall": overall}, spans={"errors": spans}, seconds=1.0)


MINOR = span(severity="minor")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (esa(), None),
        (esa(MINOR), None),
        (esa(span(None, None, token="[missing]", severity="major")), None),
        (esa(MINOR, span(3, 6, severity="major")), None),
        (esa(MINOR, span(2, 6, severity="major")), "spans of errors overlap"),
        (esa(MINOR, overall=20), None),
        (esa(overall=20), "mark what is wrong: overall is below 60"),
        (esa(span()), "span 1 of errors has no severity"),
        (esa(span(severity="huge")), "has the severity 'huge', which nobody asked for"),
        (esa(span(severity="minor", category="style")), "has the category 'style', which nobody asked for"),
        (esa(span(0, len(TEXT) + 1, severity="minor")), "and the text to 21"),
        (esa(span(4, 2, severity="minor")), "goes from 4 to 2"),
        (esa(span(2, 2, severity="minor")), "marks nothing"),
        (esa(span(None, None, severity="minor")), "has no place"),
        (esa(span(None, None, severity="minor", token="[other]")), "is of no known token: '[other]'"),
        (esa(span(0, 2, severity="minor", token="[missing]")), "is of no known token"),
        (esa(span(text="another", severity="minor")), "was marked in another text"),
        (esa(span(severity="minor", fate="kept")), "a span is kept and not offered"),
        (esa(span(severity="minor", fate="kept", offered=0)), "tells of a span that was not offered"),
        (esa(replace(MINOR, text="source")), "is in the source, where nothing is marked"),
        (Answer(values={"overall": 80}, seconds=1.0), "errors is missing"),
    ],
)
def test_only_spans_of_the_text_that_was_shown_are_taken(answer: Answer, reason: str | None) -> None:
    found = reasons(ESA, task_of(TEXT), answer)
    assert len(found) == (reason is not None)
    assert reason is None or reason in found[0]


@settings(max_examples=examples(40), deadline=None)
@given(st.text(min_size=1), st.data())
def test_offsets_are_those_of_python(text: str, data: st.DataObject) -> None:
    """What is marked in any writing is the slice of the text, and stands so in the table of ratings."""
    plan = plan_with(SpanRules())
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    task = task_of(text)
    try:
        marked = span(start, end, text)
    except UnicodeEncodeError:  # half a character, which no text of a campaign has
        return
    answer = Answer(values={}, spans={"penalty": (marked,)}, seconds=1.0)
    assert reasons(plan, task, answer) == []
    (row,) = rows_of(plan, {}, task, [answer], {})
    (kept,) = row["spans"]
    assert text[kept["start"] : kept["end"]] == text[start:end]


def test_words_are_marked_from_edge_to_edge_and_gaps_between_them() -> None:
    plan, task = plan_with(SpanRules(unit="words", gaps=True)), task_of("ab  cd")
    places = {(0, 2): True, (4, 6): True, (0, 6): True, (0, 0): True, (2, 2): True, (4, 4): True, (6, 6): True}
    places |= {(0, 1): False, (1, 2): False, (3, 3): False, (2, 4): False, (1, 1): False}
    for (start, end), fits in places.items():
        answer = Answer(values={}, spans={"penalty": (span(start, end, "ab  cd"),)}, seconds=1.0)
        assert (reasons(plan, task, answer) == []) is fits, (start, end)


def test_tags_are_those_of_words_and_gaps() -> None:
    plan = plan_with(SpanRules(unit="words", gaps=True), "word-tags", "target")
    marks = (span(3, 3, "ab cd ef"), span(6, 8, "ab cd ef"))
    answer = Answer(values={}, spans={"target": marks}, seconds=1.0)
    (row,) = rows_of(plan, {}, task_of("ab cd ef"), [answer], {})
    assert row["label"] == "OK OK BAD OK OK BAD OK"
    assert row["value"] == pytest.approx(2 / 7)


OFFERED = (Mark(start=0, end=3, severity="minor"), Mark(start=4, end=6, severity="major"))
KEPT, REMOVED = MINOR, span(4, 6, severity="major", fate="removed", offered=1)


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        ((replace(KEPT, fate="kept", offered=0), REMOVED), None),
        ((replace(KEPT, fate="changed", severity="major", offered=0), REMOVED), None),
        ((replace(KEPT, fate="kept", offered=0), REMOVED, span(7, 9, severity="minor")), None),
        ((replace(KEPT, fate="kept", offered=0),), "span 2 of those offered is told of 0 times"),
        ((replace(KEPT, fate="kept", severity="major", offered=0), REMOVED), "span 1 of those offered is not kept"),
        ((replace(KEPT, fate="changed", offered=0), REMOVED), "span 1 of those offered is not changed"),
        ((replace(KEPT, offered=0), REMOVED), "a span is made and offered"),
    ],
)
def test_every_span_that_was_offered_has_a_fate(spans: tuple[AnsweredSpan, ...], reason: str | None) -> None:
    task = task_of(TaskPart(segment="s", shown=TEXT, offered=OFFERED))
    found = reasons(ESA, task, esa(*spans))
    assert len(found) == (reason is not None)
    assert reason is None or reason in found[0]
    if reason is None:
        (row,) = rows_of(ESA, {}, task, [esa(*spans)], {})
        assert len(row["spans"]) == len(spans) - 1
        assert '"removed": 1' in row["extra:prefilled"]


def ranking_plan(protocol: str = "ranking", **rules: Any) -> CampaignPlan:
    question = Question(criterion="overall", ranking=RankingRules(**rules))
    return CampaignPlan(name="try", protocol=protocol, questions=(question,), together=3)


@pytest.mark.parametrize(
    ("rules", "ranks", "reason"),
    [
        ({}, (1, 2, 3), None),
        ({}, (1, 1, 1), None),
        ({}, (1, 2, 4), "overall is a rank from 1 to 3"),
        ({}, (1, 2, 1.5), "overall is a rank from 1 to 3"),
        ({"ties": False}, (1, 2, 2), "two translations cannot share a rank"),
        ({"form": "best"}, (1, 2, 1), None),
        ({"form": "best", "ties": False}, (1, 2, 1), "only one can be the best"),
        ({"form": "best"}, (2, 2, 2), "name the best"),
        ({"form": "best", "none": True}, (2, 2, 2), None),
        ({"form": "best-worst"}, (1, 2, 3), None),
        ({"form": "best-worst"}, (1, 2, 2), "name the best and the worst"),
    ],
)
def test_ranks_go_together(rules: dict[str, Any], ranks: tuple[float, ...], reason: str | None) -> None:
    task = task_of(*(TaskPart(segment="s", shown=name, systems=(name,)) for name in "abc"))
    answers = [Answer(values={"overall": rank}, seconds=1.0) for rank in ranks]
    found = reasons(ranking_plan(**rules), task, *answers)
    assert len(found) == (reason is not None)
    assert reason is None or reason in found[0]


def test_what_is_broken_needs_no_rank() -> None:
    task = task_of(*(TaskPart(segment="s", shown=name, systems=(name,)) for name in "abc"))
    ranked = [Answer(values={"overall": rank}, seconds=1.0) for rank in (1, 2)]
    assert reasons(ranking_plan(), task, Answer(values={}, seconds=1.0, broken="cut off"), *ranked) == []


def test_equal_outputs_are_shown_once_and_stored_for_all() -> None:
    material = material_of(segments=1, systems=3)
    (segment,) = material.segments
    outputs = {"sys0": "same", "sys1": "other", "sys2": "same"}
    material = replace(material, segments=(replace(segment, outputs=outputs),))
    (task,) = work(replace(ranking_plan(), assignment=replace(ESA.assignment, raters=1)), material).tasks
    assert sorted(part.shown for part in task.parts) == ["other", "same"]
    assert {frozenset(part.systems) for part in task.parts} == {frozenset({"sys0", "sys2"}), frozenset({"sys1"})}
    answers = [Answer(values={"overall": 1 + (part.shown == "same")}, seconds=1.0) for part in task.parts]
    plan = ranking_plan("preference", form="best")
    rows = list(rows_of(plan, material.by_name, task, answers, {}))
    met = {frozenset((row["system"], row["other_system"])): row["label"] for row in rows}
    assert met.keys() == {frozenset({"sys1", "sys0"}), frozenset({"sys1", "sys2"})}
    beaten = {row["system"] if row["label"] == "second" else row["other_system"] for row in rows}
    assert beaten == {"sys0", "sys2"}


def test_columns_stand_in_any_order() -> None:
    tasks = work(ranking_plan(), material_of(segments=6, documents=1)).tasks
    assert len({tuple(part.systems for part in task.parts) for task in tasks}) > 1
    again = work(ranking_plan(), material_of(segments=6, documents=1)).tasks
    assert tasks == again


EDITING = CampaignPlan(
    name="try",
    protocol="post-edit",
    questions=(Question(criterion="hter", text=TextRules(start="translation", log=True, minimal=True)),),
)


def edited(text: str, *edits: Edit, **changed: Any) -> Answer:
    log = {"seconds": 3.0, "pauses": (1.5,), "keystrokes": 3, "edits": edits} | changed
    return Answer(values={}, texts={"hter": Written(text=text, log=Log(**log))}, seconds=1.0)


CUT = Edit(at=1.0, start=0, removed=1, inserted="A")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (edited("abc"), None),
        (edited("Abc", CUT), None),
        (edited("Abc"), "the edits of the log do not lead to the text"),
        (edited("Abc", replace(CUT, start=9)), "do not lead to the text"),
        (edited("Abc", CUT, seconds=-1.0), "impossible numbers"),
        (edited("Abc", CUT, keystrokes=-1), "impossible numbers"),
        (edited(" ", replace(CUT, removed=3, inserted=" ")), "hter is empty"),
        (Answer(values={}, texts={"hter": Written(text="abc")}, seconds=1.0), "hter needs a log"),
        (Answer(values={"hter": 1}, seconds=1.0), "nobody asked for 'hter'"),
    ],
)
def test_a_text_is_what_its_log_leads_to(answer: Answer, reason: str | None) -> None:
    found = reasons(EDITING, task_of("abc"), answer)
    assert bool(found) == (reason is not None)
    assert reason is None or reason in found[0]


def test_half_of_each_system_is_translated_from_scratch() -> None:
    plan = CampaignPlan(
        name="try",
        protocol="productivity",
        questions=(Question(criterion="post-editing", text=TextRules(start="translation", log=True)),),
        systems=("sys0",),
        assignment=replace(ESA.assignment, raters=2),
    )
    asked = work(plan, material_of(segments=8))
    for rater in (0, 1):
        assert [part.scratch for task in asked.of_rater(rater) for part in task.parts].count(True) == 2


def test_a_wrong_choice_and_a_right_one_are_told_apart() -> None:
    item = Item(criterion="comprehension", name="q1", text="Who?", segment="s", options=("he", "she"), right=("she",))
    question = Question(criterion="comprehension", widget="choice")
    plan = CampaignPlan(name="try", protocol="comprehension", questions=(question,), items=(item,))
    for value, correct in ((0, 0.0), (1, 1.0)):
        answer = Answer(values={"q1": value}, seconds=1.0)
        assert reasons(plan, task_of("x"), answer) == []
        (row,) = rows_of(plan, {}, task_of("x"), [answer], {})
        assert (row["question"], row["answer"], row["value"]) == ("q1", ("he", "she")[value], correct)
    outside = Answer(values={"q1": 2}, seconds=1.0)
    assert reasons(plan, task_of("x"), outside) == ["q1 is one of the 2 options, counted from 0"]
    assert (
        "nobody asked for 'comprehension'"
        in reasons(plan, task_of("x"), replace(outside, values={"comprehension": 1}))[0]
    )


def test_uncovered_words_are_counted() -> None:
    question = Question(criterion="machine", options=("a person", "a machine"), reveal=True)
    plan = CampaignPlan(name="try", protocol="custom", questions=(question,))
    answer = Answer(values={"machine": 1}, seconds=1.0, words={"machine": 3})
    assert reasons(plan, task_of("one two three"), answer) == []
    (row,) = rows_of(plan, {}, task_of("one two three"), [answer], {})
    assert (row["value"], row["answer"], row["extra:words"]) == (1, "a machine", "3")
    assert "is missing" in reasons(plan, task_of("x"), replace(answer, words={}))[0]


@pytest.mark.parametrize(
    ("marks", "right"),
    [
        ((span(1, 3, severity="major"),), True),
        ((span(1, 3, severity="minor"),), False),
        ((span(4, 6, severity="major"),), False),
        ((), False),
    ],
)
def test_a_tutorial_wants_its_spans(marks: tuple[AnsweredSpan, ...], right: bool) -> None:
    wanted = {"errors": (Mark(start=0, end=3, severity="major"),)}
    part = TaskPart(segment="s", shown=TEXT, gold={"overall": 50}, gold_spans=wanted)
    task = replace(task_of(part), control="tutorial")
    assert passed(ESA, task, [esa(*marks, overall=60)], None) is right


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"spans": SpanRules(texts=("source",))}, "the source is marked, so it must be shown"),
        ({"spans": SpanRules(gaps=True)}, "gaps are between words"),
        ({"spans": SpanRules(severities=("minor", "minor"))}, "severities are words that differ"),
        ({"spans": SpanRules(), "options": ("a", "b")}, "is answered by the widget spans: leave options out"),
        ({"spans": SpanRules(), "reveal": True, "help": "Mark."}, None),
        ({"widget": "text"}, "penalty of mqm is not answered by the widget text: take spans"),
        ({"widget": "spans", "ranking": RankingRules()}, "leave ranking out"),
    ],
)
def test_what_cannot_be_asked_is_said(changed: dict[str, Any], message: str | None) -> None:
    def make() -> CampaignPlan:
        return CampaignPlan(name="try", protocol="mqm", questions=(Question(criterion="penalty", **changed),))

    if message is None:
        assert make()
    else:
        with pytest.raises(InputError, match=message):
            make()
