"""Ratings from files and to files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from karat.corpus.column_names import ColumnNames, Pairs
from karat.corpus.files import FilePath, InputFile
from karat.corpus.ratings.formats.base import (
    LoadedFile,
    RatingsFormat,
    ReadOptions,
    format_named,
    format_of,
    formats,
    loaded,
)
from karat.corpus.ratings.model import Ratings
from karat.errors import InputError, SpecError, did_you_mean
from karat.whole_file import make_directory, write_whole_file


def read_ratings(
    path: FilePath | InputFile,
    *,
    format: str | None = None,  # noqa: A002
    protocol: str | None = None,
    criterion: str | None = None,
    system: str | None = None,
    language_pair: str | None = None,
    columns: Pairs = (),
    skip_bad: bool = False,
) -> Ratings:
    """The judgements in a file or directory; ``-`` is standard input.

    The format is told by the file's name and first lines unless it is named. `protocol`, `criterion`, `system` and
    `language_pair` say what a file leaves out, and `columns` what those of a table are where their names do not:
    (("value", "Note"), ...). A malformed row is refused, or with `skip_bad` left out and listed in
    `Ratings.skipped`.
    """
    file = loaded(InputFile.of(path))
    if not file.is_directory and not file.data.strip(b"\xef\xbb\xbf \t\r\n"):
        raise InputError(f"{file.name} is empty: there are no ratings in it")
    reader = format_named(format) if format is not None else format_of(file)
    if reader.directory != file.is_directory:
        kind = "a directory" if reader.directory else "a file"
        raise InputError(f"{file.name}: the format {reader.name} is {kind}")
    if columns and not reader.takes_columns:
        raise InputError(f"{file.name} is read as {reader.name}, whose columns have their own names: leave others out")
    options = ReadOptions(
        skip_bad=skip_bad,
        protocol=protocol,
        criterion=criterion,
        system=system,
        language_pair=language_pair,
        columns=ColumnNames.of(columns),
    )
    return _read(reader, file, options)


def _read(reader: RatingsFormat, file: LoadedFile, options: ReadOptions) -> Ratings:
    """The judgements; a column that the format has and the file lacks is the file's fault."""
    try:
        return reader.read(file, options)
    except (pl.exceptions.ColumnNotFoundError, pl.exceptions.DuplicateError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"{file.name} cannot be read as {reader.name} ({reader.description}); its header has a column too few or "
            f"too many ({reason})"
        ) from error


def ratings_bytes(ratings: Ratings, format: str) -> bytes:  # noqa: A002
    """The ratings in a format that is one file; rows that it cannot hold are refused."""
    writer = _writer(format)
    if writer.directory:
        raise SpecError(f"{format} is a directory, not one file")
    refuse_unwritable(ratings, writer)
    return writer.write(ratings)


def _writer(name: str) -> RatingsFormat:
    writer = format_named(name)
    if not writer.writes():
        able = [other for other, cls in formats().items() if cls.writes()]
        raise SpecError(f"karat reads {name}, but does not write it; it writes {', '.join(able)}")
    return writer


def refuse_unwritable(ratings: Ratings, writer: RatingsFormat) -> None:
    """Refuse ratings that do not all fit into the format."""
    fits = writer.writable(ratings).fill_null(value=False)
    if fits.all():
        return
    example = describe_rating(ratings.frame.row(int((~fits).arg_max() or 0), named=True))
    raise InputError(
        f"{(~fits).sum()} of {len(ratings)} ratings do not fit into {writer.name} (such as: {example}): choose another "
        "format, such as jsonl, or leave them out: --skip-bad"
    )


def describe_rating(row: Mapping[str, Any]) -> str:
    """What tells a rating from others."""
    names = ("protocol", "criterion", "rater", "system", "other_system", "document", "segment")
    return ", ".join(f"{name} {row[name]}" for name in names if row[name] is not None)


def write_ratings(ratings: Ratings, path: FilePath, format: str | None = None) -> None:  # noqa: A002
    """Write ratings; the suffix (csv, tsv, jsonl, parquet) tells the format where none is named."""
    target = Path(path)
    name = format or target.suffix.lower().removeprefix(".")
    if name not in formats():
        raise SpecError(f"karat cannot write ratings as {name!r}.{did_you_mean(name, formats())}")
    writer = _writer(name)
    if not writer.directory:
        write_whole_file(target, ratings_bytes(ratings, name))
        return
    refuse_unwritable(ratings, writer)
    directory = make_directory(target)
    for file, data in writer.files(ratings).items():
        write_whole_file(directory / file, data)
