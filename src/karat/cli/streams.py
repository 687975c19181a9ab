"""Stdout and stderr as they are: perhaps closed, perhaps without the signs that karat likes to use."""

from __future__ import annotations

import codecs
import io
import re
import sys
import unicodedata
from contextlib import suppress

from karat.report.table import visible

PLAIN_SIGNS = {
    "↑": "^",
    "↓": "v",
    "→": "->",
    "±": "+/-",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "−": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "·": "*",
    "’": "'",
    "“": '"',
    "”": '"',
    "Σ": "sum",
    "Π": "prod",
    "√": "sqrt",
    "∈": "in",
    "∉": "not in",
}
_GREEK = re.compile(r"GREEK (?:SMALL|CAPITAL) LETTER (\w+)")
_HANDLER = "karat-plain-signs"


def use_plain_signs() -> None:
    """Let stdout and stderr write what their encoding lacks as plain signs, or as escapes, and not fail."""
    codecs.register_error(_HANDLER, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def say(text: str, *, plain: bool = True) -> None:
    """One line on stderr, if there is anyone to hear it; control characters are made visible in plain text."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write((visible(text) if plain else text) + "\n")
            sys.stderr.flush()


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = error.object[error.start]
    if sign in PLAIN_SIGNS:
        return PLAIN_SIGNS[sign], error.start + 1
    if greek := _GREEK.fullmatch(unicodedata.name(sign, "")):
        return greek[1].lower(), error.start + 1
    single = UnicodeEncodeError(error.encoding, error.object, error.start, error.start + 1, error.reason)
    return codecs.backslashreplace_errors(single)
