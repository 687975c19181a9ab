from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from karat.corpus import Corpus, PartialColumn, split_language_pair
from karat.errors import InputError
from karat.text import TextColumn


def small(**changes: object) -> Corpus:
    parts: dict[str, object] = {
        "systems": {"a": ["x", "y", "z"], "b": ["x", "", "z"]},
        "references": {"A": ["x", "y", None], "B": [None, "y2", "z"]},
        "source": ["1", "2", "3"],
    }
    return Corpus.of(**{**parts, **changes})  # type: ignore[arg-type]


def test_single_complete_reference_is_used_as_it_is() -> None:
    corpus = small(references={"A": ["r", "s", "t"]})
    references = corpus.references_for("a")
    assert references.column is corpus.references["A"].text
    assert references.offsets.tolist() == [0, 1, 2, 3]
    assert corpus.references_for("b") is references


def test_complete_references_are_interleaved() -> None:
    references = small(references={"A": ["a", "b", "c"], "B": ["d", "e", "f"]}).references_for()
    assert references.column.to_list() == ["a", "d", "b", "e", "c", "f"]
    assert references.count_label == "2"


def test_missing_references_are_left_out_and_empty_ones_kept() -> None:
    references = small(references={"A": ["x", "", None], "B": [None, "y2", "z"]}).references_for()
    assert references.column.to_list() == ["x", "", "y2", "z"]
    assert references.offsets.tolist() == [0, 1, 3, 4]


def test_targeted_references() -> None:
    corpus = small(targeted={"a": ["p", "q", "r"]})
    assert corpus.references_for("a").column.to_list() == ["x", "y", "y2", "z"]
    assert corpus.references_for("a", targeted="instead").column.to_list() == ["p", "q", "r"]
    assert corpus.references_for("a", targeted="beside").column.to_list() == ["x", "p", "y", "y2", "q", "z", "r"]
    assert corpus.references_for("b", targeted="beside").column.to_list() == ["x", "y", "y2", "z"]
    with pytest.raises(InputError, match=r"no targeted references \(post-edits\) of b"):
        corpus.references_for("b", targeted="instead")
    with pytest.raises(InputError, match="Did you mean a"):
        corpus.references_for("aa", targeted="instead")
    with pytest.raises(InputError, match="no system 'aa'"):
        corpus.references_for("aa")
    with pytest.raises(InputError, match="needs the name of a system"):
        corpus.references_for(targeted="beside")


def test_targeted_references_alone_are_enough() -> None:
    corpus = small(references={}, targeted={"a": ["p", "q", "r"], "b": ["s", "t", None]})
    assert corpus.references_for("a", targeted="instead").column.to_list() == ["p", "q", "r"]
    with pytest.raises(InputError, match="segment 3 has no reference at all for b"):
        corpus.references_for("b", targeted="instead")
    with pytest.raises(InputError, match="the corpus has no references"):
        corpus.references_for("a")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": ["1"]}, "reference A has 3 segments, but source has 1"),
        ({"systems": {"a": ["x"]}}, "reference A has 3 segments, but system a has 1"),
        ({"documents": ["d"]}, "reference A has 3 segments, but documents has 1"),
        ({"references": {"A": [None, None, "x"]}}, "segment 1 has no reference at all, nor have 1 others"),
        ({"systems": [("a", ["x"] * 3), ("a", ["y"] * 3)]}, "two systems are named 'a'"),
        ({"systems": {"": ["x"] * 3}}, "cannot name a system"),
        ({"systems": {"a\tb": ["x"] * 3}}, "cannot name a system"),
        ({"targeted": {"c": ["x"] * 3}}, "targeted references of 'c', but no such system"),
        ({"references": {"A": "xyz"}}, "got a single string"),
        ({"language_pair": "ende"}, "is not a language pair"),
        ({"systems": {"a": ["x", "\ud800", "z"]}}, "surrogate"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        small(**changes)


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(InputError, match="it has no segment"):
        Corpus.of(systems={"a": []}, references=[])
    with pytest.raises(InputError, match="the corpus is empty"):
        Corpus.of(systems={}, references={})


def test_select_keeps_order_and_suggests_names() -> None:
    corpus = small(targeted={"a": ["p", "q", "r"]})
    assert list(corpus.select(systems=["b", "a"]).systems) == ["b", "a"]
    assert not corpus.select(systems=["b"]).targeted
    with pytest.raises(InputError, match="segment 3 has no reference"):
        corpus.select(references=["A"])
    with pytest.raises(InputError, match="no system 'bb'"):
        corpus.select(systems=["bb"])


def test_a_corpus_comes_in_pieces_of_which_a_short_one_is_itself() -> None:
    corpus = small()
    assert [piece.segment_ids for piece in corpus.pieces(2)] == [("1", "2"), ("3",)]
    assert list(corpus.pieces(3)) == [corpus]


def test_slices_keep_their_numbers() -> None:
    part = small(documents=["d"] * 3, targeted={"a": ["p", None, "r"]}).slice(1, 3)
    assert len(part) == 2
    assert part.segment_ids == ("2", "3")
    assert part.systems["b"].to_list() == ["", "z"]
    assert part.references["A"].to_list() == ["y", None]
    assert part.references["B"].present is None
    assert part.targeted["a"].to_list() == [None, "r"]
    assert part.documents == ("d", "d")
    assert part.slice(1, 2).segment_ids == ("3",)
    with pytest.raises(InputError, match="do not lie in a corpus of 2"):
        part.slice(0, 3)


def test_the_hash_follows_the_content_alone() -> None:
    corpus = small()
    assert corpus.content_hash == small(ids=["1", "2", "3"], metadata={"a": 1}).content_hash
    assert corpus.content_hash == corpus.select(systems=["b", "a"], references=["B", "A"]).content_hash
    others = [
        small(ids=["1", "2", "4"]),
        small(source=["1", "2", "4"]),
        small(source=None),
        small(documents=["1", "2", "3"]),
        small(references={"A": ["x", "y", ""], "B": [None, "y2", "z"]}),
        small(references={"A": ["x", "y", None], "C": [None, "y2", "z"]}),
        small(targeted={"a": ["x", "y", "z"]}),
    ]
    assert len({corpus.content_hash, *(other.content_hash for other in others)}) == len(others) + 1


def test_a_corpus_cannot_be_changed() -> None:
    corpus = small()
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus.source = None  # type: ignore[misc]
    with pytest.raises(TypeError):
        corpus.systems["c"] = TextColumn.of(["x"])  # type: ignore[index]


def test_repr_is_short() -> None:
    assert repr(small(language_pair="en-de")) == "Corpus(3 segments, 2 references, 2 systems, en-de)"


def test_partial_columns() -> None:
    column = PartialColumn.of(["a", None, ""])
    assert column.missing.tolist() == [1]
    assert PartialColumn.of(column) is column
    assert PartialColumn.of(TextColumn.of(["a"])).present is None
    assert column.digest() != PartialColumn.of(["a", "", ""]).digest()
    assert np.array_equal(PartialColumn.of(["a"]).missing, [])


def test_language_pairs() -> None:
    assert split_language_pair("en_US-pt_BR") == ("en_US", "pt_BR")
    assert split_language_pair("zh-Hant-en") == ("zh-Hant", "en")
    for wrong in ("en", "-de", "en-", "zh-hant-en"):
        with pytest.raises(InputError, match="not a language pair"):
            split_language_pair(wrong)
