"""What METEOR 1.5 carries in its jar: function words, and WordNet 3.0 in a form of its own."""

from __future__ import annotations

import zipfile
from functools import cached_property
from typing import TYPE_CHECKING

from karat.errors import InputError, MissingResourceError
from karat.resources.files import METEOR, content_hash
from karat.resources.wordnet import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

INSTALL_METEOR = "pip install 'karat[meteor]'"

_RULES: dict[str, list[tuple[str, str]]] = {}
"""What may be taken off a word and put there instead, by the last letter of the word."""
for _part in ("noun", "verb", "adj"):
    for _ending, _new in ENDINGS[_part]:
        _RULES.setdefault(_ending[-1], []).append((_ending, _new))


def missing_meteor(what: str) -> MissingResourceError:
    """The error that says where METEOR comes from."""
    return MissingResourceError(
        what, f"Install METEOR with: {INSTALL_METEOR}; or set {METEOR} to its jar or the directory of it"
    )


def read_member(jar: Path, name: str) -> str | None:
    """The text of a file in the jar; None if it has no such file."""
    try:
        with zipfile.ZipFile(jar) as archive:
            return archive.read(name).decode("utf-8") if name in archive.namelist() else None
    except (zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise InputError(f"{jar}, {name}: cannot be read ({error}); is this METEOR 1.5's jar?") from error


class MeteorSynonyms:
    """Sets of synonyms as METEOR sees them.

    A word is in its own sets and in those of its base forms: the irregular ones if the jar lists any, else the first
    that WordNet's endings lead to. Parts of speech are not told apart, so two sets may share a number.
    """

    def __init__(self, jar: Path) -> None:
        self.jar = jar
        self._synsets = dict(self._pairs("synonym/english.synsets"))
        self._bases: dict[str, list[str]] = {}
        for base, forms in self._pairs("synonym/english.exceptions"):
            for form in forms.split():
                self._bases.setdefault(form, []).append(base)

    @cached_property
    def signature(self) -> str:
        """METEOR's name for it, and a hash of the jar."""
        return f"meteor-synonyms:1.5/{content_hash(self.jar)}"

    def synsets(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The sets of each word; METEOR has lower-case entries only, and so are words expected."""
        return [tuple(sorted(set(self._of(word)))) for word in words]

    def _of(self, word: str) -> Iterator[int]:
        for form in (word, *self._base_forms(word)):
            for number in self._synsets.get(form, "").split():
                yield int(number)

    def _base_forms(self, word: str) -> list[str]:
        if word in self._bases:
            return self._bases[word]
        if word.endswith("ss") or len(word) <= 2:
            return []
        stripped = (word[: -len(ending)] + new for ending, new in _RULES.get(word[-1], ()) if word.endswith(ending))
        return [form for form in stripped if form in self._synsets][:1]

    def _pairs(self, name: str) -> Iterator[tuple[str, str]]:
        text = read_member(self.jar, name)
        if text is None:
            raise InputError(f"{self.jar} has no {name}: is this METEOR 1.5's jar?")
        lines = text.splitlines()
        if len(lines) % 2:
            raise InputError(f"{self.jar}, {name}, line {len(lines)}: the last entry has no second line")
        return zip(lines[::2], lines[1::2], strict=True)
