"""Dataclasses out of tables that people or programs wrote: every field of its type, and nothing that they lack."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from karat.errors import InputError, ProblemsError, did_you_mean, problems_in


def built(kind: type[Any], table: Any, place: str) -> Any:
    """A dataclass out of a table, field by field, with nothing that it does not have."""
    if not isinstance(table, dict):
        raise InputError(f"{place or 'the file'} must be a table, not {table!r}")
    hints = get_type_hints(kind)
    problems = [f"there is no setting {place}{name}.{did_you_mean(name, hints)}" for name in table if name not in hints]
    required = (each.name for each in fields(kind) if each.default is each.default_factory)
    problems += [f"{place}{name} is missing" for name in required if name not in table]
    values = _gathered({name: (hints[name], value) for name, value in table.items() if name in hints}, place, problems)
    return kind(**values)


def _gathered(wanted: Mapping[str, tuple[Any, Any]], place: str, problems: Sequence[str] = ()) -> dict[str, Any]:
    """Values by name, each of its type; those that are not are refused together with the problems known before."""
    values: dict[str, Any] = {}
    faults = list(problems)
    for name, (hint, value) in wanted.items():
        try:
            values[name] = _value(hint, value, f"{place}{name}")
        except InputError as error:
            faults += problems_in(error)
    if faults:
        raise ProblemsError(faults)
    return values


def _value(hint: Any, value: Any, place: str) -> Any:
    """The value of a setting, of the type that it must have."""
    alternatives = [part for part in get_args(hint) if part is not type(None)]
    if get_origin(hint) is Literal:
        if value not in alternatives:
            raise InputError(f"{place} is {value!r}: it must be one of {', '.join(map(str, alternatives))}")
        return value
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise InputError(f"{place} must be a list, not {value!r}")
        return tuple(_gathered({f"[{n}]": (alternatives[0], each) for n, each in enumerate(value, 1)}, place).values())
    if get_origin(hint) is Mapping:
        if not isinstance(value, dict):
            raise InputError(f"{place} must be a table, not {value!r}")
        return _gathered({name: (alternatives[1], inner) for name, inner in value.items()}, f"{place}.")
    if alternatives:
        return _value(alternatives[0], value, place)
    if isinstance(hint, type) and is_dataclass(hint):
        return built(hint, value, f"{place}.")
    wanted = (int, float) if hint is float else (hint,)
    if not isinstance(value, wanted) or (isinstance(value, bool) and hint is not bool):
        raise InputError(f"{place} is {value!r}: it must be {_NAMED.get(hint, hint.__name__)}")
    return value


_NAMED: Mapping[type, str] = {str: "text in quotes", int: "a whole number", float: "a number", bool: "true or false"}


_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def is_text(value: str) -> bool:
    """Whether files and databases can keep it: halves of characters and the sign of number 0 they cannot."""
    return _NO_TEXT.search(value) is None
