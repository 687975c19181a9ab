"""Scores that came from elsewhere: of another metric, or of people."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal, get_args

from karat.errors import InputError
from karat.quick_dataclasses import dataclass

Level = Literal["system", "document", "domain", "segment"]
LEVELS: tuple[Level, ...] = get_args(Level)

UnitKey = tuple[str | None, str]
"""A unit: its document, where that is known and the unit is part of one, and its name; a whole system's is empty."""

WHOLE: UnitKey = (None, "")
"""The unit of a system's own score."""


@dataclass(frozen=True)
class GivenScores:
    """The scores of one measure at one level, by system and unit; None where one is missing.

    `higher_is_better` and `testset` are None where the file does not tell, as is `metric`, the plain name of a metric
    whose parameters are in `name`. Scores `by_place` have segments in the order of the test set, without names.
    """

    name: str
    level: Level
    file: str
    higher_is_better: bool | None = None
    systems: dict[str, dict[UnitKey, float | None]] = field(default_factory=dict)
    testset: str | None = None
    metric: str | None = None
    by_place: bool = False

    @property
    def units(self) -> tuple[UnitKey, ...]:
        """The units that any system has a score of, in order of first appearance."""
        return tuple(dict.fromkeys(key for scores in self.systems.values() for key in scores))

    def add(self, system: str, key: UnitKey, score: float | None, where: str, remedy: str) -> None:
        """Take one more score; a second one of the same unit is refused, with what to do."""
        of_system = self.systems.setdefault(system, {})
        if key in of_system:
            unit = f"{self.level} {key[1]} of {system}" if key != WHOLE else system
            raise InputError(f"{where}: {unit} has a second {self.name} score: {remedy}")
        of_system[key] = score

    def joined(self, other: GivenScores) -> GivenScores | None:
        """Both as one, if they are the same measure of other systems."""
        same = (self.name, self.level, self.testset) == (other.name, other.level, other.testset)
        if not same or self.systems.keys() & other.systems.keys():
            return None
        if self.by_place and other.by_place and len(self.units) != len(other.units):
            raise InputError(
                f"{self.file} has {len(self.units):,} scores and {other.file} has {len(other.units):,}, and no names "
                "tell which segments are missing: write a line for every segment, nan where there is no score"
            )
        higher = other.higher_is_better if self.higher_is_better is None else self.higher_is_better
        files = f"{self.file} and {other.file}"
        return replace(self, file=files, higher_is_better=higher, systems={**self.systems, **other.systems})

    def refuse_gaps(self) -> None:
        """Refuse systems that lack segments which others have, or have no score at all."""
        units = self.units
        for system, scores in self.systems.items():
            if len(scores) < len(units):
                absent = next(key[1] for key in units if key not in scores)
                raise InputError(
                    f"{self.file}: {system} has {self.name} for {len(scores)} of {len(units)} segments (there is "
                    f"none for segment {absent}): add a record for each, with an empty score where it is missing"
                )
            if all(score is None for score in scores.values()):
                raise InputError(f"{self.file}: {system} has no {self.name} score at all: leave the system out")
