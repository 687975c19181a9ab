"""What backends have found, kept on disk for the next process."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.resources.compiled import cache_directory
from karat.text.annotation.jsonform import of_json, to_text

if TYPE_CHECKING:
    from pathlib import Path

    from karat.text.annotation import Annotation

LAYOUT = 1
"""Changes whenever annotations are written in another way."""

_AT_ONCE = 500
"""Texts that are annotated, and written, before the next ones: what a process that is killed has done is not lost."""
_WAIT_SECONDS = 5

Annotate = Callable[[Sequence[str]], Iterable["Annotation"]]


class AnnotationCache:
    """Annotations by the hash of their text, in one file for each backend and version of its program and model.

    Where the file cannot be read or written nothing is kept, and nothing else changes.
    """

    def __init__(self, signature: str) -> None:
        self._signature = signature

    def filled(self, texts: Iterable[str], annotate: Annotate) -> dict[str, Annotation]:
        """The annotations of some texts: those that are kept, and the others made and kept."""
        wanted = list(texts)
        with self._database() as database:
            known: dict[str, Annotation] = {}
            for some in _portions(wanted):
                known.update(_read(database, some))
            for some in _portions([text for text in wanted if text not in known]):
                made = dict(zip(some, annotate(some), strict=True))
                _write(database, made)
                known.update(made)
        return known

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection | None]:
        try:
            path = self.path()
            path.parent.mkdir(parents=True, exist_ok=True)
            opened = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
        except (OSError, RuntimeError, sqlite3.Error):  # no home, no right to write, no space
            yield None
            return
        with closing(opened) as database:
            yield database if _has_table(database) else None

    def path(self) -> Path:
        """The file of this backend and version."""
        digest = hashlib.sha256(self._signature.encode()).hexdigest()[:16]
        name = re.sub(r"[^\w.-]+", "-", self._signature.partition(":")[0])
        return cache_directory() / f"annotations-{LAYOUT}-{name}-{digest}.sqlite"


def _has_table(database: sqlite3.Connection) -> bool:
    try:
        database.execute("CREATE TABLE IF NOT EXISTS annotations (text BLOB PRIMARY KEY, found TEXT) WITHOUT ROWID")
    except sqlite3.Error:
        return False
    return True


def _read(database: sqlite3.Connection | None, texts: Sequence[str]) -> dict[str, Annotation]:
    """What is kept of some texts; what is damaged is not there."""
    if database is None:
        return {}
    by_key = {_key(text): text for text in texts}
    marks = ",".join("?" * len(by_key))
    try:
        kept = database.execute(f"SELECT text, found FROM annotations WHERE text IN ({marks})", [*by_key]).fetchall()
        return {by_key[key]: of_json(json.loads(annotation)) for key, annotation in kept}
    except (sqlite3.Error, ValueError, InputError):
        return {}


def _write(database: sqlite3.Connection | None, made: dict[str, Annotation]) -> None:
    if database is None:
        return
    rows = [(_key(text), to_text(annotation)) for text, annotation in made.items()]
    try:
        database.execute("BEGIN IMMEDIATE")
        database.executemany("INSERT OR REPLACE INTO annotations VALUES (?, ?)", rows)
        database.execute("COMMIT")
    except sqlite3.Error:  # the disk is full, or somebody else writes for long
        return


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _portions(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _AT_ONCE):
        yield texts[start : start + _AT_ONCE]
