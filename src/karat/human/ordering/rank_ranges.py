"""Which ranks a system may have, and which systems cannot be told apart."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

Ranges = list[tuple[int, int]]


def ranges_from_resamples(scores: Floats, confidence: float = 0.95) -> Ranges:
    """The ranks that each system has in most resamples (resamples by systems, higher is better), best and worst.

    The extreme (1 - confidence)/2 of the resamples are cut off at either end, rounded up, as at WMT.
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, scores.shape[1] + 1)[np.newaxis, :], axis=1)
    ranks.sort(axis=0)
    cut = min(ceil(round(len(ranks) * (1 - confidence) / 2, 9)), (len(ranks) - 1) // 2)
    return [(int(ranks[cut, i]), int(ranks[len(ranks) - 1 - cut, i])) for i in range(scores.shape[1])]


def ranges_from_wins(beats: NDArray[np.bool_]) -> Ranges:
    """One more than the systems that beat it, to the number of systems less those that it beats."""
    size = len(beats)
    return [(1 + int(beats[:, i].sum()), size - int(beats[i].sum())) for i in range(size)]


def ranges_from_neighbours(beats: NDArray[np.bool_]) -> Ranges:
    """From a system's place in the order up and down to the nearest one that differs significantly, as in 2025.

    The systems are in the order of their scores, the best first.
    """
    size, ranges = len(beats), []
    for place in range(size):
        above = next((i for i in range(place - 1, -1, -1) if beats[i, place]), -1)
        below = next((i for i in range(place + 1, size) if beats[place, i]), size)
        ranges.append((above + 2, below))
    return ranges


def clusters_from_ranges(ranges: Ranges) -> list[int]:
    """The cluster of each system, in order of scores: one ends where no rank above reaches one below."""
    clusters, current = [], 1
    for place in range(len(ranges)):
        if place and max(high for _, high in ranges[:place]) < min(low for low, _ in ranges[place:]):
            current += 1
        clusters.append(current)
    return clusters


def clusters_from_wins(beats: NDArray[np.bool_]) -> list[int]:
    """The cluster of each system, in order of scores: one ends where everyone above beats everyone below."""
    clusters, current = [], 1
    for place in range(len(beats)):
        if place and beats[:place, place:].all():
            current += 1
        clusters.append(current)
    return clusters


def clusters_from_counts(beats: NDArray[np.bool_]) -> list[int]:
    """The same by counting, as Appraise does: one ends where the fewest wins in it equal the systems that remain.

    A system may win against one above it, so the count can be right for the wrong reason; kept to reproduce tables.
    """
    size, clusters, current = len(beats), [], 1
    fewest = size
    for place in range(size):
        clusters.append(current)
        fewest = min(fewest, int(beats[place].sum()))
        if fewest == size - place - 1:
            current, fewest = current + 1, size
    return clusters
