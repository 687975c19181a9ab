"""Annotations of the texts of a corpus: whose they are, by the names that people give."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from karat.arguments import pairs
from karat.corpus.readers.annotations import read_annotations
from karat.errors import InputError, did_you_mean
from karat.text.annotation import Annotations

if TYPE_CHECKING:
    from karat.corpus.model import Corpus
    from karat.text import TextColumn
    from karat.text.annotation import Annotation

Role = Literal["system", "reference", "source"]
Named = tuple[Role, str]
"""What a text is in a corpus, and its name."""

REFERENCE, SOURCE = "reference", "source"
"""What stand for the only reference, and for the source; `reference:NAME` is one of the name of a system."""

if TYPE_CHECKING:
    Given = str | os.PathLike[str] | Annotations | Iterable[Annotation | None]
    """A file of annotations, or annotations."""


def annotations_by_text(corpus: Corpus, given: Mapping[str, Given]) -> dict[Named, Annotations]:
    """The annotations of texts that are named by people, checked to be theirs."""
    by_text: dict[Named, Annotations] = {}
    for name, known in pairs(given, "annotations"):
        text = text_named(name, corpus, f"annotations of {name}")
        if text in by_text:
            raise InputError(f"annotations of {name}: that text has some already: give each text one file")
        by_text[text] = _annotations(known, _column(corpus, text), name)
    return by_text


def text_named(name: str, corpus: Corpus, where: str) -> Named:
    """The text that a name means: a system, a reference, the only reference, or the source."""
    if name in corpus.systems:
        return "system", name
    if name.removeprefix(f"{REFERENCE}:") in corpus.references:
        return "reference", name.removeprefix(f"{REFERENCE}:")
    if name == REFERENCE and len(corpus.references) == 1:
        return "reference", next(iter(corpus.references))
    if name == SOURCE and corpus.source is not None:
        return "source", name
    if name == SOURCE:
        raise InputError(f"{where}: there is no source text: add -s FILE, or in Python source=[...]")
    known = [*corpus.systems, *reference_names(corpus), *([SOURCE] if corpus.source is not None else [])]
    raise InputError(f"{where}: there is no {_kinds(corpus)} {name!r}.{did_you_mean(name, known)}")


def reference_names(corpus: Corpus) -> list[str]:
    """What references are called here: a name that a system has, too, means the system."""
    return [f"{REFERENCE}:{name}" if name in corpus.systems else name for name in corpus.references]


def _kinds(corpus: Corpus) -> str:
    return "system or reference" if corpus.source is None else "system, reference or source"


def _column(corpus: Corpus, text: Named) -> TextColumn:
    role, name = text
    if role == "source" and corpus.source is not None:
        return corpus.source
    return corpus.systems[name] if role == "system" else corpus.references[name].text


def _annotations(given: Given, column: TextColumn, whose: str) -> Annotations:
    if isinstance(given, Annotations):
        return given
    if isinstance(given, str | os.PathLike):
        return read_annotations(given, column, whose)
    return Annotations.of(given)
