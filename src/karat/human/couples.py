"""All pairs of judgements that share something: an item, or an item and a rater."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.intp]


def pairs_within(groups: Codes) -> tuple[Codes, Codes]:
    """The positions of both members of every pair within a group, the earlier one first.

    >>> first, second = pairs_within(np.array([7, 3, 7, 7]))
    >>> first.tolist(), second.tolist()
    ([0, 0, 2], [2, 3, 3])
    """
    order = np.argsort(groups, kind="stable")
    _, starts, counts = np.unique(groups[order], return_index=True, return_counts=True)
    firsts, seconds = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
    for size in np.unique(counts[counts > 1]):
        left, right = np.triu_indices(int(size), 1)
        of_size = starts[counts == size][:, np.newaxis]
        firsts.append(order[of_size + left].ravel())
        seconds.append(order[of_size + right].ravel())
    return np.concatenate(firsts), np.concatenate(seconds)


def crossed(*codes: Codes) -> Codes:
    """One code for each combination of several, from 0 without gaps."""
    combined = np.zeros(len(codes[0]), dtype=np.intp)
    for part in codes:
        combined = combined * (int(part.max(initial=-1)) + 1) + part
        _, combined = np.unique(combined, return_inverse=True)
    return np.asarray(combined, dtype=np.intp)
