"""Scores of metrics and of people as shared tasks hand them round: one number per system, segment, document or domain.

Known are the files of mt-metrics-eval (``system<TAB>score``, segments in the order of the test set), the submissions of
WMT's metrics task (metric, language pair, test set, reference, system, perhaps document and segment, score), and tables
with a line of headings whose columns stand between spaces or tabs, mixed even in one file. What is missing is ``None``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from karat.arguments import within_reach
from karat.corpus.files import FilePath, InputFile
from karat.corpus.given_scores.model import WHOLE, GivenScores, Level, UnitKey
from karat.errors import InputError, did_you_mean

CHOOSE = "choose one with --only COLUMN=VALUE"
KEEP = "keep the lines of one of them in the file"
"""What helps where the reader has no way to choose."""

MISSING = ("none", "nan", "na", "")
SUBMISSION = ("metric", "lp", "testset", "ref", "system")
SYSTEM_HEADINGS = ("system", "sys")
DOCUMENT_HEADINGS = ("document", "doc", "doc_id", "docid")
SEGMENT_HEADINGS = ("segment", "segid", "seg_id", "seg", "sid")
SCORE_HEADINGS = ("score", "z.scr", "mqm_avg_score", "raw.scr")
SUFFIXES = {".sys.score": "system", ".doc.score": "document", ".domain.score": "domain", ".seg.score": "segment"}


def is_score_table(first_line: str) -> bool:
    """Whether a file that begins with this line is one that this module reads: no table of named columns is.

    >>> is_score_table("sysA\\t-0.25"), is_score_table("system mqm_avg_score seg_id"), is_score_table("system,score")
    (True, True, False)
    """
    cells = first_line.split("\t")
    if len(cells) in (2, 6, 8):
        return _is_number(cells[-1])
    words = first_line.lower().split()
    return len(cells) == 1 and len(words) > 1 and "," not in first_line and _column(words, SYSTEM_HEADINGS) is not None


def read_score_table(
    path: FilePath | InputFile, only: Mapping[str, str] | None = None, column: str | None = None
) -> list[GivenScores]:
    """The scores in a file, metric by metric; `only` keeps the lines with these values, `column` names the score's.

    `only` is None where lines cannot be chosen.
    """
    file = InputFile.of(path)
    lines = _numbered(file)
    width = len(lines[0][1].split("\t"))
    if width in (6, 8) and _is_number(lines[0][1].split("\t")[-1]):
        return _submission(lines, only, file.name)
    if width == 2 and _is_number(lines[0][1].split("\t")[1]):
        return [_plain(file, lines)]
    return [_headed(lines, only, column, file.path.name.partition(".")[0])]


def read_mtme_scores(path: str, name: str, level: Level, documents: Sequence[str] | None = None) -> GivenScores:
    """The scores of a file of mt-metrics-eval, whose name tells what they are; `documents` has that of each segment."""
    numbered = tuple(dict.fromkeys(documents)) if documents is not None and level == "document" else None
    return _in_order(_numbered(InputFile(path)), GivenScores(name, level, path), numbered)


def _in_order(
    lines: Sequence[tuple[str, str]], table: GivenScores, documents: Sequence[str] | None = None
) -> GivenScores:
    """A system and a score per line, segments and documents in the order of the test set; domains are named before."""
    counts: dict[str, int] = {}
    widths = {"domain": (3,), "document": (2, 3)}.get(table.level, (2,))
    for where, line in lines:
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) not in widths:
            raise InputError(f"{where}: expected {_EXPECTED[table.level]}, but got {line!r}")
        system = cells[-2]
        counts[system] = counts.get(system, 0) + 1
        unit = cells[0] if len(cells) == 3 else _unit_at(counts[system], table.level, documents, where)
        table.add(system, (None, unit), number_or_none(cells[-1], where), where, KEEP)
    return table


def _unit_at(place: int, level: Level, documents: Sequence[str] | None, where: str) -> str:
    """What the n-th score of a system is of."""
    if level == "system":
        return ""
    if level == "segment":
        return str(place)
    if documents is None:
        raise InputError(f"{where}: nothing tells which documents these are: add documents/LANGUAGE-PAIR.docs")
    if place > len(documents):
        raise InputError(f"{where}: there are only {len(documents)} documents; keep one score of a system for each")
    return documents[place - 1]


_EXPECTED: dict[Level, str] = {
    "system": "a system and a score separated by a tab",
    "document": "a system and a score separated by a tab, documents in their order",
    "domain": "a domain, a system and a score separated by tabs",
    "segment": "a system and a score separated by a tab",
}


def _numbered(file: InputFile) -> list[tuple[str, str]]:
    """The lines that are not blank, each with where it stands."""
    numbered = [(f"{file.name}, line {number}", line) for number, line in enumerate(_lines(file), 1) if line.strip()]
    if not numbered:
        raise InputError(f"{file.name} has no scores in it")
    return numbered


def _lines(file: InputFile) -> Iterator[str]:
    data = b"".join(file.chunks())
    try:
        yield from data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{file.name} is not UTF-8 (byte {error.start}): convert it first") from error


def _plain(file: InputFile, lines: Sequence[tuple[str, str]]) -> GivenScores:
    """A system and a score per line: of systems if each stands there once, else of segments in order."""
    systems = [line.split("\t")[0] for _, line in lines]
    level: Level = "system" if len(set(systems)) == len(systems) else "segment"
    name = file.path.name
    for suffix, suffix_level in SUFFIXES.items():
        if name.endswith(suffix):
            name = name.removesuffix(suffix)
            level = "system" if suffix_level == "system" else "segment"
    return _in_order(lines, GivenScores(name, level, file.name))


def _submission(lines: Sequence[tuple[str, str]], chosen: Mapping[str, str] | None, file: str) -> list[GivenScores]:
    """Lines of a submission to WMT's metrics task."""
    only, remedy = ({}, KEEP) if chosen is None else (chosen, CHOOSE)
    headings = (*SUBMISSION, "document", "segment") if len(lines[0][1].split("\t")) == 8 else SUBMISSION
    _check_columns(only, headings, file)
    by_metric: dict[str, GivenScores] = {}
    level: Level = "segment" if len(headings) == 7 else "system"
    for where, line in lines:
        cells = line.split("\t")
        if len(cells) != len(headings) + 1:
            raise InputError(f"{where}: {len(cells)} columns, but {len(headings) + 1} in the first line")
        fields = dict(zip(headings, cells, strict=False))
        if any(fields[key] != value for key, value in only.items()):
            continue
        table = by_metric.setdefault(fields["metric"], GivenScores(fields["metric"], level, file))
        key = (fields["document"], fields["segment"]) if level == "segment" else WHOLE
        table.add(fields["system"], key, number_or_none(cells[-1], where), where, remedy)
    if not by_metric:
        raise InputError(f"{file} has no line with {', '.join(f'{key}={value}' for key, value in only.items())}")
    return list(by_metric.values())


def _headed(
    lines: Sequence[tuple[str, str]], chosen: Mapping[str, str] | None, column: str | None, name: str
) -> GivenScores:
    """A table with headings, cut at any run of spaces and tabs."""
    only, remedy = ({}, KEEP) if chosen is None else (chosen, CHOOSE)
    first, headings = lines[0][0], [heading.lower() for heading in lines[0][1].split()]
    system, segment = _column(headings, SYSTEM_HEADINGS), _column(headings, SEGMENT_HEADINGS)
    document = None if segment is None else _column(headings, DOCUMENT_HEADINGS)
    wanted = (column.lower(),) if column else SCORE_HEADINGS
    score = _column(headings, wanted)
    if system is None or score is None:
        raise InputError(
            f"{first}: expected headings such as system, segment and score, but got {', '.join(headings)}; "
            "call the column of the score 'score'"
        )
    _check_columns(only, headings, first)
    table = GivenScores(name, "system" if segment is None else "segment", first.partition(", line")[0])
    for where, line in lines[1:]:
        cells = line.split()
        if len(cells) != len(headings):
            raise InputError(f"{where}: {len(cells)} columns, but {len(headings)} headings")
        if all(cells[headings.index(key)] == value for key, value in only.items()):
            key = WHOLE if segment is None else _segment(cells[segment], None if document is None else cells[document])
            table.add(cells[system], key, number_or_none(cells[score], where), where, remedy)
    return table


def _segment(cell: str, document: str | None) -> UnitKey:
    """A segment by its name, or by document and name joined as WMT20 has them: ``doc::7``."""
    before, joint, name = cell.rpartition("::")
    return (before, name) if joint and document is None else (document, cell)


def _column(headings: Sequence[str], names: Sequence[str]) -> int | None:
    return next((headings.index(name) for name in names if name in headings), None)


def _check_columns(only: Mapping[str, str], headings: Sequence[str], where: str) -> None:
    for key in only:
        if key not in headings:
            raise InputError(f"{where}: there is no column {key!r} to choose by.{did_you_mean(key, headings)}")


def _is_number(text: str) -> bool:
    return text.strip().lower() in MISSING[:3] or re.search(r"-?\d", text) is not None


def number_or_none(text: str, where: str) -> float | None:
    """A number, also where a program's words stand before it (chrF2 = 0.489)."""
    cell = text.rpartition("=")[2].strip()
    if cell.lower() in MISSING:
        return None
    try:
        number = float(cell)
    except ValueError as error:
        raise InputError(f"{where}: {text!r} is not a score; write None where it is missing") from error
    if not within_reach(number):
        raise InputError(f"{where}: the score {text!r} is not finite, or beyond 1e15; write None where it is missing")
    return number
