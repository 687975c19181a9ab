"""Names, numbers, dates and quantities of text in any language that has capitals and digits, told by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["name", "number", "date", "unit"]

_UNITS = (
    "% ‰ °C °F ° € $ £ ¥ ₹ ₽ km/h m/s km² m² m³ km cm mm nm µm m kg mg µg g ml l kWh MWh GW MW kW GHz MHz kHz Hz "
    "TB GB MB kB min ha"
)
"""Signs and abbreviations of units, the longer of two that begin alike first; letters that are words are none."""

_NUMBER = r"\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?"
_UNIT = "|".join(re.escape(unit) for unit in _UNITS.split())
_FORM = re.compile(
    rf"""(?P<date>\b\d{{4}}-\d{{1,2}}-\d{{1,2}}\b|\b\d{{1,2}}([./-])\d{{1,2}}\2(?:\d{{4}}|\d{{2}})\b)
    |(?P<before>[€$£¥₹])\s?(?P<sum>{_NUMBER})
    |(?P<number>(?:(?<![^\s(])[-−])?(?:{_NUMBER}))(?:[\s\u00a0\u202f]?(?P<unit>{_UNIT})(?!\w))?
    |(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)""",
    re.VERBOSE,
)
_SENTENCE_END = re.compile(r"""(?:^|[.!?…:;])[\s"'“”„«»()\[\]–—-]*$""")
_GROUPED = re.compile(r"[.,'’\u00a0\u202f](?=\d{3}(?!\d))")


class Named(NamedTuple):
    """A kind, and what two writings of the same thing have in common."""

    kind: Kind
    form: str


def names_in(text: str) -> Iterator[Named]:
    """All that has the form of a name, number, date or quantity.

    >>> [one.form for one in names_in("On 3.4.2021 Anna paid 1.500,50 € in New York")]
    ['3-4-2021', 'Anna', '1500.50 €', 'New', 'York']
    """
    for match in _FORM.finditer(text):
        if match["date"]:
            yield Named("date", _date(match["date"]))
        elif match["sum"]:
            yield Named("unit", f"{_number(match['sum'])} {match['before']}")
        elif match["number"]:
            number = _number(match["number"])
            yield Named("unit", f"{number} {match['unit']}") if match["unit"] else Named("number", number)
        elif _is_name(text, match):
            yield Named("name", match["word"])


def _number(text: str) -> str:
    """A number without what groups its digits, and with a point before its decimals.

    >>> [_number(text) for text in ("1.234.567,8", "1,234", "−0.5", "٣")]
    ['1234567.8', '1234', '-0.5', '3']
    """
    joined = _GROUPED.sub("", text).replace(",", ".").replace("−", "-")
    return "".join(str(int(sign)) if sign.isdecimal() else sign for sign in joined)


def _date(text: str) -> str:
    """The numbers of a date, without zeros before them, the year last; day and month stay in their order."""
    numbers = [str(int(number)) for number in re.split(r"[./-]", text)]
    return "-".join(reversed(numbers) if len(text.partition("-")[0]) == 4 else numbers)


def _is_name(text: str, match: re.Match[str]) -> bool:
    """Whether a word is written like a name: with capitals that no beginning of a sentence explains."""
    word = match["word"]
    if len(word) > 1 and any(sign.isupper() for sign in word[1:]):
        return True
    return word[0].isupper() and not _SENTENCE_END.search(text[max(0, match.start() - 8) : match.start()])
