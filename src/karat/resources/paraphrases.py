"""Tables of paraphrases in METEOR's format: a probability, a phrase and its paraphrase, on a line each."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from karat import kernels
from karat.errors import InputError, MissingResourceError
from karat.resources.files import METEOR, content_hash, existing_file, meteor_directory
from karat.resources.languages import NAMES, language_code
from karat.resources.meteor import missing_meteor

if TYPE_CHECKING:
    from collections.abc import Iterator


class Paraphrase(NamedTuple):
    """A phrase, another that may stand for it, and how probable that is."""

    probability: float
    phrase: str
    paraphrase: str


@dataclass(frozen=True)
class ParaphraseTable:
    """A file of paraphrases, plain or compressed by gzip."""

    path: Path

    @cached_property
    def signature(self) -> str:
        """The name of the file, and a hash of it."""
        return f"{self.path.name.removesuffix('.gz')}/{content_hash(self.path)}"

    def entries(self) -> Iterator[Paraphrase]:
        """One entry after the other; a table with millions of them takes long in Python."""
        with self._open() as stream:
            for number, line in enumerate(stream, 1):
                phrase, paraphrase = next(stream, ""), next(stream, "")
                if not phrase.strip() or not paraphrase.strip():
                    raise InputError(
                        f"{self.path}, line {3 * number - 2}: an entry has three lines, none of them empty"
                    )
                yield Paraphrase(self._probability(line, 3 * number - 2), phrase.strip(), paraphrase.strip())

    def table(self) -> kernels.ParaphraseTable:
        """The table as the core reads it; kept for the next metric that wants the same file."""
        return _table(self.path, self.path.stat().st_mtime_ns)

    def read(self) -> bytes:
        """The whole table, uncompressed."""
        data = self.path.read_bytes()
        try:
            return gzip.decompress(data) if self._is_compressed else data
        except (OSError, EOFError) as error:
            raise InputError(f"{self.path}: cannot be uncompressed ({error})") from error

    @cached_property
    def _is_compressed(self) -> bool:
        with self.path.open("rb") as stream:
            return stream.read(2) == b"\x1f\x8b"

    def _open(self) -> IO[str]:
        if self._is_compressed:
            return gzip.open(self.path, "rt", encoding="utf-8")
        return self.path.open(encoding="utf-8")

    def _probability(self, line: str, number: int) -> float:
        try:
            value = float(line)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise InputError(f"{self.path}, line {number}: a probability from 0 to 1 is expected, not {line.strip()!r}")
        return value


@lru_cache(maxsize=2)
def _table(path: Path, _changed: int) -> kernels.ParaphraseTable:
    try:
        return kernels.read_paraphrases(ParaphraseTable(path).read())
    except InputError as error:
        raise InputError(f"{path}: {error}" if str(path) not in str(error) else str(error)) from error


def paraphrases(path: str | Path | None = None, language: str = "en") -> ParaphraseTable:
    """The table in a file; without a path, the one that METEOR has for the language (pycocoevalcap: English)."""
    if path is not None:
        return ParaphraseTable(existing_file(Path(path).expanduser(), "table of paraphrases"))
    directory = meteor_directory()
    if directory is not None and directory.is_file():
        directory = directory.parent
    table = directory / "data" / f"paraphrase-{language_code(language)}.gz" if directory else None
    if table is None or not table.is_file():
        raise _missing(language_code(language))
    return ParaphraseTable(table)


def _missing(code: str) -> MissingResourceError:
    table = f"METEOR's table of paraphrases for {NAMES.get(code, code)}"
    if code == "en":
        return missing_meteor(table)
    return MissingResourceError(
        table,
        f"Packages have the English one only: set {METEOR} to a directory of METEOR 1.5 "
        f"that has data/paraphrase-{code}.gz, or name a table with paraphrases=FILE",
    )
