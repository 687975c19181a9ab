"""The directory of parts, on a disk or in an object store: what is there under its name is complete."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.corpus.files import InputFile
from karat.corpus.streams.decoders import StorageError, plain_reason
from karat.engine.parts import PartRecord
from karat.errors import InputError
from karat.whole_file import make_directory, whole_file

if TYPE_CHECKING:
    from polars import DataFrame, Expr

RUN, MANIFEST = "run.json", "manifest.json"
SCORES, SUMS = "parts", "sums"
"""Directories of scores of segments, and of sums, which are written after them: a part is there if its sums are."""


class PartStore:
    """Reads and writes the directory of parts."""

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/") or path
        self.is_remote = InputFile(path).is_remote

    def start(self) -> None:
        """Make the directory, without what a writer left that was killed."""
        if self.is_remote:
            return
        for name in (SCORES, SUMS):
            for left in make_directory(Path(self.path, name)).glob(".karat-*.partial"):
                left.unlink(missing_ok=True)

    def is_empty(self) -> bool:
        """Whether nothing is there, not even anything of others."""
        if self.is_remote:
            return self.json(RUN) is None and not self.records()
        directory = Path(self.path)
        if directory.exists() and not directory.is_dir():
            raise InputError(f"--out {self.path} is a file: name a directory")
        return not directory.exists() or not any(directory.iterdir())

    def json(self, name: str) -> dict[str, Any] | None:
        """A document, if it is there."""
        text = self._remote_text(name) if self.is_remote else self._local_text(name)
        if text is None:
            return None
        try:
            document = json.loads(text)
        except ValueError as error:
            raise InputError(f"{self.path}/{name} is damaged ({error}): {_remedy(name, self.path)}") from error
        if not isinstance(document, dict):
            raise InputError(f"{self.path}/{name} is not what karat writes: name another directory")
        return document

    def _local_text(self, name: str) -> str | None:
        try:
            return Path(self.path, name).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise InputError(f"{self.path}/{name} cannot be read: {error}") from error

    def _remote_text(self, name: str) -> str | None:
        import polars

        try:
            lines = polars.scan_lines(f"{self.path}/{name}", glob=False).collect()["line"]
        except FileNotFoundError:
            return None
        except (polars.exceptions.PolarsError, OSError) as error:
            if "not document" in str(error).lower():
                return None
            raise StorageError(f"{self.path}/{name} cannot be read: {plain_reason(str(error))}") from error
        return "\n".join(lines.to_list())

    def write_json(self, name: str, document: dict[str, Any]) -> None:
        """Write a document at once."""
        text = json.dumps(document, ensure_ascii=False, indent=None if self.is_remote else 1)
        if not self.is_remote:
            with whole_file(Path(self.path, name)) as stream:
                stream.write(text.encode() + b"\n")
            return
        import polars

        # The object store's own writer takes tables: this is one cell, written as it stands.
        with _storing(f"{self.path}/{name}"):
            frame = polars.DataFrame({"": [text]})
            frame.write_csv(f"{self.path}/{name}", include_header=False, quote_style="never")

    def write(self, directory: str, key: str, frame: DataFrame) -> None:
        """Write a table at once, under its final name."""
        path = f"{self.path}/{directory}/{key}.parquet"
        if self.is_remote:
            with _storing(path):
                frame.write_parquet(path)
            return
        data = BytesIO()
        frame.write_parquet(data)
        with whole_file(path) as stream:
            stream.write(data.getbuffer())

    def records(self) -> list[PartRecord]:
        """The parts that are complete, in order."""
        texts = self._texts()
        records = sorted(map(PartRecord.of_json, texts), key=lambda record: (record.file, record.first_row))
        if self.is_remote:
            return records
        return [record for record in records if Path(self.path, SCORES, f"{record.key}.parquet").exists()]

    def _texts(self) -> list[str]:
        import polars

        frame = self.read(SUMS, polars.col("part"))
        return [] if frame is None else frame["part"].unique().to_list()

    def read(self, directory: str, *columns: Expr, keys: Sequence[str] | None = None) -> DataFrame | None:
        """All tables of a directory as one, or those of parts in their order; None where there are none."""
        import polars

        if not self.is_remote and not any(Path(self.path, directory).glob("*.parquet")):
            return None
        try:
            named = ["*"] if keys is None else keys
            table = polars.scan_parquet([f"{self.path}/{directory}/{key}.parquet" for key in named], glob=keys is None)
            return (table.select(*columns) if columns else table).collect()
        except (polars.exceptions.PolarsError, OSError) as error:
            if self.is_remote and _is_missing(error):
                return None
            if self.is_remote:
                raise StorageError(
                    f"what is in {self.path}/{directory} cannot be read: {plain_reason(str(error))}"
                ) from error
            reason = str(error).partition("\n")[0]
            raise InputError(
                f"what is in {self.path}/{directory} cannot be read ({reason}): delete the damaged file there, and "
                f"run `karat score --out {self.path}` again as it was run, which makes that part anew"
            ) from error


def _remedy(name: str, path: str) -> str:
    """What to do about a damaged document: the manifest is written anew, but nothing goes on without the other."""
    if name == MANIFEST:
        return f"delete it, and run `karat score --out {path}` again as it was run, which writes it anew"
    return "score into another directory with --out"


def _is_missing(error: Exception) -> bool:
    text = str(error).lower()
    return isinstance(error, FileNotFoundError) or "expanded paths were empty" in text or "not document" in text


@contextmanager
def _storing(path: str) -> Iterator[None]:
    import polars

    try:
        yield
    except (polars.exceptions.PolarsError, OSError) as error:
        raise StorageError(f"cannot write {path}: {plain_reason(str(error))}") from error
