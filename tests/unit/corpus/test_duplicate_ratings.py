"""One rater's unmarked duplicates of an item count once."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from karat.corpus.ratings import Ratings, first_judgements, without_duplicates
from karat.human.analysis import analyse
from karat.human.plan import AnalysisPlan


def rated(*rows: tuple[str | None, str, str, float | None, str | None]) -> Ratings:
    columns = zip(*rows, strict=True)
    named = dict(zip(("rater", "system", "segment", "value", "control"), columns, strict=True))
    size = len(rows)
    schema = {"control": pl.String, "rater": pl.String, "value": pl.Float64}
    frame = pl.DataFrame({**named, "protocol": ["da"] * size, "criterion": ["overall"] * size}, schema_overrides=schema)
    return Ratings.of(frame)


def test_a_raters_values_are_averaged_first() -> None:
    merged, note = without_duplicates(
        rated(
            ("r", "a", "1", 20, None), ("r", "a", "1", 40, None), ("r", "a", "1", 60, None), ("s", "a", "1", 90, None)
        )
    )
    assert merged.frame.select("rater", "value").rows() == [("r", 40.0), ("s", 90.0)]
    assert note is not None
    assert note.code == "duplicate-judgements"
    assert "1 item was" in note.message
    assert "2 rows too many" in note.message
    assert "system a, segment 1, by r" in note.message


def test_marked_repeats_and_unknown_raters_stay() -> None:
    ratings = rated(
        ("r", "a", "1", 20, None),
        ("r", "a", "1", 40, "repeat"),
        (None, "a", "1", 60, None),
        (None, "a", "1", 80, None),
        ("s", "a", "1", None, None),
        ("s", "a", "1", None, None),
        ("r", "b", "1", 5, None),
        ("r", "a", "2", 5, None),
    )
    assert without_duplicates(ratings) == (ratings, None)


def test_comparisons_stay() -> None:
    columns = {"rater": ["r"] * 2, "system": ["a"] * 2, "segment": ["1"] * 2, "criterion": ["overall"] * 2}
    ranked = Ratings.of({**columns, "protocol": ["ranking"] * 2, "item": ["x", "y"], "value": [1, 2]})
    assert without_duplicates(ranked) == (ranked, None)
    preferred = Ratings.of({**columns, "protocol": ["preference"] * 2, "other_system": ["b"] * 2, "value": [1, 1]})
    assert without_duplicates(preferred) == (preferred, None)


ROWS = st.tuples(
    st.sampled_from(["r", "s"]), st.sampled_from("ab"), st.sampled_from("12"), st.integers(0, 9), st.none()
)


@given(st.lists(ROWS, min_size=1, max_size=20))
def test_it_equals_means_by_rater_and_item(rows: list[tuple[str, str, str, float, None]]) -> None:
    merged, note = without_duplicates(rated(*rows))
    expected: dict[tuple[str, str, str], list[float]] = {}
    for rater, system, segment, value, _ in rows:
        expected.setdefault((rater, system, segment), []).append(value)
    found = {row[:3]: row[3] for row in merged.frame.select("rater", "system", "segment", "value").iter_rows()}
    assert list(found) == list(expected)
    assert all(abs(found[key] - sum(values) / len(values)) < 1e-12 for key, values in expected.items())
    assert (note is None) == (len(rows) == len(expected))
    again = without_duplicates(merged)
    assert again == (merged, None)


def test_the_analysis_counts_a_rater_once_and_says_so() -> None:
    ratings = rated(
        ("r", "a", "1", 0, None),
        ("r", "a", "1", 0, None),
        ("r", "a", "1", 0, None),
        ("s", "a", "1", 100, None),
        ("r", "b", "1", 40, None),
        ("s", "b", "1", 40, None),
    )
    (criterion,) = analyse(ratings, AnalysisPlan()).criteria
    assert {system.system: system.score for system in criterion.systems} == {"a": 50.0, "b": 40.0}
    assert "duplicate-judgements" in {note.code for note in criterion.notes}
    (of_wmt,) = analyse(ratings, AnalysisPlan(preset="wmt26")).criteria
    assert {system.system: system.score for system in of_wmt.systems} == {"a": 25.0, "b": 40.0}
    assert "duplicate-judgements" not in {note.code for note in of_wmt.notes}


def test_answers_stay_answers_and_show_whether_a_rater_agrees_with_himself() -> None:
    """A mean of 3.5 is no answer: kappas take the first one, and both say how far the rater agrees with himself."""
    rows = [(rater, system, "1", value, None) for rater, system, value in (("r", "a", 3), ("s", "a", 3), ("s", "b", 2))]
    ratings = rated(*rows, ("r", "b", "1", 2, None), ("r", "a", "1", 4, None))
    assert first_judgements(ratings).frame["value"].to_list() == [3, 3, 2, 2]
    (criterion,) = analyse(ratings, AnalysisPlan()).criteria
    values = {value.measure: (value.value, value.n) for value in criterion.agreement}
    assert values["percent"] == (1.0, 2)
    assert values["percent, same rater"] == (0.0, 1)
