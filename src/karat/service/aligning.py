"""Scores from files as measures: brought into the order of the systems and segments that all rows are about.

One rule says what becomes of names that only one side has, for every command: where fewer than half of the names of
the shorter list are in the other, they are named differently, and that is refused; what else is left out is told.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

import numpy as np

from karat.corpus import Diagnostic
from karat.corpus.given_scores import LEVELS, GivenScores, Level, UnitKey
from karat.errors import InputError, SpecError, did_you_mean
from karat.evidence import Measure, Segments
from karat.identity import Identity
from karat.quick_dataclasses import dataclass
from karat.registry import metric as metric_of
from karat.rows import Rows

FEWEST_SHARED = 0.5
"""The share of the shorter of two lists of names that must be in the other."""

SHOWN_NAMES = 5
MOST_DIGITS = 12
"""What is longer is a name, whatever it is written with."""

Tell = Callable[[Diagnostic], None]
Name = TypeVar("Name", bound=Hashable)


def unmatched(
    file: str, kind: str, theirs: Sequence[Name], ours: Sequence[Name], shown: Callable[[Name], str], remedy: str = ""
) -> list[Name]:
    """Those of a file's names that are not looked at; too few in common are refused, for they are named differently.

    >>> unmatched("gold.tsv", "system", ["a", "b", "refA"], ["a", "b", "c"], str)
    ['refA']
    """
    known = set(ours)
    unknown = [name for name in theirs if name not in known]
    shared = len(theirs) - len(unknown)
    if shared < FEWEST_SHARED * min(len(theirs), len(ours)):
        raise InputError(
            f"{file}: {f'only {shared:,}' if shared else 'none'} of {counted(len(theirs), kind)} "
            f"{'is' if shared < 2 else 'are'} among the {len(ours):,} looked at ({few([*map(shown, ours)])}), and "
            f"{shown(unknown[0])} is not: name the {kind}s alike in both{remedy}"
        )
    return unknown


def new_names(where: str, systems: Iterable[str], renamed: Mapping[str, str]) -> dict[str, str]:
    """What each system is called from now on; two of one name are refused."""
    names: dict[str, str] = {}
    for system in systems:
        name = renamed.get(system, system)
        if name in names.values():
            raise InputError(f"--rename: {where} would have two systems named {name!r}: leave one out, or name it anew")
        names[system] = name
    return names


def counted(number: int, noun: str) -> str:
    """How many there are of something.

    >>> counted(1, "system"), counted(1200, "segment")
    ('1 system', '1,200 segments')
    """
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def few(names: Sequence[str]) -> str:
    """The first of some names."""
    return ", ".join(names[:SHOWN_NAMES]) + (", ..." if len(names) > SHOWN_NAMES else "")


@dataclass(frozen=True)
class ScoreFrame:
    """The systems and segments that scores are aligned with.

    A `complete` frame refuses scores that leave out a system or a segment: what is compared must be the same for all.
    Judgements of people are about part of the test set only.
    """

    systems: tuple[str, ...]
    segments: Segments
    units: Mapping[Level, tuple[str, ...]]
    complete: bool


def frame_of(systems: Sequence[str], segments: Segments, gold: Sequence[GivenScores], *, complete: bool) -> ScoreFrame:
    """The frame of these segments; documents that only judgements name are units, too."""
    units: dict[Level, tuple[str, ...]] = {level: segments.units(level) for level in LEVELS}
    for scores in gold:
        if not units[scores.level]:
            units[scores.level] = tuple(key[1] for key in scores.units)
    return ScoreFrame(tuple(systems), segments, units, complete)


def segments_of(scores: GivenScores) -> Segments:
    """The segments of scores that come without texts; of whole documents, each is one."""
    documents = [key[0] for key in scores.units if key[0] is not None]
    if documents and len(documents) < len(scores.units):
        raise InputError(
            f"{scores.file}: {len(documents)} of {len(scores.units)} segments name their document: all or none must"
        )
    return Segments(tuple(key[1] for key in scores.units), tuple(documents) or None)


def measures_of(
    given: Iterable[GivenScores], frame: ScoreFrame, tell: Tell, taken: Iterable[str] = ()
) -> tuple[Measure, ...]:
    """The scores, one measure for all levels of one name; a name that is taken is told apart by its file."""
    by_name: dict[str, list[GivenScores]] = {}
    names = set(taken)
    for scores in given:
        name = f"{scores.name} ({scores.file})" if scores.name in names else scores.name
        by_name.setdefault(name, []).append(scores)
    return tuple(_measure(name, of_name, frame, tell) for name, of_name in by_name.items())


def _measure(name: str, given: Sequence[GivenScores], frame: ScoreFrame, tell: Tell) -> Measure:
    higher = direction(given)
    by_level: dict[Level, dict[str, Rows]] = {}
    for scores in given:
        if scores.level in by_level:
            raise InputError(
                f"{scores.file} has {scores.level} scores of {scores.name}, and another file has some, too"
            )
        if frame.complete and scores.level != "segment" and any(each.level == "segment" for each in given):
            tell(_unused_level(scores.level))
        elif frame.units[scores.level]:
            by_level[scores.level] = _rows(scores, frame, tell, higher_is_better=higher)
        else:
            tell(_unknown_level(scores.level))
    digest = sha256(repr([sorted(_plain(scores).items()) for scores in given]).encode()).hexdigest()[:8]
    identity = Identity.of_scores(name, higher_is_better=higher, digest=digest)
    signed = {
        level: {system: replace(rows, identity=identity) for system, rows in of_level.items()}
        for level, of_level in by_level.items()
    }
    return Measure(identity, signed.pop("segment", {}), given=signed)


def _unknown_level(level: Level) -> Diagnostic:
    """A warning of scores at a level that nothing else knows; one for all files."""
    message = f"scores of {level}s are left out: nothing else here tells which {level}s there are"
    return Diagnostic(f"unknown-{level}s", message)


def _unused_level(level: Level) -> Diagnostic:
    """A warning of scores beside those of segments, where only these are compared."""
    message = f"scores of {level}s are left out: those of segments are compared"
    return Diagnostic(f"unused-{level}s", message)


def _plain(scores: GivenScores) -> dict[str, list[tuple[UnitKey, float | None]]]:
    return {f"{scores.level} {system}": list(of_system.items()) for system, of_system in scores.systems.items()}


def direction(given: Sequence[GivenScores]) -> bool:
    """Whether higher is better: what the file says, else what karat knows of a metric of that name, else it is.

    Shared tasks turn scores so that more is better: an error rate that is negative has been turned.
    """
    stated = [scores.higher_is_better for scores in given if scores.higher_is_better is not None]
    if stated:
        return stated[0]
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


def _rows(scores: GivenScores, frame: ScoreFrame, tell: Tell, *, higher_is_better: bool) -> dict[str, Rows]:
    """The rows of each system over the units of the level; what is missing is (0, 0)."""
    if frame.complete:
        _refuse_absent_systems(scores, frame.systems)
    unmatched(scores.file, "system", list(scores.systems), frame.systems, str, ", or use --rename OLD=NEW")
    keys = _unit_keys(scores, frame, tell)
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


def _unit_keys(scores: GivenScores, frame: ScoreFrame, tell: Tell) -> list[UnitKey]:
    """The file's keys of our units, in our order; by document and name where both tell documents, else by name."""
    level, theirs = scores.level, scores.units
    by_document = (
        level == "segment"
        and frame.segments.documents is not None
        and all(document is not None for document, _ in theirs)
    )
    ours = frame.segments.keys(by_document=by_document) if level == "segment" else _plain_keys(frame.units[level])
    if scores.by_place and len(theirs) != len(ours):
        raise InputError(
            f"{scores.file}: {counted(len(theirs), 'score')} for {counted(len(ours), 'segment')}, and no names tell "
            "which are missing: write a line for every segment, nan where there is no score"
        )
    by_name = {key if by_document else (None, key[1]): key for key in theirs}
    if len(set(ours)) < len(ours) or len(by_name) < len(theirs):
        raise InputError(
            f"{scores.file}: segments of different documents have the same name: both sides must tell documents, "
            "by a column document here, and --documents or a corpus for the texts"
        )
    if not by_document:
        _refuse_other_start(scores.file, level, [name for _, name in theirs], [name for _, name in ours])
    if unknown := unmatched(scores.file, level, list(by_name), ours, _shown):
        tell(_left_out(scores, [by_name[key] for key in unknown], len(ours)))
    if frame.complete:
        _refuse_absent_units(scores, [key for key in ours if key not in by_name], len(ours))
    return [by_name.get(key, key) for key in ours]


def _refuse_other_start(file: str, level: Level, theirs: Sequence[str], ours: Sequence[str]) -> None:
    """Refuse numbers that count from 0 on one side and from 1 on the other: each would be paired with its neighbour."""
    if not (theirs and ours and all(name.isdecimal() and len(name) < MOST_DIGITS for name in (*theirs, *ours))):
        return
    first, last = min(map(int, theirs)), max(map(int, theirs))
    our_first, our_last = min(map(int, ours)), max(map(int, ours))
    if ((first, our_first) == (0, 1) and last < our_last) or (first, our_first, last) == (1, 0, our_last + 1):
        raise InputError(
            f"{file} numbers {level}s from {first}, and those looked at are numbered from {our_first}: "
            "number both alike"
        )


def _plain_keys(units: Iterable[str]) -> list[UnitKey]:
    return [(None, unit) for unit in units]


def _shown(key: UnitKey) -> str:
    """A unit's name, behind that of its document where this is known."""
    return key[1] if key[0] is None else f"{key[0]}/{key[1]}"


def _left_out(scores: GivenScores, keys: Sequence[UnitKey], looked_at: int) -> Diagnostic:
    """A warning of scores whose units are not looked at."""
    known = [key for of_system in scores.systems.values() for key, score in of_system.items() if score is not None]
    unknown = set(keys)
    lost = sum(key in unknown for key in known)
    message = (
        f"{scores.file}: {len(keys):,} of {counted(len(scores.units), scores.level)} "
        f"{'is' if len(keys) == 1 else 'are'} not among the {looked_at:,} looked at, so that {lost:,} of "
        f"{len(known):,} {scores.name} scores are left out: {few([_shown(key) for key in keys])}"
    )
    return Diagnostic(f"unknown-{scores.level}s", message)


def _refuse_absent_units(scores: GivenScores, absent: Sequence[UnitKey], looked_at: int) -> None:
    """Refuse scores that leave out what is compared."""
    if absent:
        raise InputError(
            f"{scores.file}: {len(absent):,} of the {counted(looked_at, scores.level)} compared have no {scores.name} "
            f"score ({few([_shown(key) for key in absent])}): add a record for each, with an empty score where it is "
            "missing"
        )
