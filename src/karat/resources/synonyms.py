"""Synonyms: words that share a set of WordNet, of METEOR's copy of it, or of a MyThes thesaurus."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from karat.errors import InputError, MissingResourceError, SpecError, did_you_mean
from karat.resources.files import MYTHES, WORDNET, existing, meteor_jar, place
from karat.resources.languages import language_code
from karat.resources.meteor import INSTALL_METEOR, MeteorSynonyms, missing_meteor
from karat.resources.mythes import MyThes, thesaurus_file
from karat.resources.wordnet import WordNet

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCES = ("auto", "wordnet", "meteor", "mythes")

_GET_WORDNET = f"Install it with: apt-get install wordnet-base; or set {WORDNET} to the directory that has index.noun"


class Synonyms(Protocol):
    """Sets of words that can stand for each other."""

    @property
    def signature(self) -> str:
        """Name, version and a short hash of the content."""

    def synsets(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The numbers of the sets that each word is in, ascending; two words with a common one are synonyms."""


def synonyms(language: str, source: str = "auto", path: str | Path | None = None) -> Synonyms:
    """The synonyms of a language: WordNet for English, a MyThes thesaurus for others, or what `path` holds.

    Where WordNet is absent, METEOR's copy of it stands in. A path is a directory of WordNet's files, METEOR's jar or a
    MyThes .dat file. `source` asks for one kind in particular: wordnet, meteor or mythes.
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
    if source == "meteor":
        return _meteor()
    return _wordnet() if source == "wordnet" else _english()


def lacking_synonyms(language: str) -> tuple[str, ...]:
    """WordNet with its install line where METEOR's synonyms stand in for it; else nothing."""
    if language_code(language) != "en" or _has_wordnet() or meteor_jar() is None:
        return ()
    return (f"{_missing_wordnet(_GET_WORDNET)}. METEOR's synonyms stand in for it",)


def _english() -> Synonyms:
    if _has_wordnet():
        return _wordnet()
    if meteor_jar() is None:
        raise _missing_wordnet(f"{_GET_WORDNET}; or let METEOR's synonyms stand in: {INSTALL_METEOR}")
    return _meteor()


def _wordnet() -> Synonyms:
    if not _has_wordnet():
        raise _missing_wordnet(_GET_WORDNET)
    return _at(_wordnet_directory())


def _has_wordnet() -> bool:
    return (_wordnet_directory() / "index.noun").is_file()


def _wordnet_directory() -> Path:
    return place(WORDNET, "/usr/share/wordnet")


def _missing_wordnet(remedy: str) -> MissingResourceError:
    return MissingResourceError(f"WordNet in {_wordnet_directory()}", remedy)


def _meteor() -> Synonyms:
    jar = meteor_jar()
    if jar is None:
        raise missing_meteor("METEOR's list of synonyms")
    return _at(existing(jar, "METEOR jar"))


def _thesaurus(code: str) -> Synonyms:
    directory = place(MYTHES, "/usr/share/mythes")
    thesaurus = thesaurus_file(directory, code)
    if thesaurus is None:
        raise MissingResourceError(
            f"A thesaurus th_{code}_*_v2.dat in {directory}",
            f"Install it with: apt-get install mythes-{code}; or set {MYTHES} to the directory that has it",
        )
    return _at(thesaurus)


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
