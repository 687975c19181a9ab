"""Constructions: patterns over dependencies, counted by hand."""

from __future__ import annotations

import pytest

from karat.corpus.references import References
from karat.errors import InputError, SpecError
from karat.metrics.annotated.patterns import Pattern
from karat.metrics.constructions import Constructions
from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations


def parsed(text: str, heads: tuple[int, ...], relations: str, pos: str = "") -> Annotation:
    tags = tuple(pos.split()) or ("X",) * len(heads)
    return Annotation(tokens=tuple(text.split()), heads=heads, relations=tuple(relations.split()), pos=tags)


FRONTED = parsed(
    "When it rains we stay here",
    (2, 2, 4, 4, -1, 4),
    "mark nsubj advcl nsubj root advmod",
    "SCONJ PRON VERB PRON VERB ADV",
)
BEHIND = parsed(
    "we stay here when it rains",
    (1, -1, 1, 5, 5, 1),
    "nsubj root advmod mark nsubj advcl",
    "PRON VERB ADV SCONJ PRON VERB",
)


@pytest.mark.parametrize(
    ("pattern", "fronted", "behind"),
    [
        ("relation=advcl", 1, 1),
        ("relation=advcl before", 1, 0),
        ("relation=advcl after", 0, 1),
        ("relation=advcl first", 1, 0),
        ("relation=advcl last", 0, 1),
        ("relation=nsubj", 2, 2),
        ("relation=nsubj head.relation=advcl", 1, 1),
        ("relation=nsubj|advcl|mark", 4, 4),
        ("pos=VERB head.pos=VERB", 1, 1),
        ("word=it head.word=rains", 1, 1),
        ("relation=root before", 0, 0),
        ("relation=root first last", 1, 1),
        ("head.word=nothing", 0, 0),
        ("first", 3, 2),
    ],
)
def test_constructions_are_counted(pattern: str, fronted: int, behind: int) -> None:
    assert (Pattern.of(pattern).count(FRONTED), Pattern.of(pattern).count(BEHIND)) == (fronted, behind)


def column(*annotations: Annotation) -> TextColumn:
    texts = TextColumn.of([" ".join(annotation.tokens) for annotation in annotations])
    return texts.annotated(Annotations.of(annotations))


def test_counts_overlap_pattern_by_pattern() -> None:
    made = Constructions(pattern="relation=advcl first; relation=nsubj; pos=ADV")
    rows = made.prepare(column(FRONTED, FRONTED)).rows(column(BEHIND, FRONTED))
    assert rows.values.tolist() == [[3, 4], [4, 4]]
    assert rows.unit_scores() == pytest.approx([75, 100])
    assert rows.score == pytest.approx(100 * 7 / 8)


def test_texts_without_the_construction_agree() -> None:
    assert Constructions().prepare(column(BEHIND)).rows(column(BEHIND)).score == 100
    assert Constructions().prepare(column(BEHIND)).rows(column(FRONTED)).score == 0


def test_the_best_reference_counts() -> None:
    both = References(column(BEHIND, FRONTED), References.of([["x", "y"]]).offsets)
    assert Constructions().prepare(both).rows(column(FRONTED)).values.tolist() == [[1, 1]]


def test_only_what_is_asked_for_must_be_known() -> None:
    assert Constructions().layers == ("dependencies",)
    assert Constructions(pattern="lemma=be; head.tag=VB").layers == ("lemmas", "tags", "dependencies")
    with pytest.raises(InputError, match="lemmas of the references are wanted"):
        Constructions(pattern="lemma=be").prepare(column(FRONTED))


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "no condition"),
        ("relation=advcl;", "no condition"),
        ("relaton=advcl", "no field 'relaton'. Did you mean relation"),
        ("head.case=1", r"no field 'head\.case'"),
        ("relation=advcl frist", "no place 'frist'. Did you mean first"),
    ],
)
def test_patterns_that_cannot_be_read_are_refused(pattern: str, reason: str) -> None:
    with pytest.raises(SpecError, match=reason):
        Constructions(pattern=pattern)
