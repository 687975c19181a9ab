"""One value of agreement between raters: what it was counted on, and the words that go with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.significance import Interval

LANDIS_KOCH: tuple[tuple[float, str], ...] = (
    (0.0, "poor"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)
"""The words of Landis and Koch (1977), each with the largest kappa that it stands for; below 0 is poor."""

NOTHING = "nothing was judged twice"
CHANCE_ALONE = "chance alone gives full agreement: only one answer was ever given"


def landis_koch(value: float) -> str:
    """The word for a kappa or an alpha; the bounds are those of the paper, and no more than a habit.

    >>> [landis_koch(value) for value in (-0.1, 0.0, 0.341, 0.81)]
    ['poor', 'slight', 'fair', 'almost perfect']
    """
    if value < 0:
        return "poor"
    return next(word for bound, word in LANDIS_KOCH[1:] if value <= bound + 1e-12)


@dataclass(frozen=True)
class AgreementValue:
    """How far raters agree by one measure.

    `value` is None where the measure is not defined (nothing to compare, or chance alone gives full agreement), and
    `note` says why. `n` counts what was compared, in words `unit`. `kappa_like` values are corrected for chance in such
    a way that Landis and Koch's words go with them.
    """

    measure: str
    value: float | None
    n: int
    unit: str
    observed: float | None = None
    expected: float | None = None
    interval: Interval | None = None
    note: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    kappa_like: bool = False

    @property
    def words(self) -> str | None:
        """Landis and Koch's word, for kappas and alphas."""
        return landis_koch(self.value) if self.kappa_like and self.value is not None else None

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "agreement" of the JSON form."""
        entry: dict[str, Any] = {"measure": self.measure, "value": self.value, "n": self.n, "unit": self.unit}
        entry |= {"observed": self.observed, "expected": self.expected, "words": self.words}
        if self.interval is not None:
            entry |= {"interval": [self.interval.low, self.interval.high], "interval_level": self.interval.confidence}
        if self.note is not None:
            entry["note"] = self.note
        return entry | dict(self.details)


def corrected(
    measure: str,
    observed: float | None,
    expected: float,
    n: int,
    unit: str,
    details: Mapping[str, Any] | None = None,
    *,
    kappa_like: bool = True,
) -> AgreementValue:
    """Observed agreement corrected for the one expected by chance: (observed - expected) / (1 - expected)."""
    if observed is None or n == 0:
        return AgreementValue(measure, None, 0, unit, note=NOTHING, details=details or {})
    if expected > 1 - 1e-12:
        return AgreementValue(measure, None, n, unit, observed, expected, note=CHANCE_ALONE, details=details or {})
    value = (observed - expected) / (1 - expected)
    return AgreementValue(measure, value, n, unit, observed, expected, details=details or {}, kappa_like=kappa_like)
