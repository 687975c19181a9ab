"""Scores of systems from counted pairs: shares of wins, expected wins, ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.human.comparing.comparisons import tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def win_share(counts: Floats) -> Floats:
    """wins / (comparisons - ties) of each system; 0 for one that never won or lost (Callison-Burch et al. 2011)."""
    wins, _ = tables(counts)
    won = wins.sum(axis=-1)
    decided = won + wins.sum(axis=-2)
    return np.asarray(np.divide(won, decided, out=np.zeros_like(won), where=decided > 0))


def better_or_equal(counts: Floats) -> Floats:
    """(wins + ties) / comparisons: WMT's score before 2011, which rewards ties."""
    wins, ties = tables(counts)
    good = wins.sum(axis=-1) + ties.sum(axis=-1)
    seen = good + wins.sum(axis=-2)
    return np.asarray(np.divide(good, seen, out=np.zeros_like(good), where=seen > 0))


def expected_wins(counts: Floats) -> Floats:
    """The probability of beating an opponent drawn at random (Koehn 2012): the mean over opponents of wins / decisions.

    An opponent never met, or with whom there were only ties, is left out of the mean.

    >>> expected_wins(np.array([0, 3, 1, 0, 2, 0, 0, 0], dtype=float))
    array([0.75, 0.25])
    """
    wins, _ = tables(counts)
    decided = wins + np.swapaxes(wins, -1, -2)
    share = np.divide(wins, decided, out=np.zeros_like(wins), where=decided > 0)
    met = (decided > 0).sum(axis=-1)
    return np.asarray(np.divide(share.sum(axis=-1), met, out=np.zeros(met.shape), where=met > 0))
