"""Which writing system a text is in, roughly: by Unicode block, for the Basic Multilingual Plane."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCKS = """
Latin 41-5A 61-7A AA-AA BA-BA C0-D6 D8-F6 F8-24F 1E00-1EFF 2C60-2C7F A720-A7FF FF21-FF3A FF41-FF5A
Greek 370-3FF 1F00-1FFF
Cyrillic 400-52F 1C80-1C8F 2DE0-2DFF A640-A69F
Armenian 530-58F
Hebrew 590-5FF
Arabic 600-6FF 750-77F 8A0-8FF FB50-FDFF FE70-FEFC
Devanagari 900-97F
Bengali 980-9FF
Gurmukhi A00-A7F
Gujarati A80-AFF
Oriya B00-B7F
Tamil B80-BFF
Telugu C00-C7F
Kannada C80-CFF
Malayalam D00-D7F
Sinhala D80-DFF
Thai E00-E7F
Lao E80-EFF
Tibetan F00-FFF
Myanmar 1000-109F
Georgian 10A0-10FF 1C90-1CBF
Hangul 1100-11FF 3130-318F AC00-D7AF
Ethiopic 1200-139F
Khmer 1780-17FF
Mongolian 1800-18AF
Chinese/Japanese 3040-312F 31F0-31FF 3400-4DBF 4E00-9FFF F900-FAFF FF66-FF9F
"""

SCRIPTS = ("other", *(line.split()[0] for line in _BLOCKS.split("\n") if line))
"""The names of the scripts; "other" is digits, punctuation, symbols and everything not listed."""


@cache
def _table() -> NDArray[np.uint8]:
    table = np.zeros(0x10000, dtype=np.uint8)
    for number, line in enumerate(filter(None, _BLOCKS.split("\n")), 1):
        for block in line.split()[1:]:
            first, last = (int(code, 16) for code in block.split("-"))
            table[first : last + 1] = number
    return table


def script_counts(text: str) -> NDArray[np.int64]:
    """How many letters of each of the `SCRIPTS` a text has.

    >>> counts = script_counts("Привет, world")
    >>> int(counts[SCRIPTS.index("Cyrillic")]), int(counts[SCRIPTS.index("Latin")])
    (6, 5)
    """
    return np.bincount(_table().take(_units(text)), minlength=len(SCRIPTS)).astype(np.int64)


def script_counts_by_line(text: str) -> NDArray[np.int64]:
    """How many letters of each of the `SCRIPTS` each line of a text has: lines by scripts.

    >>> counts = script_counts_by_line("Привет\\nworld")
    >>> counts[:, [SCRIPTS.index("Cyrillic"), SCRIPTS.index("Latin")]].tolist()
    [[6, 0], [0, 5]]
    """
    units = _units(text)
    ends = np.flatnonzero(units == ord("\n"))
    lengths = np.diff(ends, prepend=-1, append=len(units) - 1)  # line ends included
    cells = np.repeat(np.arange(len(lengths)) * len(SCRIPTS), lengths) + _table().take(units)
    counts = np.bincount(cells, minlength=len(lengths) * len(SCRIPTS)).reshape(len(lengths), -1)
    return counts.astype(np.int64)


WITHOUT_SPACES = {"Thai": "th", "Lao": "lo", "Myanmar": "my", "Khmer": "km", "Chinese/Japanese": "zh"}
"""Scripts that put no spaces between words, and a language of each."""
_KANA = 0x3040, 0x30FF
_JAPANESE_KANA = 0.1
"""Japanese has kana in every sentence, and Chinese has none but in quotations."""


def language_without_spaces(text: str) -> str | None:
    """The language of a text that is mostly in a script which puts no spaces between words; None of any other text.

    >>> language_without_spaces("今日は天気がいい。"), language_without_spaces("오늘은 날씨가 좋다.")
    ('ja', None)
    """
    if text.isascii():
        return None
    counts = script_counts(text)
    counts[0] = 0
    best = int(np.argmax(counts))
    language = WITHOUT_SPACES.get(SCRIPTS[best]) if 2 * counts[best] > counts.sum() else None
    return "ja" if language == "zh" and _kana(text) > _JAPANESE_KANA * counts[best] else language


def _kana(text: str) -> int:
    units, (first, last) = _units(text), _KANA
    return int(np.count_nonzero((units >= first) & (units <= last)))


def _units(text: str) -> NDArray[np.uint16]:
    return np.frombuffer(text.encode("utf-16-le"), dtype="<u2")
