"""Synonyms: words that share a set of WordNet, of METEOR's copy of it, or of a MyThes thesaurus."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from karat.errors import InputError, MissingResourceError, SpecError, did_you_mean
from karat.resources.files import MYTHES, WORDNET, existing, meteor_jar, place
from karat.resources.languages import language_code
from karat.resources.meteor import MeteorSynonyms, missing_meteor
from karat.resources.mythes import MyThes, thesaurus_file
from karat.resources.wordnet import WordNet

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCES = ("auto", "wordnet", "meteor", "mythes")


class Synonyms(Protocol):
    """Sets of words that can stand for each other."""

    @property
    def signature(self) -> str:
        """Name, version and a short hash of the content."""

    def synsets(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The numbers of the sets that each word is in, ascending; two words with a common one are synonyms."""


def synonyms(language: str, source: str = "auto", path: str | Path | None = None) -> Synonyms:
    """The synonyms of a language: WordNet for English, a MyThes thesaurus for others, or what `path` holds.

    A path is a directory of WordNet's files, METEOR's jar or a MyThes .dat file. `source` asks for one kind in
    particular: wordnet, meteor or mythes.
    """
    if source not in SOURCES:
        raise SpecError(f"there are no synonyms of {source!r}.{did_you_mean(source, SOURCES)}")
    if path is not None:
        return _at(existing(Path(path).expanduser(), "thesaurus"))
    code = language_code(language)
    if source == "mythes" or (source == "auto" and code != "en"):
        return _thesaurus(code)
    if code != "en":
        raise SpecError(f"{source} has no synonyms for {language}: it is English only")
    return _meteor() if source == "meteor" else _wordnet()


def _wordnet() -> Synonyms:
    directory = place(WORDNET, "/usr/share/wordnet")
    if not (directory / "index.noun").is_file():
        raise MissingResourceError(
            f"WordNet in {directory}",
            f"Install it with: apt-get install wordnet-base; or set {WORDNET} to the directory that has index.noun",
        )
    return _at(directory)


def _meteor() -> Synonyms:
    jar = meteor_jar()
    if jar is None:
        raise missing_meteor("METEOR's list of synonyms")
    return _at(existing(jar, "METEOR jar"))


def _thesaurus(code: str) -> Synonyms:
    directory = place(MYTHES, "/usr/share/mythes")
    found = thesaurus_file(directory, code)
    if found is None:
        raise MissingResourceError(
            f"A thesaurus th_{code}_*_v2.dat in {directory}",
            f"Install it with: apt-get install mythes-{code}; or set {MYTHES} to the directory that has it",
        )
    return _at(found)


def _at(path: Path) -> Synonyms:
    named = path / "index.noun" if path.is_dir() else path
    if not named.is_file():
        raise InputError(f"{path} is not a directory of WordNet's files: it has no index.noun")
    return _load(path, named.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _load(path: Path, _changed: int) -> Synonyms:
    if path.is_dir():
        return WordNet(path)
    if path.suffix == ".jar":
        return MeteorSynonyms(path)
    if path.suffix == ".dat":
        return MyThes(path)
    raise InputError(f"{path} holds no synonyms: name a directory of WordNet's files, a METEOR .jar or a MyThes .dat")
