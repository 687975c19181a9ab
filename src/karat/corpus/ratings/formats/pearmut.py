"""Pearmut's annotations: JSON lines, or the list (or object of lists by campaign) that it lets one download.

An entry is what one user saw at one time: ``item`` holds the items with their texts by model, ``annotation`` the
answers in the same order, an object by model with ``score`` and ``error_spans``. As in Appraise ``end_i`` is the last
character of a span, and as in browsers an emoji is two characters. What lies behind the end of the text is a mark on
one of the tokens that Pearmut puts there, such as ``[missing]``: which one, the file does not tell.

Entries of tutorials and the like have an ``item_i`` that starts with ``welcome_``, ``random_`` or ``goodbye_``; they
are control items. A model's answer is one row; rows with categories are MQM, with other spans ESA, and without any DA:
nothing tells an ESA file in which nobody marked anything from DA, so name its protocol. Where a campaign has sliders of
its own, each is a row of the protocol custom.

An entry whose annotation is a word marks a reset: what the user had answered before (to that item, where it names one)
is withdrawn, and not read. Nor is what the user submitted anew later.

Written entries have ``user_id``, ``item_i``, ``item``, ``annotation`` and ``actions`` with the first and the last
time; the log of what the user did in between is not kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import polars as pl

from karat.corpus.jsontext import parse_json
from karat.corpus.lines import split_lines
from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, register_format
from karat.corpus.ratings.model import BadRow, Ratings
from karat.corpus.ratings.schema import EXTRA, SCHEMA
from karat.corpus.ratings.spans import FIELDS, Span, SpanError, checked_spans, marks, span_series
from karat.corpus.ratings.tables import LINE

Entry = tuple[int, str | None, Mapping[str, Any]]
"""Line, campaign and what stands there."""

Place = tuple[Any, ...]
"""Campaign, user, number of the item, and what of it was judged."""

MOST_TOKENS = 100
"""How many tokens there can be behind a text."""

_OUTSIDE = ("welcome_", "random_", "goodbye_")
_CAMPAIGN, _INSTRUCTIONS = f"{EXTRA}campaign", f"{EXTRA}instructions"
_COLUMNS = (
    "rater", "item", "segment", "system", "criterion", "source", "target", "value", "spans", "comment", "control",
    "time", "seconds", _CAMPAIGN, _INSTRUCTIONS,
)  # fmt: skip


@register_format
class Pearmut(RatingsFormat):
    """Reads and writes annotations."""

    name = "pearmut"
    description = "Pearmut's annotations: JSON lines, or JSON"
    suffixes = (".jsonl", ".json")
    priority = 2
    holds = frozenset({*_COLUMNS, "protocol", f"{EXTRA}score"}) - {_CAMPAIGN}
    span_holds = frozenset(FIELDS) - {"score", "comment"}

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the names of an entry's fields."""
        start = "\n".join(file.head[:40])
        return file.suffix in cls.suffixes and all(f'"{name}"' in start for name in ("user_id", "annotation"))

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per model of each item."""
        bad: list[BadRow] = []
        rows: list[dict[str, Any]] = []
        active = _Active()
        for line, campaign, entry in _entries(file, bad):
            active.take(line, campaign, entry)
        for line, campaign, entry in active.entries.values():
            try:
                rows += [{LINE: line, _CAMPAIGN: campaign, **row} for row in _answers(entry)]
            except (SpanError, TypeError) as error:
                bad.append(BadRow(file.name, line, "annotation", str(error)))
        checker = Checker(file.name, _frame(rows), bad)
        checker.timestamp("time")
        named = options.protocol or _protocol(rows)
        own = pl.col("criterion").is_not_null()
        checker.frame = checker.frame.with_columns(
            pl.when(own).then(pl.lit("custom")).otherwise(pl.lit(named)).alias("protocol"),
            pl.col("criterion").fill_null("penalty" if named == "mqm" else "overall"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        if named == "mqm":
            scores = pl.col("value").cast(pl.String).str.strip_suffix(".0").alias(f"{EXTRA}score")
            mqm = pl.col("protocol") == "mqm"
            value = pl.when(~mqm).then("value").alias("value")
            checker.frame = checker.frame.with_columns(pl.when(mqm).then(scores).alias(f"{EXTRA}score"), value)
        checker.required("rater", "every entry must have a user_id")
        return replace(checked(checker, skip_bad=options.skip_bad), notes=active.notes(file.name))

    def writable(self, ratings: Ratings) -> pl.Series:
        """Judgements with a value or spans of a model's output."""
        answer = pl.col("value").is_not_null() | pl.col("spans").is_not_null()
        named = pl.col("rater").is_not_null() & pl.col("system").is_not_null() & pl.col("segment").is_not_null()
        scale = pl.col("protocol").is_in(["da", "da-sqm", "sqm", "esa", "mqm", "custom"]) & (pl.col("criterion") != "z")
        outside = pl.any_horizontal(pl.col("item").str.starts_with(start) for start in _OUTSIDE)
        known = pl.col("control").is_null() | ((pl.col("control") == "tutorial") & outside)
        placed = ~marks("source") & ~marks("missing") & (pl.col("protocol") == pl.col("protocol").first())
        # Of what stands there twice, the last would be taken for a correction.
        once = (
            pl.col("item").is_null() | pl.struct("rater", "item", "segment", "system", "criterion").is_last_distinct()
        )
        return ratings.frame.select(answer & named & scale & known & placed & once).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """An entry per rater and item, in the order of the table."""
        entries = _grouped(ratings.frame.iter_rows(named=True))
        return "".join(f"{json.dumps(_entry(rows), ensure_ascii=False)}\n" for rows in entries).encode()


@dataclass
class _Active:
    """The entries that count, by whom and what they are about, and how many others there were."""

    entries: dict[Place, Entry] = field(default_factory=dict)
    reset: int = 0
    replaced: int = 0

    def take(self, line: int, campaign: str | None, entry: Mapping[str, Any]) -> None:
        """An entry, which stands for those before it that are about the same; or a word, which withdraws them."""
        user, index = str(entry.get("user_id")), entry.get("item_i")
        if isinstance(entry["annotation"], str):
            whole = (campaign, user) if index is None else (campaign, user, str(index))
            gone = [place for place in self.entries if place[: len(whole)] == whole]
            self.reset += len(gone)
            for place in gone:
                del self.entries[place]
            return
        place = (campaign, user, line if index is None else str(index), *_outputs(entry))
        self.replaced += self.entries.pop(place, None) is not None
        self.entries[place] = (line, campaign, entry)

    def notes(self, file: str) -> tuple[str, ...]:
        """What a reader should know."""
        left_out = ((self.reset, "were reset by their users"), (self.replaced, "were submitted anew later"))
        return tuple(f"{file}: {count} entries {why}, and are not read" for count, why in left_out if count)


def _outputs(entry: Mapping[str, Any]) -> Iterator[str]:
    """Which outputs an entry is about: where systems are assigned as scores come in, an item can come with others."""
    answers = entry["annotation"]
    for position, answer in enumerate(answers if isinstance(answers, list) else ()):
        yield f"{position}: {sorted(answer) if isinstance(answer, dict) else None}"


def _entries(file: LoadedFile, bad: list[BadRow]) -> Iterator[Entry]:
    """Every entry with its line (or its number, in a file that is one JSON value) and campaign."""
    for line, campaign, entry in _values(file, bad):
        is_reset = isinstance(entry, dict) and isinstance(entry.get("annotation"), str)
        if is_reset or (isinstance(entry, dict) and "annotation" in entry and "item" in entry):
            yield line, campaign, entry
        else:
            bad.append(BadRow(file.name, line, "entry", "there is no item or no annotation"))


def _values(file: LoadedFile, bad: list[BadRow]) -> Iterator[tuple[int, str | None, Any]]:
    text = file.text()
    try:
        whole = parse_json(text)
    except ValueError:
        yield from _lines(file.name, text, bad)
        return
    if isinstance(whole, dict) and "annotation" in whole:
        yield 1, None, whole
        return
    by_campaign = whole.items() if isinstance(whole, dict) else [(None, whole)]
    number = 0
    for campaign, entries in by_campaign:
        for entry in entries if isinstance(entries, list) else [entries]:
            number += 1
            yield number, campaign, entry


def _lines(name: str, text: str, bad: list[BadRow]) -> Iterator[tuple[int, str | None, Any]]:
    for number, line in enumerate(split_lines(text), 1):
        if not line.strip():
            continue
        try:
            yield number, None, parse_json(line)
        except ValueError as error:
            bad.append(BadRow(name, number, "row", str(error)))


def _answers(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of one entry."""
    items, answers = entry["item"], entry["annotation"]
    if not isinstance(items, list) or not isinstance(answers, list) or len(items) != len(answers):
        raise SpanError("item and annotation must be lists of the same length")
    times = [action["time"] for action in entry.get("actions") or () if "time" in action]
    index = None if entry.get("item_i") is None else str(entry["item_i"])
    shared = {
        "rater": entry.get("user_id"),
        "item": index,
        "control": "tutorial" if (index or "").startswith(_OUTSIDE) else None,
        "time": max(times) if times else None,
        "seconds": round(max(times) - min(times), 6) if times else None,
    }
    for position, (item, answer) in enumerate(zip(items, answers, strict=True)):
        segment = {"segment": str(item.get("item_id", f"{index}.{position}"))}
        for system, judgement in (answer or {}).items():
            yield from ({**shared, **segment, **row} for row in _rows(item, system, judgement))


def _rows(item: Mapping[str, Any], system: str, judgement: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each slider that the campaign has in place of a score, spans and comment with the first; else one."""
    row = _judgement(item, system, judgement)
    sliders = judgement.get("sliders") or {}
    for number, (name, value) in enumerate(sliders.items()):
        yield {**row, "criterion": name, "value": value} | ({"spans": None, "comment": None} if number else {})
    if not sliders:
        yield row


def _judgement(item: Mapping[str, Any], system: str, judgement: Mapping[str, Any]) -> dict[str, Any]:
    spans = judgement.get("error_spans")
    targets = item.get("tgt")
    target = targets.get(system) if isinstance(targets, dict) else targets
    return {
        "system": system,
        "source": item.get("src"),
        "target": target,
        "criterion": None,
        "value": judgement.get("score"),
        "spans": None if spans is None else checked_spans(spans, partial(_span, target)),
        "comment": judgement.get("textfield"),
        _INSTRUCTIONS: item.get("instructions"),
    }


def _span(target: object, value: Mapping[str, Any]) -> Span:
    start, end = value.get("start_i"), value.get("end_i")
    place: tuple[int, int] | None = None
    if isinstance(start, int) and isinstance(end, int):
        place = _place_in(target, start, end) if isinstance(target, str) else (start, end + 1)
    elif (start, end) not in ((None, None), ("missing", "missing")):
        raise SpanError(f"a span has start_i {start!r} and end_i {end!r}, which are not numbers")
    return {
        "start": None if place is None else place[0],
        "end": None if place is None else place[1],
        "side": "missing" if place is None else "target",
        "category": value.get("category"),
        "severity": value.get("severity"),
        "score": None,
        "comment": None,
    }


def _place_in(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The code points of a span of UTF-16 code units; None of one on the tokens behind the text.

    >>> _place_in("Gut \U0001f44d Tag", 4, 7), _place_in("Gut \U0001f44d Tag", 10, 10)
    ((4, 7), None)
    """
    units = text.encode("utf-16-le")
    length = len(units) // 2
    if length <= start <= end < length + MOST_TOKENS:
        return None
    if not 0 <= start <= end + 1 <= length:
        return start, end + 1  # which is refused with its place
    # A half of a pair stands for the whole character.
    before, last = (len(units[: 2 * unit].decode("utf-16-le", "ignore")) for unit in (start, max(end, 0)))
    return before, before if end < start else last + 1


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    types: dict[str, Any] = {LINE: pl.Int64, **{name: SCHEMA.get(name, pl.String()) for name in _COLUMNS}}
    types["time"] = pl.Float64
    spans = span_series([row["spans"] for row in rows])
    frame = pl.DataFrame(
        {name: [row[name] for row in rows] for name in types if name != "spans"},
        schema={name: dtype for name, dtype in types.items() if name != "spans"},
        strict=False,
    )
    return frame.with_columns(spans)


def _protocol(rows: Iterable[Mapping[str, Any]]) -> str:
    spans = [span for row in rows for span in row["spans"] or ()]
    if any(span["category"] for span in spans):
        return "mqm"
    return "esa" if spans else "da"


def _grouped(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The rows of each entry: those in a row of one rater, item and time, no output twice under one criterion."""
    entry: list[dict[str, Any]] = []
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        output = (row["segment"], row["system"], row["criterion"])
        same = entry and all(entry[0][name] == row[name] for name in ("rater", "item", "time", "seconds"))
        if entry and (not same or output in seen):
            yield entry
            entry, seen = [], set()
        entry.append(row)
        seen.add(output)
    if entry:
        yield entry


def _entry(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One entry of the log, with the items in order of first appearance."""
    first = rows[0]
    items: dict[str, dict[str, Any]] = {}
    answers: dict[str, dict[str, Any]] = {}
    for row in rows:
        item = items.setdefault(row["segment"], {"item_id": row["segment"], "src": row["source"], "tgt": {}})
        if row.get(_INSTRUCTIONS) is not None:
            item["instructions"] = row[_INSTRUCTIONS]
        item["tgt"][row["system"]] = row["target"]
        own = answers.setdefault(row["segment"], {})
        own[row["system"]] = _answer(row) if row["protocol"] != "custom" else _with_slider(own.get(row["system"]), row)
    end = None if first["time"] is None else round(first["time"].timestamp(), 6)
    times = [] if end is None else [round(end - (first["seconds"] or 0), 6), end]
    return {
        "annotation": list(answers.values()),
        "actions": [{"time": time, "action": name} for time, name in zip(times, ("load", "submit"), strict=False)],
        "item": list(items.values()),
        "user_id": first["rater"],
        "item_i": int(first["item"]) if (first["item"] or "").isdecimal() else first["item"],
    }


def _answer(row: dict[str, Any]) -> dict[str, Any]:
    kept = row.get(f"{EXTRA}score")
    score = float(kept) if kept else row["value"]
    return {
        "score": int(score) if score is not None and score.is_integer() else score,
        "error_spans": None if row["spans"] is None else [_object(row["target"], span) for span in row["spans"]],
        "textfield": row["comment"],
    }


def _with_slider(answer: dict[str, Any] | None, row: dict[str, Any]) -> dict[str, Any]:
    """An answer with one more slider."""
    known = answer or {**_answer(row), "score": None, "sliders": {}}
    return {**known, "sliders": {**known["sliders"], row["criterion"]: _answer(row)["score"]}}


def _object(text: str | None, span: dict[str, Any]) -> dict[str, Any]:
    return {
        **dict(zip(("start_i", "end_i"), _units_of(text, span), strict=True)),
        "category": span["category"],
        "severity": span["severity"],
    }


def _units_of(text: str | None, span: dict[str, Any]) -> tuple[int | str, int | str]:
    """The first and the last UTF-16 code unit; of what is nowhere, that of the first token behind the text."""
    start, end = span["start"], span["end"]
    if text is None:
        return ("missing", "missing") if start is None else (start, end - 1)
    if start is None:
        behind = len(text.encode("utf-16-le")) // 2
        return behind, behind
    before, through = (len(text[:point].encode("utf-16-le")) // 2 for point in (start, end))
    return before, through - 1
