"""Segments most worth reading: where systems, metrics or people disagree most, and which decide who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Corpus
    from karat.evidence import Evidence, Measure

    Floats = NDArray[np.float64]

Reason = Literal["systems", "metrics", "people", "influence"]
REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True)
class SystemValue:
    """A system's score of one segment under the measure at hand; `other` is that of the other metric or of people."""

    system: str
    score: float
    other: float | None = None


@dataclass(frozen=True)
class ReadingChoice:
    """A segment and why it is worth reading; segments are counted from 1, and `rank` within the reason from 1.

    `value` is what the choice was made by: for "systems" the distance between the best and the worst score, for
    "metrics" and "people" how many standard deviations two judges of `system` lie apart, for "influence" by how much
    the difference between `baseline` and `system`, here as `difference`, would change without the segment.
    """

    reason: Reason
    rank: int
    segment: int
    segment_id: str
    document: str | None
    domain: str | None
    measure: str
    other: str | None
    baseline: str | None
    system: str | None
    value: float
    scores: tuple[SystemValue, ...]
    difference: float | None = None

    @property
    def concerned(self) -> tuple[str, ...]:
        """The systems that the choice is about; of two, the first is the one that their difference is taken of."""
        if self.reason == "systems":
            return (self.scores[0].system, self.scores[-1].system)
        return tuple(name for name in (self.system, self.baseline) if name is not None)


@dataclass(frozen=True)
class ChosenTexts:
    """What there is to read of a segment, counted from 1: source, references, and the outputs at issue."""

    segment: int
    source: str | None
    references: dict[str, str]
    outputs: dict[str, str]


@dataclass(frozen=True)
class ReadingList:
    """The choices, reason by reason; `skipped` has the reasons that nothing could be said about, and why.

    No document has more of the choices of a reason than `per_document`, as long as others have any. `texts` has each
    chosen segment once, where `with_texts` put them in.
    """

    segments: int
    documents: int | None
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    per_document: int | None
    choices: tuple[ReadingChoice, ...]
    skipped: tuple[tuple[Reason, str], ...]
    texts: tuple[ChosenTexts, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A segment that may be chosen, counted from 0, and what speaks for it."""

    segment: int
    value: float
    measure: str
    other: str | None = None
    baseline: str | None = None
    system: str | None = None
    difference: float | None = None


@dataclass(frozen=True, eq=False)
class Influence:
    """The difference between two systems, and how much of it goes with each segment."""

    difference: float
    of_segments: Floats


def worth_reading(
    evidence: Evidence,
    influences: Mapping[tuple[str, str], Influence],
    *,
    count: int,
    per_document: int | None,
) -> ReadingList:
    """Choose segments to read, so many for each reason.

    `influences` are those of segments on the difference between a baseline and a system, under the first measure.
    """
    documents = evidence.segments.documents
    limit = per_document if documents is not None else None
    tables = {measure.name: segment_scores(measure, evidence.systems) for measure in evidence.measures}
    golds = {gold.name: segment_scores(gold, evidence.systems) for gold in evidence.golds}
    signs = {measure.name: _sign(measure) for measure in (*evidence.measures, *evidence.golds)}
    found_candidates: dict[Reason, list[Candidate]] = {
        "systems": _between_systems(evidence.measures[0].name, tables),
        "metrics": _between_judges(tables, tables, signs, evidence.systems),
        "people": _between_judges(tables, golds, signs, evidence.systems),
        "influence": _influential(evidence.measures[0].name, influences),
    }
    choices: list[ReadingChoice] = []
    for reason, candidates in found_candidates.items():
        ranked = sorted(candidates, key=lambda candidate: (-abs(candidate.value), candidate.segment))
        chosen = _spread(ranked, count, documents, limit)
        choices += [
            _choice(reason, rank, candidate, evidence, {**tables, **golds}) for rank, candidate in enumerate(chosen, 1)
        ]
    return ReadingList(
        segments=len(evidence.segments),
        documents=None if documents is None else len(set(documents)),
        systems=evidence.systems,
        measures=(*tables, *golds),
        per_document=limit,
        choices=tuple(choices),
        skipped=tuple((reason, WHY[reason]) for reason in REASONS if not found_candidates[reason]),
    )


def with_texts(reading: ReadingList, corpus: Corpus | None) -> ReadingList:
    """The same choices with the texts of their segments, where there are any."""
    return reading if corpus is None else replace(reading, texts=tuple(_texts(reading.choices, corpus)))


def _texts(choices: Sequence[ReadingChoice], corpus: Corpus) -> Iterator[ChosenTexts]:
    """The texts of every chosen segment, in the order of the choices."""
    concerned: dict[int, dict[str, None]] = {}
    for choice in choices:
        concerned.setdefault(choice.segment, {}).update(dict.fromkeys(choice.concerned))
    source = None if corpus.source is None else corpus.source.to_list()
    references = {name: column.to_list() for name, column in corpus.references.items()}
    outputs = {name: column.to_list() for name, column in corpus.systems.items()}
    for segment, systems in concerned.items():
        place = segment - 1
        yield ChosenTexts(
            segment,
            None if source is None else source[place],
            {name: text for name, lines in references.items() if (text := lines[place]) is not None},
            {name: outputs[name][place] for name in systems if name in outputs},
        )


WHY: dict[Reason, str] = {
    "systems": "it takes two systems that differ in some segment",
    "metrics": "it takes two metrics that disagree about some segment",
    "people": "it takes ratings: --ratings FILE",
    "influence": "it takes two systems that differ, and two segments",
}
SMALLEST_GAP = 1e-9
"""Standard deviations that judges lie apart; less is rounding."""


def segment_scores(measure: Measure, systems: Sequence[str]) -> Floats:
    """The scores of single segments, segments by systems; NaN where there is none."""
    rows = measure.segment_rows()
    length = len(next(iter(rows.values()))) if rows else 0
    columns = [
        np.where(rows[name].known, rows[name].unit_scores(), np.nan) if name in rows else np.full(length, np.nan)
        for name in systems
    ]
    return np.array(columns, dtype=float).T


def _sign(measure: Measure) -> float:
    return 1.0 if measure.identity.higher_is_better else -1.0


def _between_systems(name: str, tables: Mapping[str, Floats]) -> list[Candidate]:
    """Segments by the distance between the best and the worst score."""
    scores = tables[name]
    known = np.isfinite(scores).sum(axis=1) > 1
    distances = np.zeros(len(scores))
    distances[known] = np.nanmax(scores[known], axis=1) - np.nanmin(scores[known], axis=1)
    return [Candidate(segment, float(distances[segment]), name) for segment in np.flatnonzero(distances).tolist()]


def _between_judges(
    tables: Mapping[str, Floats], others: Mapping[str, Floats], signs: Mapping[str, float], systems: Sequence[str]
) -> list[Candidate]:
    """Segments by how far two judges of one system lie apart, each in its own standard deviations."""
    pairs = combinations(tables, 2) if tables is others else ((name, other) for name in tables for other in others)
    candidates: dict[int, Candidate] = {}
    for name, other in pairs:
        gaps = signs[name] * _standardised(tables[name]) - signs[other] * _standardised(others[other])
        sizes = np.where(np.isfinite(gaps), np.abs(gaps), 0.0)
        for segment, system in enumerate(np.argmax(sizes, axis=1).tolist()):
            size = float(sizes[segment, system])
            if size > SMALLEST_GAP and (segment not in candidates or size > abs(candidates[segment].value)):
                value = float(gaps[segment, system])
                candidates[segment] = Candidate(segment, value, name, other, system=systems[system])
    return list(candidates.values())


def _standardised(scores: Floats) -> Floats:
    """Scores as distances from the mean of all segments and systems, in standard deviations."""
    known = scores[np.isfinite(scores)]
    deviation = float(known.std()) if len(known) else 0.0
    return np.asarray((scores - known.mean()) / deviation) if deviation > 0 else np.full_like(scores, np.nan)


def _influential(name: str, influences: Mapping[tuple[str, str], Influence]) -> list[Candidate]:
    """Segments by their influence on that difference which they move most."""
    if not influences:
        return []
    pairs = list(influences)
    of_segments = np.array([influences[pair].of_segments for pair in pairs])
    most = np.abs(of_segments).argmax(axis=0)
    moved = of_segments[most, np.arange(len(most))]
    return [
        Candidate(
            segment,
            float(moved[segment]),
            name,
            baseline=pairs[most[segment]][0],
            system=pairs[most[segment]][1],
            difference=influences[pairs[most[segment]]].difference,
        )
        for segment in np.flatnonzero(moved).tolist()
    ]


def _spread(
    ranked: Sequence[Candidate], count: int, documents: Sequence[str] | None, limit: int | None
) -> list[Candidate]:
    """The first candidates, a segment once, no document with more than its limit while others have any."""
    fresh: dict[int, Candidate] = {}
    for candidate in ranked:
        fresh.setdefault(candidate.segment, candidate)
    if documents is None or limit is None:
        return list(fresh.values())[:count]
    taken: Counter[str] = Counter()
    within: list[Candidate] = []
    beyond: list[Candidate] = []
    for candidate in fresh.values():
        document = documents[candidate.segment]
        (within if taken[document] < limit else beyond).append(candidate)
        taken[document] += 1
    return [*within, *beyond][:count]


def _choice(
    reason: Reason, rank: int, candidate: Candidate, evidence: Evidence, tables: Mapping[str, Floats]
) -> ReadingChoice:
    segments, segment = evidence.segments, candidate.segment
    values = sorted(_values(candidate, evidence.systems, tables), key=lambda value: -value.score)
    return ReadingChoice(
        reason=reason,
        rank=rank,
        segment=segment + 1,
        segment_id=segments.ids[segment],
        document=None if segments.documents is None else segments.documents[segment],
        domain=None if segments.domains is None else segments.domains[segment],
        measure=candidate.measure,
        other=candidate.other,
        baseline=candidate.baseline,
        system=candidate.system,
        value=candidate.value,
        scores=tuple(values),
        difference=candidate.difference,
    )


def _values(candidate: Candidate, systems: Sequence[str], tables: Mapping[str, Floats]) -> Iterator[SystemValue]:
    """The scores of all systems that have one, the best first."""
    for place, name in enumerate(systems):
        score = float(tables[candidate.measure][candidate.segment, place])
        other = None if candidate.other is None else float(tables[candidate.other][candidate.segment, place])
        if np.isfinite(score):
            yield SystemValue(name, score, other if other is not None and np.isfinite(other) else None)
