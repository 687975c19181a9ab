"""JSON from files: lines parsed together are what they are one by one."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from karat.corpus.jsontext import JsonError, parse_flat_objects, parse_json

VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8))
OBJECTS = st.dictionaries(st.text(max_size=4), VALUES, min_size=1, max_size=4)
ODD = [
    "{}",
    "[1]",
    "[",
    "1, 2",
    '{"a": 1}, {"b": 2}',
    '{"a": "x}',
    '{y"}',
    '{"a": 1, "a": 2}',
    '{"a" : 1, "a": "b:c"}',
    '{"a": {"b": 1}}',
    '{"a": "{"}',
    '{"a": 1',
    '{"a": 1},',
    '{"a": "\\ud800"}',
    '{"a": ' + "9" * 301 + "}",
    ' {"a": 1}',
    '{"a": 1} ',
    "",
    '\ufeff{"a": 1}',
]


def one_by_one(lines: list[str]) -> list[object] | None:
    try:
        return [parse_json(line) for line in lines]
    except JsonError:
        return None


def exactly(parsed: object) -> str:
    return json.dumps(parsed)


@given(st.lists(st.one_of(OBJECTS.map(json.dumps), st.sampled_from(ODD)), min_size=1, max_size=5))
@example(['{"a": "x}', '{y"}', '{"a": 1}, {"b": 2}'])
@example(['{"a": 1, "a": 2}'])
def test_lines_together_are_the_lines_one_by_one(lines: list[str]) -> None:
    together = parse_flat_objects(lines)
    assert together is None or exactly(together) == exactly(one_by_one(lines))


@given(st.lists(OBJECTS, min_size=1, max_size=5))
def test_plain_objects_are_parsed_together(objects: list[dict[str, object]]) -> None:
    lines = [json.dumps(value) for value in objects]
    if sum(line.count("{") for line in lines) == len(lines) and not any("\\ud" in line for line in lines):
        assert exactly(parse_flat_objects(lines)) == exactly(objects)


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', '{"a" : 1, "a": 2}', '{"x": {"a": 1, "a": 2}}', '[{"a": 1, "a": 2}]']
)
def test_a_name_twice_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="'a' is there twice"):
        parse_json(text)


@pytest.mark.parametrize("text", ["\ufeff{}", "{", "[" * 100_000, '{"a": ' + "9" * 301 + "}", '{"a": "\\ud800"}'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(JsonError):
        parse_json(text)
