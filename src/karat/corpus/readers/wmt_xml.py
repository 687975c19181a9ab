"""The XML of WMT's test sets and submissions since 2021.

::

    <dataset id="generaltest2022.en-de">
      <collection id="general">
        <doc origlang="en" id="news-1" domain="news">
          <src lang="en"><p><seg id="1">A house</seg></p></src>
          <ref lang="de" translator="A"><p><seg id="1">Ein Haus</seg></p></ref>
          <hyp system="Online-A" language="de"><p><seg id="1">Das Haus</seg></p></hyp>
        </doc>
      </collection>
    </dataset>

Segments are joined by document and id. A document without one of the references lacks that reference.
"""

from __future__ import annotations

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

_KINDS = {"src": "source", "ref": "reference", "hyp": "system"}


@register
class WmtXmlReader(Reader):
    """Reads WMT XML."""

    name = "wmt"
    description = "WMT XML (2021 and later)"
    suffixes = (".xml",)

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:
        """Sources, references by translator, hypotheses by system."""
        root = parse_xml(file, ("dataset",), "WMT XML")
        wanted = split_language_pair(language_pair) if language_pair else (None, None)
        sources, targets = _languages(root, "src"), _languages(root, "ref", "hyp")
        source = _only_language(file, sources, wanted[0], "source")
        target = _only_language(file, targets, wanted[1], "target")
        table = SegmentTable(file)
        for number, document in enumerate(root.iter("doc"), 1):
            name = position(number, document.get("id"))
            table.set_domain(name, document.get("domain"))
            for element in document:
                if element.tag in _KINDS and _language(element) in (None, source if element.tag == "src" else target):
                    _add(table, element, name)
        return table.contents(source_language=source, target_language=target)


def _language(element: Element) -> str | None:
    return element.get("lang") or element.get("language")


def _languages(root: Element, *tags: str) -> list[str]:
    languages = (_language(element) for tag in tags for element in root.iter(tag))
    return list(dict.fromkeys(language for language in languages if language))


def _only_language(file: InputFile, languages: list[str], wanted: str | None, side: str) -> str | None:
    if wanted is not None and languages:
        return chosen_language(wanted, languages, file.name, side)
    if wanted is None and len(languages) > 1:
        raise InputError(
            f"{file.name} has {side} texts in {', '.join(languages)}: name the language pair that is meant, with -l"
        )
    return wanted or (languages[0] if languages else None)


def _add(table: SegmentTable, element: Element, document: str) -> None:
    names = {"src": "", "ref": element.get("translator") or "ref", "hyp": element.get("system") or "system"}
    for number, segment in enumerate(element.iter("seg"), 1):
        key = (document, position(number, segment.get("id")))
        table.add(_KINDS[element.tag], names[element.tag], key, one_line(text_of(segment)))
