"""Matrices of scores, and what is told of them."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.analysis.similarity import PairSummary, usual_nearness
from karat.corpus.parquet_stream import parquet_stream
from karat.errors import InputError, KaratError, SpecError
from karat.registry import metric
from karat.service.inputs import Files
from karat.service.pairwise import (
    MatrixOptions,
    PairwiseRequest,
    SimilarityRequest,
    compare_strings,
    compare_systems_pairwise,
)
from karat.text import TextColumn

TEXTS = ["the cat sat on the mat", "the cat sat on the mat", "a dog ran", "the cat sat on a mat"]


def test_the_matrix_has_the_scores_of_every_pair() -> None:
    result = karat.pairwise(TEXTS, TEXTS[1:], "chrf++")
    alone = [[metric("chrf++").prepare([r]).rows([h]).score for r in TEXTS[1:]] for h in TEXTS]
    assert result.scores is not None
    np.testing.assert_allclose(result.scores, alone, rtol=1e-12)


def test_a_list_is_summed_up_without_pairs_of_one_string() -> None:
    result = karat.pairwise(TEXTS, metric="chrf", near=50)
    assert result.scores is not None
    assert result.lists is not None
    others = result.scores[~np.eye(4, dtype=bool)]
    assert (result.lists.pairs, result.lists.different) == (12, 3)
    assert result.lists.mean == pytest.approx(others.mean())
    assert (result.lists.lowest, result.lists.highest) == (others.min(), others.max())
    closest = np.where(np.eye(4, dtype=bool), -np.inf, result.scores).max(axis=1)
    assert result.lists.closest == pytest.approx(closest.mean())


def test_near_pairs_are_later_strings_and_earlier_ones() -> None:
    result = karat.pairwise(TEXTS, metric="chrf", near=50)
    assert [(pair.hypothesis, pair.reference, pair.equal) for pair in result.nearest] == [
        (2, 1, True),
        (4, 1, False),
        (4, 2, False),
    ]
    assert result.lists is not None
    assert (result.lists.near_pairs, result.lists.near_hypotheses) == (3, 2)


def test_near_is_low_where_lower_is_better() -> None:
    result = karat.pairwise(TEXTS, metric="ter", near=20)
    assert result.lists is not None
    assert [(pair.hypothesis, pair.reference, pair.score) for pair in result.nearest] == [
        (2, 1, 0.0),
        (4, 1, pytest.approx(100 / 6)),
        (4, 2, pytest.approx(100 / 6)),
    ]
    assert result.scores is not None
    closest = np.where(np.eye(4, dtype=bool), np.inf, result.scores).min(axis=1)
    assert result.lists.closest == pytest.approx(closest.mean())


@given(
    matrix=st.lists(st.lists(st.integers(0, 9), min_size=6, max_size=6), min_size=6, max_size=6),
    cut=st.integers(1, 6),
    own=st.booleans(),
)
def test_blocks_add_up(matrix: list[list[int]], cut: int, own: bool) -> None:
    scores = np.array(matrix, dtype=np.float64)
    whole, parts = (PairSummary(6.0, True, 6, own=own) for _ in range(2))
    whole.add(0, 0, scores)
    for row in range(0, 6, cut):
        for column in range(0, 6, cut):
            parts.add(row, column, scores[row : row + cut, column : column + cut])
    assert parts.nearest() == whole.nearest()
    assert parts.extremes() == pytest.approx(whole.extremes())
    assert parts.mean_of_closest() == whole.mean_of_closest()
    assert (parts.near_pairs, parts.has_near.tolist()) == (whole.near_pairs, whole.has_near.tolist())


@pytest.mark.parametrize(("spec", "near"), [("chrf", 80), ("ter", 20), ("ssa", 80), ("meteor(modules=exact)", 80)])
def test_what_is_near_follows_from_the_scale(spec: str, near: float) -> None:
    assert usual_nearness(metric(spec)) == near


def test_what_is_near_must_be_said_where_the_scale_is_not_known() -> None:
    length = karat.metric_from(lambda h, r: float(len(h) - len(r[0])), name="length", version="1")
    with pytest.raises(InputError, match="say it with near"):
        karat.pairwise(["a"], ["b"], length)
    result = karat.pairwise(["ab", "c"], ["b"], length, near=1)
    assert result.scores is not None
    assert result.scores.tolist() == [[1.0], [0.0]]


def files(directory: Path, **texts: list[str]) -> dict[str, str]:
    for name, lines in texts.items():
        (directory / f"{name}.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return {name: str(directory / f"{name}.txt") for name in texts}


def test_the_matrix_is_written_row_by_row(tmp_path: Path) -> None:
    paths = files(tmp_path, a=TEXTS, b=TEXTS[:3])
    matrix = tmp_path / "m.parquet"
    compare_strings(
        PairwiseRequest(hypotheses=paths["a"], references=paths["b"], options=MatrixOptions(matrix=str(matrix)))
    )
    frame = pl.read_parquet(matrix)
    scores = karat.pairwise(TEXTS, TEXTS[:3]).scores
    assert scores is not None
    assert frame["score"].to_numpy().reshape(4, 3).tolist() == scores.tolist()
    assert frame.select("hypothesis", "reference").rows()[:4] == [(1, 1), (1, 2), (1, 3), (2, 1)]


def test_only_near_pairs_are_written(tmp_path: Path) -> None:
    paths = files(tmp_path, a=TEXTS)
    matrix = tmp_path / "m.parquet"
    options = MatrixOptions(matrix=str(matrix), only_near=True, near=50)
    compare_strings(PairwiseRequest(hypotheses=paths["a"], options=options))
    assert pl.read_parquet(matrix).select("hypothesis", "reference").rows() == [(2, 1), (4, 1), (4, 2)]


def test_systems_are_compared_by_segment(tmp_path: Path) -> None:
    paths = files(tmp_path, a=TEXTS, b=TEXTS[::-1], c=[*TEXTS[:3], ""])
    matrix = tmp_path / "m.parquet"
    texts = Files((), tuple(paths.items()))
    result = compare_systems_pairwise(SimilarityRequest(texts=texts, options=MatrixOptions(matrix=str(matrix))))
    scores = {(pair.hypothesis, pair.reference): pair for pair in result.systems}
    expected = karat.score(TEXTS, TEXTS[::-1], ["chrf"])[0].score
    assert scores["a", "b"].score == pytest.approx(expected, abs=1e-12)
    assert (scores["a", "c"].equal_segments, scores["a", "c"].near_segments) == (3, 3)
    frame = pl.read_parquet(matrix)
    assert len(frame) == 4 * 9
    means = frame.group_by("hypothesis", "reference").agg(pl.col("score").mean())
    (mean,) = means.filter((pl.col("hypothesis") == "a") & (pl.col("reference") == "b"))["score"]
    assert scores["a", "b"].mean_of_segments == pytest.approx(mean)
    assert result.diversity == pytest.approx(frame.filter(pl.col("hypothesis") != pl.col("reference"))["score"].mean())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "nist"}, "learns how n-grams count"),
        ({"matrix": "m.csv"}, "ends in .parquet"),
        ({"only_near": True}, "Name a file"),
        ({"near": float("nan")}, "near is nan"),
        ({"near": "x"}, "near is 'x'"),
        ({"threads": -1}, "threads is -1"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, SpecError), match=message):
        compare_strings(PairwiseRequest(hypotheses=TextColumn.of(TEXTS), options=MatrixOptions(**options)))


def test_empty_strings_are_told() -> None:
    with pytest.warns(UserWarning, match="1 string holds nothing but white space"):
        karat.pairwise(["a", " "], ["a"])


def test_a_single_string_has_no_other() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = karat.pairwise(["a"])
    assert result.lists is not None
    assert (result.lists.pairs, result.lists.mean, result.lists.closest) == (0, None, None)
    assert "–" in str(result)


def test_a_file_is_not_there_after_an_error(tmp_path: Path) -> None:
    target = tmp_path / "m.parquet"
    with pytest.raises(RuntimeError, match="stop"), parquet_stream(target, {"score": pl.Float64}) as stream:
        stream.write(pl.DataFrame({"score": [1.0]}))
        raise RuntimeError("stop")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_ends_in_an_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full on this system")
    frame = pl.DataFrame({"score": np.random.default_rng(1).random(1 << 18)})
    with pytest.raises(KaratError, match="cannot"), parquet_stream("/dev/full", {"score": pl.Float64}) as stream:
        for _ in range(50):
            stream.write(frame)
