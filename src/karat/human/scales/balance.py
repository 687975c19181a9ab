"""Whether systems were judged alike: on the same segments and by the same raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.human.scales.judgements import ItemMeans
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.human.scales.judgements import Judgements

LEAST_COVERAGE = 0.95
MOST_SHIFT = 0.1


@dataclass(frozen=True)
class Balance:
    """`coverage`: the share of systems by segments that were judged. `shift`: how far the systems that a rater saw
    differ from those that all saw (total variation, averaged over judgements): 0 if every rater saw all alike."""

    coverage: float
    shift: float

    @property
    def balanced(self) -> bool:
        """Whether plain means compare like with like."""
        return self.coverage >= LEAST_COVERAGE and self.shift <= MOST_SHIFT

    def says(self) -> str:
        """What is wrong, in words."""
        return (
            f"assignment is unbalanced: {self.coverage:.0%} of segments by systems were judged, and what a rater saw "
            f"differs from what all saw by {self.shift:.0%}: means mix systems with segments and raters"
        )


def balance(given: Judgements) -> Balance:
    """Look at the ordinary judgements."""
    used = given.ordinary
    items = ItemMeans.of(used).present
    judged = items[items.any(axis=1)][:, items.any(axis=0)]
    size = len(used.systems)
    seen = np.bincount(used.rater * size + used.system, minlength=len(used.raters) * size).reshape(-1, size)
    each = seen.sum(axis=1)
    shares = seen / np.maximum(each, 1)[:, np.newaxis]
    overall = seen.sum(axis=0) / max(1, seen.sum())
    shift = np.abs(shares - overall).sum(axis=1) / 2
    return Balance(float(judged.mean()) if judged.size else 1.0, float((shift * each).sum() / max(1, each.sum())))
