"""Function words: the articles, particles and so on that every text is full of."""

from __future__ import annotations

import hashlib
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from karat.errors import InputError, MissingExtraError, MissingResourceError, SpecError
from karat.quick_dataclasses import dataclass
from karat.resources.files import meteor_jar, readable
from karat.resources.languages import NAMES, language_code
from karat.resources.meteor import missing_meteor, read_member

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SOURCES = ("auto", "meteor", "wordfreq", "stopwordsiso")


@dataclass(frozen=True)
class FunctionWords:
    """A list of function words, in lower case."""

    name: str
    words: frozenset[str]

    @cached_property
    def signature(self) -> str:
        """Where the list is from, and a hash of its words."""
        hasher = hashlib.blake2b("\n".join(sorted(self.words)).encode("utf-8", "surrogatepass"), digest_size=4)
        return f"{self.name}/{hasher.hexdigest()}"

    def contains(self, words: Sequence[str]) -> list[bool]:
        """Whether each word, in lower case, is one of them."""
        return [word in self.words for word in words]


def function_words(language: str, source: str | Path = "auto", count: int = 100) -> FunctionWords:
    """The function words of a language.

    `source` is meteor (the list in METEOR's jar), wordfreq (the `count` most frequent words), stopwordsiso, the path of
    a file with one word per line, or auto: the first of those three that is installed and has the language.
    """
    code = language_code(language)
    if isinstance(source, Path) or source not in SOURCES:
        return _from_file(Path(source).expanduser())
    if source == "auto":
        return _first_available(code, count)
    if source == "wordfreq":
        return _from_wordfreq(code, count)
    return _from_meteor(code) if source == "meteor" else _from_stopwordsiso(code)


def _first_available(code: str, count: int) -> FunctionWords:
    attempts: tuple[Callable[[], FunctionWords], ...] = (
        lambda: _from_meteor(code),
        lambda: _from_wordfreq(code, count),
        lambda: _from_stopwordsiso(code),
    )
    for attempt in attempts:
        try:
            return attempt()
        except (MissingResourceError, MissingExtraError, SpecError):
            continue
    raise MissingResourceError(
        f"A list of function words for {NAMES.get(code, code)}",
        "Install lists for many languages with: pip install 'karat[linguistic]'; or name a file with one word per line",
    )


def _from_meteor(code: str) -> FunctionWords:
    jar = meteor_jar()
    if jar is None or not jar.is_file():
        raise missing_meteor("METEOR's list of function words")
    return _in_jar(jar, code)


@cache
def _in_jar(jar: Path, code: str) -> FunctionWords:
    words = frozenset((read_member(jar, f"function/{NAMES.get(code, code)}.words") or "").split())
    if not words:
        raise SpecError(f"METEOR has no function words for {NAMES.get(code, code)}: use wordfreq or stopwordsiso")
    return FunctionWords(f"meteor-function-{code}:1.5", words)


@cache
def _from_wordfreq(code: str, count: int) -> FunctionWords:
    from importlib.metadata import version

    try:
        import wordfreq
    except ImportError as error:
        raise MissingExtraError("the source wordfreq", "linguistic") from error
    # For a language that it has not, wordfreq takes a near one: English for Khmer.
    if code not in wordfreq.available_languages():
        raise SpecError(f"wordfreq has no words for {NAMES.get(code, code)}")
    words = wordfreq.top_n_list(code, count)
    return FunctionWords(f"wordfreq-{code}-{count}:{version('wordfreq')}", frozenset(words))


@cache
def _from_stopwordsiso(code: str) -> FunctionWords:
    from importlib.metadata import version

    try:
        import stopwordsiso
    except ImportError as error:
        raise MissingExtraError("the source stopwordsiso", "linguistic") from error
    words = stopwordsiso.stopwords(code) if stopwordsiso.has_lang(code) else set()
    if not words:
        raise SpecError(f"stopwordsiso has no words for {NAMES.get(code, code)}")
    return FunctionWords(f"stopwordsiso-{code}:{version('stopwordsiso')}", frozenset(words))


def _from_file(path: Path) -> FunctionWords:
    if not path.is_file():
        raise InputError(f"there is no list of function words at {path}: name a file, or one of {', '.join(SOURCES)}")
    with readable(path):
        lines = path.read_text(encoding="utf-8").splitlines()
    words = set()
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise InputError(f"{path}, line {number}: one word is expected, not {line.strip()!r}")
        words.update(line.lower().split())
    return FunctionWords(f"file-{path.stem}", frozenset(words))
