"""What programs that score translations write: a number per line, or the JSON of COMET.

A file of numbers is about one system, segments in the order of the test set. Its name tells which, and what the numbers
are: ``ours.comet`` or ``ours.comet.txt`` has scores named comet of the system ours. COMET's JSON has an object from the
file of each system to a list with an object per segment, whose only number is the score, else the one that is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from karat.arguments import within_reach
from karat.corpus.column_names import ColumnNames
from karat.corpus.files import InputFile
from karat.corpus.given_scores.model import GivenScores
from karat.corpus.given_scores.tables import number_or_none
from karat.corpus.jsontext import JsonError, parse_json
from karat.corpus.linefile import text_lines
from karat.errors import InputError

PLAIN_SUFFIXES = (".txt", ".out", ".log")
UNNAMED = "score"
"""What scores are called that nothing names."""


def is_number_list(lines: Sequence[str]) -> bool:
    """Whether lines may be those of a file with one number each.

    >>> is_number_list(["0.5", "-1e-3", "nan", ""]), is_number_list(["a", "0.5"]), is_number_list([""])
    (True, False, False)
    """
    words = [line.strip() for line in lines if line.strip()]
    return bool(words) and all(_is_number(word) for word in words)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return word.lower() == "none"
    return True


def read_number_list(file: InputFile, system: str | None = None) -> GivenScores:
    """The numbers of a file as scores of one system."""
    named, _, metric = _without_plain_suffix(file).rpartition(".")
    scores = GivenScores(metric if named else UNNAMED, "segment", file.name, by_place=True)
    for number, line in enumerate(text_lines(file), 1):
        where = f"{file.name}, line {number}"
        scores.add(system or named or metric, (None, str(number)), number_or_none(line, where), where, "")
    scores.refuse_gaps()
    return scores


def _without_plain_suffix(file: InputFile) -> str:
    if file.is_nameless:
        return file.stem
    return file.bare_name.removesuffix(file.suffix) if file.suffix in PLAIN_SUFFIXES else file.bare_name


def is_comet_output(data: bytes) -> bool:
    """Whether a file starts as COMET's JSON does: an object that has a list under its first name."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and start.partition(b":")[2].lstrip().startswith(b"[")


def read_comet_output(file: InputFile, columns: ColumnNames) -> tuple[GivenScores, ...]:
    """The scores of every system in COMET's JSON."""
    try:
        by_file = parse_json(file.text())
    except JsonError as error:
        raise InputError(f"{file.name}{f', line {error.line}' if error.line else ''}: {error}") from error
    if not isinstance(by_file, dict) or not all(_is_records(records) for records in by_file.values()):
        raise InputError(
            f"{file.name}: expected COMET's JSON, an object from the file of each system to a list with an object per "
            "segment"
        )
    field = _score_field(file, by_file, columns)
    scores = GivenScores(field, "segment", file.name, by_place=True)
    for path, records in by_file.items():
        for number, record in enumerate(records, 1):
            where = f"{file.name}, {path}, entry {number}"
            scores.add(InputFile(path).stem, (None, str(number)), _number(record.get(field), where), where, "")
    scores.refuse_gaps()
    return (scores,)


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(record, dict) for record in value)


def _score_field(file: InputFile, by_file: Mapping[str, list[dict[str, Any]]], columns: ColumnNames) -> str:
    """The field of the score: the one that was named, else the only one with a number."""
    records = [record for of_file in by_file.values() for record in of_file]
    fields = dict.fromkeys(name for record in records for name, value in record.items() if _is_plain_number(value))
    wanted = columns.by_role.get("score")
    if wanted is not None and wanted in fields:
        return wanted
    if wanted is None and len(fields) == 1:
        return next(iter(fields))
    there = f"numbers are in {', '.join(fields)}" if fields else "there is no number in it"
    raise InputError(f"{file.name}: {there}; name the field of the score with --column score=FIELD")


def _is_plain_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any, where: str) -> float | None:
    if value is None:
        return None
    if not _is_plain_number(value) or not within_reach(value):
        raise InputError(
            f"{where}: the score is {value!r}, not a finite number up to 1e15; write null if it is missing"
        )
    return float(value)
