"""What all analyses have in common: who was looked at, and numbers with intervals from the same resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.evidence import Units

Bounds = tuple[float, float]


@dataclass(frozen=True)
class Subject:
    """The systems and segments of an analysis, and how its intervals were made.

    Systems are compared with the `baseline`. `references` is the most that a segment has. A number that rests on fewer
    than `least` segments or words is marked as one that tells nothing.
    """

    systems: tuple[str, ...]
    baseline: str
    segments: tuple[str, ...]
    references: int
    units: Units
    resamples: int
    seed: int
    confidence: float
    least: int

    def to_json(self) -> dict[str, Any]:
        """The head of the JSON form."""
        return {
            "systems": list(self.systems),
            "baseline": self.baseline,
            "segments": len(self.segments),
            "references": self.references,
            "unit": self.units.unit,
            "units": self.units.count,
            "n": self.resamples,
            "seed": self.seed,
            "interval_level": self.confidence,
            "least": self.least,
        }

    def ids(self, segments: tuple[int, ...]) -> list[str]:
        """The names of segments that are given by position."""
        return [self.segments[segment] for segment in segments]


@dataclass(frozen=True)
class Figure:
    """A number of one system, and its difference from the baseline; all from the same resamples.

    `value` is None where there is nothing to divide by. Intervals are None where too few units can be drawn, and
    differences where the system is the baseline itself.
    """

    value: float | None
    interval: Bounds | None = None
    difference: float | None = None
    difference_interval: Bounds | None = None

    @property
    def differs(self) -> bool:
        """Whether the interval of the difference leaves out zero."""
        bounds = self.difference_interval
        return bounds is not None and not bounds[0] <= 0 <= bounds[1]

    def to_json(self, name: str) -> dict[str, Any]:
        """The number under a name, and what goes with it."""
        return {
            name: self.value,
            "interval": _listed(self.interval),
            "difference": self.difference,
            "difference_interval": _listed(self.difference_interval),
        }


def _listed(bounds: Bounds | None) -> list[float] | None:
    return None if bounds is None else list(bounds)
