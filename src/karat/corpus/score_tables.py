"""Scores of metrics and of people as shared tasks hand them round: one number per system, segment, document or domain.

Known are the files of mt-metrics-eval (``system<TAB>score``, segments in the order of the test set), the submissions of
WMT's metrics task (metric, language pair, test set, reference, system, perhaps document and segment, score), and tables
with a line of headings whose columns stand between spaces or tabs, mixed even in one file. What is missing is ``None``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Literal, get_args

from karat.corpus.files import InputFile
from karat.errors import InputError, did_you_mean

Level = Literal["system", "document", "domain", "segment"]
LEVELS: tuple[Level, ...] = get_args(Level)
Values = dict[str, dict[str, float | None]]
"""Scores by system and unit; the unit of a system's own score is empty."""

MISSING = ("none", "nan", "na", "")
SUBMISSION = ("metric", "lp", "testset", "ref", "system")
SYSTEM_HEADINGS = ("system", "sys")
SEGMENT_HEADINGS = ("segment", "segid", "seg_id", "seg")
SCORE_HEADINGS = ("score", "z.scr", "mqm_avg_score", "raw.scr")
SUFFIXES = {".sys.score": "system", ".doc.score": "document", ".domain.score": "domain", ".seg.score": "segment"}


@dataclass
class ScoreTable:
    """The scores of one metric, or of people, at one level."""

    name: str
    level: Level
    file: str
    values: Values = field(default_factory=dict)

    def add(self, system: str, unit: str, score: float | None, where: str) -> None:
        """Take one more score; a second one for the same unit is refused."""
        of_system = self.values.setdefault(system, {})
        if unit in of_system:
            what = f"{system}, {self.level} {unit}" if unit else system
            raise InputError(f"{where}: {what} has a second {self.name} score: choose one with --only COLUMN=VALUE")
        of_system[unit] = score


def read_score_table(path: str, only: Mapping[str, str] | None = None, column: str | None = None) -> list[ScoreTable]:
    """The scores in a file, metric by metric; `only` keeps the lines with these values, `column` names the score's."""
    file = InputFile(path)
    lines = _numbered(file)
    width = len(lines[0][1].split("\t"))
    if width in (6, 8) and _is_number(lines[0][1].split("\t")[-1]):
        return _submission(lines, only or {}, file.name)
    if width == 2 and _is_number(lines[0][1].split("\t")[1]):
        return [_plain(path, lines)]
    return [_headed(lines, only or {}, column, Path(path).name.partition(".")[0])]


def read_mtme_scores(path: str, name: str, level: Level) -> ScoreTable:
    """The scores of a file of mt-metrics-eval, whose name tells what they are."""
    table = ScoreTable(name, level, path)
    counts: dict[str, int] = {}
    for where, line in _numbered(InputFile(path)):
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != (3 if level in ("domain", "document") else 2):
            raise InputError(f"{where}: expected a system and a score between tabs, and there is {line!r}")
        system = cells[-2]
        counts[system] = counts.get(system, 0) + 1
        unit = cells[0] if len(cells) == 3 else "" if level == "system" else str(counts[system])
        table.add(system, unit, _score(cells[-1], where), where)
    return table


def _numbered(file: InputFile) -> list[tuple[str, str]]:
    """The lines that are not blank, each with where it stands."""
    found = [(f"{file.name}, line {number}", line) for number, line in enumerate(_lines(file), 1) if line.strip()]
    if not found:
        raise InputError(f"{file.name} has no scores in it")
    return found


def _lines(file: InputFile) -> Iterator[str]:
    data = b"".join(file.chunks())
    try:
        yield from data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{file.name} is not UTF-8 (byte {error.start}): convert it first") from error


def _plain(path: str, lines: Sequence[tuple[str, str]]) -> ScoreTable:
    """A system and a score per line: of systems if each stands there once, else of segments in order."""
    systems = [line.split("\t")[0] for _, line in lines]
    level: Level = "system" if len(set(systems)) == len(systems) else "segment"
    name = Path(path).name
    for suffix, of in SUFFIXES.items():
        if name.endswith(suffix):
            name = name.removesuffix(suffix)
            level = "system" if of == "system" else "segment"
    return read_mtme_scores(path, name, level)


def _submission(lines: Sequence[tuple[str, str]], only: Mapping[str, str], file: str) -> list[ScoreTable]:
    """Lines of a submission to WMT's metrics task."""
    headings = (*SUBMISSION, "document", "segment") if len(lines[0][1].split("\t")) == 8 else SUBMISSION
    _check_columns(only, headings, file)
    found: dict[str, ScoreTable] = {}
    level: Level = "segment" if len(headings) == 7 else "system"
    for where, line in lines:
        cells = line.split("\t")
        if len(cells) != len(headings) + 1:
            raise InputError(f"{where}: {len(cells)} columns, but {len(headings) + 1} in the first line")
        fields = dict(zip(headings, cells, strict=False))
        if any(fields[key] != value for key, value in only.items()):
            continue
        table = found.setdefault(fields["metric"], ScoreTable(fields["metric"], level, file))
        unit = f"{fields['document']}::{fields['segment']}" if level == "segment" else ""
        table.add(fields["system"], unit, _score(cells[-1], where), where)
    if not found:
        raise InputError(f"{file} has no line with {', '.join(f'{key}={value}' for key, value in only.items())}")
    return list(found.values())


def _headed(lines: Sequence[tuple[str, str]], only: Mapping[str, str], column: str | None, name: str) -> ScoreTable:
    """A table with headings, cut at any run of spaces and tabs."""
    first, headings = lines[0][0], [heading.lower() for heading in lines[0][1].split()]
    system, segment = _column(headings, SYSTEM_HEADINGS), _column(headings, SEGMENT_HEADINGS)
    wanted = (column.lower(),) if column else SCORE_HEADINGS
    score = _column(headings, wanted)
    if system is None or score is None:
        raise InputError(
            f"{first}: expected headings such as system, segment and score, and there is {', '.join(headings)}; "
            "name the column of the score with --gold COLUMN"
        )
    _check_columns(only, headings, first)
    table = ScoreTable(name, "system" if segment is None else "segment", first.partition(", line")[0])
    for where, line in lines[1:]:
        cells = line.split()
        if len(cells) != len(headings):
            raise InputError(f"{where}: {len(cells)} columns, but {len(headings)} headings")
        if all(cells[headings.index(key)] == value for key, value in only.items()):
            unit = "" if segment is None else cells[segment]
            table.add(cells[system], unit, _score(cells[score], where), where)
    return table


def _column(headings: Sequence[str], names: Sequence[str]) -> int | None:
    return next((headings.index(name) for name in names if name in headings), None)


def _check_columns(only: Mapping[str, str], headings: Sequence[str], where: str) -> None:
    for key in only:
        if key not in headings:
            raise InputError(f"{where}: there is no column {key!r} to choose by.{did_you_mean(key, headings)}")


def _is_number(text: str) -> bool:
    return text.strip().lower() in MISSING[:3] or re.search(r"-?\d", text) is not None


def _score(text: str, where: str) -> float | None:
    """A number, also where a program's words stand before it (chrF2 = 0.489)."""
    cell = text.rpartition("=")[2].strip()
    if cell.lower() in MISSING:
        return None
    try:
        number = float(cell)
    except ValueError as error:
        raise InputError(f"{where}: {text!r} is not a score; write None where it is missing") from error
    if not isfinite(number):
        raise InputError(f"{where}: the score {text!r} is not finite; write None where it is missing")
    return number
