"""Systems that drive a correlation: outliers by their human score, and those whose absence changes the picture.

Mathur, Baldwin and Cohn (2020), Tangled up in BLEU, for the rule; Callison-Burch, Osborne and Koehn (2006),
Re-evaluating the Role of BLEU in Machine Translation Research, for the lesson: R2 0.14 with, 0.87 without one system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.meta.measures.correlation import Pearson
from karat.meta.points import Points

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

SCALE = 1.483
"""Makes the median absolute deviation estimate the standard deviation of a normal distribution."""

CUTOFF = 2.5
NOTABLE = 0.2
"""A correlation that changes by so much is another one."""


def outliers(scores: ArrayLike, cutoff: float = CUTOFF) -> NDArray[np.bool_]:
    """Which scores are further from the median than `cutoff` times 1.483 median absolute deviations.

    >>> outliers([1.0, 1.1, 0.9, 1.2, 9.0]).tolist()
    [False, False, False, False, True]
    """
    values = np.asarray(scores, dtype=float)
    if not np.isfinite(values).any():
        return np.zeros(len(values), dtype=bool)
    distances = np.abs(values - np.nanmedian(values))
    spread = SCALE * float(np.nanmedian(distances))
    far: NDArray[np.bool_] = distances > cutoff * spread if spread > 0 else np.zeros(len(values), dtype=bool)
    return far


@dataclass(frozen=True)
class Drive:
    """One system, or one kind of systems, whose absence changes Pearson's correlation a lot; both numbers."""

    metric: str
    systems: tuple[str, ...]
    kind: str
    value: float
    value_without: float
    n: int
    n_without: int

    @property
    def r2(self) -> float:
        """The share of variance explained with all systems."""
        return self.value**2

    @property
    def r2_without(self) -> float:
        """The share of variance explained without them."""
        return self.value_without**2


def drives(
    metric: str,
    names: Sequence[str],
    gold: Floats,
    scores: Floats,
    kinds: Mapping[str, Sequence[str]],
    *,
    singles: bool = True,
) -> list[Drive]:
    """The system that changes the correlation most when it is left out, and each kind, if the change is notable."""
    known = np.isfinite(gold) & np.isfinite(scores)
    candidates = [("system", (name,)) for name, scored in zip(names, known, strict=True) if scored and singles]
    alone = [drive for drive in (_drive(metric, names, gold, scores, *candidate) for candidate in candidates) if drive]
    strongest = [max(alone, key=_change)] if alone else []
    together = [_drive(metric, names, gold, scores, kind, tuple(members)) for kind, members in kinds.items()]
    of_kinds = [drive for drive in together if drive is not None and set(drive.systems) != set(names)]
    notable = [drive for drive in (*strongest, *of_kinds) if _change(drive) >= NOTABLE]
    return [drive for i, drive in enumerate(notable) if all(drive.systems != other.systems for other in notable[:i])]


def _change(drive: Drive) -> float:
    return max(abs(drive.value - drive.value_without), abs(drive.r2 - drive.r2_without))


def _drive(
    metric: str, names: Sequence[str], gold: Floats, scores: Floats, kind: str, systems: tuple[str, ...]
) -> Drive | None:
    """The correlation with and without some systems; None where it is not defined or fewer than four are left."""
    keep = np.array([name not in systems for name in names])
    known = np.isfinite(gold) & np.isfinite(scores)
    present = tuple(name for name, kept, scored in zip(names, keep, known, strict=True) if scored and not kept)
    if not present or int((keep & known).sum()) < 4:
        return None
    value = Pearson().averaged(Points.of(gold, scores)).value
    without = Pearson().averaged(Points.of(gold[keep], scores[keep])).value
    if not np.isfinite([value, without]).all():
        return None
    return Drive(metric, present, kind, value, without, int(known.sum()), int((keep & known).sum()))
