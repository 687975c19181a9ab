"""What is known of words: checked when it is made, and kept by columns of text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from tests.annotations import annotations
from tests.examples import examples

from karat.errors import InputError
from karat.text import TextColumn
from karat.text.annotation import LAYERS, Annotation, Annotations, Frame, Span, bracketed, parents
from karat.text.annotation.jsonform import of_json, to_text

CAT = {"tokens": ("the", "cat", "sat")}


@pytest.mark.parametrize(
    ("layers", "problem"),
    [
        ({"lemmas": ("the", "cat")}, "2 lemmas for 3 tokens"),
        ({"pos": ()}, "0 pos for 3 tokens"),
        ({"heads": (1, 2, -1)}, "heads of tokens without relations"),
        ({"relations": ("det", "nsubj", "root")}, "relations of tokens without heads"),
        (
            {"heads": (1, 3, -1), "relations": ("", "", "")},
            r"the head of token 2 \('cat'\) is token 4, and there are 3",
        ),
        ({"heads": (1, -2, -1), "relations": ("", "", "")}, "is token -1"),
        ({"heads": (1, 2, 0), "relations": ("", "", "")}, r"the heads of token 1 \('the'\) lead back to itself"),
        ({"heads": (-1, 1, 0), "relations": ("", "", "")}, r"the heads of token 2 \('cat'\) lead back"),
        ({"chunks": (Span("NP", 0, 4),)}, "NP goes from 0 to before 4, and the 3 tokens"),
        ({"entities": (Span("PER", 2, 2),)}, "PER goes from 2 to before 2"),
        ({"frames": (Frame(Span("sit", 2, 3), (Span("ARG0", -1, 2),)),)}, "ARG0 goes from -1"),
        ({"chunks": (Span("NP", 0, 2), Span("VP", 1, 3))}, "overlap or are out of order"),
        ({"constituents": (Span("S", 0, 2), Span("VP", 1, 3))}, "cross, or are out of order"),
        ({"constituents": (Span("NP", 0, 2), Span("S", 0, 3))}, r"NP \(tokens 1 to 2\) and S \(tokens 1 to 3\) cross"),
        ({"constituents": (Span("VP", 2, 3), Span("NP", 0, 2))}, r"VP \(token 3\) and NP"),
    ],
)
def test_what_contradicts_itself_is_refused(layers: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Annotation(**CAT, **layers)


def test_several_roots_are_several_sentences() -> None:
    assert Annotation(tokens=("Go", "!"), heads=(-1, -1), relations=("root", "root")).layers == ("dependencies",)


def test_parents_are_those_of_the_tree() -> None:
    tree = bracketed("(S (NP (NP (DT the) (NN cat)) (PP (IN on) (NP (NNS mats)))) (VP (VP (VBD sat)))) (S (UH oh))")
    assert [span.label for span in tree.constituents or ()] == ["S", "NP", "NP", "PP", "NP", "VP", "VP", "S"]
    assert parents(tree.constituents or ()) == (-1, 0, 1, 1, 3, 0, 5, -1)


def test_trees_are_read_without_traces_and_with_brackets_that_are_words() -> None:
    tree = bracketed("( (S (NP-SBJ (-NONE- *T*-1)) (VP (VB Go) (-LRB- -LRB-) (NP (NN home)))) )")
    assert tree.tokens == ("Go", "(", "home")
    assert tree.tags == ("VB", "-LRB-", "NN")
    assert tree.constituents == (Span("S", 0, 3), Span("VP", 0, 3), Span("NP", 2, 3))
    assert bracketed("").tokens == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(S (NP (NN cat))", "a bracket is not closed"),
        ("(S (NN cat)))", "closed that was not opened"),
        ("cat", "outside of all brackets"),
        ("(S (NP (NN cat) (VP)))", r"\(VP\) holds no word"),
        ("(S (NN cat) sat)", "'sat' is a word without a bracket of its own"),
        ("(S (NN cat dog))", "'dog' is a word without"),
        ("(S ((NN cat)))", "a bracket has no label"),
        ("(S (NN cat (X y)))", "behind the word 'cat'"),
    ],
)
def test_trees_that_are_none_are_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        bracketed(text)


@settings(max_examples=examples(30))
@given(annotations())
def test_the_json_of_annotations_gives_them_back(annotation: Annotation) -> None:
    assert of_json(json.loads(to_text(annotation))) == annotation


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (["the"], "an annotation is an object with tokens"),
        ({"lemmas": ["the"]}, "an annotation is an object with tokens"),
        ({"tokens": "the"}, "tokens is not a list"),
        ({"tokens": ["the", 1]}, "tokens has 1, which is not a string"),
        ({"tokens": ["a"], "heads": ["0"], "relations": ["root"]}, 'heads has "0"'),
        ({"tokens": ["a"], "heads": [True], "relations": ["root"]}, "heads has true"),
        ({"tokens": ["a"], "chunks": [["NP", 0]]}, 'write label, first token and end, such as \\["NP", 0, 2\\]'),
        ({"tokens": ["a"], "frames": [{"roles": []}]}, "a frame is written"),
        ({"tokens": ["a"], "frames": [{"predicate": ["be", 0, 1], "roles": 3}]}, "the roles of a frame"),
        ({"tokens": ["a"], "synonyms": []}, "there is no layer 'synonyms'"),
    ],
)
def test_json_that_holds_something_else_is_refused(value: Any, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        of_json(value)


def test_a_column_has_the_layers_that_all_its_texts_have() -> None:
    first = Annotation(tokens=("a",), lemmas=("a",), pos=("X",))
    column = Annotations.of([first, Annotation(tokens=("b",), pos=("Y",))])
    assert column.layers == ("pos",)
    assert Annotations.of([None, Annotation(tokens=())]).layers == LAYERS
    assert column.digest != Annotations.of([column[0]]).digest
    with pytest.raises(InputError, match="segment 2 has no Annotation but str"):
        Annotations.of([column[0], "a"])  # type: ignore[list-item]


def test_columns_of_text_keep_the_annotations_that_they_came_with() -> None:
    first, second = (
        TextColumn.of(texts).annotated(Annotations.of(Annotation(tokens=(text,)) for text in texts))
        for texts in (["a", "b"], ["c", "d"])
    )

    def tokens(column: TextColumn) -> list[str]:
        assert column.given_annotations is not None
        return [annotation.tokens[0] for annotation in column.given_annotations]

    for column in (
        TextColumn.concat([first, second]),
        TextColumn.interleave([first, second]),
        first[1:],
        first.take([1, 0, 1]),
    ):
        assert tokens(column) == column.to_list()
    assert TextColumn.concat([first, TextColumn.of(["e"])]).given_annotations is None
    with pytest.raises(InputError, match="2 annotations for 1 texts"):
        TextColumn.of(["e"]).annotated(first.given_annotations)  # type: ignore[arg-type]


def test_an_annotator_is_asked_once() -> None:
    class Counting:
        signature = "counting"
        asked = 0

        def annotations(self, column: TextColumn) -> Annotations:
            self.asked += 1
            return Annotations.of(Annotation(tokens=tuple(text.split())) for text in column)

    annotator: Any = Counting()
    column = TextColumn.of(["a b"])
    assert column.annotations(annotator) is column.annotations(annotator)
    assert annotator.asked == 1
