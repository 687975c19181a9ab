"""`karat.score_batch`: the table, and beside it the scores of each row."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from tests.parts import rows

import karat
from karat.errors import InputError

TABLE = rows(40)
CHRF = karat.score(TABLE["hypothesis"], TABLE["reference"], ["chrf"])["chrf"]


def test_a_data_frame_of_polars() -> None:
    scored = karat.score_batch(TABLE, ["chrf", "ter"], statistics=True)
    assert scored.select(TABLE.columns).equals(TABLE)
    assert scored["chrf"].to_list() == CHRF.segments.tolist()
    sums = scored.select(pl.col("^chrf/.*$").sum()).to_numpy()[0]
    assert karat.metric("chrf").aggregate(sums.astype(float)) == CHRF.score
    assert "ter" in scored.columns


def test_a_data_frame_of_pandas() -> None:
    frame = pytest.importorskip("pandas").DataFrame(TABLE.to_dict(as_series=False))
    scored = karat.score_batch(frame, "chrf")
    assert scored["chrf"].tolist() == CHRF.segments.tolist()
    assert "chrf" not in frame.columns


def test_text_without_spaces_wants_its_language() -> None:
    table = {"hypothesis": ["我们今天学习中文。"], "reference": ["我们今天学习中文和数学。"]}
    with pytest.raises(InputError, match=r"each line for one word.*language='zh'"):
        karat.score_batch(table)
    scored = karat.score_batch(table, language="zh")
    asked = karat.score(table["hypothesis"], table["reference"], ["ter"], language="zh")["ter"]
    assert scored["ter(normalized=true,asian_support=true)"] == asked.segments.tolist()
    with pytest.warns(UserWarning, match="scores will mean little"):
        karat.score_batch(table, "ter(tokenize=none)")


def test_columns() -> None:
    lists = TABLE.to_dict(as_series=False)
    scored = karat.score_batch(
        {"mt": lists["hypothesis"], "reference": lists["reference"]}, "chrf", columns={"hypothesis": "mt"}
    )
    assert scored["chrf"] == CHRF.segments.tolist()
    several = karat.score_batch({"system:a": ["x y"], "system:b": ["x z"], "reference": ["x y"]}, "chrf")
    assert list(several)[3:] == ["chrf:a", "chrf:b"]


def test_segments_have_a_formula_of_their_own_by_default() -> None:
    scored = karat.score_batch(TABLE)
    added = [name for name in scored.columns if name not in TABLE.columns]
    assert added == ["sentence-bleu", "chrf", "ter"]
    sentences = karat.score(TABLE["hypothesis"], TABLE["reference"], ["sentence-bleu"])[0]
    assert scored["sentence-bleu"].to_list() == sentences.segments.tolist()
    with pytest.warns(UserWarning, match="for single segments use sentence-bleu"):
        asked = karat.score_batch({"hypothesis": ["a b c"], "reference": ["a b c"]}, ["bleu", "sentence-bleu"])
    assert asked["bleu"][0] == pytest.approx(0)
    assert asked["sentence-bleu"][0] == pytest.approx(100)


@pytest.mark.parametrize(
    ("table", "metrics", "message"),
    [
        ({"hypothesis": ["a", None], "reference": ["a", "b"]}, "chrf", "row 2 of the table: system hypothesis has no"),
        ({"hypothesis": ["a", "b"], "reference": ["a", None]}, "chrf", "row 2 of the table: there is no reference"),
        ({"hypothesis": ["a"], "reference": [1]}, "chrf", "row 1 of the table: reference must be text"),
        ({"hypothesis": ["a"], "reference": ["b"]}, "nist", "of which a batch is only a part"),
        ({"hypothesis": ["a"], "reference": ["b"], "chrf": [1]}, "chrf", "a column 'chrf' already"),
        ({"hypothesis": ["a"], "reference": ["b"]}, [], "no metric was asked for"),
        ({"hypothesis": [], "reference": []}, "chrf", "the table is empty"),
        ({"hypothesis": ["a"], "reference": ["b"], "system": ["c"], "segment": ["1"]}, "chrf", "has a column system"),
        ([["a"]], "chrf", "a table is a data frame"),
        ({"a": ["b"]}, "chrf", "none of the columns is known"),
    ],
    ids=range(10),
)
def test_refusals(table: Any, metrics: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        karat.score_batch(table, metrics)


def test_tables_that_cannot_be_scored_are_refused_as_tables() -> None:
    with pytest.raises(InputError, match="'hypothesis' has 1 values, and 'reference' has 2"):
        karat.score_batch({"hypothesis": ["a"], "reference": ["a", "b"]}, "chrf")
    with pytest.raises(InputError, match="collect it first"):
        karat.score_batch(pl.LazyFrame({"hypothesis": ["a"], "reference": ["a"]}), "chrf")
