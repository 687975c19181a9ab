"""The recipes of the how-to, on other engines: the scores of `karat.score`, row by row."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.parts import rows

import karat

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "scale.md").read_text("utf-8")


def recipe(title: str) -> str:
    """The code below a heading of the page."""
    return re.split(r"```py(?:thon)?\n", PAGE.split(f"#### {title}\n", 1)[1], maxsplit=1)[1].split("```", 1)[0]


@pytest.fixture
def expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pl.DataFrame]:
    """The scores of two files in the directory where the recipe runs."""
    frames = [rows(300, seed) for seed in range(2)]
    (tmp_path / "parts").mkdir()
    for number, frame in enumerate(frames):
        frame.write_parquet(tmp_path / "parts" / f"{number}.parquet")
    monkeypatch.chdir(tmp_path)
    whole = pl.concat(frames)
    scores = karat.score(whole["hypothesis"], whole["reference"], ["chrf"])
    yield whole.with_columns(chrf=pl.Series(scores["chrf"].segments)).sort("source")


def result(title: str) -> Any:
    space: dict[str, Any] = {}
    exec(compile(recipe(title), title, "exec"), space)
    return space["scored"]


def test_polars(expected: pl.DataFrame) -> None:
    assert result("Polars").sort("source").equals(expected)


def test_duckdb(expected: pl.DataFrame) -> None:
    pytest.importorskip("duckdb", reason="install DuckDB: pip install duckdb pyarrow")
    pytest.importorskip("pyarrow", reason="install pyarrow: pip install pyarrow")
    assert pl.DataFrame(result("DuckDB")).sort("source").equals(expected)


def test_ray_data(expected: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason="install Ray: pip install 'karat[ray]'")
    pytest.importorskip("pyarrow", reason="install pyarrow: pip install pyarrow")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setitem(os.environ, "RAY_USAGE_STATS_ENABLED", "0")
    ray.init(address="local", num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
    try:
        found = pl.from_arrow(result("Ray Data")).sort("source")  # type: ignore[union-attr]
    finally:
        ray.shutdown()
    assert found.select(expected.columns).equals(expected)
