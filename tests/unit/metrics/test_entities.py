"""Entities: told by their form, and scored by hand."""

from __future__ import annotations

import pytest

from karat.errors import SpecError
from karat.metrics.words.names import names_in
from karat.registry import metric
from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations, Span


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The cat sat. The dog ran.", []),
        ('He said: "Go!" She went to Paris (France).', ["Paris", "France"]),
        ("NATO met; iPhones and McDonald's stayed", ["NATO", "iPhones", "McDonald's"]),
        ("1,234.5 1.234,5 1'234 1\u202f234", ["1234.5", "1234.5", "1234", "1234"]),
        ("12,5 0.5 1.234.567", ["12.5", "0.5", "1234567"]),
        ("2021-04-03, 3.4.2021, 03/04/21", ["3-4-2021", "3-4-2021", "3-4-21"]),
        ("20 % 20% $5 5 $ 5 km 5km/h 5 kmx", ["20 %", "20 %", "5 $", "5 $", "5 km", "5 km/h", "5"]),
        ("-5 °C (−2.5) 3-4 x-6 5", ["-5 °C", "-2.5", "3", "4", "6", "5"]),
        ("١٢ كتب", ["12"]),
        ("猫が3匹", ["3"]),
        ("", []),
    ],
)
def test_forms_are_told_in_any_language(text: str, found: list[str]) -> None:
    assert [named.form for named in names_in(text)] == found


@pytest.mark.parametrize(
    ("spec", "row"),
    [
        ("entities", [2, 3, 4]),
        ("entities(kind=name)", [1, 1, 2]),
        ("entities(kind=number)", [1, 1, 1]),
        ("entities(kind=unit)", [0, 1, 1]),
        ("entities(kind=date)", [0, 0, 0]),
    ],
)
def test_matches_are_those_counted_by_hand(spec: str, row: list[int]) -> None:
    rows = metric(spec).prepare(["In 2019 Anna met Ben for 5 km."]).rows(["In 2019 Anna met him for 6 km."])
    assert rows.values.tolist() == [row]
    assert rows.score == pytest.approx(100 * (2 * row[0] / (row[1] + row[2]) if row[1] else 1))


def test_precision_and_recall_stand_beside() -> None:
    entities = metric("entities")
    rows = entities.prepare([["It cost 5", "It cost 5 and 6"]]).rows(["It cost 5 and 6, not 7"])
    assert rows.values.tolist() == [[2, 3, 2]]
    assert entities.details(rows.sum()) == {"precision": pytest.approx(2 / 3), "recall": 1.0}


def test_names_of_an_annotator_match_word_for_word() -> None:
    def column(label: str, *tokens: str) -> TextColumn:
        known = Annotation(tokens=tokens, entities=(Span(label, 0, 2), Span("GPE", 2, 3)))
        return TextColumn.of([" ".join(tokens)]).annotated(Annotations.of([known]))

    prepared = metric("entities(by=annotation)").prepare(column("PERSON", "Anna", "Meier", "Bonn"))
    assert prepared.rows(column("ORG", "Anna", "Meier", "Köln")).values.tolist() == [[1, 2, 2]]


def test_parameters_without_effect_are_refused() -> None:
    with pytest.raises(SpecError, match="looks at forms alone: add by=annotation"):
        metric("entities(annotate=spacy-en)")
    with pytest.raises(SpecError, match="has no kinds"):
        metric("entities(by=annotation,kind=date)")
