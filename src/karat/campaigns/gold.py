"""Items whose right answers are known, out of a table: one a row, with a column for each criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from karat.campaigns.plan import Gold
from karat.errors import InputError, ProblemsError, did_you_mean

if TYPE_CHECKING:
    from karat.corpus.files import InputFile

NEEDED, OPTIONAL = ("segment", "system"), ("translation", "explanation")


def read_gold(file: InputFile, criteria: Sequence[str]) -> tuple[Gold, ...]:
    """The items of a CSV or TSV table with a header; an empty cell says nothing."""
    rows = _rows(file)
    header = [name.strip() for name in next(rows, (1, []))[1]]
    known = (*NEEDED, *OPTIONAL, *criteria)
    problems = [f"{file.name}: there is no column {name!r}, and it is needed" for name in NEEDED if name not in header]
    problems += [
        f"{file.name}: the column {name!r} is no criterion of this campaign.{did_you_mean(name, known)}"
        for name in header
        if name not in known
    ]
    problems += [f"{file.name}: two columns are called {name!r}" for name in set(header) if header.count(name) > 1]
    if problems:
        raise ProblemsError(problems)
    return tuple(_item(f"{file.name}, line {line}", header, row, criteria) for line, row in rows)


def _rows(file: InputFile) -> Iterator[tuple[int, list[str]]]:
    from karat.corpus.ratings.tables import quoted_rows  # which loads polars

    for line, row in quoted_rows(file):
        if not isinstance(row, list):
            raise InputError(f"{file.name}, line {line} is no row of a table: {row}") from row
        yield line, row


def _item(place: str, header: Sequence[str], row: Sequence[str], criteria: Sequence[str]) -> Gold:
    if len(row) != len(header):
        raise InputError(f"{place} has {len(row)} cells, and the header has {len(header)}")
    cells = {name: cell for name, cell in zip(header, row, strict=True) if cell != ""}
    for name in NEEDED:
        if name not in cells:
            raise InputError(f"{place} does not say the {name}")
    return Gold(
        segment=cells["segment"],
        system=cells["system"],
        values=dict(_values(place, cells, criteria)),
        translation=cells.get("translation"),
        explanation=cells.get("explanation"),
    )


def _values(place: str, cells: Mapping[str, str], criteria: Sequence[str]) -> Iterator[tuple[str, float]]:
    for name in criteria:
        if name in cells:
            try:
                yield name, float(cells[name])
            except ValueError as error:
                raise InputError(f"{place}: {name} is {cells[name]!r}, which is no number") from error
