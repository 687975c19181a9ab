"""JSON from files: what Python's own parser trips over is an error with a place like any other."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from karat.corpus.lines import repeated

_MOST_DIGITS = 300
"""What a whole number may have; more than 308 do not fit into a number of any column."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class JsonError(ValueError):
    """Text that is not JSON, or is more than can be read; `line` and `column` are None where the place is not known."""

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason)
        self.line, self.column = line, column


def parse_json(text: str) -> Any:
    """The value; a name that is there twice in one object, deep nesting and endless numbers are refused.

    >>> parse_json('{"a": [1]}')
    {'a': [1]}
    """
    try:
        value = _decoded(text)
    except json.JSONDecodeError as error:
        raise JsonError(f"not valid JSON ({error.msg})", error.lineno, error.colno) from error
    except RecursionError as error:
        raise JsonError("the JSON is nested too deeply") from error
    if _SURROGATE.search(text):
        _refuse_lone_surrogates(value)
    return value


def parse_flat_objects(lines: Sequence[str]) -> list[dict[str, Any]] | None:
    """The objects of lines, parsed together; None where a line may be anything but one object without others in it.

    A line with one brace that opens is the whole of an object if as many objects as lines come out. As in a single
    line, an object with as many names as colons has no name twice; one with more colons is looked at by itself.

    >>> parse_flat_objects(['{"a": 1}', '{"a": 2}'])
    [{'a': 1}, {'a': 2}]
    """
    joined = ",".join(lines)
    alone = joined.count("{") == len(lines) and all(line.startswith("{") for line in lines)
    if not alone or _SURROGATE.search(joined):
        return None
    try:
        values = _QUICK.decode(f"[{joined}]")
    except (ValueError, RecursionError):
        return None
    if len(values) != len(lines) or set(map(type, values)) != {dict}:
        return None
    try:
        return [
            value if line.count(":") == len(value) else parse_json(line)
            for line, value in zip(lines, values, strict=True)
        ]
    except JsonError:
        return None


def _decoded(text: str) -> Any:
    """The value, by the quick parser where no name can be there twice: in an object with as many names as colons."""
    if text.startswith("\ufeff"):
        raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
    if text.count("{") == 1:
        value = _QUICK.decode(text)
        if type(value) is dict and text.count(":") == len(value):
            return value
    return _CAREFUL.decode(text)


def _refuse_lone_surrogates(value: Any) -> None:
    """Refuse halves of characters, which JSON can write and no encoding can hold; pairs of them are whole."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise JsonError("a lone surrogate (half of a character) is not text") from error


def _whole(digits: str) -> int:
    """A whole number that a float can hold; Python's own may be of any size, and trip whatever converts them."""
    if len(digits) > _MOST_DIGITS:
        raise JsonError(f"there is a number with {len(digits):,} digits")
    return int(digits)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name is lost to a second one."""
    named = dict(pairs)
    if len(named) < len(pairs):
        twice = repeated(name for name, _ in pairs)
        raise JsonError(f"{twice!r} is there twice in one object: give each its own name")
    return named


_QUICK = json.JSONDecoder(parse_int=_whole)
_CAREFUL = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_whole)
