"""Errors of the drop-in: karat's own, which are also the built-in ones that sacreBLEU raises."""

from __future__ import annotations

from karat.errors import InputError, SpecError


class WrongTypeError(InputError, TypeError):
    """Something that is not text, or not a list of it."""


class NoReferencesError(InputError, RuntimeError):
    """A score was asked for without references, and none were given to the constructor."""


class UnknownOptionError(SpecError, KeyError, AssertionError):
    """An option with a value that does not exist."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes
