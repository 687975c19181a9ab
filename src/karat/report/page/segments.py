"""Segments for the page: all of them packed for its script, and the first ones for readers without it."""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.identity import distinct_names
from karat.report.numbers import digits_for, fixed
from karat.report.page.signs import with_signs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.segment_view import Facet, MeasuredSegments, SegmentView, Texts

READABLE = 50
"""How many segments stand in the page itself, for readers without scripts."""

COMPRESSION = 7
"""The highest level takes more than twice the time and spares a hundredth of the size."""

_ORDER = re.compile(r"_\d+$")
_ONE = re.compile(r"#s(\d+)")


@dataclass(frozen=True)
class ReadableText:
    """One text of a segment: what it is, whose, and its language; None where texts are left out."""

    kind: str
    title: str
    text: str | None
    language: str | None
    scores: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ReadableSegment:
    """One segment as it stands in the page itself."""

    number: int
    id: str
    labels: tuple[tuple[str, str], ...]
    texts: tuple[ReadableText, ...]


@dataclass(frozen=True)
class SegmentSection:
    """What the template of the segment browser needs."""

    count: int
    payload: str
    first_rows: tuple[ReadableSegment, ...]
    notes: tuple[str, ...] = ()
    numbers: frozenset[int] = frozenset()
    left_out: int = 0

    def holds(self, link: str) -> bool:
        """Whether a link to one segment leads to one that the page has; other links are about all."""
        named = _ONE.match(link)
        return named is None or int(named[1]) in self.numbers


def segment_section(view: SegmentView) -> SegmentSection:
    """The section of the page that shows all segments."""
    return SegmentSection(
        count=len(view),
        payload=packed(view),
        first_rows=tuple(_readable(view)),
        notes=tuple(_formulas_of_segments(view)),
        numbers=frozenset(view.numbers),
        left_out=view.left_out,
    )


def _formulas_of_segments(view: SegmentView) -> Iterator[str]:
    """Which metrics score single segments by another formula than whole test sets."""
    for name, measure in zip(measure_names(view), view.measures, strict=True):
        if measure.segment_spec is not None:
            yield f"{name} of a single segment is {measure.segment_spec}."


def packed(view: SegmentView) -> str:
    """Everything about all segments: JSON, compressed, in characters that any page may hold."""
    text = json.dumps(_plain(view), ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("ascii"), COMPRESSION, mtime=0)).decode("ascii")


def _plain(view: SegmentView) -> dict[str, Any]:
    """The view as JSON has it; what belongs to one segment stands together, for that compresses best."""
    columns = list(_columns(view))
    systems = {name: place for place, name in enumerate(view.systems)}
    return {
        "numbers": list(view.numbers),
        "left_out": view.left_out,
        "ids": None if view.ids == tuple(map(str, view.numbers)) else list(view.ids),
        "systems": list(view.systems),
        "languages": [view.source_language, view.target_language],
        "mark": view.mark,
        "columns": [[kind, name] for kind, name, _ in columns],
        "texts": list(zip(*(texts for _, _, texts in columns), strict=True)),
        "closest": [view.closest[name].tolist() if name in view.closest else None for name in view.systems],
        "measures": _with_shared_columns(
            [
                {"name": name, **_measure(measure, view.systems)}
                for name, measure in zip(measure_names(view), view.measures, strict=True)
            ]
        ),
        "facets": [_facet(facet) for facet in view.facets],
        "remarks": [
            [remark.segment, systems.get(remark.system or "", -1), remark.label, remark.text] for remark in view.remarks
        ],
        "judgements": [
            {**asdict(judgement), "system": systems[judgement.system]}
            for judgement in view.judgements
            if judgement.system in systems
        ],
        "classes": _classes(view),
        "class_names": list(view.class_names.items()),
    }


def _classes(view: SegmentView) -> list[list[str | None]]:
    """The classes of the words of all outputs, segment by segment; nothing where there are none."""
    known = {(words.segment, words.system): words.codes for words in view.word_classes}
    return [[known.get((place, name)) for name in view.systems] for place in range(len(view))] if known else []


def _columns(view: SegmentView) -> Iterator[tuple[str, str, Texts]]:
    if view.source is not None:
        yield "source", "", view.source
    for kind, columns in (("reference", view.references), ("output", view.outputs), ("post-edit", view.post_edits)):
        for name, texts in columns.items():
            yield kind, name, texts


def _measure(measure: MeasuredSegments, systems: Sequence[str]) -> dict[str, Any]:
    identity, formula = measure.identity, measure.formula
    digits = score_digits(measure)
    # Scores that a mean is taken of must keep all their digits.
    kept = None if formula is not None and formula.kind == "mean" else digits + 2
    scores = [_numbers(measure.scores[name], kept) if name in measure.scores else None for name in systems]
    plain = {
        "spec": identity.spec,
        "arrow": identity.arrow,
        "higher": identity.higher_is_better,
        "digits": digits,
        "scores": scores,
        "formula": None if formula is None else {"kind": formula.kind, **formula.parameters},
    }
    return plain | (_rows(measure, systems) if measure.rows else {})


def measure_names(view: SegmentView) -> list[str]:
    """What the measures are called beside each other."""
    return distinct_names([measure.identity for measure in view.measures])


def score_digits(measure: MeasuredSegments) -> int:
    """How many digits a score of a segment has after the point."""
    scores = (float(score) for values in measure.scores.values() for score in values[~np.isnan(values)])
    return digits_for(measure.identity, scores, 2)


def _numbers(values: NDArray[np.float64], digits: int | None) -> list[float | int | None]:
    rounded = values if digits is None else np.round(values, digits)
    if np.array_equal(rounded, np.trunc(rounded)):
        return list(map(int, rounded.tolist()))
    return [_short(value) for value in rounded.tolist()]


def _short(value: float) -> float | int | None:
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() else value


def _rows(measure: MeasuredSegments, systems: Sequence[str]) -> dict[str, Any]:
    """Column by column, the rows of all systems; a column of a series, such as total_2, as its steps from total_1."""
    base = _bases(measure.columns)
    rows: list[list[list[float | int | None] | None]] = []
    for column, before in enumerate(base):
        steps = (_steps(measure.rows, name, column, before) for name in systems)
        rows.append([None if values is None else _numbers(values, None) for values in steps])
    return {"bases": base, "rows": rows}


def _with_shared_columns(measures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Measures whose columns that an earlier one has, too, as chrF++ has those of chrF, tell where these stand.

    >>> _with_shared_columns([{"rows": [[[1, 2]]]}, {"rows": [[[3, 4]], [[1, 2]]]}])
    [{'rows': [[[1, 2]]]}, {'rows': [[[3, 4]], {'measure': 0, 'column': 0}]}]
    """
    places: dict[str, tuple[int, int]] = {}
    shared = []
    for number, measure in enumerate(measures):
        rows: list[Any] = []
        for column, values in enumerate(measure.get("rows", ())):
            earlier = places.setdefault(json.dumps(values), (number, column))
            rows.append(values if earlier == (number, column) else {"measure": earlier[0], "column": earlier[1]})
        shared.append({**measure, "rows": rows} if "rows" in measure else measure)
    return shared


def _bases(columns: Sequence[str]) -> list[int]:
    """For each column, the one before it in its series; -1 for the first.

    >>> _bases(["length", "total_1", "match_1", "total_2"])
    [-1, -1, -1, 1]
    """
    latest: dict[str, int] = {}
    bases = []
    for place, name in enumerate(columns):
        series = _ORDER.sub("", name)
        bases.append(latest.get(series, -1))
        latest[series] = place
    return bases


def _steps(rows: Mapping[str, NDArray[Any]], system: str, column: int, before: int) -> NDArray[np.float64] | None:
    if system not in rows:
        return None
    values = rows[system].astype(np.float64)
    return values[:, column] if before < 0 else values[:, column] - values[:, before]


def _facet(facet: Facet) -> dict[str, Any]:
    """A facet; the members of a group as steps from one to the next."""
    return {
        "key": facet.key,
        "title": facet.title,
        "values": list(facet.groups),
        "members": [[b - a for a, b in pairwise((0, *sorted(set(group))))] for group in facet.groups.values()],
    }


def _readable(view: SegmentView) -> Iterator[ReadableSegment]:
    """The first segments, texts as they are."""
    # Without texts there are still scores of outputs.
    columns = list(_columns(view)) or [("output", name, (None,) * len(view)) for name in view.systems]
    measures = [
        _ShownMeasure(name, score_digits(measure), measure)
        for name, measure in zip(measure_names(view), view.measures, strict=True)
    ]
    labels = [_by_place(facet) for facet in view.facets if facet.key in ("document", "domain")]
    for place in range(min(READABLE, len(view))):
        texts = tuple(
            _readable_text(view, kind, name, column[place], tuple(_shown_scores(measures, kind, name, place)))
            for kind, name, column in columns
            if column[place] is not None or not view.has_texts
        )
        known = tuple((title, with_signs(of_place[place])) for title, of_place in labels if place in of_place)
        yield ReadableSegment(view.numbers[place], with_signs(view.ids[place]), known, texts)


@dataclass(frozen=True)
class _ShownMeasure:
    name: str
    digits: int
    measured: MeasuredSegments


def _by_place(facet: Facet) -> tuple[str, dict[int, str]]:
    return facet.title, {place: value for value, places in facet.groups.items() for place in places}


def _readable_text(
    view: SegmentView, kind: str, name: str, text: str | None, scores: tuple[tuple[str, str], ...]
) -> ReadableText:
    titles = {"source": "Source", "reference": name, "output": name, "post-edit": f"{name}, post-edited"}
    language = view.source_language if kind == "source" else view.target_language
    shown = None if text is None else with_signs(text.replace(view.mark, ""))
    return ReadableText(kind, titles[kind], shown, language, scores)


def _shown_scores(measures: Sequence[_ShownMeasure], kind: str, system: str, place: int) -> Iterator[tuple[str, str]]:
    """The scores of an output, as they are printed."""
    for measure in measures if kind == "output" else ():
        scores = measure.measured.scores.get(system)
        if scores is not None and not math.isnan(scores[place]):
            yield measure.name, fixed(float(scores[place]), measure.digits)
