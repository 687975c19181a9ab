"""How much time post-editing saves, against sums made by hand and an interval drawn another way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from karat.corpus.ratings import Ratings
from karat.human.analysis import analyse
from karat.human.plan import AnalysisPlan
from karat.results.human import HumanResult

SEGMENTS = 60


def timed(seconds: dict[str, list[float]], **columns: list[str]) -> Ratings:
    """Work on segments of one to three words: the first half from scratch, the second with each system's output."""
    rows: list[dict[str, Any]] = []
    for system, times in seconds.items():
        first = 0 if system == "from scratch" else SEGMENTS // 2
        for row, time in enumerate(times, first):
            way = "translation" if system == "from scratch" else "post-editing"
            own = {name: values[row] for name, values in columns.items()}
            text = " ".join(["wort"] * (1 + row % 3))
            rows.append(
                {"system": system, "segment": f"{row}", "criterion": way, "source": text, "seconds": time, **own}
            )
    frame = {name: [row[name] for row in rows] for name in rows[0]}
    return Ratings.of({**frame, "rater": ["r"] * len(rows), "protocol": ["productivity"] * len(rows)})


def saved_by(ratings: Ratings, **plan: Any) -> dict[str, Any]:
    """What the analysis of post-editing tells of each system."""
    edited = {each.criterion: each for each in analyse(ratings, AnalysisPlan(**plan)).criteria}["post-editing"]
    return {one.system: one.details for one in edited.systems}


def drawn(scratch: list[float], edited: list[float]) -> list[float]:
    """The interval, from segments drawn one by one."""
    random, half = np.random.default_rng(5), SEGMENTS // 2
    words, shares = [1 + row % 3 for row in range(SEGMENTS)], []
    for _ in range(2000):
        rows = random.integers(0, SEGMENTS, SEGMENTS)
        first, second = [row for row in rows if row < half], [row for row in rows if row >= half]
        anew = sum(scratch[row] for row in first) / sum(words[row] for row in first)
        corrected = sum(edited[row - half] for row in second) / sum(words[row] for row in second)
        shares.append(1 - corrected / anew)
    return list(np.percentile(shares, [2.5, 97.5]))


def test_the_share_of_time_that_each_system_saves() -> None:
    random = np.random.default_rng(1)
    times = {
        name: [float(random.uniform(low, 4 * low)) * (1 + row % 3) for row in range(SEGMENTS // 2)]
        for name, low in {"from scratch": 4, "good": 2, "bad": 6}.items()
    }
    found = saved_by(timed(times))
    for system in ("good", "bad"):
        # Both halves have as many words.
        assert found[system]["time_saved"] == pytest.approx(1 - sum(times[system]) / sum(times["from scratch"]))
        expected = drawn(times["from scratch"], times[system])
        assert found[system]["time_saved_interval"] == pytest.approx(expected, abs=0.04)
    assert found["good"]["time_saved_interval"][0] > 0 > found["bad"]["time_saved_interval"][1]
    table = str(HumanResult(criteria=analyse(timed(times), AnalysisPlan()).criteria))
    assert "Total s/word" in table
    assert f"{100 * found['good']['time_saved']:.1f} % [" in table


def test_documents_are_drawn_where_they_are_known() -> None:
    times = {"from scratch": [4.0] * 20 + [8.0] * 10, "good": [float(2 + row % 5) for row in range(30)]}
    documents = [f"d{row % 4}" for row in range(SEGMENTS)]
    whole = timed(times, document=documents)
    assert saved_by(whole)["good"] != saved_by(whole, unit="segment")["good"]
    assert saved_by(whole, unit="segment")["good"] == saved_by(timed(times))["good"]


def test_what_cannot_be_told_is_left_out() -> None:
    alone = saved_by(timed({"good": [2.0, 3.0]}))
    assert "time_saved" not in alone["good"]
    once = saved_by(timed({"from scratch": [4.0], "good": [2.0, 2.0]}))["good"]
    assert once["time_saved"] == pytest.approx(2 / 3)  # 4 seconds for 3 words in place of 4 for 1
    assert "time_saved_interval" not in once
