"""Translations damaged on purpose, to see who pays attention (Graham et al. 2013)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def replaced_words(length: int) -> int:
    """How many words are replaced in a text of so many: enough that a careful reader must notice.

    >>> [replaced_words(n) for n in (1, 2, 5, 6, 8, 9, 15, 16, 20, 40)]
    [1, 2, 2, 3, 3, 4, 4, 5, 5, 10]
    """
    limits = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
    return next((words for longest, words in limits if length <= longest), length // 4)


def damaged(text: str, others: Sequence[str], random: Random) -> str:
    """The text with one stretch of words replaced by a stretch of another text; its first and last words stay, if
    it has more than those.

    Text without spaces is taken character by character.
    """
    words, glue = _pieces(text)
    count = min(replaced_words(len(words)), len(words))
    room = len(words) - count
    first, last = (1, room - 1) if room >= 2 else (0, room)
    start = random.randint(first, max(first, last)) if words else 0
    for _ in range(20):
        foreign, _ = _pieces(random.choice(others)) if others else ([], glue)
        offset = random.randint(0, max(0, len(foreign) - count))
        stretch = foreign[offset : offset + count]
        result = glue.join([*words[:start], *stretch, *words[start + count :]])
        if len(stretch) == count and result != text:
            return result
    return glue.join([*words[:start], *reversed(words[start:])])


def _pieces(text: str) -> tuple[list[str], str]:
    words = text.split()
    return (words, " ") if len(words) > 1 or len(text) < 8 else (list(text), "")
