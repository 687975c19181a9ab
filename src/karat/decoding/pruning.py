"""Hypotheses that are unlikely to win are dropped before all references are looked at (Cheng and Vlachos 2023)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.arguments import check_share, check_whole
from karat.decoding.expectation import TIE
from karat.significance.draws import DEFAULT_SEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST_SAMPLE = 8
"""How many references are looked at first; each time after that twice as many, until they are all."""

Measure = Callable[["NDArray[np.intp]", int, int], "NDArray[np.float64]"]
"""The utilities of some hypotheses against the references from one place to another, higher being better."""


@dataclass(frozen=True, kw_only=True)
class Pruning:
    """How sure one must be: what is as good as the leader in more than 1 - alpha of resamples stays."""

    alpha: float = 0.99
    n: int = 500
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        check_share("alpha", self.alpha, 0.99)
        check_whole("n", self.n, 1, "such as 500")
        check_whole("seed", self.seed, 0)

    def generator(self, segment: int) -> np.random.Generator:
        """Draws of one segment, whatever others there are."""
        return np.random.default_rng([self.seed, segment])


def survivors(
    measure: Measure, hypotheses: int, references: int, pruning: Pruning, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The hypotheses that are left, and their utilities against the references looked at, which stand in random order.

    References are looked at until they are all, or until one hypothesis is left.
    """
    left = np.arange(hypotheses)
    seen = min(FIRST_SAMPLE, references)
    utilities = measure(left, 0, seen)
    while seen < references and len(left) > 1:
        kept = still_possible(utilities, pruning, rng)
        left, utilities = left[kept], utilities[kept]
        if len(left) == 1:
            break
        more = min(2 * seen, references)
        utilities = np.concatenate([utilities, measure(left, seen, more)], axis=1)
        seen = more
    return left, utilities


def still_possible(utilities: NDArray[np.float64], pruning: Pruning, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which hypotheses are as good as the leader in more than 1 - alpha of the resamples of the references."""
    count = utilities.shape[1]
    resamples = resampled_counts(pruning.n, count, rng)
    means = utilities @ resamples.T / count
    leader = int(np.argmax(utilities.mean(axis=1)))
    return np.asarray((means >= means[leader] - TIE).mean(axis=1) > 1 - pruning.alpha)


def resampled_counts(n: int, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """How often each of `count` references is in each of n resamples of as many."""
    drawn = rng.integers(0, count, size=(n, count)) + count * np.arange(n)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=n * count).reshape(n, count).astype(np.float64)
