"""MyThes thesauri, as office programs use them: one entry per word, one line per meaning."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.resources.files import content_hash, readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_COUNT = re.compile("[0-9]{1,9}")
_OTHER_RELATION = re.compile(
    r"(generic term|related term|similar term|antonym|oberbegriff|unterbegriff|assoziation)\)"
).search
"""Finds remarks, in the English and the German thesaurus, that tell other relations from synonymy."""


def thesaurus_file(directory: Path, code: str) -> Path | None:
    """The thesaurus of a language in a directory, the first of several countries; None if there is none."""
    return next(iter(sorted(directory.glob(f"th_{code}_*v2.dat"))), None)


class MyThes:
    """The meanings in a thesaurus; words of one meaning are synonyms, expressions of several words are left out."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Numbers are kept as text: few are ever looked at, and millions of small lists would be slow to make.
        self._meanings: dict[str, str] = {}
        known: dict[str, int] = {}
        for words in _meanings(path):
            # A meaning is often repeated in the entry of each of its words.
            meaning = "|".join(sorted(words))
            if meaning in known:
                continue
            known[meaning] = len(known)
            for word in words:
                self._meanings[word] = f"{self._meanings.get(word, '')} {known[meaning]}"

    @cached_property
    def signature(self) -> str:
        """The name of the file, and a hash of it: thesauri carry no version."""
        return f"{self.path.stem}/{content_hash(self.path)}"

    def synsets(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The meanings of each word; case does not matter."""
        return [tuple(map(int, self._meanings.get(word.lower(), "").split())) for word in words]


def _meanings(path: Path) -> Iterator[set[str]]:
    synonyms = _Synonyms()
    with readable(path), path.open(encoding=_encoding(path)) as stream:
        lines = enumerate(stream, 1)
        next(lines, None)
        for number, line in lines:
            word, separator, count = line.rstrip().rpartition("|")
            if not separator or not _COUNT.fullmatch(count):
                raise InputError(f"{path}, line {number}: an entry such as word|2 is expected, not {line.rstrip()!r}")
            for _ in range(int(count)):
                number, line = next(lines, (number + 1, ""))
                if "|" not in line:
                    raise InputError(f"{path}, line {number}: a meaning such as (noun)|synonym|synonym is expected")
                items = line.rstrip().lower().split("|")[1:]
                yield {synonyms[item] for item in (word.lower(), *items)} - {""}


class _Synonyms(dict[str, str]):
    """Items of meanings without their remarks; empty for what is no synonym, or more than one word."""

    def __missing__(self, item: str) -> str:
        word, _, remark = item.partition(" (")
        synonym = "" if " " in word or (remark and _OTHER_RELATION(remark)) else word
        self[item] = synonym
        return synonym


def _encoding(path: Path) -> str:
    """The encoding that the first line names."""
    with path.open("rb") as stream:
        name = stream.readline().strip().decode("ascii", "replace")
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise InputError(f"{path}, line 1: the name of an encoding is expected, not {name!r}") from None
    return name
