"""Tree accuracies: by hand, and against treelets found and compared one by one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.annotations import annotation_of
from tests.examples import examples
from tests.oracles.edit_distance import levenshtein

from karat.corpus.references import References
from karat.metrics.gta_style import GtaStyle
from karat.metrics.sta_style import StaStyle
from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations

TEXTS = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a"]), max_size=7).map(" ".join)


def parsed(text: str, *heads: int) -> Annotation:
    return Annotation(tokens=tuple(text.split()), heads=heads, relations=("dep",) * len(heads))


def column(*annotations: Annotation) -> TextColumn:
    texts = TextColumn.of([" ".join(annotation.tokens) for annotation in annotations])
    return texts.annotated(Annotations.of(annotations))


REFERENCE = parsed("the cat sat on the mat", 1, 2, -1, 2, 5, 3)


@pytest.mark.parametrize(
    ("hypothesis", "operations"),
    [
        # Treelets of the reference: (sat) as the root, the cat, cat sat on, on mat, the mat: ten words.
        (REFERENCE, [10, 0, 0, 0, 0]),
        # The phrase moves to the front: only "cat sat on" is another, "on cat sat", with one move.
        (parsed("on the mat the cat sat", 5, 2, 0, 4, 5, -1), [9, 0, 1, 1, 1]),
        # "mat" without its article: the treelet of mat is gone, two words deleted.
        (parsed("the cat sat on mat", 1, 2, -1, 2, 3), [8, 0, 2, 0, 0]),
        # "dog" for "cat": its place beside "sat", and its own treelet deleted and another inserted.
        (parsed("the dog sat on the mat", 1, 2, -1, 2, 5, 3), [7, 1, 2, 2, 0]),
        (parsed(""), [0, 0, 10, 0, 0]),
    ],
)
def test_operations_are_those_counted_by_hand(hypothesis: Annotation, operations: list[int]) -> None:
    rows = StaStyle().prepare(column(REFERENCE)).rows(column(hypothesis))
    assert rows.values.tolist() == [operations]
    hits, substitutions, deletions, insertions, moves = operations
    edits, length = substitutions + deletions + insertions, hits + substitutions + deletions
    assert rows.score == pytest.approx(100 * (1 - edits / length))
    again = GtaStyle().prepare(column(REFERENCE)).rows(column(hypothesis))
    assert again.score == pytest.approx(100 * (1 - (edits - moves) / length))


def test_the_best_reference_counts_and_case_may_be_ignored() -> None:
    both = References(column(parsed("a b", 1, -1), parsed("A c", 1, -1)), References.of([["x", "y"]]).offsets)
    assert StaStyle().prepare(both).rows(column(parsed("A c", 1, -1))).score == 100
    assert StaStyle().prepare(both).rows(column(parsed("a C", 1, -1))).score < 100
    assert StaStyle(lowercase=True).prepare(both).rows(column(parsed("a C", 1, -1))).score == 100


def treelets(annotation: Annotation) -> list[tuple[str, list[str]]]:
    """The word at the head of each treelet, and all its words, one head after the other."""
    heads, words = annotation.heads or (), annotation.tokens
    roots = [("", [word for word, head in zip(words, heads, strict=True) if head == -1])] if words else []
    tops = [top for top in range(len(words)) if top in heads]
    return roots + [
        (words[top], [word for place, word in enumerate(words) if heads[place] == top or place == top]) for top in tops
    ]


@settings(max_examples=examples(40))
@given(TEXTS, TEXTS, st.integers(0, 9))
def test_edits_are_those_of_treelets_one_by_one(hypothesis: str, reference: str, seed: int) -> None:
    own, other = annotation_of(hypothesis, seed), annotation_of(reference, seed)
    rest, edits = treelets(own), 0
    for head, words in treelets(other):
        partner = next((treelet for treelet in rest if treelet[0] == head), None)
        if partner is not None:
            rest.remove(partner)
        edits += levenshtein(partner[1] if partner else [], words)
    edits += sum(len(words) for _, words in rest)
    rows = StaStyle().prepare(column(other)).rows(column(own))
    assert rows.values[0, 1:4].sum() == edits
    assert rows.values[0, :3].sum() == sum(len(words) for _, words in treelets(other))
