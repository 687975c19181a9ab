"""XLIFF 1.2 and 2.x: sources and their targets.

A segment is a ``trans-unit`` (1.2) or a ``segment`` of a ``unit`` (2.x); a document is a ``file``. Inline codes are
left out, text inside paired ones is kept; notes are not read. The targets may serve as a reference or as a system's
output.

In 1.2 a unit may keep the machine's output beside its post-edit, as ``alt-trans``: proposals and previous versions of
one origin that every unit has are a system of that name (``alt-trans`` where no origin is given; of several in one unit
the first counts), and the targets are then its reference. Files are joined by document and id; where these differ, by
id alone, or by place where the sources are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.corpus.contents import Contents, SegmentTable
from karat.corpus.files import InputFile
from karat.corpus.language_codes import chosen_language
from karat.corpus.model import split_language_pair
from karat.corpus.readers.base import Reader, register
from karat.corpus.xmltree import one_line, parse_xml, position, text_of
from karat.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_OUTPUTS = ("proposal", "previous-version")
_CODES = ("bpt", "ept", "ph", "it", "sub")


@register
class XliffReader(Reader):
    """Reads XLIFF."""

    name = "xliff"
    description = "XLIFF 1.2 and 2.x"
    suffixes = (".xlf", ".xliff", ".mxliff", ".sdlxliff")

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:
        """The sources, and the targets as a text that may be a reference or a system."""
        root = parse_xml(file, ("xliff",), "XLIFF")
        table = SegmentTable(file)
        files = list(root.iter("file"))
        for number, element in enumerate(files, 1):
            document = element.get("original") or position(number, element.get("id"))
            for key, segment in _segments(element):
                _add(table, (document, key), segment)
        first = files[0].attrib if files else {}
        sources = {root.get("srcLang") or element.get("source-language") for element in files}
        targets = {root.get("trgLang") or element.get("target-language") for element in files}
        if len(sources) > 1 or len(targets) > 1:
            raise InputError(f"{file.name} has files of several language pairs: split it")
        contents = table.contents(
            source_language=root.get("srcLang") or first.get("source-language"),
            target_language=root.get("trgLang") or first.get("target-language"),
        )
        if language_pair:
            _check_languages(contents, language_pair)
        whole = {name: column for name, column in contents.systems.items() if not len(column.missing)}
        partial = tuple(name for name in contents.systems if name not in whole)
        metadata = {**contents.metadata, "partial_systems": partial} if partial else contents.metadata
        return replace(contents, systems=whole, metadata=metadata, loosely_keyed=True)


def _check_languages(contents: Contents, language_pair: str) -> None:
    """Refuse a language pair that is not the file's."""
    declared = (contents.source_language, contents.target_language)
    for side, wanted, own in zip(("source", "target"), split_language_pair(language_pair), declared, strict=True):
        if own:
            chosen_language(wanted, [own], contents.file.name, side)


def _segments(file: Element) -> Iterator[tuple[str, Element]]:
    """Every segment of a file element, and its id."""
    for number, unit in enumerate(file.iter("trans-unit"), 1):
        yield position(number, unit.get("id")), unit
    for number, unit in enumerate(file.iter("unit"), 1):
        segments = unit.findall("segment")
        name = position(number, unit.get("id"))
        for index, segment in enumerate(segments, 1):
            yield name if len(segments) == 1 else f"{name}.{position(index, segment.get('id'))}", segment


def _add(table: SegmentTable, key: tuple[str, str], segment: Element) -> None:
    for kind, tag in (("source", "source"), ("text", "target")):
        element = segment.find(tag)
        if element is not None:
            _restore_characters(element)
            table.add(kind, "", key, one_line(text_of(element, _CODES)))
    for origin, element in _machine_outputs(segment).items():
        table.add("system", origin, key, one_line(text_of(element, _CODES)))


def _machine_outputs(segment: Element) -> dict[str, Element]:
    """What was there before a person edited it: the first text of each origin."""
    outputs: dict[str, Element] = {}
    for alternative in segment.findall("alt-trans"):
        target = alternative.find("target")
        if target is not None and alternative.get("alttranstype", "proposal") in _OUTPUTS:
            outputs.setdefault(alternative.get("origin") or "alt-trans", target)
    return outputs


def _restore_characters(element: Element) -> None:
    """XLIFF 2 writes characters that XML forbids as <cp hex="001B"/>."""
    for point in element.iter("cp"):
        try:
            point.text = chr(int(point.get("hex", ""), 16))
        except (ValueError, OverflowError):
            point.text = ""
