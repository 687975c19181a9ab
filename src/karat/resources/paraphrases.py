"""Tables of paraphrases in METEOR's format: a probability, a phrase and its paraphrase, on a line each."""

from __future__ import annotations

import gzip
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from karat import kernels
from karat.errors import InputError, MissingResourceError
from karat.quick_dataclasses import dataclass
from karat.resources.compiled import ImageKind, compiled
from karat.resources.files import METEOR, content_hash, existing_file, meteor_directory, readable
from karat.resources.languages import NAMES, language_code
from karat.resources.meteor import missing_meteor

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray


class Paraphrase(NamedTuple):
    """A phrase, another that may stand for it, and how probable that is."""

    probability: float
    phrase: str
    paraphrase: str


_BLOCK = 1 << 20
_WORTH_KEEPING = 1 << 20
"""The bytes of a table from which on compiling it takes longer than a look at the disk is worth."""
_IMAGE = ImageKind("paraphrases", kernels.PARAPHRASE_LAYOUT)
_FREE_BYTES = 64 << 20
_HIGHEST_RATIO = 200
"""How many bytes may come out of one of a compressed table beyond the first: METEOR's have less than 10."""


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
        with readable(self.path), self._open() as stream:
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

    def compiled(self) -> NDArray[np.uint64]:
        """The image of the table that the core reads; a large one is kept on disk for the next process."""
        if self.path.stat().st_size < _WORTH_KEEPING:
            return self._compile()
        return compiled(self.path, _IMAGE, self._compile)

    def _compile(self) -> NDArray[np.uint64]:
        with readable(self.path):
            return kernels.compile_paraphrases(self._blocks())

    def _blocks(self) -> Iterator[bytes]:
        """The bytes of the table, uncompressed, one megabyte after the other."""
        most = max(_FREE_BYTES, _HIGHEST_RATIO * self.path.stat().st_size)
        so_far = 0
        with gzip.open(self.path) if self._is_compressed else self.path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                so_far += len(block)
                if so_far > most:
                    raise InputError(
                        f"{self.path} unpacks to more than {_HIGHEST_RATIO} times its size, as no table does"
                    )
                yield block

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
        return kernels.ParaphraseTable(ParaphraseTable(path).compiled())
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
