"""n-best lists: several hypotheses for each segment, perhaps with the log-probabilities that a model gave them.

A line of JSONL has the hypotheses of a segment, as texts or as objects with their log-probabilities::

    {"segment": "1", "hypotheses": ["A house", "One house"], "log_probabilities": [-0.7, -1.9]}
    {"segment": "1", "hypotheses": [{"text": "A house", "log_probability": -0.7}, {"text": "One house"}]}

In plain text each segment has as many lines as it has hypotheses, the same number for all; their log-probabilities are
in a file of their own, a number in a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import Any

from karat.arguments import items
from karat.corpus.files import InputFile, refuse_second_stdin
from karat.corpus.jsontext import JsonError, parse_json
from karat.corpus.linefile import LineFile
from karat.errors import InputError

JSON_SUFFIXES = (".jsonl", ".ndjson")
LISTS_AT_ONCE = 32
_TEXTS = ("hypotheses", "candidates")
_TEXT = ("text", "hypothesis")
_VALUES = ("log_probabilities", "logprobs", "scores")
_VALUE = ("log_probability", "logprob", "score")
_LABEL = ("segment", "id")


@dataclass(frozen=True)
class NbestList:
    """The hypotheses of one segment, and where they stand; `segment` is its label or its number."""

    segment: str
    hypotheses: tuple[str, ...]
    where: str
    log_probabilities: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not self.hypotheses:
            raise InputError(f"{self.where}: the segment has no hypothesis: give it one at least, or leave it out")
        if self.log_probabilities is not None and len(self.log_probabilities) != len(self.hypotheses):
            raise InputError(
                f"{self.where}: {len(self.hypotheses)} hypotheses, but {len(self.log_probabilities)} "
                "log-probabilities: give one for each"
            )


@dataclass(frozen=True)
class NbestBlock:
    """Some segments, and which part of the file has been read with them, where its length is known."""

    lists: tuple[NbestList, ...]
    share_read: float | None


@dataclass(frozen=True)
class NbestFile:
    """Where n-best lists are: JSONL, or text with so many lines for each segment, as `option` says to a user.

    What comes from standard input or a pipe without a name is JSONL unless that number is given.
    """

    path: str
    per_segment: int | None = None
    log_probabilities: str | None = None
    option: str = "-k"

    def files(self) -> Iterator[InputFile]:
        """The files that are read."""
        yield InputFile.of(self.path)
        if self.log_probabilities is not None:
            yield InputFile.of(self.log_probabilities)

    def blocks(self) -> Iterator[NbestBlock]:
        """The lists, some segments at a time; what is wrong is refused by file and line."""
        file = InputFile.of(self.path)
        is_json = file.suffix in JSON_SUFFIXES or (file.is_nameless and self.per_segment is None)
        if is_json and self.per_segment is not None:
            raise InputError(f"{file.name} is JSONL, where each line has a list of its own: leave out {self.option}")
        if is_json and self.log_probabilities is not None:
            raise InputError(f"{file.name} is JSONL, which has log-probabilities in itself: leave out their file")
        if not is_json and self.per_segment is None:
            raise InputError(
                f"{file.name}: say with {self.option} how many lines each segment has, or give JSONL (named .jsonl) "
                "with a list of hypotheses in each line"
            )
        lists = _json_lists(file) if is_json else self._text_lists(file, self.per_segment or 1)
        empty = True
        for block in lists:
            empty = False
            yield block
        if empty:
            raise InputError(f"{file.name} is empty: it has no segment")

    def _text_lists(self, file: InputFile, count: int) -> Iterator[NbestBlock]:
        lines = LineFile(file)
        numbers = None if self.log_probabilities is None else LineFile(InputFile.of(self.log_probabilities))
        refuse_second_stdin([file, *([] if numbers is None else [numbers.file])])
        while len(column := lines.take(count * LISTS_AT_ONCE)):
            first = lines.lines_read - len(column)
            texts = column.to_list()
            if len(texts) % count:
                raise InputError(
                    f"{file.name} has {lines.lines_read} lines, which {count} hypotheses a segment do not divide: the "
                    f"last segment, from line {lines.lines_read - len(texts) % count + 1} on, has {len(texts) % count}"
                )
            values = None if numbers is None else _taken_numbers(numbers, len(texts), lines)
            yield NbestBlock(
                tuple(_cut(file, first, texts, values, start, count) for start in range(0, len(texts), count)),
                lines.share_read,
            )
        if numbers is not None and (more := numbers.count_rest()):
            raise InputError(
                f"{numbers.file.name} has {numbers.lines_read + more} log-probabilities, but {file.name} has "
                f"{lines.lines_read} hypotheses: give one for each"
            )


def nbest_lists(
    hypotheses: Sequence[Sequence[str]], log_probabilities: Sequence[Sequence[float]] | None = None
) -> tuple[NbestList, ...]:
    """Lists that are in memory."""
    segments = items(hypotheses, "lists of hypotheses", dimensions=(1, 2))
    if any(isinstance(texts, str) for texts in segments):
        raise InputError("give a list of hypotheses for each segment: a list of lists of strings")
    values = None if log_probabilities is None else items(log_probabilities, "lists of numbers", dimensions=(1, 2))
    if values is not None and len(values) != len(segments):
        raise InputError(f"{len(segments)} segments, but {len(values)} lists of log-probabilities: give one for each")
    lists = []
    for place, texts in enumerate(segments):
        where = f"segment {place + 1}"
        checked = tuple(_text(text, where, number) for number, text in enumerate(_entries(texts, where), 1))
        given = None if values is None else tuple(_checked(value, where) for value in _entries(values[place], where))
        lists.append(NbestList(str(place + 1), checked, where, given))
    if not lists:
        raise InputError("there is no segment: give a list of hypotheses for one at least")
    return tuple(lists)


def _entries(values: Any, where: str) -> list[Any]:
    try:
        return items(values, "entries")
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


def _cut(
    file: InputFile, lines_before: int, texts: list[str], values: list[float] | None, start: int, count: int
) -> NbestList:
    """The hypotheses of one segment out of those of a block."""
    line = lines_before + start + 1
    chosen = None if values is None else tuple(values[start : start + count])
    segment = str((line - 1) // count + 1)
    return NbestList(segment, tuple(texts[start : start + count]), f"{file.name}, line {line}", chosen)


def _taken_numbers(numbers: LineFile, count: int, lines: LineFile) -> list[float]:
    before = numbers.lines_read
    taken = numbers.take(count).to_list()
    if len(taken) < count:
        raise InputError(
            f"{numbers.file.name} ends after line {numbers.lines_read}, but {lines.file.name} has more hypotheses: "
            "give one log-probability for each"
        )
    return [_parsed(text, f"{numbers.file.name}, line {before + place}") for place, text in enumerate(taken, 1)]


def _parsed(text: str, where: str) -> float:
    try:
        return _checked(float(text), where)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{where}: {text[:40]!r} is no number: write one log-probability in each line") from error


def _checked(value: object, where: str) -> float:
    """A log-probability; what cannot be one is refused."""
    if isinstance(value, bool) or (not isinstance(value, int | float) and not hasattr(value, "__float__")):
        shown = "null" if value is None else repr(str(value)[:40])
        raise InputError(f"{where}: a log-probability must be a number, not {shown}")
    number = float(value)
    if not isfinite(number):
        raise InputError(f"{where}: the log-probability {number} is not finite: leave out what cannot be generated")
    if number > 0:
        raise InputError(
            f"{where}: {number:g} is no log-probability, for it is greater than 0: give logarithms of probabilities"
        )
    return number


def _json_lists(file: InputFile) -> Iterator[NbestBlock]:
    lines = LineFile(file)
    seen: dict[str, str] = {}
    blank: int | None = None
    while len(column := lines.take(LISTS_AT_ONCE)):
        lists = []
        for number, line in enumerate(column, lines.lines_read - len(column) + 1):
            where = f"{file.name}, line {number}"
            if not line.strip():
                blank = blank or number
                continue
            if blank is not None:
                raise InputError(f"{file.name}, line {blank}: the line is blank, but a JSON object is wanted")
            nbest = _json_list(line, where, number)
            if nbest.segment in seen:
                raise InputError(
                    f"{where}: segment {nbest.segment} is there twice, the first time in {seen[nbest.segment]}: "
                    "give all hypotheses of a segment in one line"
                )
            seen[nbest.segment] = where
            lists.append(nbest)
        if lists:
            yield NbestBlock(tuple(lists), lines.share_read)


def _json_list(line: str, where: str, number: int) -> NbestList:
    try:
        record = parse_json(line)
    except JsonError as error:
        column = f", column {error.column}" if error.column else ""
        raise InputError(f"{where}{column}: {error}") from error
    if not isinstance(record, dict):
        raise InputError(f"{where}: expected a JSON object with the field hypotheses, a list of texts")
    given = _field(record, _TEXTS, where)
    if given is None:
        there = ", ".join(islice(map(str, record), 10)) or "none"
        raise InputError(f"{where}: there is no field hypotheses, a list of texts; the fields are: {there}")
    if not isinstance(given, list):
        raise InputError(f"{where}: the hypotheses must be a list of texts")
    texts = tuple(_text(_entry_text(entry, where), where, place) for place, entry in enumerate(given, 1))
    label = _field(record, _LABEL, where)
    if label is not None and not isinstance(label, str | int):
        raise InputError(f"{where}: the segment must be named by text or a number")
    return NbestList(str(number) if label is None else str(label), texts, where, _json_values(record, given, where))


def _json_values(record: dict[str, Any], given: list[Any], where: str) -> tuple[float, ...] | None:
    """The log-probabilities, in a list of their own or with each hypothesis; None where there are none."""
    values = _field(record, _VALUES, where)
    within = [_field(entry, _VALUE, where) if isinstance(entry, dict) else None for entry in given]
    there = [value for value in within if value is not None]
    if values is None and there and len(there) < len(given):
        place = within.index(None) + 1
        raise InputError(f"{where}: hypothesis {place} has no log-probability, but others have one: give all of them")
    if values is not None and there:
        raise InputError(f"{where}: log-probabilities are there twice, in a list and with the hypotheses: keep one")
    if values is not None and not isinstance(values, list):
        raise InputError(f"{where}: the log-probabilities must be a list of numbers")
    numbers = there if values is None else values
    return tuple(_checked(value, where) for value in numbers) if numbers or values is not None else None


def _entry_text(entry: Any, where: str) -> Any:
    return _field(entry, _TEXT, where) if isinstance(entry, dict) else entry


def _field(record: dict[str, Any], names: Sequence[str], where: str) -> Any:
    """The value of the field of one of these names; two of them are refused."""
    there = [name for name in names if name in record]
    if len(there) > 1:
        raise InputError(f"{where}: {there[0]} and {there[1]} are the same thing: keep one")
    return record[there[0]] if there else None


def _text(value: Any, where: str, place: int) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: hypothesis {place} is not a text; write an empty text if the output was empty")
    return value
