"""Checks of what a caller gives: wrong kinds of values are refused by the name of the argument."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from math import inf
from numbers import Integral, Real
from typing import Any

from karat.errors import InputError, SpecError, did_you_mean

MOST_THREADS = 1024
LARGEST_SCORE = 1e15
"""No score is larger: sums and squares of larger ones would lose digits, and at last overflow."""


def within_reach(score: float) -> bool:
    """Whether a score is a finite number that can be reckoned with.

    >>> within_reach(-25.5), within_reach(float("nan")), within_reach(1e300)
    (True, False, False)
    """
    return abs(score) <= LARGEST_SCORE


def check_whole(name: str, value: object, least: int, remedy: str = "") -> None:
    """Refuse what is no whole number, or one that is too small.

    >>> check_whole("n", 0, 1, "better 1000")
    Traceback (most recent call last):
    ...
    karat.errors.InputError: n is 0: it takes a whole number of at least 1, better 1000
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        advice = f", {remedy}" if remedy else ""
        raise InputError(f"{name} is {shown(value)}: it takes a whole number of at least {least}{advice}")


def check_threads(threads: object) -> None:
    """Refuse a number of threads that is none; None leaves it to the machine."""
    if threads is not None:
        check_whole("threads", threads, 1, "or None for one per core")
        if int(threads) > MOST_THREADS:  # type: ignore[call-overload]
            raise InputError(f"threads is {shown(threads)}: it takes at most {MOST_THREADS}")


def check_share(name: str, value: object, example: float) -> None:
    """Refuse what does not lie between 0 and 1."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) < 1:
        raise InputError(f"{name} is {shown(value)}: it must lie between 0 and 1, such as {example}")


def check_truth(name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    # NumPy's truth values are of a type of their own.
    if type(value).__name__ not in ("bool", "bool_"):
        raise InputError(f"{name} is {shown(value)}: it must be True or False")


def check_choice(kind: str, value: object, known: Sequence[str]) -> None:
    """Refuse a name that is not known, with those that are near it."""
    if not isinstance(value, str) or value not in known:
        raise SpecError(f"there is no {kind} called {shown(value)}.{did_you_mean(str(value), known)}")


def check_name(kind: str, value: object) -> None:
    """Refuse a name that is no text."""
    if not isinstance(value, str) or not value:
        raise InputError(f"{shown(value)} cannot name a {kind}: give it a name of text")


def items(values: Any, what: str, dimensions: Sequence[int] = (1,)) -> list[Any]:
    """What a container holds, in order, as a list; neither strings by themselves nor what has no order or more axes.

    >>> items({"b", "a"}, "strings")
    Traceback (most recent call last):
    ...
    karat.errors.InputError: expected a list of strings, one per segment, but a set has no fixed order
    """
    expected = f"expected a list of {what}, one per segment, but"
    if isinstance(values, list):
        return values
    if isinstance(values, str | bytes):
        raise InputError(f"{expected} got a single string: put it in a list")
    if hasattr(values, "columns"):
        raise InputError(f"{expected} got a data frame: give one of its columns")
    if isinstance(values, Mapping | Set):
        raise InputError(f"{expected} a {type(values).__name__} has no fixed order")
    if getattr(values, "ndim", 1) not in dimensions:
        raise InputError(f"{expected} the {type(values).__name__} has {values.ndim} dimensions")
    convert = getattr(values, "to_list", None) or getattr(values, "tolist", None)
    if convert is None and not isinstance(values, Iterable):
        raise InputError(f"{expected} got {described(values)}")
    return list(convert() if convert else values)


def labels(values: Any, what: str) -> tuple[str, ...]:
    """Labels, one per segment: texts, or numbers that are written as texts."""
    given = items(values, what)
    for place, label in enumerate(given, 1):
        if not isinstance(label, str | Integral):
            raise InputError(f"segment {place} has {described(label)} among the {what}: label it by text or a number")
    return tuple(map(str, given))


def numbers(values: Any, what: str) -> list[float | None]:
    """Numbers, one per segment; None is missing."""
    return [
        value if type(value) is float else _number(value, place, what)
        for place, value in enumerate(items(values, what), 1)
    ]


def _number(value: object, place: int, what: str) -> float | None:
    if value is None:
        return None
    # What is common comes first: asking an abstract class takes several times as long.
    if not isinstance(value, (int, Real, Decimal)):
        raise InputError(f"entry {place} of the {what} is {described(value)}, not a number; None is a missing one")
    try:
        number = float(value)
    except OverflowError as error:
        raise InputError(f"entry {place} of the {what} is too large for a number of 64 bits") from error
    if LARGEST_SCORE < abs(number) < inf:
        raise InputError(f"entry {place} of the {what} is {number}: none may be beyond {LARGEST_SCORE:g}")
    return number


def described(value: object) -> str:
    """The kind of a value for an error message, and the value itself where it is short."""
    text = shown(value)
    return text if text.startswith("a ") else f"{type(value).__name__} {text}"


def shown(value: object) -> str:
    """A value for an error message, or its kind where it is long."""
    text = repr(value)
    return text if len(text) <= 40 and text.isprintable() else f"a {type(value).__name__}"


def pairs(values: Any, what: str) -> list[tuple[str, Any]]:
    """Names with what they name: of a mapping, or of pairs."""
    if isinstance(values, Mapping):
        return list(values.items())
    try:
        named = list(values)
    except TypeError:
        named = [values]
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in named):
        raise InputError(f"{what} must come as a mapping from their names, not as {described(values)}")
    return named
