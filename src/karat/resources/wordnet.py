"""WordNet's database files: which sets of synonyms a word belongs to, in all its forms."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.resources.files import content_hash, existing, readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

ENDINGS = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
"""What WordNet's morphology takes off an inflected word, and what it puts there instead."""


class WordNet:
    """The sets of synonyms in a directory with index.noun, noun.exc and their like."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._known: dict[str, tuple[int, ...]] = {}
        self._parts = [_PartOfSpeech(directory, name, number) for number, name in enumerate(PARTS_OF_SPEECH)]

    @cached_property
    def signature(self) -> str:
        """WordNet's version, and a hash of the files that were read."""
        files = [existing(self.directory / f"index.{part}", "WordNet index") for part in PARTS_OF_SPEECH]
        exceptions = [self.directory / f"{part}.exc" for part in PARTS_OF_SPEECH]
        return f"wordnet:{self._version}/{content_hash(*files, *filter(_is_file, exceptions))}"

    @cached_property
    def _version(self) -> str:
        with (self.directory / "index.noun").open(encoding="utf-8", errors="replace") as lines:
            head = "".join(line for line, _ in zip(lines, range(30), strict=False))
        version = re.search(r"WordNet (\d+\.\d+)", head)
        return version[1] if version else "unknown"

    def synsets(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The sets of each word and of the base forms it may be an inflection of; case does not matter."""
        return [self._known.get(word) or self._look_up(word) for word in words]

    def _look_up(self, word: str) -> tuple[int, ...]:
        synsets = tuple(sorted({synset for part in self._parts for synset in part.synsets(word.lower())}))
        self._known[word] = synsets
        return synsets


class _PartOfSpeech:
    """The nouns, or the verbs, and so on."""

    def __init__(self, directory: Path, name: str, number: int) -> None:
        self._endings = ENDINGS[name]
        self._number = number
        self._index = dict(_index(existing(directory / f"index.{name}", "WordNet index")))
        exceptions = directory / f"{name}.exc"
        self._exceptions = dict(_exceptions(exceptions)) if exceptions.is_file() else {}

    def synsets(self, word: str) -> Iterator[int]:
        """Offsets in a data file repeat in those of other parts of speech, so the part is put into the number."""
        for form in self._forms(word.replace(" ", "_")):
            for offset in self._index.get(form, "").split():
                yield int(offset) * len(PARTS_OF_SPEECH) + self._number

    def _forms(self, word: str) -> Iterator[str]:
        yield word
        if word in self._exceptions:
            yield from self._exceptions[word]
            return
        for ending, replacement in self._endings:
            if word.endswith(ending) and len(word) > len(ending):
                yield word[: -len(ending)] + replacement


_OFFSET = re.compile("[0-9]{1,18}")


def _index(path: Path) -> Iterator[tuple[str, str]]:
    """Words and the offsets of their sets, as text: few are ever looked at."""
    with readable(path), path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith("  "):  # the licence
                continue
            fields = line.split()
            # word, part of speech, number of sets and of pointers, pointers, two more numbers, offsets of the sets
            try:
                offsets = fields[6 + int(fields[3]) :]
                complete = len(offsets) == int(fields[2]) and all(_OFFSET.fullmatch(offset) for offset in offsets)
            except (IndexError, ValueError):
                complete = False
            if not complete:
                raise InputError(f"{path}, line {number}: this is not an entry of a WordNet index")
            yield fields[0], " ".join(offsets)


def _exceptions(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Irregular forms and their base forms."""
    with readable(path), path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            form, *bases = line.split() or [""]
            if not bases:
                raise InputError(f"{path}, line {number}: a form and its base forms are expected")
            yield form, bases


def _is_file(path: Path) -> bool:
    return path.is_file()
