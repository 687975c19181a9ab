"""XML as a tree, safely: entity declarations are refused, and nothing outside the file is ever read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from karat.corpus.files import InputFile
from karat.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ENCODING = re.compile(r"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)[\"']")
_BREAK = re.compile(r"(?<![ \t\r])[ \t\r]*+\n[ \t\r\n]*+")
"""A run of white space with a line end in it, looked at from its start only: long runs would take quadratic time."""
_DEPTH = 200
"""No format here nests deeper; Python's own tree functions recurse."""


def parse_xml(file: InputFile, roots: Collection[str], expected: str) -> Element:
    """The root element, refused unless its name is among `roots`; namespaces are dropped from all names."""
    text = file.text()
    if not text.strip():
        raise InputError(f"{file.name} is empty")
    declared = _ENCODING.match(text)
    if declared and declared[1].lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
        raise InputError(f"{file.name} declares the encoding {declared[1]}, but karat reads UTF-8: convert it")
    root = _Builder(file).tree(text)
    if root.tag not in roots:
        raise InputError(
            f"{file.name} is not {expected}: its root element is <{root.tag}>, "
            f"expected <{'> or <'.join(sorted(roots))}>"
            f"{_HINTS.get(root.tag, '')}"
        )
    return root


_HINTS = {
    "dataset": ". It looks like WMT XML: read it with format='wmt'",
    "xliff": ". It looks like XLIFF: read it with format='xliff'",
    "tmx": ". It looks like TMX: read it with format='tmx'",
    "refset": ". It looks like NIST SGM: read it with format='sgm'",
    "srcset": ". It looks like NIST SGM: read it with format='sgm'",
    "tstset": ". It looks like NIST SGM: read it with format='sgm'",
    "mteval": ". It looks like NIST SGM: read it with format='sgm'",
}


class _Builder:
    """Feeds expat's events to a tree; ElementTree's own parser does not let one see declarations."""

    def __init__(self, file: InputFile) -> None:
        from xml.etree.ElementTree import TreeBuilder
        from xml.parsers import expat

        self._file = file
        self._builder = TreeBuilder()
        self._depth = 0
        self._expat = expat
        self._parser = parser = expat.ParserCreate("utf-8", namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._builder.data
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped

    def tree(self, text: str) -> Element:
        """The root of the parsed text."""
        try:
            self._parser.Parse(text.encode(), True)
        except self._expat.ExpatError as error:
            reason = self._expat.ErrorString(error.code)
            raise self._refusal(f"not valid XML ({reason})", error.lineno, error.offset + 1) from error
        return self._builder.close()

    def _refusal(self, reason: str, line: int, column: int) -> InputError:
        return InputError(f"{self._file.name}, line {line}, column {column}: {reason}")

    def _here(self, reason: str) -> InputError:
        return self._refusal(reason, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEPTH:
            raise self._here(f"elements are nested more than {_DEPTH} deep")
        self._builder.start(local_name(tag), {local_name(name): value for name, value in attributes.items()})

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._builder.end(local_name(tag))

    def _entity(self, name: str, *_: object) -> None:
        raise self._here(f"the entity {name} is declared, but karat does not read declarations from data: replace it")

    def _skipped(self, name: str, _is_parameter: bool) -> None:
        raise self._here(f"the entity &{name}; is not known: write the character itself")


def local_name(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]


def text_of(element: Element, dropped: Collection[str] = ()) -> str:
    """All text inside an element, without what stands inside dropped elements."""
    return "".join(_pieces(element, dropped))


def _pieces(element: Element, dropped: Collection[str]) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag not in dropped:
            yield from _pieces(child, dropped)
        yield child.tail or ""


def one_line(text: str) -> str:
    """Segment text without the white space of the markup: trimmed, and a line break is a space."""
    return _BREAK.sub(" ", text.strip(" \t\r\n"))


def position(index: int, own_id: str | None) -> str:
    """The id that an element gives itself, else its place."""
    return own_id if own_id else str(index)
