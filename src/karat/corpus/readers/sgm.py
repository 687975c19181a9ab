"""NIST SGM: srcset, refset and tstset of documents and segments, as used from 2001 to 2020.

These files are not XML: tags are in capitals or not, attributes may lack quotes, and text may hold a bare ``&`` or
``<``. Only the tags srcset, refset, tstset, doc and seg are looked at; what stands between ``<seg>`` and ``</seg>`` is
text. The entities of XML and numeric ones are decoded and others left as they are. References are named by ``sysid``
(or ``refid``), systems by ``sysid``; a set or file may hold several, and they are joined by document and segment id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from karat.corpus.contents import Contents, SegmentTable
from karat.corpus.files import InputFile
from karat.corpus.readers.base import Reader, register
from karat.corpus.xmltree import one_line, position
from karat.errors import InputError

_TAG = re.compile(r"<\s*+(/?+)\s*+(srcset|refset|tstset|doc|seg)\b([^>]*+)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?<![\w:-])([\w:-]++)\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_KINDS = {"srcset": "source", "refset": "reference", "tstset": "system"}


@register
class SgmReader(Reader):
    """Reads NIST SGM."""

    name = "sgm"
    description = "NIST SGM (srcset, refset, tstset)"
    suffixes = (".sgm", ".sgml")

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:  # noqa: ARG002
        """Sources, references and systems, whichever sets there are."""
        text = file.text()
        if not text.strip():
            raise InputError(f"{file.name} is empty")
        state = _State(file, text, SegmentTable(file))
        end = text.rfind(">") + 1  # a search for the end of each of many open tags would take quadratic time
        for tag in _TAG.finditer(text, 0, end):
            state.handle(tag)
        return state.finish()


@dataclass
class _State:
    """Where in the file we are: which set, document and segment is open."""

    file: InputFile
    text: str
    table: SegmentTable
    set_tag: str = ""
    set_name: str = ""
    document: str = ""
    name: str = ""
    documents_seen: int = 0
    segments_seen: int = 0
    open_segment: re.Match[str] | None = None
    languages: dict[str, str] = field(default_factory=dict)

    def handle(self, tag: re.Match[str]) -> None:
        """One opening or closing tag."""
        closing, kind, attributes = bool(tag[1]), tag[2].lower(), dict(_attributes(tag[3]))
        if self.open_segment is not None:
            if (closing, kind) != (True, "seg"):
                raise self._error(self.open_segment, f"<seg> is not closed before <{tag[1]}{tag[2]}>")
            self._close_segment(self.open_segment, tag)
        elif kind in _KINDS:
            self._set(kind, closing, attributes)
        elif kind == "doc":
            self._document(tag, closing, attributes)
        elif not closing:
            self._segment(tag)

    def finish(self) -> Contents:
        """What was collected."""
        if self.open_segment is not None:
            raise self._error(self.open_segment, "<seg> is never closed")
        if not self.documents_seen:
            raise InputError(f"{self.file.name} is not NIST SGM: it has no <srcset>, <refset> or <tstset> with a <doc>")
        known: dict[str, Any] = {
            "source_language": self.languages.get("srclang"),
            "target_language": self.languages.get("trglang"),
        }
        return self.table.contents(**known)

    def _set(self, kind: str, closing: bool, attributes: dict[str, str]) -> None:
        self.set_tag = "" if closing else kind
        self.document = ""
        self.set_name = attributes.get("refid") or attributes.get("sysid") or ""
        self.documents_seen = self.documents_seen if closing else 0
        for name in ("srclang", "trglang"):
            if attributes.get(name, "any").lower() != "any":
                self.languages[name] = attributes[name]

    def _document(self, tag: re.Match[str], closing: bool, attributes: dict[str, str]) -> None:
        if closing:
            self.document = ""
            return
        if not self.set_tag:
            raise self._error(tag, "<doc> stands outside <srcset>, <refset> and <tstset>")
        self.documents_seen += 1
        self.segments_seen = 0
        self.document = position(self.documents_seen, attributes.get("docid"))
        fallback = {"srcset": "", "refset": "ref", "tstset": "system"}[self.set_tag]
        self.name = "" if self.set_tag == "srcset" else attributes.get("sysid") or self.set_name or fallback
        self.table.set_domain(self.document, attributes.get("genre"))

    def _segment(self, tag: re.Match[str]) -> None:
        if not self.document:
            raise self._error(tag, "<seg> stands outside <doc>")
        self.segments_seen += 1
        self.open_segment = tag

    def _close_segment(self, opened: re.Match[str], closed: re.Match[str]) -> None:
        own_id = dict(_attributes(opened[3])).get("id")
        key = (self.document, position(self.segments_seen, own_id))
        text = one_line(_decoded(self.text[opened.end() : closed.start()]))
        self.table.add(_KINDS[self.set_tag], self.name, key, text, lambda: f", line {self._line(opened)}")
        self.open_segment = None

    def _line(self, tag: re.Match[str]) -> int:
        return self.text.count("\n", 0, tag.start()) + 1

    def _error(self, tag: re.Match[str], reason: str) -> InputError:
        return InputError(f"{self.file.name}, line {self._line(tag)}: {reason}")


def _attributes(text: str) -> Iterator[tuple[str, str]]:
    for name, *values in _ATTRIBUTE.findall(text):
        yield name.lower(), _decoded(next((value for value in values if value), ""))


def _decoded(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity[1]:
        return _NAMED[entity[1]]
    code = int(entity[2]) if entity[2] else int(entity[3], 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else entity[0]
