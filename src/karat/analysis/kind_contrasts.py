"""On which kinds of segments systems differ: their difference on each kind, tested, and tested against all others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtr

from karat.analysis.cells import distinct
from karat.analysis.resampling import FEWEST_UNITS, holds_any
from karat.significance.multiple import adjust

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.buckets import Bucket, Buckets
    from karat.analysis.figures import Bounds, Subject
    from karat.analysis.resampling import Resampler
    from karat.evidence import Measure
    from karat.identity import Identity

    Floats = NDArray[np.float64]

KINDS = ("domain", "source-length", "reference-length")
"""Ways to sort segments that do not follow from what systems wrote; of the two lengths, that of the source is taken."""
ALPHA = 0.05


@dataclass(frozen=True)
class Gap:
    """A difference, its 95 % interval, and whether it may be none: p by itself, and corrected for all of its family."""

    value: float
    interval: Bounds
    p: float
    p_adjusted: float = 1.0

    @property
    def shown(self) -> bool:
        """Whether it is shown not to be zero, all tests of the family considered."""
        return self.p_adjusted <= ALPHA

    def to_json(self, name: str) -> dict[str, Any]:
        """The difference under a name, and what goes with it."""
        return {
            name: self.value,
            f"{name}_interval": list(self.interval),
            f"{name}_p": self.p,
            f"{name}_p_adjusted": self.p_adjusted,
        }


@dataclass(frozen=True)
class KindContrast:
    """A system's score minus that of another on segments of a kind; `contrast` is that less the same elsewhere."""

    by: str
    label: str
    segments: int
    system: str
    other: str
    difference: Gap
    elsewhere: float
    contrast: Gap


@dataclass(frozen=True)
class KindContrasts:
    """All contrasts of some pairs of systems under one metric.

    p comes from the standard errors of paired resamples, by Student's t with as many units as the kind has. Differences
    are one family for Holm's correction, and contrasts are another.
    """

    subject: Subject
    identity: Identity
    contrasts: tuple[KindContrast, ...]

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        """The kinds that were tested."""
        return tuple(dict.fromkeys((contrast.by, contrast.label) for contrast in self.contrasts))

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of systems that were tested."""
        return tuple(dict.fromkeys((contrast.system, contrast.other) for contrast in self.contrasts))

    def to_json(self) -> dict[str, Any]:
        """One entry per pair of systems and kind."""
        return {
            **self.identity.names(),
            "signature": str(self.identity.signature),
            "unit": self.subject.units.unit,
            "units": self.subject.units.count,
            "n": self.subject.resamples,
            "seed": self.subject.seed,
            "correction": "holm",
            "family": len(self.contrasts),
            "level": ALPHA,
            "kinds": [
                {
                    "by": contrast.by,
                    "bucket": contrast.label,
                    "count": contrast.segments,
                    "system": contrast.system,
                    "other": contrast.other,
                    **contrast.difference.to_json("difference"),
                    "elsewhere": contrast.elsewhere,
                    **contrast.contrast.to_json("contrast"),
                }
                for contrast in self.contrasts
            ],
        }


def kind_contrasts(
    measure: Measure, buckets: Buckets, pairs: Sequence[tuple[str, str]], resampler: Resampler
) -> KindContrasts | None:
    """The contrasts of all pairs on every kind that has enough segments; None where there are none."""
    kinds = list(_kinds(buckets, resampler))
    if not kinds or not pairs:
        return None
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    raw = [contrast for by, kind in kinds for contrast in _of_kind(by, kind, measure, names, pairs, resampler)]
    known = [contrast for contrast in raw if contrast is not None]
    return KindContrasts(buckets.subject, measure.identity, tuple(_corrected(known))) if known else None


def _kinds(buckets: Buckets, resampler: Resampler) -> Iterator[tuple[str, Bucket]]:
    """Kinds with enough segments and units on both sides."""
    ways = {bucketing.by: bucketing.buckets for bucketing in buckets.bucketings if bucketing.by in KINDS}
    if "source-length" in ways:
        ways.pop("reference-length", None)
    total = len(resampler.unit_of)
    for by in KINDS:
        for kind in ways.get(by, ()):
            others = np.delete(resampler.unit_of, kind.segments)
            enough = total - len(kind.segments) >= buckets.subject.least and len(distinct(others)) >= FEWEST_UNITS
            if enough and not kind.few:
                yield by, kind


def _of_kind(
    by: str,
    kind: Bucket,
    measure: Measure,
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    resampler: Resampler,
) -> Iterator[KindContrast | None]:
    """The contrasts of all pairs on one kind."""
    inside = np.zeros(len(resampler.unit_of), dtype=bool)
    inside[list(kind.segments)] = True
    units = len(distinct(resampler.unit_of[inside]))
    rows = [measure.rows[name] for name in names]
    of_segments = np.stack([of_system.values.astype(np.float64) for of_system in rows], axis=1)
    sides = resampler.cells(of_segments, np.where(inside, 0, 1), 2)

    def formula(sums: Floats) -> Floats:
        return np.where(holds_any(sums), rows[0].aggregate(sums), np.nan)

    values, draws = formula(sides.sums()), resampler.resampled(sides, formula)
    for system, other in pairs:
        i, j = names.index(system), names.index(other)
        here, there = values[:, i] - values[:, j]
        drawn_here, drawn_there = draws[:, i] - draws[:, j]
        difference, contrast = (
            _tested(here, drawn_here, units),
            _tested(here - there, drawn_here - drawn_there, units),
        )
        if difference is not None and contrast is not None:
            yield KindContrast(by, kind.label, len(kind.segments), system, other, difference, float(there), contrast)


def _tested(value: float, draws: Floats, units: int) -> Gap | None:
    """Whether a difference may be none, by the spread of its resamples; None where most of these have no value."""
    known = draws[~np.isnan(draws)]
    if np.isnan(value) or 2 * len(known) <= len(draws):
        return None
    error = float(known.std(ddof=1))
    bounds = float(np.quantile(known, ALPHA / 2)), float(np.quantile(known, 1 - ALPHA / 2))
    if error == 0:
        return Gap(float(value), bounds, 1.0 if value == 0 else 0.0)
    return Gap(float(value), bounds, float(2 * stdtr(units - 1, -abs(value) / error)))


def _corrected(contrasts: Sequence[KindContrast]) -> Iterator[KindContrast]:
    """The same with corrected p: differences are a family, and contrasts another."""
    differences = adjust([contrast.difference.p for contrast in contrasts])
    against_others = adjust([contrast.contrast.p for contrast in contrasts])
    for contrast, p, p_against in zip(contrasts, differences.tolist(), against_others.tolist(), strict=True):
        yield replace(
            contrast,
            difference=replace(contrast.difference, p_adjusted=p),
            contrast=replace(contrast.contrast, p_adjusted=p_against),
        )
