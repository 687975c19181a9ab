"""TrueSkill for pairs, many runs side by side: ratings as WMT computed them from 2014 to 2016.

Herbrich, Minka and Graepel (2006) keep a normal belief about each system's skill, and update it after each comparison;
Sakaguchi, Post and Van Durme (2014) chose the parameters for translation and let the least certain system meet one of
about its own strength next. A run draws its comparisons at random out of those that people made; runs differ, and the
ranks that a system has over many runs are its rank range.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.human.comparing.comparisons import tables
from karat.quick_dataclasses import dataclass
from karat.significance import DEFAULT_SEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

SIGMA = 0.5
DRAW_RATE = 0.25
MATCHES_PER_BETA = 40.0
MOST_STEPS = 20_000
"""Comparisons that a run draws at most: the noise of one is scaled with their number, so more change nothing."""
REPORT_EVERY = 500


@dataclass(frozen=True)
class Skills:
    """Means and standard deviations of the beliefs about each system, runs by systems."""

    mu: Floats
    sigma: Floats


def trueskill(
    counts: Floats,
    *,
    runs: int = 200,
    steps: int | None = None,
    seed: int = DEFAULT_SEED,
    progress: Callable[[int, int], None] | None = None,
) -> Skills:
    """Run the updates over comparisons drawn from counted pairs (see `Comparisons.counts`).

    The counts are the same for all runs, or have a row for each run: those of resampled judgements, so that ratings
    vary as they would with other judgements. Each run draws as many as people made, unless `steps` says otherwise. The
    noise of one comparison is the initial standard deviation times steps/40, a draw is expected once in four, and
    skills do not drift, as in WMT's script.
    """
    from scipy.special import ndtri

    rows = np.atleast_2d(counts)
    runs = len(rows) if len(rows) > 1 else runs
    wins, ties = tables(np.broadcast_to(rows, (runs, rows.shape[1])))
    pairs = wins + np.swapaxes(wins, -1, -2) + ties
    met = pairs.sum(axis=-1) > 0
    if not met.any(axis=0).all():
        raise InputError("a system was never compared with another one: leave it out")
    steps = steps or min(MOST_STEPS, round(float(pairs[0].sum()) / 2))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(14,)))
    beta = SIGMA * steps / MATCHES_PER_BETA
    margin = float(ndtri((DRAW_RATE + 1) / 2)) * 2**0.5 * beta
    mu, variance = np.zeros(wins.shape[:2]), np.full(wins.shape[:2], SIGMA**2)
    every = np.arange(runs)
    for step in range(steps):
        first, second = _next_pairs(rng, mu, np.where(met, variance, -1.0), pairs)
        won, lost, seen = wins[every, first, second], wins[every, second, first], pairs[every, first, second]
        outcome = _outcomes(rng, won, lost, seen)
        update(mu, variance, first, second, outcome, beta, margin)
        if progress is not None and step % REPORT_EVERY == 0:
            progress(step, steps)
    return Skills(mu, np.sqrt(variance))


def _next_pairs(rng: np.random.Generator, mu: Floats, variance: Floats, pairs: Floats) -> tuple[Codes, Codes]:
    """In each run the least certain system, and an opponent drawn by exp(-distance) among those it ever met."""
    rows = np.arange(len(mu))
    first = variance.argmax(axis=1)
    closeness = np.exp(-np.abs(mu - mu[rows, first][:, np.newaxis])) * (pairs[rows, first] > 0)
    edges = closeness.cumsum(axis=1)
    drawn = rng.random(len(mu)) * edges[:, -1]
    second = (edges <= drawn[:, np.newaxis]).sum(axis=1)
    return first, np.minimum(second, mu.shape[1] - 1)


def _outcomes(rng: np.random.Generator, won: Floats, lost: Floats, seen: Floats) -> NDArray[np.int8]:
    """One of the comparisons of each pair, drawn at random: 1, -1 or 0."""
    drawn = rng.random(len(seen)) * seen
    return np.where(drawn < won, 1, np.where(drawn < won + lost, -1, 0)).astype(np.int8)


def update(
    mu: Floats,
    variance: Floats,
    first: Codes,
    second: Codes,
    outcome: NDArray[np.int8],
    beta: float,
    margin: float,
) -> None:
    """One comparison in each run: change the beliefs about its two systems, in place."""
    rows = np.arange(len(mu))
    better, worse = np.where(outcome >= 0, first, second), np.where(outcome >= 0, second, first)
    spread = 2 * beta**2 + variance[rows, better] + variance[rows, worse]
    noise = np.sqrt(spread)
    gap = (mu[rows, better] - mu[rows, worse]) / noise
    shift, shrink = _corrections(gap, margin / noise, outcome == 0)
    for system, sign in ((better, 1.0), (worse, -1.0)):
        old = variance[rows, system]
        mu[rows, system] += sign * old / noise * shift
        variance[rows, system] = old * np.maximum(1 - old / spread * shrink, 1e-9)


def _corrections(gap: Floats, margin: Floats, tied: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The paper's v and w: how far the means move, and how much the variances shrink."""
    from scipy.special import ndtr

    beyond = gap - margin
    v_win = _density(beyond) / np.maximum(ndtr(beyond), 1e-300)
    w_win = v_win * (v_win + beyond)
    upper, lower = margin - gap, -margin - gap
    inside = np.maximum(ndtr(upper) - ndtr(lower), 1e-300)
    v_tie = (_density(lower) - _density(upper)) / inside
    w_tie = v_tie**2 + (upper * _density(upper) - lower * _density(lower)) / inside
    return np.where(tied, v_tie, v_win), np.where(tied, w_tie, w_win)


def _density(x: Floats) -> Floats:
    return np.asarray(np.exp(-x * x / 2) / np.sqrt(2 * np.pi))
