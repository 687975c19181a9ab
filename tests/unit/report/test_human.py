"""The tables of `karat human` for judgements of every kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests import tables

from karat.corpus.ratings import Ratings
from karat.errors import InputError
from karat.human.analysis import analyse
from karat.human.plan import AnalysisPlan
from karat.report.human import agreement_table, systems_table
from karat.significance import Interval

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
    return tables.written(analyse(ratings, AnalysisPlan()), form, *parts)


def test_comparisons_show_wins_losses_and_ties() -> None:
    text = written(RANKED, "markdown", "systems", "pairs", "agreement")
    assert "| Rank | System | n | W | L | T | W/(W+L) | Exp. wins |" in text
    assert "| **a** | 4 | 4 | 0 | 0 | 1.0000 | 1.0000 |" in text
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


def test_a_model_whose_errors_are_unknown_says_so_in_its_column() -> None:
    rows = [(system, str(segment)) for segment in range(8) for system in "abc"]
    columns = {
        "system": [system for system, _ in rows],
        "segment": [segment for _, segment in rows],
        "rater": [f"of-{system}" for system, _ in rows],
        "value": [40 + 10 * "abc".index(system) + (7 * int(segment)) % 5 for system, segment in rows],
    }
    size = len(rows)
    text = written(Ratings.of({**columns, "protocol": ["da"] * size, "criterion": ["overall"] * size}), "markdown")
    assert text.count("± unknown") == 3
    assert "standard deviations of raters unknown" in text


def test_domains_and_documents_have_tables() -> None:
    columns = {"system": ["a", "b"] * 2, "segment": ["1", "1", "2", "2"], "rater": ["r"] * 4, "value": [4, 2, 5, 1]}
    placed = {"document": ["d1", "d1", "d2", "d2"], "domain": ["news", "news", "talks", "talks"]}
    ratings = Ratings.of({**columns, **placed, "protocol": ["scale"] * 4, "criterion": ["overall"] * 4})
    text = written(ratings, "markdown", "domains", "documents")
    assert "| talks | 5.00 | 1.00 |" in text
    assert "| d1 | 4.00 | 2.00 |" in text


def test_segments_are_for_programs() -> None:
    with pytest.raises(InputError, match="--format csv"):
        written(RANKED, "markdown", "segments")


def test_what_rounds_to_nothing_has_no_sign() -> None:
    values = [10.0, 20, 30, 40, 30, 20, 10, 5]
    columns = {"system": ["a", "b"] * 4, "segment": ["1", "1", "2", "2"] * 2, "rater": ["r"] * 4 + ["s"] * 4}
    scale = {"protocol": ["da"] * 8, "criterion": ["overall"] * 8, "value": values}
    (criterion,) = analyse(Ratings.of({**columns, **scale}), AnalysisPlan()).criteria
    interval = Interval(-0.0001, 0.0001, 0.95, "percentile")
    agreement = tuple(replace(value, value=-0.0001, interval=interval) for value in criterion.agreement)
    systems = tuple(replace(result, model=-0.001, model_error=1.0, interval=interval) for result in criterion.systems)
    nothing = replace(criterion, agreement=agreement, systems=systems)
    rows = (*agreement_table(nothing, 2).rows, *systems_table(nothing, 2).rows)
    texts = [cell.text for row in rows for cell in row]
    assert "[0.00, 0.00]" in texts
    assert "0.00 ± 1.00" in texts
    assert "[0.000, 0.000]" in texts
    assert not [text for text in texts if "-0.00" in text]
