"""Numbers across languages: 1,000.5 and 1.000,5 and ١٠٠٠٫٥ are the same number, and "three" may be 3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from karat.analysis.flaws.lines import Sought
from karat.analysis.flaws.marks import ADDRESSES, IN_ADDRESSES, IN_PLACEHOLDERS, IN_TAGS, PLACEHOLDER, TAG
from karat.analysis.flaws.situation import NO_PIECES, Place, lost_and_added

if TYPE_CHECKING:
    from karat.analysis.flaws.lines import SegmentTexts
    from karat.analysis.flaws.situation import Situation

_GROUPED = r"(?<![\d.,]\d)\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\d])(?:[.,٫]\d+)?"
_PLAIN = r"\d*(?:[.,٫٬'’]\d+)*"
DIGITS = re.compile(rf"\d(?:{_GROUPED}|{_PLAIN})")
"""Numbers; a pattern that begins with a class of characters is searched for quickly."""
NUMBER = re.compile(f"{ADDRESSES.pattern}|{TAG.pattern}|{PLACEHOLDER.pattern}|{DIGITS.pattern}")
"""The same where something may only look like one, in an address or a tag: that is taken first, and has no digits."""

SPELLED = 12
"""Numbers up to this are often written in words."""
LONG, CUT = 4, 3
"""So many digits are a number that can be written in thousands or millions, or with its parts apart."""
_IDEOGRAPHS = re.compile("[〇零一二三四五六七八九十百千万亿億兆两兩]")
_NOT_A_NUMBER = re.compile(f"{ADDRESSES.pattern}|{TAG.pattern}|{PLACEHOLDER.pattern}")


def digits_of(text: str) -> str:
    """The digits of a number in European form without separators, nor zeros in front; of what is no number, none.

    >>> digits_of("1.000,5"), digits_of("1,000.5"), digits_of("٠٧"), digits_of("0"), digits_of("http://a.b/1")
    ('10005', '10005', '7', '0', '')
    """
    if text.isascii() and text.isdecimal():
        return text.lstrip("0") or "0"
    if _NOT_A_NUMBER.fullmatch(text):
        return ""
    digits = "".join(str(int(sign)) for sign in text if sign.isdecimal())
    return digits.lstrip("0") or "0"


NUMBERS = Sought(NUMBER, digits_of, (*IN_ADDRESSES, "@", *IN_TAGS, *IN_PLACEHOLDERS), DIGITS)


def numbers(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with numbers lost or invented; other ways to write the same number are none."""
    for segment, lost, added in lost_and_added(situation, output, NUMBERS):
        written = output.pieces(NUMBERS).get(segment, NO_PIECES)
        present = {digits for digits in written if digits}
        given = {digits for judge in situation.judges(NUMBERS) for digits in judge.pieces.get(segment, ())}
        # A number that is there at least once is neither lost nor invented.
        gone = {digits for digits in lost if digits} - present
        new = {digits for digits in added if digits} - given
        gone, new = _without_other_forms(gone, new, present, given - {""})
        if gone and _IDEOGRAPHS.search(output.lines[segment]):
            gone = set()
        if not (gone and new):
            gone, new = ({digits for digits in side if int(digits) > SPELLED} for side in (gone, new))
        if gone or new:
            yield Place(segment, tuple(sorted(gone)), tuple(sorted(new)))


def _without_other_forms(
    gone: set[str], new: set[str], present: set[str], given: set[str]
) -> tuple[set[str], set[str]]:
    """What is left when numbers in another form are taken out: 1.5 million, 5 p.m., the nineties, 2:30 as 2.30."""
    for wholes, parts in ((gone, new), (new, gone)):
        for whole in [*wholes]:
            if len(whole) >= CUT and (cut := _cut(whole, parts)):
                wholes.discard(whole)
                parts -= cut
    lost = {digits for digits in gone if not any(_same(digits, other) for other in present)}
    invented = {digits for digits in new if not any(_same(digits, other) for other in given)}
    return lost, invented


def _cut(whole: str, parts: set[str]) -> set[str]:
    """The parts that a number is made of, one after another; none if it is not.

    >>> sorted(_cut("232", {"2", "32", "7"})), _cut("233", {"2", "32"})
    (['2', '32'], set())
    """
    used: set[str] = set()
    rest = whole
    while rest:
        part = max((part for part in parts if rest.startswith(part) and part != whole), key=len, default=None)
        if part is None:
            return set()
        used.add(part)
        rest = rest[len(part) :].lstrip("0")
    return used


def _same(digits: str, other: str) -> bool:
    """Whether two numbers may be the same one.

    >>> _same("1500000", "15"), _same("5", "17"), _same("1990", "90"), _same("10", "100")
    (True, True, True, False)
    """
    short, long = sorted((digits, other), key=lambda number: (len(number), number))
    if len(long) >= LONG and (short.rstrip("0") == long.rstrip("0") or (len(short) == 2 and long[-2:] == short)):
        return True
    return len(long) <= 2 and int(long) - int(short) == 12 and 1 <= int(short) <= 11
