"""Texts with a mark wherever a tokenizer cuts them and no space does, so that a reader needs no tokenizer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SPACES = "\t\n\v\f\r "
"""What separates words without a mark."""

USUAL_MARK = "\x1f"
PRIVATE_USE = range(0xE000, 0xF900)

_PLAIN_WORDS = re.compile(r"\w+|[^\w\s]")


def cut_mark(texts: Iterable[str | None]) -> str:
    """A character that no text has.

    >>> cut_mark(["a b", None]), cut_mark(["a\\x1f"])
    ('\\x1f', '\\ue000')
    """
    used = set().union(*(text for text in texts if text is not None))
    return next(mark for mark in (USUAL_MARK, *map(chr, PRIVATE_USE)) if mark not in used)


def cut(text: str, tokens: Sequence[str], mark: str) -> str:
    """The text with marks between tokens; a text that the tokenizer changed is cut at what is no letter or digit.

    >>> cut("Really? Yes!", ["Really", "?", "Yes", "!"], "|")
    'Really|? Yes|!'
    >>> cut("&quot;Yes&quot;", ['"', "Yes", '"'], "|")
    '&|quot|;|Yes|&|quot|;'
    """
    marked = _cut(text, tokens, mark)
    return marked if marked is not None else _cut(text, _PLAIN_WORDS.findall(text), mark) or text


def _cut(text: str, tokens: Sequence[str], mark: str) -> str | None:
    """The text with marks; None where the tokens are not what it is made of."""
    pieces: list[str] = []
    end = 0
    for token in tokens:
        # Nothing or a space stands before nearly every token.
        if text.startswith(token, end):
            pieces += mark if end else "", token
            end += len(token)
            continue
        if text.startswith(token, end + 1) and text[end] == " ":
            pieces += " ", token
            end += 1 + len(token)
            continue
        start = text.find(token, end)
        gap = text[end:start] if start >= 0 else ""
        if start < 0 or (gap and not gap.isspace()):
            return None
        pieces += _marked_gap(gap, mark, first=end == 0), token
        end = start + len(token)
    rest = text[end:]
    if rest and not rest.isspace():
        return None
    return "".join([*pieces, mark + rest if rest.strip(SPACES) and pieces else rest])


def _marked_gap(gap: str, mark: str, *, first: bool) -> str:
    if not gap:
        return "" if first else mark
    if not gap.strip(SPACES):
        return gap
    return f"{gap}{mark}" if first else f"{mark}{gap}{mark}"


def cut_words(marked: str, mark: str) -> list[str]:
    """The words of a text with marks.

    >>> cut_words("Really|? Yes|!", "|")
    ['Really', '?', 'Yes', '!']
    """
    pieces = re.split(f"[{SPACES}{re.escape(mark)}]+", marked)
    return [piece for piece in pieces if piece and not piece.isspace()]
