"""Which values parameters take: their kinds and ranges, checked alike for every metric."""

from __future__ import annotations

import dataclasses
import math
import unicodedata
from functools import cache
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin, get_type_hints

from karat.errors import SpecError, did_you_mean

if TYPE_CHECKING:
    from karat.metrics.base import Metric

Range = tuple[float, float]

SHARES: Range = (0, 1)
WEIGHTS: Range = (0, 1_000_000)
POWERS: Range = (1e-6, 1_000_000)
COEFFICIENTS: Range = (-1_000_000, 1_000_000)
ORDERS: Range = (1, 100)
BEAMS: Range = (1, 1000)

SMALLEST = 1e-100
"""Smaller numbers are no choice that anybody makes, and formulas would divide by them."""

LONGEST_TEXT, LONGEST_NAME = 1000, 255
_SHOWN = 60
_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_LISTS = {int: "a list of whole numbers", float: "a list of numbers", str: "a list"}
_PLAIN = {bool: bool, int: Integral, float: Real, str: str}


class Kind(NamedTuple):
    """What a parameter takes: values of one type, or a list of them, or nothing where it is optional."""

    type: type
    is_list: bool
    is_optional: bool
    within: Range | None = None

    @property
    def in_words(self) -> str:
        """What to write, for people who write specs."""
        kind = f"{_LISTS[self.type]} such as [1,2,3]" if self.is_list else _WORDS[self.type]
        return kind if self.within is None else f"{kind}{', each' if self.is_list else ''} {self.range_in_words}"

    @property
    def range_in_words(self) -> str:
        """The least and the greatest number that it takes."""
        return "" if self.within is None else f"from {self.within[0]:.15g} to {self.within[1]:.15g}"


@cache
def kinds(cls: type[Metric]) -> dict[str, Kind]:
    """The kind of every parameter of a metric, by name."""
    hints = get_type_hints(cls)
    parameters = [field for field in dataclasses.fields(cls) if "help" in field.metadata]
    return {field.name: _kind(hints[field.name], field.metadata["within"]) for field in parameters}


def _kind(hint: Any, within: Range | None) -> Kind:
    is_optional = type(None) in get_args(hint)
    (plain,) = [option for option in get_args(hint) if option is not type(None)] if is_optional else [hint]
    is_list = get_origin(plain) is tuple
    return Kind(get_args(plain)[0] if is_list else plain, is_list, is_optional, within)


def of_kind(value: Any, kind: Kind) -> Any:
    """A value of Python as the parameter holds it; what does not fit stays as it is, for `check_value` to refuse."""
    if kind.is_list and isinstance(value, list | tuple):
        return tuple(_plain(item, kind.type) for item in value)
    return value if kind.is_list else _plain(value, kind.type)


def _plain(value: Any, kind: type) -> Any:
    try:
        return kind(value) if _is_of(value, kind) else value
    except OverflowError:
        return value


def check_value(name: str, field: dataclasses.Field[Any], kind: Kind, value: Any) -> None:
    """Refuse a value that is not of its parameter's kind, out of its range, or none of its choices."""
    written = f"{name}({field.name}={as_written(value)})"
    if value is None and kind.is_optional:
        return
    values = value if kind.is_list and isinstance(value, tuple) else (value,)
    if isinstance(value, tuple) != kind.is_list or not all(_is_of(single, kind.type) for single in values):
        raise SpecError(f"{written} is not {kind.in_words}")
    choices = field.metadata["choices"]
    if choices and value not in choices:
        raise SpecError(f"{written} is not known.{did_you_mean(as_written(value), choices)}")
    for single in values:
        _check_one(written, single, kind)


def _is_of(value: Any, kind: type) -> bool:
    return isinstance(value, _PLAIN[kind]) and (kind is bool or not isinstance(value, bool))


def _check_one(written: str, value: Any, kind: Kind) -> None:
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise SpecError(f"{written} is text of {len(value)} characters: it takes at most {LONGEST_TEXT}")
        if any(len(part.encode(errors="replace")) > LONGEST_NAME for part in value.split("/")):
            raise SpecError(f"{written} has a name in it that is longer than {LONGEST_NAME} bytes, so it is no file")
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in value):
            raise SpecError(f"{written} has a control character or half of a character in it")
    elif kind.within is not None and not kind.within[0] <= value <= kind.within[1]:
        raise SpecError(f"{written} must be {kind.range_in_words}")
    elif not math.isfinite(value):
        raise SpecError(f"{written} must be a finite number")
    elif 0 < abs(value) < SMALLEST:
        raise SpecError(f"{written} must be 0, or at least {SMALLEST:g} in size")


def as_written(value: Any) -> str:
    """A value as an error names it: in one line, and not all of it where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)[1:-1] if isinstance(value, str) else str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
