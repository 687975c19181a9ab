"""What depends on each word."""

from __future__ import annotations

from collections.abc import Sequence


def subtrees(heads: Sequence[int]) -> list[list[int]]:
    """For each token the positions of itself and of all that depends on it, in order.

    >>> subtrees([1, -1, 3, 1])
    [[0], [0, 1, 2, 3], [2], [2, 3]]
    """
    below: list[list[int]] = [[] for _ in heads]
    for position in range(len(heads)):
        at = position
        while at >= 0:
            below[at].append(position)
            at = heads[at]
    return below
