"""Signs that must survive a translation: addresses, tags, placeholders, brackets, quotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from karat.analysis.flaws.lines import Sought
from karat.analysis.flaws.situation import Place, lost_and_added

if TYPE_CHECKING:
    from karat.analysis.flaws.lines import SegmentTexts
    from karat.analysis.flaws.situation import Situation

_ADDRESS_SIGN = r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]"
_LAST_SIGN = r"[A-Za-z0-9\-_~/#@$&*+=%]"
URL = re.compile(rf"(?:https?://|ftp://|www\.){_ADDRESS_SIGN}*{_LAST_SIGN}", re.IGNORECASE)
EMAIL = re.compile(r"(?<![\w.+-])[A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")
ADDRESSES = re.compile(rf"(?:https?://|ftp://|www\.){_ADDRESS_SIGN}*{_LAST_SIGN}|{EMAIL.pattern}", re.IGNORECASE)
TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>\n]*)?/?>")
PLACEHOLDER = re.compile(
    r"\$?\{\{?[A-Za-z0-9_.:-]*\}\}?"  # {name}, {0}, {{name}}, ${name}
    r"|%(?:\([A-Za-z_]\w*\)|\d+\$)?[-+0#]*\d*(?:\.\d+)?[sdfixu@](?![A-Za-z])"  # %s, %(name)s, %1$s
    r"|%[A-Z_]{2,}%"  # %NAME%
)

IN_ADDRESSES, IN_TAGS, IN_PLACEHOLDERS = ("://", "ww.", "wW.", "Ww.", "WW."), ("<",), ("{", "%")
"""What lines have that have an address, a tag, a placeholder."""


def urls(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with addresses of pages lost or invented."""
    return _compared(situation, output, URLS)


def emails(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with e-mail addresses lost or invented."""
    return _compared(situation, output, EMAILS)


def placeholders(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with placeholders lost or invented."""
    return _compared(situation, output, PLACEHOLDERS)


def _compared(situation: Situation, output: SegmentTexts, sought: Sought) -> Iterator[Place]:
    for segment, lost, added in lost_and_added(situation, output, sought):
        yield Place(segment, tuple(sorted(lost.elements())), tuple(sorted(added.elements())))


def tags(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with tags lost, invented, or closed before they are opened."""
    compared = {place.segment: place for place in _compared(situation, output, TAGS)}
    for segment in output.pieces(TAGS):
        if segment not in compared and (stray := _stray(output.lines[segment])):
            if situation.source is not None and _stray(situation.source.lines[segment]):
                continue
            if not situation.any_reference(lambda text: bool(_stray(text)), segment):
                compared[segment] = Place(segment, added=tuple(stray))
    yield from (compared[segment] for segment in sorted(compared))


def _tidy(tag: str) -> str:
    return re.sub(r"\s+", " ", tag).replace(" >", ">").replace(" />", "/>")


URLS = Sought(URL, str.casefold, IN_ADDRESSES)
EMAILS = Sought(EMAIL, str.casefold, ("@",))
TAGS = Sought(TAG, _tidy, IN_TAGS)
PLACEHOLDERS = Sought(PLACEHOLDER, None, IN_PLACEHOLDERS)


def _stray(text: str) -> list[str]:
    """Tags without a partner, in the order of the text.

    >>> _stray("<b>x</b><br/>"), _stray("</b>x<b>")
    ([], ['</b>', '<b>'])
    """
    opened: list[str] = []
    stray = []
    for match in TAG.finditer(text):
        tag = match[0]
        name = re.split(r"[\s/>]", tag.lstrip("</"))[0]
        if tag.endswith("/>") or name.lower() in ("br", "img", "hr"):
            continue
        if not tag.startswith("</"):
            opened.append(tag)
        elif opened and re.match(rf"<{re.escape(name)}[\s>]", opened[-1]):
            opened.pop()
        else:
            stray.append(tag)
    return [*stray, *opened]


_CLOSING = {
    ")": "(",
    "]": "[",
    "}": "{",
    "）": "（",
    "］": "［",
    "】": "【",
    "」": "「",
    "』": "『",
    "》": "《",
    "〉": "〈",
}
_BRACKETS = "".join((*_CLOSING, *_CLOSING.values()))
BRACKET = re.compile(f"[{re.escape(_BRACKETS)}]")
_FACE = re.compile(r"[:;=8xX][-o*'^]?[()\[\]]+|[()][-o*'^]?[:;=8]")
_LIST_NUMBER = re.compile(r"(?:^|[\s,;])(?:\d{1,2}|[^\W\d_]|[ivxIVX]{1,4})$")


def unpaired_brackets(text: str) -> list[str]:
    """Brackets without a partner; faces and the numbers of a list are none.

    >>> unpaired_brackets("a) (b [c) :-)"), unpaired_brackets("「はい」（笑"), unpaired_brackets("(so do I)")
    ([')', '(', '['], ['（'], [])
    """
    opened: list[str] = []
    stray = []
    plain = _FACE.sub("", text)
    for match in BRACKET.finditer(plain):
        sign = match[0]
        if sign not in _CLOSING:
            opened.append(sign)
        elif opened and opened[-1] == _CLOSING[sign]:
            opened.pop()
        elif opened or not _LIST_NUMBER.search(plain, 0, match.start()):
            stray.append(sign)
    return [*stray, *opened]


def brackets(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with brackets that do not pair up, where those of source and references do."""
    return _unpaired(situation, output.lines_with(_BRACKETS), output, unpaired_brackets)


_QUOTES = '"＂“”„‟«»'
QUOTE = re.compile(rf"[{_QUOTES}](?<!\w[\"＂](?=\w))")
"""Double quotes of all languages; a straight one between letters is part of a Hebrew or shortened word.

A pattern that begins with a class of characters is searched for quickly.
"""
_INCHES = re.compile(r"(?<=\d)[\"”]")


def unpaired_quotes(text: str) -> list[str]:
    """The last double quote of a text that has an odd number of them: languages open and close with the same signs.

    >>> unpaired_quotes('„Ja“, sagte er. "Nein'), unpaired_quotes('a 5" disk'), unpaired_quotes('צה"ל')
    (['"'], [], [])
    """
    quotes = QUOTE.findall(text)
    if len(quotes) % 2 == 0 or (len(quotes) - len(_INCHES.findall(text))) % 2 == 0:
        return []
    return quotes[-1:]


def quotes(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with an odd number of double quotes, where those of source and references are even."""
    return _unpaired(situation, output.lines_with(_QUOTES), output, unpaired_quotes)


def _unpaired(
    situation: Situation, segments: set[int], output: SegmentTexts, search: Callable[[str], list[str]]
) -> Iterator[Place]:
    for segment in sorted(segments):
        if not (stray := search(output.lines[segment])):
            continue
        theirs = [] if situation.source is None else [situation.source.lines[segment]]
        if not any(map(search, (*theirs, *situation.references_of(segment)))):
            yield Place(segment, added=tuple(stray))
