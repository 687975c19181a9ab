"""The work of a campaign: balanced, drawn by its seed, with controls some way from what they go with."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.campaigns.campaign_of import material_of, plan_of

from karat.campaigns import Material, Question, Segment, Work, work
from karat.campaigns.damage import damaged, replaced_words
from karat.campaigns.tasks import APART
from karat.errors import InputError, ProblemsError


@st.composite
def settings_of(draw: st.DrawFn) -> tuple[dict[str, Any], Material]:
    raters = draw(st.integers(1, 7))
    settings = {
        "seed": draw(st.integers(0, 99)),
        "unit": draw(st.sampled_from(["segment", "document"])),
        "assignment": {"raters": raters, "judgements": draw(st.integers(1, raters))},
        "controls": {"repeats": draw(st.floats(0, 0.4)), "degraded": draw(st.floats(0, 0.4))},
    }
    return settings, material_of(draw(st.integers(1, 12)), draw(st.integers(1, 4)), draw(st.integers(1, 3)))


@given(settings_of())
def test_the_same_plan_gives_the_same_work(drawn: tuple[dict[str, Any], Material]) -> None:
    settings, material = drawn
    assert work(plan_of(**settings), material) == work(plan_of(**settings), material)


@given(settings_of())
def test_every_task_is_judged_as_often_as_wanted_by_different_raters(drawn: tuple[dict[str, Any], Material]) -> None:
    settings, material = drawn
    found = work(plan_of(**settings), material)
    raters_of: dict[int, list[int]] = {}
    for slot in found.slots:
        raters_of.setdefault(slot.task, []).append(slot.rater)
    for task in found.tasks:
        wanted = settings["assignment"]["judgements"] if task.control is None else 1
        assert len(set(raters_of[task.number])) == len(raters_of[task.number]) == wanted
    outputs = Counter((part.segment, task.system) for task in found.tasks if not task.control for part in task.parts)
    assert outputs == {(segment.name, system): 1 for segment in material.segments for system in segment.outputs}


@given(settings_of())
def test_raters_have_as_much_of_everything(drawn: tuple[dict[str, Any], Material]) -> None:
    settings, material = drawn
    settings = settings | {"unit": "segment", "controls": {}}
    found = work(plan_of(**settings), material)
    loads = [len(found.of_rater(rater)) for rater in range(settings["assignment"]["raters"])]
    assert max(loads) - min(loads) <= 1
    for system in material.systems:
        of_system = [sum(task.system == system for task in found.of_rater(rater)) for rater in range(len(loads))]
        assert max(of_system) - min(of_system) <= 2


@given(settings_of())
def test_raters_have_as_much_of_documents_up_to_the_longest(drawn: tuple[dict[str, Any], Material]) -> None:
    settings, material = drawn
    found = work(plan_of(**settings | {"unit": "document", "controls": {}}), material)
    raters = settings["assignment"]["raters"]
    loads = [sum(len(task.parts) for task in found.of_rater(rater)) for rater in range(raters)]
    assert max(loads) - min(loads) <= max(len(task.parts) for task in found.tasks)


@given(settings_of())
def test_places_have_no_gaps_and_controls_go_with_own_work(drawn: tuple[dict[str, Any], Material]) -> None:
    settings, material = drawn
    found = work(plan_of(**settings), material)
    for rater in range(settings["assignment"]["raters"]):
        places = sorted(slot.place for slot in found.slots if slot.rater == rater)
        assert places == list(range(len(places)))
        own = [task.number for task in found.of_rater(rater)]
        assert all(task.origin in own for task in found.of_rater(rater) if task.control)


def controlled(**controls: Any) -> Work:
    return work(plan_of(controls=controls, assignment={"raters": 2}), material_of(segments=40))


def test_controls_are_as_many_as_asked_for_and_some_way_off() -> None:
    found = controlled(repeats=0.1, degraded=0.2)
    for rater in (0, 1):
        own = found.of_rater(rater)
        kinds = Counter(task.control for task in own)
        assert kinds == {None: 60, "repeat": 6, "bad-reference": 12}
        place = {task.number: number for number, task in enumerate(own)}
        for task in own:
            if task.origin is not None:
                assert abs(place[task.number] - place[task.origin]) > APART // 2
                same = task.parts == found.tasks[task.origin].parts
                assert same == (task.control == "repeat")


def test_one_source_in_one_system_for_a_rater() -> None:
    plan = plan_of(assignment={"raters": 3, "same_source": "never"})
    found = work(plan, material_of())
    for rater in range(3):
        sources = [task.parts[0].segment for task in found.of_rater(rater)]
        assert len(set(sources)) == len(sources) == 6
    with pytest.raises(InputError, match="3 systems x 1 judgements, and there are 2 raters"):
        work(plan_of(assignment={"raters": 2, "same_source": "never"}), material_of())


def test_a_sample_takes_whole_documents() -> None:
    found = work(plan_of(unit="document", segments=2, systems=("sys1",)), material_of(segments=9, documents=3))
    assert [(task.system, len(task.parts)) for task in found.tasks] == [("sys1", 3)]
    some = work(plan_of(segments=4), material_of(segments=9))
    assert len({task.parts[0].segment for task in some.tasks}) == 4


@pytest.mark.parametrize(
    ("settings", "segment", "message"),
    [
        ({"systems": ("sys9",)}, {}, "no system 'sys9'"),
        ({"segments": 99}, {}, "segments is 99, and texts.jsonl has 6"),
        ({}, {"reference": None}, "segment 'odd' has no reference, which a question shows"),
        ({}, {"outputs": {"sys0": "x"}}, "segment 'odd' has no output of sys1"),
        ({"unit": "document"}, None, "names no documents"),
    ],
)
def test_texts_that_do_not_fit_are_refused(
    settings: dict[str, Any], segment: dict[str, Any] | None, message: str
) -> None:
    usual = {"name": "odd", "reference": "r", "outputs": {f"sys{n}": "o" for n in range(3)}}
    segments = (*material_of(segments=5).segments, Segment(**(usual | (segment or {}))))
    if segment is None:
        segments = (Segment(**usual),)
    with pytest.raises(InputError, match=message):
        work(plan_of(**settings), Material(segments=segments))


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_what_a_system_has_no_output_of_is_judged_by_nobody(unit: str) -> None:
    whole = material_of(segments=6, systems=2, documents=2)
    rows = [replace(row, outputs={"sys0": row.outputs["sys0"]}) if row.name < "s4" else row for row in whole.segments]
    material = Material(segments=tuple(rows))
    with pytest.raises(ProblemsError, match="has no output of sys1"):
        work(plan_of(unit=unit), material)
    tasks = work(plan_of(unit=unit, outputs="some"), material).tasks
    judged = Counter((part.segment, task.system) for task in tasks for part in task.parts)
    assert judged == {(row.name, system): 1 for row in rows for system in row.outputs}
    assert len(tasks) == (8 if unit == "segment" else 3)


def test_texts_read_back_and_what_is_wrong_is_named() -> None:
    material = material_of()
    assert Material.read(material.written(), "texts.jsonl") == material
    for data, message in [
        (b"", "texts.jsonl is empty"),
        (b"{\n", "texts.jsonl, line 1 is not JSON"),
        (b'{"name": "a"}\n', 'line 1: a segment has a "name" and "outputs"'),
        (b'{"name": 1, "outputs": {}}\n', "line 1: name must be text"),
        (b'{"outputs": {}}\n', "line 1: name must be text"),
        (b'{"name": "a", "outputs": {"x": 1}}\n', "outputs.x must be text"),
        (b'{"name": "a", "outputs": {}}\n' * 2, "segment 'a' is there twice"),
    ]:
        with pytest.raises(InputError, match=message):
            Material.read(data, "texts.jsonl")


def test_all_that_is_wrong_with_texts_is_named() -> None:
    data = (
        b'{"name": 1, "outputs": {}}\n\xff\n{"name": "a", "outputs": {}}\n'
        + b'{"name": "a", "outputs": {"x": "\\u0000"}}\n'
    )
    with pytest.raises(ProblemsError) as caught:
        Material.read(
            data + b'{"name": "a", "outputs": {"x": "\\ud800"}}\n{"name": "a", "outputs": {}}\n', "texts.jsonl"
        )
    named = [problem.partition("texts.jsonl, line ")[2][:1] for problem in caught.value.problems]
    assert named == ["1", "2", "4", "5", "6"]
    segments = Segment(name="one", outputs={"x": "o"}), Segment(name="other", source="s", outputs={"y": "o"})
    plan = plan_of(questions=(Question(criterion="fluency", show=("source",)),), segments=3, systems=("x", "y", "z"))
    with pytest.raises(ProblemsError) as caught:
        work(plan, Material(segments=segments))
    assert caught.value.problems == (
        "texts.jsonl has no system 'z'. There is: x, y.",
        "texts.jsonl, line 1: segment 'one' has no source, which a question shows",
        "segments is 3, and texts.jsonl has 2",
        "texts.jsonl, line 1: segment 'one' has no output of y",
        "texts.jsonl, line 2: segment 'other' has no output of x",
    )


@pytest.mark.parametrize("segments", [1, 2, 3, 5])
def test_controls_of_all_the_work_are_not_more_than_it(segments: int) -> None:
    plan = plan_of(controls={"repeats": 0.5, "degraded": 0.5}, assignment={"raters": 1})
    kinds = Counter(task.control for task in work(plan, material_of(segments, 1, 1)).tasks)
    assert kinds["repeat"] + kinds["bad-reference"] <= kinds[None] == segments


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=3), st.randoms(use_true_random=False))
def test_damage_keeps_what_it_says_it_keeps(text: str, others: list[str], random: Any) -> None:
    result = damaged(text, others, random)
    words = text.split()
    if len(words) > 4 and result.split():
        kept = len(words) - replaced_words(len(words))
        assert result.split()[0] == words[0]
        assert sum((Counter(result.split()) & Counter(words)).values()) >= min(kept, 1)


def test_damage_changes_a_text_wherever_it_can() -> None:
    found = controlled(degraded=0.5)
    changed = [task for task in found.tasks if task.control == "bad-reference"]
    assert all(task.parts[0].shown != found.tasks[task.origin or 0].parts[0].shown for task in changed)
    assert all(len(task.parts[0].shown.split()) == 8 for task in changed)
