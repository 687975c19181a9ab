"""Overlap: counted by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import karat
from karat.corpus import References
from karat.errors import SpecError
from karat.registry import metric
from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations, Frame, Span


def column(annotations: Sequence[Annotation]) -> TextColumn:
    return TextColumn.of(" ".join(one.tokens) for one in annotations).annotated(Annotations.of(annotations))


def lemmas(text: str) -> Annotation:
    return Annotation(tokens=tuple(text.split()), lemmas=tuple(text.split()))


def test_the_bags_of_the_definition_share_a_quarter() -> None:
    rows = metric("overlap(of=lemma)").prepare(column([lemmas("a c")])).rows(column([lemmas("a a b")]))
    assert rows.values.tolist() == [[1, 4]]
    assert rows.score == 25


def test_one_empty_side_is_0_and_two_are_100_and_count_for_nothing() -> None:
    references = column([lemmas(""), lemmas("a"), lemmas("a b")])
    rows = metric("overlap(of=lemma)").prepare(references).rows(column([lemmas(""), lemmas(""), lemmas("a b")]))
    assert rows.unit_scores().tolist() == [100, 0, 100]
    assert rows.score == pytest.approx(200 / 3)


# The dog gave Anna a bone / Anna gave the dog a bone
HYPOTHESIS = Annotation(
    tokens=("The", "dog", "gave", "Anna", "a", "bone"),
    pos=("DET", "NOUN", "VERB", "PROPN", "DET", "NOUN"),
    tags=("DT", "NN", "VBD", "NNP", "DT", "NN"),
    chunks=(Span("NP", 0, 2), Span("VP", 2, 3), Span("NP", 3, 4), Span("NP", 4, 6)),
    constituents=(Span("S", 0, 6), Span("NP", 0, 2), Span("VP", 2, 6), Span("NP", 3, 4), Span("NP", 4, 6)),
    heads=(1, 2, -1, 2, 5, 2),
    relations=("det", "nsubj", "root", "iobj", "det", "obj"),
    entities=(Span("PER", 3, 4),),
    frames=(Frame(Span("give", 2, 3), (Span("ARG0", 0, 2), Span("ARG2", 3, 4), Span("ARG1", 4, 6))),),
)
REFERENCE = Annotation(
    tokens=("Anna", "gave", "the", "dog", "a", "bone"),
    pos=("PROPN", "VERB", "DET", "NOUN", "DET", "NOUN"),
    tags=("NNP", "VBD", "DT", "NN", "DT", "NN"),
    chunks=(Span("NP", 0, 1), Span("VP", 1, 2), Span("NP", 2, 4), Span("NP", 4, 6)),
    constituents=(Span("S", 0, 6), Span("NP", 0, 1), Span("VP", 1, 6), Span("NP", 2, 4), Span("NP", 4, 6)),
    heads=(1, -1, 3, 1, 5, 1),
    relations=("nsubj", "root", "det", "iobj", "det", "obj"),
    entities=(Span("ORG", 0, 1),),
    frames=(Frame(Span("give", 1, 2), (Span("ARG0", 0, 1), Span("ARG2", 2, 4), Span("ARG1", 4, 6))),),
)


@pytest.mark.parametrize(
    ("spec", "shared", "everything"),
    [
        ("overlap", 5, 7),  # all but The/the
        ("overlap(lowercase=true)", 6, 6),
        ("overlap(of=tag,type=NN)", 2, 2),
        ("overlap(of=chunk)", 5, 7),
        ("overlap(of=chunk,match=M)", 3, 5),  # VP gave, NP Anna, NP a bone
        ("overlap(of=chunk,type=VP)", 1, 1),
        ("overlap(of=constituent,type=VP)", 3, 6),  # gave Anna a bone / gave the dog a bone: gave, a, bone
        ("overlap(of=constituent,type=NP,match=M,lowercase=true)", 3, 3),
        # nsubj: The dog / Anna; root: all; iobj: Anna / the dog; obj: a bone; det: The, a / the, a
        ("overlap(of=dependency,type=nsubj)", 0, 3),
        ("overlap(of=dependency,type=obj)", 2, 2),
        ("overlap(of=dependency)", 0 + 5 + 0 + 2 + 1, 3 + 7 + 3 + 2 + 3),
        # det(a, bone), root(gave), obj(bone, gave) of det(The, dog), nsubj, iobj on either side
        ("overlap(of=dependency,match=M)", 3, 9),
        ("overlap(of=entity)", 0, 2),
        ("overlap(of=role)", 2, 8),
        ("overlap(of=role,type=ARG1,match=M)", 1, 1),
        ("overlap(of=role,type=ARG9)", 0, 0),
    ],
)
def test_elements_of_each_kind_are_those_counted_by_hand(spec: str, shared: int, everything: int) -> None:
    rows = metric(spec).prepare(column([REFERENCE])).rows(column([HYPOTHESIS]))
    assert rows.values.tolist() == [[shared, everything]]


def test_of_several_references_the_best_counts() -> None:
    references = column([lemmas("x y"), lemmas("a c"), lemmas("a b")])
    prepared = metric("overlap(of=lemma)").prepare(References(references, References.of([["", "", ""]]).offsets))
    assert prepared.rows(column([lemmas("a b")])).values.tolist() == [[2, 2]]


def test_annotations_are_given_from_python_by_name() -> None:
    known = {"mine": Annotations.of([HYPOTHESIS]), "reference": [REFERENCE]}
    texts = {"mine": [" ".join(HYPOTHESIS.tokens)]}, [" ".join(REFERENCE.tokens)]
    scores = karat.score(*texts, ["overlap(of=chunk)", "chrf"], annotations=known, language="en")
    assert scores["overlap"].score == pytest.approx(100 * 5 / 7)
    assert scores["overlap"].signature.get("annotations") is not None
    assert "annotations" not in str(scores["chrf"].signature)


def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(SpecError, match="of"):
        metric("overlap(of=chunks)")
    with pytest.raises(SpecError, match="overlap wants frames, and spacy-en finds only"):
        metric("overlap(of=role,annotate=spacy-en)")


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("overlap(of=lemma,type=NP)", "lemmas have no types"),
        ("overlap(of=pos,match=M)", "each is one word"),
        ("hwcm(of=pos,lowercase=true)", "no effect with of=pos"),
        ("bleu(of=chunk,lowercase=true)", "no effect with of=chunk"),
    ],
)
def test_parameters_that_do_nothing_are_refused(spec: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        metric(spec)
