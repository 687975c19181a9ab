"""How the numbers of a measure are printed: under which name, with how many digits, and no zero with a sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.identity import distinct_names
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from karat.findings import Findings, MeasureFindings
    from karat.identity import Identity

MORE_DIGITS = 2
"""So many digits more have scores between 0 and 1 than those between 0 and 100: as many that count."""


@dataclass(frozen=True)
class ShownMeasure:
    """What was found under one measure, with the name and the digits that it is printed with."""

    findings: MeasureFindings
    name: str
    digits: int

    @property
    def heading(self) -> str:
        """The name and the direction in which scores are better."""
        return f"{self.name} {self.findings.identity.arrow}"


def shown_measures(findings: Findings, digits: int) -> list[ShownMeasure]:
    """All measures as they are printed beside each other."""
    names = distinct_names([measure.identity for measure in findings.measures])
    return [
        ShownMeasure(measure, name, digits_for(measure.identity, measure.scores(), digits))
        for measure, name in zip(findings.measures, names, strict=True)
    ]


def digits_for(identity: Identity, scores: Iterable[float], digits: int) -> int:
    """How many digits the scores of a measure have where those between 0 and 100 have `digits`.

    The scale of the measure decides, or the scores themselves where that is not known.
    """
    sizes = [abs(score) for score in (scores if identity.scale is None else identity.scale)]
    return digits + MORE_DIGITS if sizes and max(sizes) <= 1 else digits


def fixed(value: float, digits: int, *, signed: bool = False) -> str:
    """A number with so many digits behind the point; what rounds to nothing has no sign.

    >>> fixed(-0.004, 2), fixed(0.126, 2, signed=True), fixed(-0.001, 2, signed=True)
    ('0.00', '+0.13', '0.00')
    """
    rounded = round(value, digits) + 0.0  # adding 0 takes the sign off -0
    return f"{rounded:+.{digits}f}" if signed and rounded else f"{rounded:.{digits}f}"


def bounds(low: float, high: float, digits: int) -> str:
    """The bounds of an interval.

    >>> bounds(-0.001, 0.5, 2)
    '[0.00, 0.50]'
    """
    return f"[{fixed(low, digits)}, {fixed(high, digits)}]"
