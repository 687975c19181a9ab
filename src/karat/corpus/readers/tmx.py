"""TMX translation memories: one segment per translation unit.

The source is the text in the header's ``srclang``, the target the text in the only other language; where there are
more languages, the language pair says which are meant; en is enough for en-US where there is no other English. The
targets may serve as a reference or as a system's output. Inline codes are left out. A memory has no documents, so units
of several files are joined by their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.corpus.contents import Contents, SegmentTable
from karat.corpus.files import InputFile
from karat.corpus.language_codes import chosen_language, pair_of
from karat.corpus.model import split_language_pair
from karat.corpus.readers.base import Reader, register
from karat.corpus.xmltree import one_line, parse_xml, position, text_of
from karat.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_CODES = ("bpt", "ept", "ph", "it", "ut", "sub")


@register
class TmxReader(Reader):
    """Reads TMX."""

    name = "tmx"
    description = "TMX translation memory"
    suffixes = (".tmx",)

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:
        """The sources, and the targets as a text that may be a reference or a system."""
        root = parse_xml(file, ("tmx",), "TMX")
        units = list(root.iter("tu"))
        if not units:
            raise InputError(f"{file.name} is empty: it has no translation unit")
        source, target = _pair(file, root, units, language_pair)
        table = SegmentTable(file)
        for number, unit in enumerate(units, 1):
            key = ("", position(number, unit.get("tuid")))
            for variant in unit.findall("tuv"):
                kind = {source.lower(): "source", target.lower(): "text"}.get(_language(variant).lower())
                segment = variant.find("seg")
                if kind and segment is not None:
                    table.add(kind, "", key, one_line(text_of(segment, _CODES)))
        contents = table.contents(source_language=source, target_language=target)
        return replace(contents, documents=None, keys=None)


def _example(spelled: Mapping[str, str], source: str) -> str:
    first = source if source in spelled else next(iter(spelled), "en")
    others = [code for name, code in spelled.items() if name != first]
    return pair_of([spelled.get(first, first), *others[:1]]) if others else "en-de"


def _language(variant: Element) -> str:
    return variant.get("lang") or ""


def _pair(file: InputFile, root: Element, units: list[Element], wanted: str | None) -> tuple[str, str]:
    """The languages to read, as the file spells them."""
    spelled = {_language(variant).lower(): _language(variant) for unit in units for variant in unit.findall("tuv")}
    if wanted:
        source, target = (
            chosen_language(language, list(spelled.values()), file.name) for language in split_language_pair(wanted)
        )
        return source, target
    header = root.find("header")
    source = ("" if header is None else header.get("srclang") or "").lower()
    if source not in spelled or len(spelled) != 2:
        raise InputError(
            f"{file.name} has texts in {', '.join(spelled.values())}, and its source language is "
            f"{source or 'not given'}: name the language pair that is meant, such as -l {_example(spelled, source)}"
        )
    (target,) = (language for language in spelled if language != source)
    return spelled[source], spelled[target]
