"""Draws that hold nothing of a system: its scores are missing in every unit that was drawn, so that it has no score.

They are left out: intervals and p-values are conditional on all scores being there. For swaps this keeps the test
exact, because all ways to change places that leave both systems a score are equally likely under the null hypothesis,
and the one observed is among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.significance.tables import Floats

MOST_UNDEFINED = 0.5
"""Where more draws than this share are undefined, the rest speaks of too special a case."""


def defined(values: Floats) -> Floats:
    """The values of the draws that have one."""
    missing = np.isnan(values)
    return values[~missing] if missing.any() else np.ascontiguousarray(values)


def undefined_share(values: Floats) -> Floats:
    """The share of draws (the first axis) without a value."""
    missing = np.isnan(values)
    return np.asarray(missing.mean(axis=0) if missing.any() else np.zeros(values.shape[1:]))


def refuse_mostly_undefined(shares: Floats | float, spec: str) -> None:
    """Refuse results that would rest on less than half of the draws."""
    worst = float(np.max(shares, initial=0.0))
    if worst > MOST_UNDEFINED:
        raise InputError(
            f"{worst:.0%} of the draws hold no {spec} score of a system, because its scores are missing in most units: "
            "compare systems on units that all of them have scores of, or take smaller units"
        )


def undefined_warnings(share: float, spec: str) -> list[str]:
    """Warnings about draws that were left out."""
    if share == 0:
        return []
    shown = "less than 0.1%" if share < 0.001 else f"{share:.1%}"
    return [
        f"{shown} of the draws are left out because they hold no {spec} score of a system: "
        "results are conditional on every system having one"
    ]


def count_defined(values: Floats) -> NDArray[np.int64]:
    """How many draws (the first axis) have a value."""
    missing = np.isnan(values)
    # Nearly always none is missing, and a column of truths takes longer to add up than to look through.
    lost = missing.sum(axis=0) if missing.any() else np.zeros(values.shape[1:], dtype=np.int64)
    return np.asarray(len(values) - lost, dtype=np.int64)


def mean_of_defined(values: Floats) -> Floats:
    """The mean of the draws that have a value."""
    return np.asarray(np.nanmean(values, axis=0) if np.isnan(values).any() else values.mean(axis=0))
