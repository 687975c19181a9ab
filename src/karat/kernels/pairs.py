"""Pairs of units in the order of people and in that of a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat import _native
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def pair_counts(
    gold: NDArray[np.float64],
    scores: NDArray[np.float64],
    offsets: NDArray[np.int64],
    *,
    others: NDArray[np.float64] | None = None,
    minimum: float = 0.0,
    epsilon: float = 0.0,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """For each unit against all others of its group: concordant, discordant, tied by the metric, by people, by both.

    People tell apart what differs by `minimum` or more (by anything, if it is 0); the metric ties what differs by
    `epsilon` or less. With `others`, the scores of a unit are compared with these of the other units.
    """
    against = scores if others is None else others
    try:
        return _native.pair_counts(gold, scores, against, offsets, minimum, epsilon, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def calibrate_ties(
    gold: NDArray[np.float64], scores: NDArray[np.float64], offsets: NDArray[np.int64]
) -> tuple[float, float]:
    """The smallest epsilon that makes accuracy with ties, in the mean over groups, as great as can be; and that value.

    >>> import numpy as np
    >>> calibrate_ties(np.array([1.0, 2, 2, 3, 4]), np.array([2.0, 1, 1.5, 5, 3]), np.array([0, 5]))
    (0.5, 0.7)
    """
    try:
        return _native.calibrate_ties(gold, scores, offsets)
    except ValueError as error:
        raise InputError(str(error)) from error
