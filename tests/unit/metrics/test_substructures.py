"""STM and HWCM: by hand, against Moses, and against chains and subtrees found by an obvious recursion."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.annotations import annotation_of
from tests.examples import examples
from tests.oracles.records import record

from karat.corpus.references import References
from karat.errors import InputError, SpecError
from karat.metrics.hwcm import Hwcm
from karat.metrics.stm import Stm
from karat.registry import metric
from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations, bracketed

TEXTS = st.lists(st.sampled_from(["the", "cat", "sat", "on", "mat"]), max_size=9).map(" ".join)


def column(*annotations: Annotation) -> TextColumn:
    texts = TextColumn.of([" ".join(annotation.tokens) for annotation in annotations])
    return texts.annotated(Annotations.of(annotations))


def trees(*texts: str) -> TextColumn:
    return column(*map(bracketed, texts))


def parsed(text: str) -> Annotation:
    """The dependencies of a record of Moses: brackets of relations around brackets of a tag and a word."""
    words: list[str] = []
    tags: list[str] = []
    heads: list[int] = []
    relations: list[str] = []
    open_: list[int | None] = []
    pieces = text.replace("[", " [ ").replace("]", " ] ").split()
    pending = ""
    for before, piece, after in zip(["", *pieces], pieces, [*pieces[1:], ""], strict=False):
        if piece == "[":
            open_.append(None)
        elif piece == "]":
            open_.pop()
        elif after == "[" and before == "[":
            pending = piece
        elif before == "[":
            tags.append(piece)
        else:  # the word itself, which the bracket around its tag is about
            open_[-2] = len(words)
            heads.append(next((head for head in reversed(open_[:-2]) if head is not None), -1))
            relations.append(pending)
            words.append(piece)
    return Annotation(tokens=tuple(words), tags=tuple(tags), heads=tuple(heads), relations=tuple(relations))


def test_moses_prints_the_same(shared_spec: Path) -> None:
    known = record(shared_spec, "o29")
    hypothesis, reference = parsed(known["hyps"][0]), parsed(known["refs"][0][0])
    assert hypothesis.tokens == ("sat", "cat", "a", "on", "mat", "the", "red")
    assert hypothesis.relations == ("root", "nsubj", "det", "prep", "pobj", "det", "amod")
    for form, expected in (("f", known["seg_scores"][0]), ("precision", 0.595238)):
        rows = Hwcm(form=form).prepare(column(reference)).rows(column(hypothesis))
        assert rows.values.tolist() == [[5, 7, 6, 4, 6, 5, 2, 4, 3, 1, 2, 1]]
        assert rows.score / 100 == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("hwcm(of=relations)", (6 / 7 + 5 / 6 + 3 / 4 + 1 / 2) / 4),
        ("hwcm(of=tags,max_order=1)", 6 / 7),
        ("hwcm(min_order=3,max_order=3)", 2 / 4),
        ("hwcm(max_order=9)", (5 / 7 + 4 / 6 + 2 / 4 + 1 / 2) / 4),
    ],
)
def test_chains_of_other_things_and_lengths(shared_spec: Path, spec: str, expected: float) -> None:
    known = record(shared_spec, "o29")
    rows = metric(spec).prepare(column(parsed(known["refs"][0][0]))).rows(column(parsed(known["hyps"][0])))
    assert rows.score == pytest.approx(100 * expected)


REFERENCE = "(S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))))"
HYPOTHESIS = "(S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN mats)))))"


@pytest.mark.parametrize(
    ("spec", "matches", "hypothesis"),
    [
        ("stm", (10, 4, 2, 1), (10, 5, 3, 2)),
        ("stm(words=true)", (14, 8, 3, 1), (15, 10, 5, 3)),
        ("stm(min_order=2,max_order=2)", (4,), (5,)),
    ],
)
def test_subtrees_are_those_counted_by_hand(spec: str, matches: tuple[int, ...], hypothesis: tuple[int, ...]) -> None:
    """Of depth 2 the hypothesis has S, NP (DT NN), VP, PP and NP (NN), and the reference all but the last."""
    rows = metric(spec).prepare(trees(REFERENCE)).rows(trees(HYPOTHESIS))
    assert tuple(rows.values[0, 0::3]) == matches
    assert tuple(rows.values[0, 1::3]) == hypothesis
    shares = [match / count for match, count in zip(matches, hypothesis, strict=True)]
    assert rows.score == pytest.approx(100 * sum(shares) / len(shares))


def test_of_several_references_each_part_counts_as_often_as_in_the_best() -> None:
    both = References(trees("(S (A x) (A x))", "(S (B x))"), References.of([["", ""]]).offsets)
    hypothesis = trees("(S (A x) (B x))")
    assert Stm(max_order=1).prepare(both).rows(hypothesis).values.tolist() == [[3, 3, 2]]
    assert Stm(max_order=1, form="f").prepare(both).rows(hypothesis).values.tolist() == [[2, 3, 2]]


def test_case_is_ignored_where_that_is_asked_for() -> None:
    lower, upper = (Annotation(tokens=(word,), heads=(-1,), relations=("root",)) for word in ("cat", "CAT"))
    assert Hwcm().prepare(column(lower)).rows(column(upper)).score == 0
    assert Hwcm(lowercase=True).prepare(column(lower)).rows(column(upper)).score == 100


def obvious_chains(annotation: Annotation, length: int) -> Counter[Any]:
    """Every word with the words above it, if there are so many."""
    chains = []
    for end in range(len(annotation.tokens)):
        trail = [end]
        while trail[-1] >= 0:
            trail.append((annotation.heads or ())[trail[-1]])
        if len(trail) > length:
            chains.append(tuple(annotation.tokens[place] for place in reversed(trail[:length])))
    return Counter(chains)


def obvious_shape(annotation: Annotation, start: int, end: int, among: list[int], depth: int) -> Any:
    """The outermost spans within a stretch, and between them tags, each with what is below it to a depth."""
    spans = annotation.constituents or ()
    shape, place = [], start
    while place < end:
        outer = next((node for node in among if spans[node].start == place and spans[node].end <= end), None)
        if outer is None:
            shape.append(((annotation.tags or ())[place], ()))
            place += 1
            continue
        inside = [node for node in among if node > outer and spans[node].end <= spans[outer].end]
        below = obvious_shape(annotation, spans[outer].start, spans[outer].end, inside, depth - 1) if depth > 1 else ()
        shape.append((spans[outer].label, below))
        place = spans[outer].end
    return tuple(shape)


def levels(shape: Any) -> int:
    return 1 + max(map(levels, shape[1]), default=0)


def nodes(forest: Any) -> list[Any]:
    return [node for tree in forest for node in (tree, *nodes(tree[1]))]


def cut(shape: Any, depth: int) -> Any:
    return (shape[0], tuple(cut(below, depth - 1) for below in shape[1]) if depth > 1 else ())


@settings(max_examples=examples(40))
@given(TEXTS, st.integers(0, 20))
def test_parts_are_those_of_an_obvious_recursion(text: str, seed: int) -> None:
    annotation = annotation_of(text, seed)
    assert Hwcm().bags(annotation) == [obvious_chains(annotation, length) for length in range(1, 5)]
    everything = list(range(len(annotation.constituents or ())))
    forest = nodes(obvious_shape(annotation, 0, len(annotation.tokens), everything, 99))
    expected = [Counter(cut(node, depth) for node in forest if levels(node) >= depth) for depth in range(1, 5)]
    assert Stm().bags(annotation) == expected


def test_texts_without_trees_are_refused_with_the_option_that_gives_them() -> None:
    with pytest.raises(InputError, match=r"stm: tags and constituents of the references are wanted.*--annotations"):
        Stm().prepare(["the cat"])
    with pytest.raises(SpecError, match="the least order is greater"):
        Hwcm(min_order=3, max_order=2)
