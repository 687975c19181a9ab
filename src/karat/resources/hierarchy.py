"""WordNet's hierarchy: what its sets of nouns and verbs are kinds of, and how many steps lead there."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.resources.files import content_hash, existing, readable
from karat.resources.wordnet import PARTS_OF_SPEECH, WordNet

if TYPE_CHECKING:
    from pathlib import Path

    from karat.resources.synonyms import Synonyms

KINDS_OF = ("@", "@i")
"""The pointers from a set to what it is a kind of, or an instance of."""
_WITH_KINDS = ("noun", "verb")


class Hierarchy:
    """What sets of nouns and verbs are kinds of, with the numbers of `WordNet`; usable from several threads at once."""

    def __init__(self, directory: Path) -> None:
        self._paths = {part: existing(directory / f"data.{part}", "WordNet data file") for part in _WITH_KINDS}
        self._files = {part: _mapped(path) for part, path in self._paths.items()}
        self._parents: dict[int, tuple[int, ...]] = {}

    @cached_property
    def signature(self) -> str:
        """A hash of the data files."""
        return content_hash(*self._paths.values())

    def ancestors(self, synsets: Iterable[int]) -> Mapping[int, int]:
        """These sets at 0, and each that any of them is a kind of, however remotely, with the least number of steps."""
        steps = dict.fromkeys(synsets, 0)
        level, distance = list(steps), 0
        while level:
            distance += 1
            above = dict.fromkeys(parent for synset in level for parent in self._parents_of(synset))
            level = [parent for parent in above if parent not in steps]
            steps.update(dict.fromkeys(level, distance))
        return steps

    def _parents_of(self, synset: int) -> tuple[int, ...]:
        if synset not in self._parents:
            offset, number = divmod(synset, len(PARTS_OF_SPEECH))
            part = PARTS_OF_SPEECH[number]
            parents = self._read(part, offset) if part in self._files else ()
            self._parents[synset] = tuple(parent * len(PARTS_OF_SPEECH) + number for parent in parents)
        return self._parents[synset]

    def _read(self, part: str, offset: int) -> Iterable[int]:
        """The parents in the line that begins at that byte of the data file."""
        data = self._files[part]
        line = data[offset : data.find(b"|", offset)] if offset < len(data) else b""
        try:
            return _parents_in(line.decode("ascii"), offset)
        except (IndexError, ValueError) as error:
            where = f"{self._paths[part]}: no set of synonyms begins at byte {offset}"
            raise InputError(f"{where}, where the index says so") from error


def _parents_in(line: str, offset: int) -> list[int]:
    """The offsets of what a set is a kind of, which is of the same part of speech."""
    fields = line.split()
    # offset, file, kind, number of words in hexadecimal, words with ids, number of pointers, pointers of four fields
    if int(fields[0]) != offset:
        raise ValueError(line)
    start = 5 + 2 * int(fields[3], 16)
    pointers = [fields[i : i + 4] for i in range(start, start + 4 * int(fields[start - 1]), 4)]
    return [int(target) for symbol, target, _, _ in pointers if symbol in KINDS_OF]


def hierarchy(synonyms: Synonyms) -> Hierarchy | None:
    """The hierarchy that belongs to synonyms; None unless they are WordNet's own."""
    return _hierarchy(synonyms.directory) if isinstance(synonyms, WordNet) else None


@lru_cache(maxsize=4)
def _hierarchy(directory: Path) -> Hierarchy:
    return Hierarchy(directory)


def _mapped(path: Path) -> mmap.mmap:
    with readable(path), path.open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError as error:
            raise InputError(f"{path} is empty") from error
