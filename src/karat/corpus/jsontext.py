"""JSON from files: what Python's own parser trips over is an error with a place like any other."""

from __future__ import annotations

import json
import re
from typing import Any

from karat.corpus.lines import repeated

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
        value = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise JsonError(f"not valid JSON ({error.msg})", error.lineno, error.colno) from error
    except RecursionError as error:
        raise JsonError("the JSON is nested too deeply") from error
    except JsonError:
        raise
    except ValueError as error:  # a number with more digits than Python converts
        raise JsonError("there is a number with thousands of digits") from error
    if _SURROGATE.search(text):
        _refuse_lone_surrogates(value)
    return value


def _refuse_lone_surrogates(value: Any) -> None:
    """Refuse halves of characters, which JSON can write and no encoding can hold; pairs of them are whole."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise JsonError("a lone surrogate (half of a character) is not text") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name is lost to a second one."""
    named = dict(pairs)
    if len(named) < len(pairs):
        twice = repeated(name for name, _ in pairs)
        raise JsonError(f"{twice!r} is there twice in one object: give each its own name")
    return named
