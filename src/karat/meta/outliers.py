"""Systems that drive a correlation: outliers by their human score, and those whose absence changes the picture.

Mathur, Baldwin and Cohn (2020), Tangled up in BLEU, for the rule; Callison-Burch, Osborne and Koehn (2006),
Re-evaluating the Role of BLEU in Machine Translation Research, for the lesson: R2 0.14 with, 0.87 without one system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.meta.correlations import pearson
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
    there = np.isfinite(gold) & np.isfinite(scores)
    candidates = [("system", (name,)) for name, known in zip(names, there, strict=True) if known and singles]
    single = [one for one in (_drive(metric, names, gold, scores, *which) for which in candidates) if one]
    found = [max(single, key=_change)] if single else []
    together = [_drive(metric, names, gold, scores, kind, tuple(members)) for kind, members in kinds.items()]
    found += [one for one in together if one is not None and set(one.systems) != set(names)]
    notable = [one for one in found if _change(one) >= NOTABLE]
    return [one for i, one in enumerate(notable) if all(one.systems != other.systems for other in notable[:i])]


def _change(one: Drive) -> float:
    return max(abs(one.value - one.value_without), abs(one.r2 - one.r2_without))


def _drive(
    metric: str, names: Sequence[str], gold: Floats, scores: Floats, kind: str, systems: tuple[str, ...]
) -> Drive | None:
    """The correlation with and without some systems; None where it is not defined or fewer than four are left."""
    keep = np.array([name not in systems for name in names])
    there = np.isfinite(gold) & np.isfinite(scores)
    present = tuple(name for name, kept, known in zip(names, keep, there, strict=True) if known and not kept)
    if not present or int((keep & there).sum()) < 4:
        return None
    value = pearson(Points.of(gold, scores)).value
    without = pearson(Points.of(gold[keep], scores[keep])).value
    if not np.isfinite([value, without]).all():
        return None
    return Drive(metric, present, kind, value, without, int(there.sum()), int((keep & there).sum()))
