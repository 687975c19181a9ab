"""Draws: what they are, and what they do not depend on."""

from __future__ import annotations

import concurrent.futures
import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError, SpecError
from karat.significance.blocks import MOST_THREADS, Runner, _usable_threads
from karat.significance.draws import Draws, block_length

KINDS = st.sampled_from(["full", "half", "swap"])


def all_of(draws: Draws) -> np.ndarray:
    return np.concatenate([draws.block(i) for i in range(len(draws))])


@given(KINDS, st.integers(1, 1200), st.integers(2, 40), st.integers(0, 9))
def test_blocks_hold_every_draw_once(kind: str, n: int, units: int, seed: int) -> None:
    drawn = all_of(Draws(kind, n, units, seed))
    assert drawn.shape == (n, units)
    assert drawn.dtype == np.float64
    totals = {"full": {units}, "half": {units // 2}}.get(kind)
    assert totals is None or set(drawn.sum(axis=1)) == totals
    if kind != "full":
        assert set(np.unique(drawn)) <= {0.0, 1.0}


@given(KINDS, st.integers(1, 700), st.integers(1, 700), st.integers(2, 30))
def test_fewer_draws_are_the_first_of_more(kind: str, n: int, more: int, units: int) -> None:
    assert np.array_equal(all_of(Draws(kind, n, units)), all_of(Draws(kind, n + more, units))[:n])


def test_zero_is_a_seed() -> None:
    first, again, other = (all_of(Draws("full", 50, 20, seed)) for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("kind", "digest"), [("full", "fb559414038af3a9"), ("half", "a1f08dad74e1f042"), ("swap", "97cce3f44408a287")]
)
def test_a_seed_keeps_its_meaning(kind: str, digest: str) -> None:
    """A change here changes published numbers: it belongs in the changelog under "Scores changed"."""
    drawn = all_of(Draws(kind, 3000, 1500, seed=7)).astype(np.uint8)
    assert hashlib.sha256(drawn.tobytes()).hexdigest()[:16] == digest


def test_kinds_draw_independently() -> None:
    full, swap = Draws("full", 400, 50, 3).block(0), Draws("swap", 400, 50, 3).block(0)
    assert abs(np.corrcoef(full.ravel(), swap.ravel())[0, 1]) < 0.03


def test_every_unit_is_drawn_equally_often() -> None:
    for kind, expected in (("full", 1.0), ("half", 0.5), ("swap", 0.5)):
        means = all_of(Draws(kind, 4000, 10)).mean(axis=0)
        assert means == pytest.approx(expected, abs=0.08)


def test_a_block_stays_small() -> None:
    assert block_length(10) == 2048
    assert block_length(2000) * 2000 <= 2**21
    assert block_length(10**8) == 4


@pytest.mark.parametrize(("n", "seed", "message"), [(0, 1, "at least 1"), (5, -1, "not negative")])
def test_bad_numbers_are_refused(n: int, seed: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Draws("full", n, 5, seed).block(0)


def test_an_unknown_kind_names_a_near_one() -> None:
    with pytest.raises(SpecError, match="Did you mean half"):
        Draws("halve", 5, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_runner_keeps_the_order_and_counts(threads: int) -> None:
    seen: list[tuple[int, int]] = []
    runner = Runner(threads, lambda done, total: seen.append((done, total)), 9)
    draws = Draws("swap", 36, 500_000)
    assert len(draws) == 9
    assert list(runner.run(draws, lambda block: block * block)) == [i * i for i in range(9)]
    assert seen == [(i + 1, 9) for i in range(9)]


def test_the_runner_carries_errors_over() -> None:
    def fail(block: int) -> int:
        if block == 3:
            raise InputError("here")
        return block

    with pytest.raises(InputError, match="here"):
        list(Runner(2).run(Draws("swap", 36, 500_000), fail))


def test_few_draws_start_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrent.futures, "ThreadPoolExecutor", None)
    few = Draws("full", 5000, 100)
    assert len(few) > 1
    assert list(Runner(2).run(few, lambda block: block)) == list(range(len(few)))


@pytest.mark.parametrize(("asked", "least", "most"), [("3", 3, 3), ("0", 1, MOST_THREADS), ("many", 1, MOST_THREADS)])
def test_the_number_of_threads(asked: str, least: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_THREADS", asked)
    assert least <= _usable_threads() <= most
