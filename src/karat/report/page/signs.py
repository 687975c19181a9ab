"""Text for a page: characters that cannot be seen, or that change how others are shown, become visible signs."""

from __future__ import annotations

import re

UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb]"
)
"""Controls, marks of direction, invisible format characters and lone surrogates; joiners belong to the text."""

CONTROL_PICTURES = 0x2400
DELETE = 0x7F


def with_signs(text: str) -> str:
    """The text with signs for what is not seen; the page's own script does the same.

    >>> with_signs("a\\x00b\\u202ec")
    'a␀b⟨U+202E⟩c'
    """
    return UNSEEN.sub(lambda match: sign_of(match[0]), text)


_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_ENDS = r"\s,;:!?()\[\]<>=&"
_WORD = f"(?<![^{_ENDS}])[^{_ENDS}]*[{_RIGHT_TO_LEFT}](?:[^{_ENDS}]*[^{_ENDS}.])?"
_NAMES = re.compile(f"{_WORD}(?: {_WORD})*")


def with_names_apart(markup: str) -> str:
    """A sentence, escaped, in which names that are read from right to left keep the places where they stand.

    >>> with_names_apart("\u05d0 − \u05d1 \u05d2, old.")
    '<bdi>\u05d0</bdi> − <bdi>\u05d1 \u05d2</bdi>, old.'
    """
    return _NAMES.sub(lambda match: f"<bdi>{match[0]}</bdi>", markup)


def with_names_isolated(text: str) -> str:
    """The same where nothing but text can stand: names between isolating controls.

    >>> with_names_isolated("\u05d0: -1 (-2 to 0)").encode("unicode_escape")
    b'\\\\u2068\\\\u05d0\\\\u2069: -1 (-2 to 0)'
    """
    return _NAMES.sub(lambda match: f"\u2068{match[0]}\u2069", text)


def sign_of(character: str) -> str:
    """What stands for a character that is not seen."""
    code = ord(character)
    if code < 0x20:
        return chr(CONTROL_PICTURES + code)
    return "␡" if code == DELETE else f"⟨U+{code:04X}⟩"
