"""A TOML manifest that names several test sets, for one table over many of them.

::

    [[testset]]
    name = "news"
    source_language = "en"
    target_language = "de"
    tokenizer = "13a"            # optional; else from the target language
    source = "src.en"            # optional
    references = ["refA.de", "refB.de"]
    documents = "docs.tsv"       # optional
    systems = { sysA = "a.de", sysB = "b.de" }

    [[testset]]
    name = "talks"
    corpus = "talks.jsonl"       # everything in one file, instead of source, references, documents and systems

Paths are relative to the manifest. `format` names the format of all files of a test set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from karat.corpus.files import FilePath, InputFile
from karat.corpus.loading import load_corpus, read_corpus
from karat.corpus.model import Corpus
from karat.errors import InputError, did_you_mean
from karat.quick_dataclasses import dataclass

_TEXT_KEYS = (
    "name",
    "source_language",
    "target_language",
    "tokenizer",
    "source",
    "documents",
    "corpus",
    "format",
)
_KEYS = (*_TEXT_KEYS, "references", "systems")


@dataclass(frozen=True, kw_only=True)
class ManifestEntry:
    """One test set of a manifest; its files are read by `load`."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    name: str
    source_language: str | None = None
    target_language: str | None = None
    tokenizer: str | None = None
    source: Path | None = None
    references: tuple[Path, ...] = ()
    systems: Mapping[str, Path] = field(default_factory=dict)
    documents: Path | None = None
    corpus: Path | None = None
    format: str | None = None

    @property
    def language_pair(self) -> str | None:
        """Such as en-de, where both are given."""
        both = self.source_language and self.target_language
        return f"{self.source_language}-{self.target_language}" if both else None

    def load(self) -> Corpus:
        """Read the files."""
        try:
            if self.corpus is not None:
                return read_corpus(self.corpus, self.format, self.language_pair)
            return load_corpus(
                self.references,
                list(self.systems.items()),
                self.source,
                self.documents,
                self.format,
                language_pair=self.language_pair,
            )
        except InputError as error:
            raise InputError(f"test set {self.name}: {error}") from error


_TEXTS = re.compile(r"""\"(?:[^\"\\\n]|\\.?)*+(?:\"|$)|'[^'\n]*+(?:'|$)|#.*""", re.MULTILINE)
_DEEPEST = 20
"""Keys or lists that go deeper than any manifest, for which the parser would take memory without bound."""


def read_manifest(path: FilePath) -> tuple[ManifestEntry, ...]:
    """The test sets that a manifest names, in its order."""
    import tomllib

    file = InputFile.of(path)
    text = file.text()
    if _is_deep(text):
        raise InputError(f"{file.name} is not a manifest: it is nested too deeply")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file.name} is not valid TOML: {error}") from error
    except RecursionError as error:
        raise InputError(f"{file.name} is not a manifest: it is nested too deeply") from error
    except ValueError as error:  # a number with more digits than Python converts
        raise InputError(f"{file.name} is not a manifest: there is a number with thousands of digits") from error
    _refuse_unknown(data, ("testset",), file.name)
    entries = data.get("testset", [])
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f"{file.name} names no test set: start each with [[testset]]")
    sets = tuple(_test_set(entry, number, file) for number, entry in enumerate(entries, 1))
    seen = set()
    for test_set in sets:
        key = (test_set.name, test_set.language_pair)
        if key in seen:
            raise InputError(
                f"{file.name} names the test set {test_set.name} twice: give each its own name or languages"
            )
        seen.add(key)
    return sets


def _is_deep(text: str) -> bool:
    """Whether brackets stand in a row, or keys have parts, as nobody writes them; what is quoted does not count."""
    bare = _TEXTS.sub("", text)
    return bool(re.search(rf"[\[{{]{{{_DEEPEST}}}", bare)) or any(
        key.count(".") >= _DEEPEST for key in re.split(r"[\n=,]", bare)
    )


def _test_set(entry: dict[str, Any], number: int, file: InputFile) -> ManifestEntry:
    where = f"{file.name}, test set {entry.get('name', number)}"
    _refuse_unknown(entry, _KEYS, where)
    for key in _TEXT_KEYS:
        if key in entry and (not isinstance(entry[key], str) or not entry[key]):
            raise InputError(f"{where}: {key} must be text")
    if "name" not in entry:
        raise InputError(f"{where}: it has no name")
    references, systems = _references(entry, where), _systems(entry, where)
    _check_input(entry, where)
    base = file.path.parent
    paths = {key: base / entry[key] for key in ("source", "documents", "corpus") if key in entry}
    texts = {
        key: entry[key] for key in ("name", "source_language", "target_language", "tokenizer", "format") if key in entry
    }
    return ManifestEntry(
        **texts,
        **paths,
        references=tuple(base / reference for reference in references),
        systems={name: base / system for name, system in systems.items()},
    )


def _check_input(entry: dict[str, Any], where: str) -> None:
    """Either a whole corpus, or its parts."""
    parts = [key for key in ("source", "references", "documents", "systems") if key in entry]
    if "corpus" in entry and parts:
        raise InputError(f"{where}: corpus is everything in one file, so {parts[0]} cannot be given as well")
    for key in ("references", "systems"):
        if "corpus" not in entry and not entry.get(key):
            raise InputError(f"{where}: it has no {key} (and no corpus)")


def _references(entry: dict[str, Any], where: str) -> list[str]:
    value = entry.get("references", [])
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{where}: references must be a list of paths")
    return value


def _systems(entry: dict[str, Any], where: str) -> dict[str, str]:
    value = entry.get("systems", {})
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise InputError(f'{where}: systems must be a table of names and paths, such as {{ ours = "ours.de" }}')
    return value


def _refuse_unknown(entry: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in entry:
        if key not in known:
            raise InputError(f"{where}: {key!r} is not known.{did_you_mean(key, known)}")
