"""Annotations as JSON: an object for each text, with a key for each layer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from karat.errors import InputError, did_you_mean
from karat.text.annotation.segment import Annotation, Frame, Span

_WORDS = ("tokens", "lemmas", "pos", "tags", "relations")
_SPANS = ("chunks", "constituents", "entities")
KEYS = tuple(field.name for field in fields(Annotation))


def to_text(annotation: Annotation) -> str:
    """The annotation as a line of JSON, always the same.

    >>> to_text(Annotation(tokens=("a", "b"), chunks=(Span("NP", 0, 2),)))
    '{"tokens":["a","b"],"chunks":[["NP",0,2]]}'
    """
    known = {key: getattr(annotation, key) for key in KEYS}
    if annotation.frames is not None:
        known["frames"] = [{"predicate": frame.predicate, "roles": frame.roles} for frame in annotation.frames]
    there = {key: value for key, value in known.items() if value is not None}
    return json.dumps(there, ensure_ascii=False, separators=(",", ":"))


def of_json(value: Any) -> Annotation:
    """The annotation that an object of JSON stands for.

    >>> of_json({"tokens": ["a", "b"], "lemma": ["a", "b"]})
    Traceback (most recent call last):
    ...
    karat.errors.InputError: there is no layer 'lemma'. Did you mean lemmas?
    """
    if not isinstance(value, Mapping) or "tokens" not in value:
        raise InputError('an annotation is an object with tokens: {"tokens": ["the", "cat"], "lemmas": ["the", "cat"]}')
    for key in value:
        if key not in KEYS:
            raise InputError(f"there is no layer {key!r}.{did_you_mean(key, KEYS)}")
    return Annotation(**{key: _value(key, layer) for key, layer in value.items() if layer is not None})


def _value(key: str, layer: Any) -> Any:
    if not isinstance(layer, list):
        raise InputError(f"{key} is not a list")
    if key in _WORDS:
        return tuple(_word(key, word) for word in layer)
    if key in _SPANS:
        return tuple(_span(key, span) for span in layer)
    return tuple(map(_head if key == "heads" else _frame, layer))


def _word(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{key} has {json.dumps(value)}, which is not a string")
    return value


def _head(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"heads has {json.dumps(value)}: write the head's position, from 0, or -1 for a root")
    return value


def _span(key: str, value: Any) -> Span:
    if isinstance(value, list) and len(value) == 3:
        label, start, end = value
        if isinstance(label, str) and type(start) is int and type(end) is int:
            return Span(label, start, end)
    raise InputError(f'{key} has {json.dumps(value)}: write label, first token and end, such as ["NP", 0, 2]')


def _frame(value: Any) -> Frame:
    if not isinstance(value, Mapping) or not {"predicate"} <= value.keys() <= {"predicate", "roles"}:
        raise InputError('a frame is written {"predicate": ["give", 1, 2], "roles": [["ARG0", 0, 1]]}')
    roles = value.get("roles", [])
    if not isinstance(roles, list):
        raise InputError("the roles of a frame are not a list")
    return Frame(_span("predicate", value["predicate"]), tuple(_span("roles", role) for role in roles))
