"""The tables of `karat human` for judgements of every kind."""

from __future__ import annotations

import io

import pytest

from karat.corpus.ratings import Ratings
from karat.errors import InputError
from karat.human.analysis import analyse
from karat.human.settings import Settings
from karat.report.human_writers import write_human

RANKED = Ratings.of(
    {
        "rater": ["j1"] * 6,
        "system": ["a", "b", "c"] * 2,
        "segment": ["1"] * 3 + ["2"] * 3,
        "item": ["x"] * 3 + ["y"] * 3,
        "protocol": ["ranking"] * 6,
        "criterion": ["overall"] * 6,
        "value": [1, 2, 3, 1, 3, 3],
    }
)


def written(ratings: Ratings, form: str, *parts: str) -> str:
    out = io.StringIO()
    write_human(analyse(ratings, Settings()), form, out, digits=2, parts=parts)
    return out.getvalue()


def test_comparisons_show_wins_losses_and_ties() -> None:
    text = written(RANKED, "markdown", "systems", "pairs", "agreement")
    assert "| Rank | System | n | W | L | T | W/(W+L) | Exp. wins |" in text
    assert "| **a** | 4 | 4 | 0 | 0 | 1.00 | 1.00 |" in text
    assert "### Pairs: overall" in text


def test_errors_show_where_they_come_from() -> None:
    span = {"start": 0, "end": 1, "side": "target", "category": "Accuracy", "severity": "Major"}
    columns = {"system": ["a", "b"], "segment": ["1", "1"], "rater": ["r", "r"], "spans": [[span], []]}
    text = written(Ratings.of({**columns, "protocol": ["mqm"] * 2, "criterion": ["penalty"] * 2}), "markdown")
    assert "| a | Accuracy | Major | 1 | 5.00 | 100 % |" in text


def test_a_sheet_is_a_table() -> None:
    sheet = {"system": ["a"], "protocol": ["femti"], "criterion": ["usability"], "value": [4], "comment": ["easy"]}
    assert "| a | usability | 4 | easy |" in written(Ratings.of(sheet), "markdown")


def test_csv_holds_one_table() -> None:
    assert written(RANKED, "csv").startswith("protocol,criterion,level,system,n,items,raters,score,")
    assert written(RANKED, "csv", "pairs").count("\n") == 4
    with pytest.raises(InputError, match="one table"):
        written(RANKED, "csv", "systems", "pairs")
    with pytest.raises(InputError, match="nothing to show"):
        written(RANKED, "csv", "raters")
