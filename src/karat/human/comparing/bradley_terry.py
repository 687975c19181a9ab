"""Bradley and Terry's strengths with Davidson's ties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.human.comparing.comparisons import tables
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RIDGE = 1e-6
"""Pulls strengths to 0 just enough that a system which won or lost everything has a finite one."""
STEPS = 100


@dataclass(frozen=True)
class Strengths:
    """The logarithm of each system's strength, their standard errors, and how ready raters were to call a tie."""

    values: Floats
    errors: Floats
    tie: float


def davidson(counts: Floats) -> Strengths:
    """Maximum likelihood of Davidson's model (1970), by Newton's method on its concave logarithm.

    With strengths p: the first wins with p_i / d, the second with p_j / d, and they tie with v sqrt(p_i p_j) / d, where
    d is the sum of the three. The strengths' logarithms add up to 0; v is 0 where nobody ever called a tie.

    >>> davidson(np.array([0, 3, 1, 0, 0, 2, 0, 0], dtype=float)).values.round(4)
    array([ 0.5493, -0.5493])
    """
    wins, ties = tables(counts)
    size = len(wins)
    tied = ties.sum() > 0
    state = np.zeros(size + 1)
    state[size] = 0.0 if tied else -np.inf
    for _ in range(STEPS):
        gradient, curvature = _derivatives(state, wins, ties)
        if not tied:
            gradient, curvature = gradient[:size], curvature[:size, :size]
        step = np.linalg.solve(curvature, gradient)
        # Newton's steps may overshoot where one system hardly ever lost.
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        state[: len(step)] += step
        if np.abs(step).max() < 1e-12:
            break
    covariance = np.linalg.inv(_derivatives(state, wins, ties)[1][:size, :size] if not tied else curvature)
    centre = np.eye(size) - 1 / size
    errors = np.sqrt(np.maximum(np.diag(centre @ covariance[:size, :size] @ centre), 0.0))
    return Strengths(state[:size] - state[:size].mean(), errors, float(np.exp(state[size])) if tied else 0.0)


def _derivatives(state: Floats, wins: Floats, ties: Floats) -> tuple[Floats, Floats]:
    """The gradient of the log-likelihood and its curvature (negative second derivatives), ridge included."""
    size = len(wins)
    log = state[:size]
    share_i, share_tie = _probabilities(state)
    pairs = wins + wins.T + ties
    gradient = np.empty(size + 1)
    gradient[:size] = (wins + ties / 2).sum(axis=1) - (pairs * (share_i + share_tie / 2)).sum(axis=1) - RIDGE * log
    gradient[size] = (ties - pairs * share_tie).sum() / 2
    # The score of i in a pair is 1, 1/2 or 0; its variance and its covariance with the tie make the curvature.
    variance = pairs * (share_i + share_tie / 4 - (share_i + share_tie / 2) ** 2)
    with_tie = pairs * (share_tie / 2 - (share_i + share_tie / 2) * share_tie)
    curvature = np.zeros((size + 1, size + 1))
    curvature[:size, :size] = np.diag(variance.sum(axis=1) + RIDGE) - variance
    curvature[:size, size] = curvature[size, :size] = with_tie.sum(axis=1)
    curvature[size, size] = (pairs * share_tie * (1 - share_tie)).sum() / 2 + RIDGE
    return gradient, curvature


def _probabilities(state: Floats) -> tuple[Floats, Floats]:
    """For each ordered pair: that the first wins, and that they tie."""
    log, tie = state[:-1], state[-1]
    gap = log[:, np.newaxis] - log[np.newaxis, :]
    top = np.maximum(np.maximum(gap / 2, -gap / 2), max(tie, -700.0))
    won, lost, even = np.exp(gap / 2 - top), np.exp(-gap / 2 - top), np.exp(tie - top)
    return won / (won + lost + even), even / (won + lost + even)
