"""Rankings: order, ranges and clusters."""

from __future__ import annotations

import numpy as np
import pytest

from karat.rows import Rows
from karat.significance import Options, rank
from karat.significance.ranking import clusters_of


def systems(means: dict[str, float], *, up: bool = True, noise: float = 1.0) -> dict[str, Rows]:
    rng = np.random.default_rng(0)
    return {
        name: Rows.from_scores(mean + rng.normal(0, noise, 200), spec="x", higher_is_better=up)
        for name, mean in means.items()
    }


def test_systems_far_apart_have_one_rank_and_cluster_each() -> None:
    found = rank([systems({"b": 5, "a": 9, "c": 1})], Options(n=500)).ranking
    assert [(one.system, one.rank_low, one.rank_high, one.cluster) for one in found] == [
        ("a", 1, 1, 1),
        ("b", 2, 2, 2),
        ("c", 3, 3, 3),
    ]


def test_systems_that_are_equal_share_everything() -> None:
    found = rank([systems({"a": 1, "b": 1, "c": 9, "d": 9})], Options(n=500)).ranking
    assert [one.cluster for one in found] == [1, 1, 2, 2]
    assert [(one.rank_low, one.rank_high) for one in found] == [(1, 2), (1, 2), (3, 4), (3, 4)]
    assert {one.system for one in found[:2]} == {"c", "d"}


def test_lower_may_be_better() -> None:
    found = rank([systems({"a": 9, "b": 1}, up=False)], Options(n=500)).ranking
    assert [one.system for one in found] == ["b", "a"]
    assert found[0].cluster < found[1].cluster


def test_a_chain_that_overlaps_is_one_cluster() -> None:
    # a beats c, but neither is told apart from b: no line separates all above from all below.
    beats = np.zeros((3, 3), dtype=bool)
    beats[0, 2] = True
    assert clusters_of(beats) == [1, 1, 1]
    beats[1, 2] = True
    assert clusters_of(beats) == [1, 1, 2]


def test_beating_the_next_one_is_not_enough_for_a_cluster() -> None:
    # b beats c, but a, whose output varies more, does not.
    beats = np.zeros((3, 3), dtype=bool)
    beats[1, 2] = True
    assert clusters_of(beats) == [1, 1, 1]


def test_ranges_hold_the_place_and_metrics_keep_apart() -> None:
    tables = [systems({f"s{i}": i / 12 for i in range(8)}), systems({"x": 0, "y": 5})]
    found = rank(tables, Options(n=500))
    assert len(found.comparisons) == 28 + 1
    for place, one in enumerate(found.ranking[:8], 1):
        assert one.rank_low <= place <= one.rank_high
    assert [one.system for one in found.ranking[8:]] == ["y", "x"]
    clusters = [one.cluster for one in found.ranking[:8]]
    assert clusters == sorted(clusters)
    assert found.ranking[0].to_json() == {
        "metric": "x",
        "system": "s7",
        "score": pytest.approx(found.ranking[0].score),
        "rank_low": found.ranking[0].rank_low,
        "rank_high": found.ranking[0].rank_high,
        "cluster": 1,
    }
