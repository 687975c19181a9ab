"""Scores as records: TSV, CSV, JSONL or Parquet.

Long form has a record per system and segment, with the fields ``system``, ``segment`` and ``score``; without
``segment`` the scores are those of whole systems. Wide form has a
record per segment, with ``segment`` (else records are numbered) and a field per system. Both may have ``document``,
``metric`` (or ``spec``, which goes before; the file's stem where there is neither), ``testset`` and
``higher_is_better``. A missing score is null or an empty cell. Where no field is called ``score``, the only one that
holds numbers is it beside a ``system`` or texts, and names the metric; where nothing names the system, the file's stem
does. What ``karat score --level segment --format csv`` writes is in long form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from karat.arguments import within_reach
from karat.corpus.column_names import NO_NAMES, ColumnNames
from karat.corpus.files import FilePath, InputFile
from karat.corpus.given_scores.model import WHOLE, GivenScores, Level, UnitKey
from karat.corpus.lines import repeated
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


def read_score_records(
    path: FilePath | InputFile,
    format: str | None = None,  # noqa: A002
    columns: ColumnNames = NO_NAMES,
    system: str | None = None,
) -> tuple[GivenScores, ...]:
    """The scores in a file, by test set and metric; `system` is the one that a file is about which names none."""
    file = InputFile.of(path)
    reader = reader_for(file, format)
    if not isinstance(reader, RecordsFile):
        raise InputError(
            f"{file.name} is read as {reader.name}, but segment scores come as TSV, CSV, JSONL or Parquet, as COMET's "
            "JSON or as one number per line: give the file one of these suffixes"
        )
    records = [(where, _renamed(record, columns, where)) for where, record in _records(reader, file)]
    shape = _shape(records, columns, system or file.stem)
    by_measure: dict[tuple[str | None, str], GivenScores] = {}
    directions: dict[str, bool] = {}
    for number, (where, record) in enumerate(records, 1):
        fields = {name.strip().lower(): value for name, value in record.items()}
        name = _metric(fields, shape.metric or file.stem, where)
        testset = _label(fields.get("testset"))
        metric = _label(fields.get("metric"))
        level: Level = "system" if shape.is_whole(fields) else "segment"
        made = GivenScores(name, level, file.name, testset=testset, metric=metric)
        scores = by_measure.setdefault((testset, name), made)
        if level != scores.level:
            raise InputError(f"{where}: some records name their segment and some do not: all of {name} or none must")
        _direct(directions, name, fields.get("higher_is_better"), where)
        for its_system, score in shape.scores(record, fields, where):
            scores.add(its_system, shape.key(fields, number, where), score, where, SECOND[level])
    if not by_measure:
        raise InputError(f"{file.name} has no scores: expected a record per system and segment")
    for scores in by_measure.values():
        scores.refuse_gaps()
    return tuple(replace(scores, higher_is_better=directions.get(scores.name)) for scores in by_measure.values())


def _records(reader: RecordsFile, file: InputFile) -> Iterator[tuple[str, Record]]:
    """The records; in CSV, an apostrophe that keeps a name from being a formula is no part of it."""
    for where, record in reader.records(file):
        yield where, {name: plain_cell(value) for name, value in record.items()} if reader.name == "csv" else record


def _renamed(record: Record, columns: ColumnNames, where: str) -> Record:
    if not columns.by_role:
        return record
    names = columns.roles(list(record), where)
    if (twice := repeated(names)) is not None:
        raise InputError(f"{where}: another column is called {twice!r}: rename it, or leave out --column {twice}=...")
    return dict(zip(names, record.values(), strict=True))


@dataclass(frozen=True)
class _Shape:
    """Where the scores of a file stand: under `field` in each record, or in a field per system if that is None."""

    field: str | None
    system: str
    metric: str | None = None

    def is_whole(self, fields: Mapping[str, Any]) -> bool:
        """Whether a record is about a whole system."""
        return self.field is not None and "system" in fields and not {"segment", "document"} & fields.keys()

    def key(self, fields: Mapping[str, Any], number: int, where: str) -> UnitKey:
        """What a record is about; one that need not name its segment has its number."""
        if self.is_whole(fields):
            return WHOLE
        name = _label(fields.get("segment"))
        if name is None and ("segment" in fields or (self.field is not None and "system" in fields)):
            raise InputError(f"{where}: the segment has no name: fill in the column segment")
        return _label(fields.get("document")), name or str(number)

    def scores(self, record: Record, fields: Mapping[str, Any], where: str) -> Iterator[tuple[str, float | None]]:
        """The systems and their scores in one record."""
        if self.field is not None:
            system = _label(fields["system"]) if "system" in fields else self.system
            if system is None:
                raise InputError(f"{where}: the system has no name")
            yield system, _score(record.get(self.field), where)
            return
        systems = {name: value for name, value in record.items() if name.strip().lower() not in _LABELS}
        if "score" in fields or "system" in fields or not systems:
            raise InputError(
                f"{where}: expected the columns system, segment and score, or segment and one column per system; "
                f"there is: {', '.join(record)}; name the column of the score with --column score=NAME"
            )
        for name, value in systems.items():
            yield name.strip().removeprefix("system:"), _score(value, f"{where}, {name}")


def _shape(records: Sequence[tuple[str, Record]], columns: ColumnNames, system: str) -> _Shape:
    """How a file is laid out, by the names of its columns and by which of them hold numbers."""
    names = dict.fromkeys(name for _, record in records for name in record)
    score = next((name for name in names if name.strip().lower() == "score"), None)
    if score is not None:
        named = "system" in {name.strip().lower() for name in names} or "score" in columns.by_role
        return _Shape(score if named else None, system, columns.by_role.get("score"))
    others = [name for name in names if name.strip().lower() not in (*_LABELS, "system")]
    numeric = [name for name in others if _is_numeric([record.get(name) for _, record in records])]
    has_system = any(name.strip().lower() == "system" for name in names)
    if len(numeric) == 1 and (has_system or len(others) > 1):
        return _Shape(numeric[0], system, numeric[0])
    return _Shape(None, system)


def _is_numeric(values: Sequence[Any]) -> bool:
    """Whether there are numbers in a column, and nothing else."""
    given = [value for value in values if value is not None and str(value).strip()]
    return bool(given) and all(_is_number(value) for value in given)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _metric(fields: Mapping[str, Any], usual: str, where: str) -> str:
    name = _label(fields.get("spec")) or _label(fields.get("metric")) or usual
    if not name.isprintable():
        raise InputError(f"{where}: {name!r} cannot name a metric: use visible text")
    return name


def _label(value: Any) -> str | None:
    """The name of something; numbers are names too, and 3.0 is 3, as programs that save tables write it."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if value is None else str(value).strip()
    return text or None


def _score(value: Any, where: str) -> float | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{where}: {value!r} is not a number; leave the cell empty if the score is missing") from error
    if not within_reach(number):
        raise InputError(
            f"{where}: the score is {number}, not a finite number up to 1e15; leave the cell empty if it is missing"
        )
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
