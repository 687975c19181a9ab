"""Scores from files as measures: brought into the order of the systems and segments that all rows are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from karat.corpus.given_scores import LEVELS, GivenScores, Level, UnitKey
from karat.errors import InputError, SpecError, did_you_mean
from karat.evidence import Measure, Segments
from karat.identity import Identity
from karat.registry import metric as metric_of
from karat.rows import Rows


@dataclass(frozen=True)
class Frame:
    """The systems and segments that scores are aligned with.

    A `complete` frame refuses scores that leave out a system or a segment, or have segments that it does not know: what
    is compared must be the same for all. Judgements of people are about part of the test set only.
    """

    systems: tuple[str, ...]
    segments: Segments
    units: Mapping[Level, tuple[str, ...]]
    complete: bool


def frame_of(systems: Sequence[str], segments: Segments, gold: Sequence[GivenScores], *, complete: bool) -> Frame:
    """The frame of these segments; documents that only judgements name are units, too."""
    units: dict[Level, tuple[str, ...]] = {level: segments.units(level) for level in LEVELS}
    for scores in gold:
        if not units[scores.level]:
            units[scores.level] = tuple(key[1] for key in scores.units)
    return Frame(tuple(systems), segments, units, complete)


def segments_of(scores: GivenScores) -> Segments:
    """The segments of scores that come without texts; of whole documents, each is one."""
    documents = [key[0] for key in scores.units if key[0] is not None]
    if documents and len(documents) < len(scores.units):
        raise InputError(
            f"{scores.file}: {len(documents)} of {len(scores.units)} segments name their document: all or none must"
        )
    return Segments(tuple(key[1] for key in scores.units), tuple(documents) or None)


def measures_of(given: Iterable[GivenScores], frame: Frame, taken: Iterable[str] = ()) -> tuple[Measure, ...]:
    """The scores, one measure for all levels of one name; a name that is taken is told apart by its file."""
    by_name: dict[str, list[GivenScores]] = {}
    names = set(taken)
    for scores in given:
        name = f"{scores.name} ({scores.file})" if scores.name in names else scores.name
        by_name.setdefault(name, []).append(scores)
    return tuple(_measure(name, of_name, frame) for name, of_name in by_name.items())


def _measure(name: str, given: Sequence[GivenScores], frame: Frame) -> Measure:
    higher = direction(given)
    by_level: dict[Level, dict[str, Rows]] = {}
    for scores in given:
        if scores.level in by_level:
            raise InputError(
                f"{scores.file} has {scores.level} scores of {scores.name}, and another file has some, too"
            )
        if frame.units[scores.level]:
            by_level[scores.level] = _rows(scores, frame, higher_is_better=higher)
    digest = sha256(repr([sorted(_plain(scores).items()) for scores in given]).encode()).hexdigest()[:8]
    identity = Identity.of_scores(name, higher_is_better=higher, digest=digest)
    signed = {
        level: {system: replace(rows, identity=identity) for system, rows in of_level.items()}
        for level, of_level in by_level.items()
    }
    return Measure(identity, signed.pop("segment", {}), given=signed)


def _plain(scores: GivenScores) -> dict[str, list[tuple[UnitKey, float | None]]]:
    return {f"{scores.level} {system}": list(of_system.items()) for system, of_system in scores.systems.items()}


def direction(given: Sequence[GivenScores]) -> bool:
    """Whether higher is better: what the file says, else what karat knows of a metric of that name, else it is.

    Shared tasks turn scores so that more is better: an error rate that is negative has been turned.
    """
    told = [scores.higher_is_better for scores in given if scores.higher_is_better is not None]
    if told:
        return told[0]
    known = _known_direction(given[0].name)
    values = [
        value
        for scores in given
        for of_system in scores.systems.values()
        for value in of_system.values()
        if value is not None
    ]
    return known or (bool(values) and float(np.mean(values)) < 0)


def _known_direction(name: str) -> bool:
    for candidate in (name.lower(), name.partition("-")[0].lower()):
        try:
            return metric_of(candidate).higher_is_better
        except SpecError:
            continue
    return True


def _rows(scores: GivenScores, frame: Frame, *, higher_is_better: bool) -> dict[str, Rows]:
    """The rows of each system over the units of the level; what is missing is (0, 0)."""
    if frame.complete:
        _refuse_absent_systems(scores, frame.systems)
    keys = _segment_keys(scores, frame) if scores.level == "segment" else [(None, u) for u in frame.units[scores.level]]
    return {
        system: Rows.from_scores(
            [scores.systems[system].get(key) for key in keys],
            spec=scores.name,
            higher_is_better=higher_is_better,
            units=frame.units[scores.level] if scores.level != "segment" else None,
        )
        for system in frame.systems
        if system in scores.systems
    }


def _refuse_absent_systems(scores: GivenScores, systems: Sequence[str]) -> None:
    for name in systems:
        if name not in scores.systems:
            there = f"{len(scores.systems)} systems: {', '.join(scores.systems)}"
            near = did_you_mean(name, scores.systems)
            raise InputError(f"{scores.file} has no {scores.name} scores of {name!r}.{near} It has {there}")


def _segment_keys(scores: GivenScores, frame: Frame) -> list[UnitKey]:
    """The file's keys of our segments, in our order; by document and name where both tell documents, else by name."""
    theirs = scores.units
    by_document = frame.segments.documents is not None and all(document is not None for document, _ in theirs)
    ours = frame.segments.keys(by_document=by_document)
    by_name = {key if by_document else (None, key[1]): key for key in theirs}
    if len(set(ours)) < len(ours) or len(by_name) < len(theirs):
        raise InputError(
            f"{scores.file}: segments of different documents have the same name: both sides must tell documents, "
            "by a column document here, and --documents or a corpus for the texts"
        )
    absent, unknown = [key for key in ours if key not in by_name], set(by_name) - set(ours)
    if len(absent) == len(ours) and not frame.complete:
        raise InputError(
            f"{scores.file}: none of its segments (such as {theirs[0][1]!r}) is one of those looked at (such as "
            f"{ours[0][1]!r}): name the segments alike in both"
        )
    if frame.complete and (absent or unknown):
        example = absent[0] if absent else next(key for key in by_name if key in unknown)
        raise InputError(
            f"{scores.file}: {scores.name} scores are of {len(theirs)} segments, and {len(ours)} are compared: "
            f"{len(absent)} have no score and {len(unknown)} are not known (such as {example[1]!r}): "
            "name the segments alike in both"
        )
    return [by_name.get(key, key) for key in ours]
