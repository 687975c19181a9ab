"""Scores as records: TSV, CSV, JSONL or Parquet.

Long form has a record per system and segment, with the fields ``system``, ``segment`` and ``score``; without
``segment`` the scores are those of whole systems. Wide form has a
record per segment, with ``segment`` (else records are numbered) and a field per system. Both may have ``document``,
``metric`` (or ``spec``, which goes before; the file's stem where there is neither), ``testset`` and
``higher_is_better``. A missing score is null or an empty cell. What ``karat score --level segment --format csv`` writes
is in long form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from karat.corpus.files import FilePath, InputFile
from karat.corpus.given_scores.model import WHOLE, GivenScores, Level, UnitKey
from karat.corpus.readers.base import RecordsFile, reader_for
from karat.corpus.records import Record
from karat.csv_cells import plain_cell
from karat.errors import InputError

_LABELS = ("segment", "document", "metric", "spec", "testset", "higher_is_better")
SECOND: dict[Level, str] = {
    "segment": "give one per segment (the mean, where several people judged it)",
    "system": "give one per system, or name the segment of each in a column segment",
}
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def read_score_records(path: FilePath | InputFile, format: str | None = None) -> tuple[GivenScores, ...]:  # noqa: A002
    """The scores in a file, by test set and metric."""
    file = InputFile.of(path)
    reader = reader_for(file, format)
    if not isinstance(reader, RecordsFile):
        raise InputError(
            f"{file.name} is read as {reader.name}, but segment scores come as TSV, CSV, JSONL or Parquet: "
            "give the file one of these suffixes"
        )
    by_measure: dict[tuple[str | None, str], GivenScores] = {}
    directions: dict[str, bool] = {}
    for number, (where, record) in enumerate(_records(reader, file), 1):
        fields = {name.strip().lower(): value for name, value in record.items()}
        name = _metric(fields, file, where)
        testset = _label(fields.get("testset"))
        metric = _label(fields.get("metric"))
        level: Level = "system" if _is_whole(fields) else "segment"
        made = GivenScores(name, level, file.name, testset=testset, metric=metric)
        scores = by_measure.setdefault((testset, name), made)
        if level != scores.level:
            raise InputError(f"{where}: some records name their segment and some do not: all of {name} or none must")
        _direct(directions, name, fields.get("higher_is_better"), where)
        for system, score in _scores(record, fields, where):
            scores.add(system, _key(fields, number, where), score, where, SECOND[level])
    if not by_measure:
        raise InputError(f"{file.name} has no scores: expected a record per system and segment")
    for scores in by_measure.values():
        scores.refuse_gaps()
    return tuple(replace(scores, higher_is_better=directions.get(scores.name)) for scores in by_measure.values())


def _records(reader: RecordsFile, file: InputFile) -> Iterator[tuple[str, Record]]:
    """The records; in CSV, an apostrophe that keeps a name from being a formula is no part of it."""
    for where, record in reader.records(file):
        yield where, {name: plain_cell(value) for name, value in record.items()} if reader.name == "csv" else record


def _metric(fields: Mapping[str, Any], file: InputFile, where: str) -> str:
    name = _label(fields.get("spec")) or _label(fields.get("metric")) or file.stem
    if not name.isprintable():
        raise InputError(f"{where}: {name!r} cannot name a metric: use visible text")
    return name


def _label(value: Any) -> str | None:
    """The name of something; numbers are names too, and 3.0 is 3, as programs that save tables write it."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if value is None else str(value).strip()
    return text or None


def _is_whole(fields: Mapping[str, Any]) -> bool:
    """Whether a record is about a whole system."""
    return {"system", "score"} <= fields.keys() and not {"segment", "document"} & fields.keys()


def _key(fields: Mapping[str, Any], number: int, where: str) -> UnitKey:
    """What a record is about; one of wide form that does not name its segment has its number."""
    if _is_whole(fields):
        return WHOLE
    name = _label(fields.get("segment"))
    if name is None and ("segment" in fields or "score" in fields):
        raise InputError(f"{where}: the segment has no name: fill in the column segment")
    return _label(fields.get("document")), name or str(number)


def _scores(record: Record, fields: Mapping[str, Any], where: str) -> Iterator[tuple[str, float | None]]:
    """The systems and their scores in one record."""
    if "score" in fields and "system" in fields:
        system = _label(fields["system"])
        if system is None:
            raise InputError(f"{where}: the system has no name")
        yield system, _score(fields["score"], where)
        return
    systems = {name: value for name, value in record.items() if name.strip().lower() not in _LABELS}
    if "score" in fields or "system" in fields or not systems:
        raise InputError(
            f"{where}: expected the columns system, segment and score, or segment and one column per system; "
            f"there is: {', '.join(record)}"
        )
    for name, value in systems.items():
        yield name.strip().removeprefix("system:"), _score(value, f"{where}, {name}")


def _score(value: Any, where: str) -> float | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{where}: {value!r} is not a number; leave the cell empty if the score is missing") from error
    if not isfinite(number):
        raise InputError(f"{where}: the score is {number}, not a finite number; leave the cell empty if it is missing")
    return number


def _direct(directions: dict[str, bool], name: str, value: Any, where: str) -> None:
    """Take note of the direction, which must be the same in all records of a metric."""
    text = _label(value)
    if text is None:
        return
    if text.lower() not in _TRUTH:
        raise InputError(f"{where}: higher_is_better is {text!r}; write true or false")
    truth = _TRUTH[text.lower()]
    if directions.setdefault(name, truth) != truth:
        raise InputError(f"{where}: higher_is_better of {name} changes; it must be the same in all records")
