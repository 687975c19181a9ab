"""Pairs of outputs: kappa, wins, strengths and skills."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import norm

from karat.human.agreement.pairwise_kappa import pairwise_kappa
from karat.human.comparing.bradley_terry import davidson
from karat.human.comparing.comparisons import Comparisons
from karat.human.comparing.trueskill import trueskill, update
from karat.human.comparing.wins import better_or_equal, expected_wins, win_share
from karat.human.ordering.rank_ranges import (
    clusters_from_counts,
    clusters_from_ranges,
    clusters_from_wins,
    ranges_from_neighbours,
    ranges_from_resamples,
    ranges_from_wins,
)


def comparisons(rows: list[tuple[int, int, int, int, int]], systems: int = 3) -> Comparisons:
    first, second, outcome, segment, rater = np.array(rows).T
    names = tuple("abcdefg"[:systems])
    return Comparisons(names, first, second, outcome.astype(np.int8), segment, rater, segment, np.full(len(rows), -1))


JUDGED = comparisons(
    [(0, 1, 1, 0, 0), (0, 1, 1, 0, 1), (1, 0, -1, 0, 2), (0, 1, 0, 0, 0), (0, 2, 1, 1, 0), (0, 2, -1, 1, 1)]
)


def test_official_and_textbook_kappa_count_what_they_say() -> None:
    official = pairwise_kappa(JUDGED)
    # Printed order: three judgements of (0, 1) make three pairs, two of (0, 2) one; one pair agrees.
    assert (official.details["agreed"], official.n) == (1, 4)
    share = 1 / 6
    assert official.expected == pytest.approx(share**2 + 2 * ((1 - share) / 2) ** 2)
    textbook = pairwise_kappa(JUDGED, "textbook", "third")
    # Any order, other judges: six pairs less the one of rater 0 with himself, and the pair of (0, 2).
    assert (textbook.details["agreed"], textbook.n, textbook.expected) == (3, 6, pytest.approx(1 / 3))
    assert pairwise_kappa(JUDGED, "intra").n == 1
    own = pairwise_kappa(JUDGED, "intra official")
    # Rater 0 saw the pair (0, 1) of segment 0 twice, in the same order, and called it once a win and once a tie.
    assert (own.n, own.details["agreed"], own.details["ties"], own.details["comparisons"]) == (1, 0, 1, 2)


def test_shares_of_wins() -> None:
    counts = JUDGED.counts()
    assert win_share(counts) == pytest.approx([4 / 5, 0, 1 / 2])
    assert better_or_equal(counts) == pytest.approx([5 / 6, 1 / 4, 1 / 2])
    assert expected_wins(counts) == pytest.approx([(1 + 1 / 2) / 2, 0, 1 / 2])


def test_counts_by_unit_add_up() -> None:
    assert np.asarray(JUDGED.counts_by(JUDGED.segment).sum(axis=0)) == pytest.approx(JUDGED.counts())
    assert JUDGED.canonical.counts()[:9] == pytest.approx(JUDGED.counts()[:9])


@settings(max_examples=25)
@given(
    wins=st.lists(st.integers(1, 30), min_size=12, max_size=12),
    ties=st.lists(st.integers(1, 15), min_size=6, max_size=6),
)
def test_davidson_finds_the_maximum_of_the_likelihood(wins: list[int], ties: list[int]) -> None:
    won, tied = np.zeros((4, 4)), np.zeros((4, 4))
    won[~np.eye(4, dtype=bool)] = wins
    tied[np.triu_indices(4, 1)] = ties
    found = davidson(np.concatenate([won.ravel(), tied.ravel()]))

    def loss(state: np.ndarray) -> float:
        strength, tie = np.exp(state[:4]), np.exp(state[4])
        even = tie * np.sqrt(np.outer(strength, strength))
        total = strength[:, None] + strength[None, :] + even
        each = won * np.log(strength[:, None] / total) + tied * np.log(even / total)
        return -float(each.sum()) + 1e-6 / 2 * float((state[:4] ** 2).sum())

    with np.errstate(all="ignore"):
        best = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-6})
    here = np.append(found.values, np.log(found.tie))
    assert loss(here) <= best.fun + 1e-6


def test_davidson_without_ties_is_bradley_terry() -> None:
    found = davidson(np.array([0, 30, 10, 0, 0, 0, 0, 0], dtype=float))
    assert found.tie == 0
    assert found.values[0] - found.values[1] == pytest.approx(np.log(3), abs=1e-5)
    # The variance of the log odds is 1/30 + 1/10; each strength has half of the odds' deviation.
    assert found.errors[0] == pytest.approx(np.sqrt(1 / 30 + 1 / 10) / 2, abs=1e-4)


@pytest.mark.parametrize("outcome", [1, 0, -1])
def test_an_update_has_the_moments_of_the_posterior(outcome: int) -> None:
    """TrueSkill replaces the posterior of two skills by normals with its moments: integrate it numerically."""
    beta, margin = 0.8, 0.4
    mu, variance = np.array([[0.3, -0.2]]), np.array([[0.25, 0.36]])
    grid = np.linspace(-5, 5, 801)
    gap, noise = np.subtract.outer(grid, grid), 2**0.5 * beta
    won, lost = norm.cdf((gap - margin) / noise), norm.cdf((-gap - margin) / noise)
    prior = np.outer(*(norm.pdf(grid, m, v**0.5) for m, v in zip(mu[0], variance[0], strict=True)))
    posterior = {1: won, -1: lost, 0: 1 - won - lost}[outcome] * prior
    marginal = posterior.sum(axis=1) / posterior.sum()
    mean, square = float(marginal @ grid), float(marginal @ grid**2)
    update(mu, variance, np.array([0]), np.array([1]), np.array([outcome], dtype=np.int8), beta, margin)
    assert mu[0, 0] == pytest.approx(mean, abs=1e-5)
    assert variance[0, 0] == pytest.approx(square - mean**2, abs=1e-5)


def test_skills_order_systems_and_depend_on_the_seed_alone() -> None:
    counts = comparisons([(0, 1, 1, i, 0) for i in range(20)] + [(1, 2, i % 3 and 1, i, 0) for i in range(20)]).counts()
    found = trueskill(counts, runs=5, steps=200, seed=1)
    assert (np.diff(found.mu.mean(axis=0)) < 0).all()
    assert np.array_equal(found.mu, trueskill(counts, runs=5, steps=200, seed=1).mu)
    assert not np.array_equal(found.mu, trueskill(counts, runs=5, steps=200, seed=2).mu)


def test_rank_ranges_and_clusters() -> None:
    scores = np.array([[3.0, 2.0, 1.0]] * 70 + [[2.0, 3.0, 1.0]] * 30)
    assert ranges_from_resamples(scores) == [(1, 2), (1, 2), (3, 3)]
    assert clusters_from_ranges([(1, 2), (1, 2), (3, 3)]) == [1, 1, 2]
    beats = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool)
    assert ranges_from_wins(beats) == [(1, 2), (1, 2), (3, 3)]
    assert ranges_from_neighbours(beats) == [(1, 2), (1, 2), (3, 3)]
    assert clusters_from_wins(beats) == clusters_from_counts(beats) == [1, 1, 2]
